"""Fixing what stands in the fault bank: it helps, makes nothing worse, and a second run has nothing left to do."""

import shutil
from collections import Counter
from pathlib import Path

import pytest
from fixing import fix, tree
from test_faults import BANK, HERE, findings, folders

from gradewright.finding import Finding, Severity
from gradewright.read.discover import discover
from gradewright.settings import Settings

CASES = [(bank, name) for bank, cases in BANK.items() for name in cases]
REVEALED = {"g08-wrong-path-tmp": "nested-reward-under-harbor"}
"""Errors that come to light: a reward that is now written where it is read turns out to have the wrong shape."""


def kinds(found: list[Finding]) -> Counter[tuple[str, str]]:
    """How often each rule reports an error in each file."""
    return Counter((one.rule.name, one.at.path) for one in found if one.severity is Severity.ERROR)


@pytest.mark.parametrize("unsafe", [False, True])
@pytest.mark.parametrize(("bank", "name"), CASES)
def test_a_case_gets_better_or_stays(bank: str, name: str, unsafe: bool, tmp_path: Path) -> None:
    shutil.copytree(HERE / bank / name, tmp_path / "case", symlinks=True)
    settings = Settings(harbor_contract=True)
    for original in folders(bank, name):
        folder = tmp_path / "case" / original.name
        if not list(discover(str(folder))):
            continue
        before, files = findings(folder), tree(folder)
        found = fix([str(folder)], settings, unsafe=unsafe)
        after = findings(folder)
        worse = {rule for rule, _ in kinds(after) - kinds(before)}
        assert worse <= ({REVEALED.get(name)} if unsafe else set()), "an error that was not there"
        assert found.fixed or tree(folder) == files
        fixable = [one for one in after if one.fix and (one.fix.safe or unsafe)]
        assert len(fixable) <= len(found.refused)
        assert fix([str(folder)], settings, unsafe=unsafe).changes == {}, "a second run changes something"
