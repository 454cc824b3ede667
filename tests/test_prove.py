"""Proofs of the cases we know: each fault is found by a rule of its kind and replays, and sound cases are clean."""

import json
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_prove_changes import library, with_pytest  # noqa: F401 - a fixture

from gradewright.finding import Finding, Severity
from gradewright.model import Report
from gradewright.prove.engine import Plan
from gradewright.prove.judge import judged
from gradewright.prove.session import cases, grade, prove_case
from gradewright.prove.subjects import one_subject
from gradewright.sandbox.bubblewrap import Bubblewrap
from gradewright.sandbox.protocol import Limits
from gradewright.settings import Settings

HERE = Path(__file__).parent
FIELD, FAULTS = HERE / "field", HERE / "faults"
pytestmark = pytest.mark.sandbox

FOUND: dict[str, dict[str, str]] = {
    "01-set-e-swallows-reward": {"crashing-grader": "test.sh"},
    "02-scaffold-left-as-is": {"indiscriminate-score": "grader.py", "idle-run-passes": "grader.py"},
    "03-nested-reward-in-native-task": {"nested-reward": "test.sh"},
    "06-stale-reward-json-wins": {"stale-reward": "test.sh"},
    "07-existence-only-check": {"indiscriminate-score": "test.sh"},
    "19-crlf-test-sh": {"crashing-grader": "test.sh"},
    "21-reserved-metric-names": {"reserved-name-in-reward": "grader.py"},
    "22-exit-code-erases-score": {"crashing-grader": "grader.py"},
    "51-native-test-sh-is-replaced": {"crashing-grader": "grader.py"},
}
CLEAN = (
    "09-case-id-mismatch", "10-colliding-ids", "12-expectations-silently-dropped", "13-task-toml-typo",
    "15-image-bakes-in-tests", "26-trailing-comma-evals", "27-answer-key-as-fixture", "31-entry-id-override",
    "32-integer-ids", "36-legacy-task-toml", "37-no-exec-bit", "38-dataset-dialects", "40-crlf-and-accents-in-skill-md",
)  # fmt: skip
"""Must-accept cases, and those whose fault is one that no run shows."""

BANK: dict[str, dict[str, str]] = {
    "00-healthy-byot-nested": {"nested-reward": "test.sh"},
    "g01-reserved-metric-nested": {"reserved-name-in-reward": "grader.py"},
    "g03-writes-nothing": {"missing-reward": "grader.py"},
    "g04-writes-nan": {"non-finite-reward": "grader.py"},
    "g06-out-of-range": {"reward-out-of-range": "grader.py"},
    "g08-wrong-path-tmp": {"missing-reward": "grader.py"},
    "g09-placeholder-untouched": {"idle-run-passes": "grader.py"},
    "g12-undefined-name": {"crashing-grader": "grader.py"},
    "g23-crash-after-reward": {"crashing-grader": "grader.py", "idle-run-passes": "test.sh"},
    "g26-infinite-loop": {"grader-timeout": "grader.py"},
    "g27-empty-grader": {"missing-reward": "grader.py"},
    "t27-broken-oracle": {"failing-oracle": "grader.py"},
}


def plan(*, quick: bool, seconds: float = 20) -> Plan:
    return Plan(Bubblewrap(), Limits(seconds=seconds), jobs=2, quick=quick)


def proved(path: Path, samples: Path | None = None, *, quick: bool = True, **options: Any) -> Report:
    target, case = options.get("target"), options.get("case")
    subjects = cases(str(path), target=target, case=case, samples=str(samples) if samples else None)
    chosen = plan(quick=quick, seconds=options.get("seconds", 20))
    folder = str(samples) if samples else None
    return judged([prove_case(str(path), subject, chosen, folder=folder) for subject in subjects], Settings())


def loud(report: Report) -> list[str]:
    return [f"{one.at.path} {one.rule.name}: {one.message}" for one in report.findings if one.severity > Severity.NOTE]


def assert_found(report: Report, expected: dict[str, str]) -> None:
    for rule, file in expected.items():
        places = [one.at.path for one in report.findings if one.rule.name == rule]
        assert any(place.endswith(f"/{file}") for place in places), (rule, loud(report))


def command(finding: Finding) -> dict[str, str]:
    """The options of the command in a hint that replays the finding."""
    words = shlex.split(finding.hint.rpartition("replay it with `")[2].removesuffix("`"))
    assert words[:2] == ["gradewright", "run"], finding.hint
    return {"path": words[2]} | {
        key.removeprefix("--"): value for key, value in zip(words[3::2], words[4::2], strict=True)
    }


def replayed(finding: Finding) -> tuple[float | None, str]:
    """What the command in a hint comes to."""
    told = command(finding)
    subject = one_subject(told["path"], target=told["target"], case=told["case"])
    trial = grade(told["path"], subject, told["sample"], plan(quick=True, seconds=2), told.get("change", ""))
    return trial.reward.overall, trial.reward.state.value


def recorded(report: Report, replay: str) -> tuple[float | None, str]:
    for proof in report.proofs:
        for trial in (*proof.trials, *(probe.trial for probe in proof.probes)):
            if trial.replay == replay:
                return trial.reward.overall, trial.reward.state.value
    raise AssertionError(replay)


def replays(report: Report) -> Iterator[Finding]:
    """The findings that say how to replay them."""
    return (one for one in report.findings if "replay it with" in one.hint)


def assert_replays(report: Report) -> None:
    for finding in replays(report):
        line = finding.hint.rpartition("replay it with `")[2].removesuffix("`")
        assert replayed(finding) == recorded(report, line), line


@pytest.mark.parametrize("name", FOUND)
def test_faults_from_the_field(name: str) -> None:
    report = proved(FIELD / name / "input", FIELD / name / "samples")
    assert_found(report, FOUND[name])
    assert report.failed(strict=False)
    assert_replays(report)


@pytest.mark.parametrize("name", CLEAN)
def test_sound_cases_are_clean_on_their_samples(name: str) -> None:
    for folder in sorted((FIELD / name).glob("input*")):
        assert loud(proved(folder, FIELD / name / "samples")) == []


@pytest.mark.parametrize("name", BANK)
def test_the_fault_bank(name: str) -> None:
    report = proved(FAULTS / name / "csv2json", seconds=1)
    assert_found(report, BANK[name])


@pytest.mark.parametrize(
    ("name", "target"),
    [("01-healthy-byot-flat", None), ("02-healthy-byog", None), ("00-healthy-byot-nested", "skillevaluator")],
)
def test_healthy_controls(name: str, target: str | None) -> None:
    assert loud(proved(FAULTS / name / "csv2json", target=target)) == []


def test_random_scores_differ_when_graded_again() -> None:
    report = proved(FAULTS / "g21-random-score" / "csv2json", target="skillevaluator", quick=False)
    assert_found(report, {"unstable-score": "grader.py"})


def test_odd_trajectories() -> None:
    """The tolerant grader is clean; the naive one gets one warning that lists what it does not survive."""
    case = FIELD / "45-odd-trajectories"
    assert loud(proved(case / "input", case / "samples")) == []
    report = proved(case / "input-naive", case / "samples")
    (finding,) = [one for one in report.findings if one.severity > Severity.NOTE]
    assert (finding.rule.name, finding.severity) == ("fragile-grader", Severity.WARNING)
    shapes = {path.name for path in (case / "samples").iterdir()} - {"surrogate"}
    assert len(shapes) == 9
    assert all(f"`{shape}` (crash)" in finding.message for shape in shapes)
    assert "surrogate" not in finding.message


def test_what_was_not_noticed_replays() -> None:
    case = FIELD / "07-existence-only-check"
    report = proved(case / "input", case / "samples", quick=False, target="harbor")
    assert_found(report, {"surviving-mutant": "test.sh", "gameable-score": "test.sh"})
    assert all("--change" in one.hint for one in report.findings if one.rule.name != "indiscriminate-score")
    assert_replays(report)
    assert all(probe.diff for probe in report.proofs[0].probes if probe.kind == "mutant" and not probe.noticed)


def test_what_is_lacking_here_is_unmeasured() -> None:
    """The task's image brings pytest, and this machine's Python does not: nothing follows about the grader."""
    case = FIELD / "18-workspace-conftest-hijack"
    report = proved(case / "input", case / "samples", target="harbor")
    assert loud(report) == []
    assert any("`pytest`" in what and "--sandbox container" in what for what in report.proofs[0].unmeasured)


def test_configuration_of_the_agent_takes_part_in_grading(tmp_path: Path, library: Path) -> None:  # noqa: F811
    """With the pytest that its image brings, the same case is found out."""
    case = FIELD / "18-workspace-conftest-hijack"
    for name, origin in {"bad-hijack": "hijack", "good-own-tests": "own-tests", "good": "good", "bad": "bad"}.items():
        shutil.copytree(case / "samples" / origin, tmp_path / name)
    (subject,) = cases(str(case / "input"), target="harbor", case=None, samples=None)
    words = ("env", "PYTHONPATH=/opt/site.zip", *subject.words)
    subject = with_pytest(subject, library)._replace(words=words)
    report = judged([prove_case(str(case / "input"), subject, plan(quick=True), folder=str(tmp_path))], Settings())
    told = " ".join(one.message for one in report.findings if one.severity is Severity.ERROR)
    assert "`good-own-tests` is good work and gets 0, no more than" in told
    assert "`bad-hijack` (1)" in told


def test_no_good_work_is_said_first() -> None:
    report = proved(FAULTS / "02-healthy-byog" / "csv2json")
    first = report.proofs[0].unmeasured[0]
    assert first.startswith("no sample is known to be good work") and "`gradewright sample " in first


def test_the_report_is_described(tmp_path: Path) -> None:
    import jsonschema

    import gradewright.schemas as schemas
    from gradewright.render.json import render

    schema = json.loads((Path(schemas.__path__[0]) / "report.json").read_text())
    case = FIELD / "07-existence-only-check"
    document = json.loads(render(proved(case / "input", case / "samples", target="harbor")))
    jsonschema.validate(document, schema)
    assert [sample["name"] for sample in document["proofs"][0]["samples"]][-2:] == ["bad", "good"]
