"""Findings as rules make them, with texts that try to break out of a report."""

from hypothesis import strategies as st

from gradewright.catalogue import load
from gradewright.finding import Finding, Location
from gradewright.model import Hidden, Report

RULES = [load(name).RULE for name in ("reserved-metric-name", "placeholder-text", "no-task-table")]
"""An error, a warning and a note."""

TEXTS = (
    "plain",
    "x\n::set-env name=PATH::evil",
    "x\r::error::y",
    "a%0A::add-mask::b",
    "file,line=1,title=t:c::d",
    "##[add-path]/tmp",
    "]]></failure><script>",
    "<!DOCTYPE a [<!ENTITY b 'c'>]>&b;",
    "\x00\x01\x1b[31m\x7f\x85",
    "\ud800\udfff\ufffe\uffff\ufdd0",
    "\u202eoverridden\u2028split\u2029",
    "[click](https://example.org) {0} {",
    "\"quoted\" 'single' `ticks`",
    "😀 漢字 é",
    "",
)

texts = st.one_of(st.sampled_from(TEXTS), st.text(st.characters(codec=None), max_size=40))


@st.composite
def findings(draw: st.DrawFn) -> Finding:
    """A finding whose every text may hold anything."""
    path = draw(texts.filter(lambda text: "\0" not in text)) or "a"
    at = Location(path, draw(st.integers(0, 3)), 0)
    at = at._replace(column=draw(st.integers(0, 9)) if at.line else 0)
    related = [Location(draw(texts.filter(lambda text: "\0" not in text)) or "b", 1, 1)]
    return draw(st.sampled_from(RULES)).at(at, draw(texts), hint=draw(texts), related=related)


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """A report with visible and hidden findings, each there once."""
    visible = draw(st.lists(findings(), max_size=3))
    hidden = [Hidden(one, draw(texts), draw(texts)) for one in draw(st.lists(findings(), max_size=2))]
    seen = set(visible)
    return Report(
        tuple(sorted(set(visible), key=lambda one: one.order)),
        tuple(one for one in hidden if one.finding not in seen and not seen.add(one.finding)),  # type: ignore[func-returns-value]
    )
