"""A report as JUnit XML: what fails the command is a failed test, what is hidden is a skipped one.

The dialect is the one that GitLab, Jenkins and the like read: https://github.com/testmoapp/junitxml. A test is named by
the file and the finding, without a line, so that it stays the same test when lines move.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from gradewright.baseline import Relative
from gradewright.finding import Finding, Severity
from gradewright.model import Report
from gradewright.render import PLAIN, Style, repository
from gradewright.render.text import place
from gradewright.visible import visible

_NO_CHARACTERS = re.compile("[\ufffe\uffff]")
"""What XML cannot hold, besides the controls and surrogates that `visible` escapes."""

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


class _Test(NamedTuple):
    """One `testcase`; `ending` is the element that says how it ended, or empty if it passed."""

    path: str
    name: str
    line: int
    ending: str = ""


def render(report: Report, style: Style = PLAIN) -> str:
    """A test suite for each file that has findings; a clean report holds one test that passed. In ASCII."""
    floor = Severity.WARNING if style.strict else Severity.ERROR
    relative = Relative(repository())
    tests = sorted(_numbered(_tests(report, floor, relative)), key=lambda test: test.path)
    tests = tests or [_Test(".", "no findings", 0)]
    suites = "".join(_suite(path, list(group)) for path, group in groupby(tests, key=lambda test: test.path))
    head = f'<testsuites name="gradewright" {_counts(tests)}>'
    return f'<?xml version="1.0" encoding="utf-8"?>\n{head}\n{suites}</testsuites>\n'


def _tests(report: Report, floor: Severity, relative: Relative) -> Iterator[_Test]:
    for finding in report.findings:
        kind = "failure" if finding.severity >= floor else "system-out"
        attributes = f' type="{finding.severity.label}" message="{_text(finding.message)}"' if kind == "failure" else ""
        yield _test(finding, relative, f"<{kind}{attributes}>{_account(finding)}</{kind}>")
    for hidden in report.hidden:
        why = _text(f"{hidden.reason} ({hidden.source})")
        yield _test(hidden.finding, relative, f'<skipped message="{why}"/>')


def _numbered(tests: Iterable[_Test]) -> Iterator[_Test]:
    """Tests of the same name in the same file, told apart."""
    seen: Counter[tuple[str, str]] = Counter()
    for test in tests:
        key = test.path, test.name
        seen[key] += 1
        yield test._replace(name=f"{test.name} ({seen[key]})") if seen[key] > 1 else test


def _test(finding: Finding, relative: Relative, ending: str) -> _Test:
    name = f"{finding.rule.code} {finding.rule.name}: {finding.message}"
    return _Test(relative.path(finding.at.path), name, finding.at.line, ending)


def _account(finding: Finding) -> str:
    lines = [f"{place(finding.at)}: {finding.severity.label} {finding.message}", finding.hint, finding.rule.url]
    return "\n".join(_text(line) for line in lines if line)


def _suite(path: str, tests: list[_Test]) -> str:
    cases = "".join(_case(test) for test in tests)
    return f'  <testsuite name="{_text(path)}" {_counts(tests)}>\n{cases}  </testsuite>\n'


def _case(test: _Test) -> str:
    line = f' line="{test.line}"' if test.line else ""
    path = _text(test.path)
    head = f'    <testcase classname="{path}" name="{_text(test.name)}" file="{path}"{line}'
    return f"{head}>{test.ending}</testcase>\n" if test.ending else f"{head}/>\n"


def _counts(tests: list[_Test]) -> str:
    failures = sum(test.ending.startswith("<failure") for test in tests)
    skipped = sum(test.ending.startswith("<skipped") for test in tests)
    return f'tests="{len(tests)}" failures="{failures}" errors="0" skipped="{skipped}" time="0"'


def _text(text: str) -> str:
    """`text` on one line, for an element or an attribute in double quotes."""
    shown = _NO_CHARACTERS.sub("\ufffd", visible(text))
    return shown.translate(_ESCAPES).encode("ascii", "xmlcharrefreplace").decode()
