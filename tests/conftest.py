"""A session that has the tools for its tests (see noxfile.py) lets none of them be skipped."""

import os
import tempfile
from collections.abc import Generator

import pytest

STATE = os.environ.setdefault("GRADEWRIGHT_TEST_STATE", tempfile.mkdtemp(prefix="gradewright-state-"))
os.environ["XDG_STATE_HOME"] = STATE


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("GRADEWRIGHT_NO_SKIPS"):
        report.outcome = "failed"
    return report
