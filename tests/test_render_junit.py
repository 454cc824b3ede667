"""JUnit XML: well-formed whatever a file holds, with counts that CI servers believe."""

from xml.etree import ElementTree

from hostile import RULES, reports
from hypothesis import given

from gradewright.finding import Location
from gradewright.model import Hidden, Report
from gradewright.render import Style
from gradewright.render.junit import render

ERROR, WARNING, NOTE = (rule.at(Location("a/b.py", 3), "what `x` is", hint="do") for rule in RULES)


def cases(text: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(text).iter("testcase"))


def test_what_fails_the_command_fails_as_a_test() -> None:
    report = Report((ERROR, WARNING, NOTE))
    assert [[child.tag for child in case] for case in cases(render(report))] == [
        ["failure"], ["system-out"], ["system-out"]
    ]  # fmt: skip
    strict = cases(render(report, Style(strict=True)))
    assert [[child.tag for child in case] for case in strict] == [["failure"], ["failure"], ["system-out"]]
    failure = strict[0][0]
    assert failure.attrib == {"type": "error", "message": "what `x` is"}
    assert failure.text == f"a/b.py:3: error what `x` is\ndo\n{RULES[0].url}"


def test_a_test_keeps_its_name_when_lines_move() -> None:
    moved = ERROR._replace(at=Location("a/b.py", 30, 2))
    one, other = (cases(render(Report((finding,))))[0].attrib for finding in (ERROR, moved))
    assert one["name"] == other["name"] == "GR111 reserved-metric-name: what `x` is"
    assert (one["line"], other["line"]) == ("3", "30")


def test_equal_findings_in_a_file_are_different_tests() -> None:
    again = ERROR._replace(at=Location("a/b.py", 9))
    one, other = (case.attrib["name"] for case in cases(render(Report((ERROR, again)))))
    assert other == f"{one} (2)"


def test_hidden_findings_are_skipped_with_the_reason() -> None:
    (case,) = cases(render(Report((), (Hidden(ERROR, "it is <meant>", "settings"),))))
    assert case[0].tag == "skipped"
    assert case[0].attrib["message"] == "it is <meant> (settings)"


def test_a_clean_report_holds_a_test_that_passed() -> None:
    (case,) = cases(render(Report(())))
    assert list(case) == []


@given(reports())
def test_any_report_is_well_formed_and_counts_itself(report: Report) -> None:
    text = render(report, Style(strict=True))
    text.encode("ascii")
    root = ElementTree.fromstring(text)
    for suite in [root, *root.iter("testsuite")]:
        assert int(suite.attrib["tests"]) == len(list(suite.iter("testcase")))
        assert int(suite.attrib["failures"]) == len(list(suite.iter("failure")))
        assert int(suite.attrib["skipped"]) == len(list(suite.iter("skipped")))
    assert len(list(root.iter("failure"))) == sum(finding.severity > 1 for finding in report.findings)
    assert len(list(root.iter("skipped"))) == len(report.hidden)
