"""The rules there are, and how people name them."""

import importlib
from collections.abc import Iterable, Iterator
from typing import Any, Protocol, cast

from gradewright.finding import Finding, Rule
from gradewright.rules import TABLE
from gradewright.settings import Settings


class RuleModule(Protocol):
    """A rule is a module with these two names."""

    RULE: Rule

    def check(self, node: Any, /) -> Iterator[Finding]: ...


class UnknownRuleError(Exception):
    """A rule was named that does not exist."""


def load(name: str) -> RuleModule:
    """The module of the rule called `name`."""
    return cast("RuleModule", importlib.import_module(f"gradewright.rules.{name.replace('-', '_')}"))


def matches(selector: str, code: str, name: str) -> bool:
    """Whether `selector` (a code, a name, or the start of a code such as `GR1`) names this rule."""
    return selector == name or (selector.isalnum() and code.startswith(selector.upper()))


def chosen(code: str, name: str, settings: Settings) -> RuleModule | None:
    """The rule's module, or None if these settings leave the rule out."""
    if _needs_contract(code) and not settings.harbor_contract:
        return None
    if settings.select and not any(matches(selector, code, name) for selector in settings.select):
        return None
    module = load(name)
    return module if module.RULE.targets & settings.targets else None


def judges(code: str, settings: Settings) -> bool:
    """Whether a finding of the rule `code` would be reported; so it is for a code that no rule has any more."""
    name = next((name for known, name, _ in TABLE if known == code), None)
    return name is None or chosen(code, name, settings) is not None


def _needs_contract(code: str) -> bool:
    """Whether a rule speaks of native tasks or of the reward contract, which are checked only when asked for."""
    return code[:2] in ("TK", "DM") or (code[:2] == "GR" and code[2] != "0")


def require_known(selectors: Iterable[str]) -> None:
    """Raise `UnknownRuleError` for a selector that names no rule, with the nearest name that does."""
    for selector in selectors:
        if not selector or not any(matches(selector, code, name) for code, name, _ in TABLE):
            raise UnknownRuleError(_unknown(selector))


def _unknown(selector: str) -> str:
    from difflib import get_close_matches

    known = [word for code, name, _ in TABLE for word in (code, name)]
    near = get_close_matches(selector.upper(), known, 1) or get_close_matches(selector.lower(), known, 1)
    return f"no rule is called `{selector}`" + (f"; did you mean `{near[0]}`?" if near else "")
