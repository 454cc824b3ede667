"""How values from files stand in messages."""

from collections.abc import Collection, Iterable
from typing import Any

from gradewright.visible import visible


def quoted(value: object) -> str:
    """How a value from a file stands in a message: in backticks, on one line, at most 60 characters of it."""
    if value is None or isinstance(value, bool):
        text = {None: "null", True: "true", False: "false"}[value]
    elif isinstance(value, int):
        text = str(value) if abs(value) < 10**60 else hex(value)
    elif isinstance(value, str | float):
        text = str(value) or '""'
    else:
        return type_name(value)
    if len(text) > 60:
        text = text[:59] + "…"
    return f"`{visible(text).replace('`', chr(39))}`"


def type_name(value: object) -> str:
    """What kind of value this is, in words that fit JSON, YAML and TOML."""
    if value is None:
        return "null"
    names = {bool: "a boolean", int: "an integer", float: "a number", str: "text", list: "a list", dict: "a mapping"}
    return names.get(type(value), "a date" if hasattr(value, "isoformat") else "a value of another kind")


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """The one of `known` that was most likely meant by `name`, or an empty text.

    Case, `-`, `_` and `.` make no difference; `cutoff` is the likeness (0 to 1) that is asked for otherwise. Of a very
    long list only the names of nearly the same length are compared.
    """
    from difflib import get_close_matches

    plain = {_plain(word): word for word in known}
    wanted = _plain(name[:128])
    if wanted in plain:
        return plain[wanted]
    if len(plain) > 200:
        plain = {key: word for key, word in plain.items() if key[:1] == wanted[:1] and abs(len(key) - len(wanted)) < 2}
    found = get_close_matches(wanted, list(plain)[:200], 1, cutoff)
    return plain[found[0]] if found else ""


def meant(name: str, known: Iterable[str]) -> str:
    """The one of `known` that `name` can only be a slip of, or an empty text: no other is nearly as near to it."""
    from difflib import SequenceMatcher

    words = list(known)
    near = nearest(name, words, 0.8)
    wanted = _plain(name[:128])
    if not near or _plain(near) == wanted:
        return near

    def likeness(word: str) -> float:
        return SequenceMatcher(None, wanted, _plain(word)).ratio()

    floor = likeness(near) - 0.1
    return near if all(word == near or likeness(word) < floor for word in words) else ""


def unknown_key(key: str, known: Collection[str], table: Collection[Any]) -> dict[str, str]:
    """What a `Problem` says of an unknown `key` of `table`: `nearest`, `meant`, and a `cure` where both are there."""
    near = nearest(key, known)
    if near and near in table:
        return {"nearest": near, "cure": f"keep what holds under `{near}`, which is there too, and delete this"}
    return {"nearest": near, "meant": meant(key, known) if near else ""}


def _plain(name: str) -> str:
    return name.casefold().replace("-", "").replace("_", "").replace(".", "")
