"""Find credentials that are spelt out in a script. They are told by kind and place; the values are never kept.

The text is looked at as it stands, comments included: a key leaks from wherever it is written.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from gradewright.finding import Location
from gradewright.model import CREDENTIAL, SHELL, Sign
from gradewright.read.files import line_column

_BODY = r"[A-Za-z0-9_-]"
_SHAPES = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("an API key", rf"(?<![\w-])sk-{_BODY}{{20,256}}+"),
        ("an API key", r"(?<![\w-])[rs]k_live_[A-Za-z0-9]{16,128}+"),
        ("a GitHub token", r"(?<![\w-])(?:gh[pousr]_[A-Za-z0-9]{36,255}+|github_pat_\w{40,255}+)"),
        ("a GitLab token", rf"(?<![\w-])glpat-{_BODY}{{20,64}}+"),
        ("an AWS access key", r"(?<!\w)A(?:KIA|SIA)[A-Z0-9]{16}(?!\w)"),
        ("a Google API key", rf"(?<![\w-])AIza{_BODY}{{35}}(?!{_BODY})"),
        ("a Slack token", r"(?<![\w-])xox[abeoprs]-[A-Za-z0-9-]{10,255}+"),
        ("a Slack webhook", r"(?<!\w)hooks\.slack\.com/services/T\w{8,16}/B\w{8,16}/\w{20,32}"),
        ("a Hugging Face token", r"(?<![\w-])hf_[A-Za-z0-9]{30,64}+"),
        ("an npm token", r"(?<![\w-])npm_[A-Za-z0-9]{36}(?!\w)"),
        ("a PyPI token", rf"(?<![\w-])pypi-AgE{_BODY}{{50,255}}+"),
        ("a SendGrid key", rf"(?<![\w-])SG\.{_BODY}{{22}}\.{_BODY}{{43}}(?!{_BODY})"),
        ("a JSON web token", rf"(?<![\w-])eyJ{_BODY}{{10,2000}}+\.eyJ{_BODY}{{10,4000}}+\.{_BODY}{{20,1000}}+"),
        (
            "a private key",
            r"-----BEGIN (?:[A-Z]{2,12} ){0,2}PRIVATE KEY-----(?:\s|\\n|[\"'+,\\]){1,40}+[A-Za-z0-9+/=]{40,128}+",
        ),
    )
)
_LOOSE = frozenset({"an API key", "a Slack token"})
"""Kinds whose form could be that of words joined by dashes."""

_LIKELY = (
    "sk-", "k_live_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "AKIA", "ASIA", "AIza", "xox",
    "hooks.slack", "hf_", "npm_", "pypi-", "SG.", "eyJ", "PRIVATE KEY",
)  # fmt: skip
"""A part of every such form, which is cheap to look for."""

_HEADER = re.compile(
    r"(?i)(?:authorization[\"']?\]?[ \t]{0,4}+[:=,][ \t]{0,4}+[f\"']{0,2}(?:bearer|token|basic)[ \t]{1,4}+"
    r"|x-[a-z-]{0,24}(?:key|token)[ \t]{0,4}+:[ \t]{0,4}+)"
)
_VALUE = re.compile(r"[A-Za-z0-9+/=_.~!@#%^&*-]{16,512}+")
_KEYWORDS = ("key", "token", "secret", "password", "passwd", "passphrase", "pwd", "credential")
_GIVEN = re.compile(
    r"[\w-]{0,32}+[\"']?\]?[ \t]{0,8}+(?::[ \t]{0,4}+str[ \t]{0,4}+)?(=(?![=~])|:|,)[ \t]{0,8}+([\"']?)"
)
"""The rest of a name, and what gives it a value."""

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SECRET_WORDS = frozenset({"token", "secret", "password", "passwd", "passphrase", "pwd", "credential", "apikey"})
_SERVICES = frozenset({"openai", "anthropic", "aws", "azure", "gemini", "github", "gitlab", "google", "hf", "stripe"})
_KEY_OF = _SERVICES | {"api", "access", "auth", "secret", "private", "service", "account", "master", "subscription"}
_ACCESS = _SERVICES | {"api", "access", "auth", "bearer", "client", "refresh", "service", "deploy", "bot", "apikey"}
"""What makes a name that of a credential beyond doubt: `api_key`, `access_token`, `client_secret`."""

_NO_SECRET = frozenset({
    "answer", "canary", "checksum", "csrf", "dataset", "digest", "dummy", "example", "expect", "expected", "fake",
    "file", "fixture", "flag", "format", "hash", "hashed", "id", "invalid", "length", "md", "mock", "name", "nonce",
    "path", "pattern", "placeholder", "prefix", "public", "regex", "sample", "sha", "test", "tests", "type", "uri",
    "url", "want", "wrong",
})  # fmt: skip
"""Words that make a name one of test data, of a check, or of something about a credential."""

_PLACEHOLDER = re.compile(
    r"(?i)(?<![a-z])(?:your|my|test|dummy|fake|mock|sample|foo|bar|demo|none|null|todo)(?![a-z])|example|change_?-?me"
    r"|placeholder|redacted|replace|insert|your[_-]|not[_-]?a?[_-]?real|x{4}|\*{3}|\.{3}|(\w)\1{5}|0?12345678|abcdefgh"
    r"|deadbeef|cafebabe|eyJzdWIiOiIxMjM0NTY3ODkw"
)
_HEX = re.compile(r"(?:[0-9a-f]+|[0-9A-F]+)\Z")
_UUID = re.compile(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")
_SEGMENTS = re.compile(r"[^A-Za-z0-9]+")
_MIN_BITS = 2.9
_MOST = 20


def credential_signs(text: str, path: str, language: str) -> tuple[Sign, ...]:
    """A sign for each credential in the script `text`, in order, at most twenty."""
    found: dict[int, str] = {}
    ends: dict[int, int] = {}
    for kind, start, end in (*_shaped(text), *_borne(text), *_assigned(text, language)):
        if not any(first <= start < ends[first] for first in found):
            found[start], ends[start] = kind, end
        if len(found) >= _MOST:
            break
    return tuple(
        Sign(CREDENTIAL, Location(path, *line_column(text, start)), kind) for start, kind in sorted(found.items())
    )


def _shaped(text: str) -> Iterator[tuple[str, int, int]]:
    """Credentials that are known by their form."""
    if not any(part in text for part in _LIKELY):
        return
    for kind, pattern in _SHAPES:
        for match in pattern.finditer(text):
            plain = kind in _LOOSE and not _is_random(match[0])
            if not plain and not _PLACEHOLDER.search(match[0]):
                yield kind, match.start(), match.end()


def _borne(text: str) -> Iterator[tuple[str, int, int]]:
    """The value of a header such as `Authorization`."""
    for start in _places(text, ("authorization", "x-")):
        match = _HEADER.match(text, start)
        if match is None:
            continue
        value = _VALUE.match(text, match.end())
        if value and _is_secret(value[0]):
            yield "the credential of a request header", value.start(), value.end()


def _assigned(text: str, language: str) -> Iterator[tuple[str, int, int]]:
    """Texts that nobody could remember, given to a name that speaks of a credential."""
    for start in _places(text, _KEYWORDS):
        match = _GIVEN.match(text, start)
        name = _name(text, match) if match else []
        value = _VALUE.match(text, match.end()) if match and name else None
        if not match or not value or not _is_quoted(text, match, value, language) or _is_variable(match):
            continue
        sure = _is_sure(name)
        plain = match[1] == "=" and not sure and bool(_HEX.match(value[0]))
        if (sure or match[1] == "=") and not plain and _is_secret(value[0]):
            yield f"the value of `{'_'.join(name)[:40]}`", value.start(), value.end()


def _places(text: str, words: tuple[str, ...]) -> Iterator[int]:
    """Where `words` stand in the text, in any letters."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = text
    for word in words:
        start = lowered.find(word)
        while start >= 0:
            yield start
            start = lowered.find(word, start + len(word))


def _is_variable(match: re.Match[str]) -> bool:
    """Whether a comma follows a name that is no text: the second of two arguments is not the value of the first."""
    return match[1] == "," and not match[0].partition(",")[0].rstrip().endswith(("'", '"'))


def _is_quoted(text: str, match: re.Match[str], value: re.Match[str], language: str) -> bool:
    """Whether the value is a whole literal: in quotes, or bare where a shell takes it for text."""
    end = text[value.end() : value.end() + 1]
    if match[2]:
        return end == match[2]
    return language == SHELL and match[0][-1] == "=" and end in ("", "\n", "\r", " ", ";", "\t")


def _name(text: str, match: re.Match[str]) -> list[str]:
    """The words of the name that the value is given to; none if it is not that of a credential."""
    start = match.start()
    while start > 0 and match.start() - start < 40 and (text[start - 1].isalnum() or text[start - 1] in "_-"):
        start -= 1
    stop = match.end(1)
    words = [word.casefold() for word in _WORDS.findall(text[start:stop].split(":")[0])]
    if _NO_SECRET & set(words):
        return []
    keys = any(word == "key" and before in _KEY_OF for before, word in pairwise(words))
    named = keys or _SECRET_WORDS & set(words)
    return words if named else []


def _is_sure(words: list[str]) -> bool:
    return bool(_ACCESS & set(words)) or {"secret", "key"} <= set(words)


def _is_secret(value: str) -> bool:
    return not _UUID.match(value) and _is_random(value) and not _PLACEHOLDER.search(value) and _bits(value) >= _MIN_BITS


def _is_random(value: str) -> bool:
    """Whether a part of the value mixes letters and digits as words do not: `A1b2C3d4`, but not `run-2024-final`."""
    return any(_is_mixed(part) for part in _SEGMENTS.split(value) if len(part) >= 8)


def _is_mixed(part: str) -> bool:
    digits = sum(map(str.isdigit, part))
    cases = not part.islower() and not part.isupper()
    return digits < len(part) and (digits >= 2 or (digits == 1 and cases and len(part) >= 20))


def _bits(value: str) -> float:
    """The entropy of the value, in bits for each character."""
    return -sum(n / len(value) * math.log2(n / len(value)) for n in Counter(value).values())
