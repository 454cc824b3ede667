"""Every rule against its specification, `tests/rules/<name>.md`; `UPDATE_FINDINGS=1` rewrites the findings."""

import ast
import os
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import trials
from fixing import fix, tree
from specification import BASES, RULES, TRIAL, Case, after_fixing, build, complaints, read_specification, rewrite

import gradewright.rules
from gradewright.finding import TARGETS, Finding, Rule
from gradewright.model import Report
from gradewright.settings import Settings

MODULES = sorted(path for path in Path(gradewright.rules.__file__).parent.glob("*.py") if path.stem != "__init__")
NAMES = [path.stem.replace("_", "-") for path in MODULES]
SPECIFICATIONS = sorted(RULES.glob("*.md"))
CASES = [case for path in SPECIFICATIONS for case in read_specification(path).cases]
FOLDER = "csv2json"
ELSEWHERE = {"harbor-lint": "test_harbor_lint.py"}
"""Rules on what a run of something else says, which no file can show: the tests that specify them."""

SECTIONS = ["Why is this bad?", "How to fix it", "When to ignore it", "Example"]
"""Of every page, in this order."""

CODE = re.compile(r"(GW|RD|SK|DS|CF|GR|TK|DM|RW|GJ|RB|HL)\d\d\d\Z")


def module_of(name: str) -> Any:
    return import_module(f"gradewright.rules.{name.replace('-', '_')}")


def check(folder: str, target: str) -> list[Finding]:
    from gradewright.check import check_paths

    return list(check_paths([folder], Settings(harbor_contract=True, target=target)).findings)


def shown(finding: Finding) -> str:
    """The finding as the text report prints it, with paths as the specification gives them."""
    from gradewright.render import Style
    from gradewright.render.text import render

    text = render(Report((finding,)), Style(quiet=True)).rstrip("\n")
    places = re.compile(rf"^( +see |){FOLDER}(/|(?=:|$))", re.MULTILINE)
    return places.sub(lambda match: match[1] + ("" if match[2] else "."), text)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_rule_says_what_its_specification_says(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rule: Rule = module_of(case.rule).RULE
    build(case, tmp_path / FOLDER)
    monkeypatch.chdir(tmp_path)
    found = trials.findings(tmp_path / FOLDER) if case.base == TRIAL else check(FOLDER, case.target)
    output = "\n".join(shown(finding) for finding in found if finding.rule.code == rule.code)
    if os.environ.get("UPDATE_FINDINGS"):
        rewrite(RULES / f"{case.rule}.md", case.title, output)
        return
    assert output == "\n".join(line.rstrip() for line in case.findings[0].lines).strip("\n")


@pytest.mark.parametrize("case", [case for case in CASES if case.fixable], ids=lambda case: case.id)
def test_fixes_do_what_the_specification_says(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rule: Rule = module_of(case.rule).RULE
    folder = tmp_path / FOLDER
    build(case, folder)
    monkeypatch.chdir(tmp_path)
    before, wanted = tree(folder), after_fixing(case)
    settings = Settings(harbor_contract=True, target=case.target, select=(rule.code,))
    safe = fix([FOLDER], settings, unsafe=False)
    assert all(finding.fix and finding.fix.safe for finding in safe.fixed)
    found = fix([FOLDER], settings)
    after = tree(folder)
    assert {path: after[path][0].decode() for path in wanted} == {path: text.decode() for path, text in wanted.items()}
    if wanted:
        assert all(after[path] == content for path, content in before.items() if path in after and path not in wanted)
    assert all(after[path][1] == before[path][1] for path in wanted if path in before), "permissions are kept"
    left = [finding for finding in check(FOLDER, case.target) if finding.rule.code == rule.code and finding.fix]
    assert [shown(finding) for finding in left] == [shown(refusal.finding) for refusal in found.refused]
    assert fix([FOLDER], settings).changes == {}, "a second run changes nothing"


@pytest.mark.parametrize("path", SPECIFICATIONS, ids=lambda path: path.stem)
def test_specification_is_whole(path: Path) -> None:
    assert path.stem in NAMES, "no rule has this name"
    assert complaints(read_specification(path), module_of(path.stem).RULE.code) == []


SOUND = """
## Speaks

```findings
a.py: GR111 error wrong
    do right
```

## Silent

```findings
```
"""


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("", ""), None),
        (("GR111", "GR112"), "a finding of another rule: a.py: GR112 error wrong"),
        (("a.py: GR111 error wrong", "wrong"), "not a line of findings: wrong"),
        (("Silent", "Silent TODO"), "a TODO is left"),
        (("Silent", "Speaks"), "two cases have the same heading"),
        (("## Silent\n\n```findings\n```\n", ""), "no case in which it is silent"),
        (("a.py: GR111 error wrong\n    do right\n", ""), "no case in which the rule speaks"),
        (("```findings\n```\n", ""), "`Silent` needs exactly one block of findings; empty means silence"),
    ],
)
def test_what_the_harness_refuses(change: tuple[str, str], complaint: str | None, tmp_path: Path) -> None:
    path = tmp_path / "rule.md"
    path.write_text(SOUND.replace(*change) if change[0] else SOUND, encoding="utf-8")
    found = complaints(read_specification(path), "GR111")
    assert complaint in found if complaint else found == []


@pytest.mark.parametrize("name", NAMES)
def test_rule_is_documented_and_specified(name: str) -> None:
    module = module_of(name)
    rule: Rule = module.RULE
    text = module.__doc__ or ""
    first, _, rest = text.partition("\n")
    assert rule.name == name, "the file is named after the rule"
    assert CODE.match(rule.code), rule.code
    assert rule.targets and rule.targets <= TARGETS, "a platform that nobody names leaves the rule silent"
    assert first.endswith(".") and not rest.split("\n")[0], "the first line is one sentence, then comes an empty line"
    prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    assert re.findall(r"^## (.*)$", prose, re.M) == SECTIONS
    assert re.search(r"^```\w+\n", text.partition("## Example\n")[2], re.M), "the example has a fenced block"
    assert "TODO" not in re.sub(r"`[^`\n]*`", "", prose), "a TODO is left"
    specification = RULES.parent / ELSEWHERE[name] if name in ELSEWHERE else RULES / f"{name}.md"
    assert specification.is_file(), f"write {specification}"


@pytest.mark.parametrize("path", sorted(RULES.glob("*.md")), ids=lambda path: path.stem)
def test_there_are_three_faulty_forms_and_three_sound_ones_that_look_alike(path: Path) -> None:
    speaks = [case.speaks for case in read_specification(path).cases]
    assert speaks.count(True) >= 3 and speaks.count(False) >= 3


def test_codes_are_given_once() -> None:
    codes = [module_of(name).RULE.code for name in NAMES]
    assert sorted(set(codes)) == sorted(codes)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_rules_have_nothing_at_import_time_but_definitions(path: Path) -> None:
    allowed = ast.Import | ast.ImportFrom | ast.FunctionDef | ast.Assign | ast.AnnAssign | ast.Expr | ast.ClassDef
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        assert isinstance(statement, allowed), f"{path.name}:{statement.lineno}"


@pytest.mark.parametrize("base", sorted(path.name for path in BASES.iterdir()))
@pytest.mark.parametrize("target", ["both", "harbor", "skillevaluator"])
def test_bases_are_sound(base: str, target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build(Case("", "", base, target, (), ()), tmp_path / FOLDER)
    monkeypatch.chdir(tmp_path)
    assert [shown(finding) for finding in check(FOLDER, target)] == []
