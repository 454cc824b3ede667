"""Every change made to a sample shows up a poor grader, and a sound one is not moved by it.

A mutant shows up one that gives broken work what it gave good work, an attack one that is fooled, odd input one that
breaks, and a repetition one that depends on chance.
"""

import importlib
import os
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from poor_graders import ELSEWHERE, FOOLED, FRAGILE, GUARDED, JSON, POOR, REAL, STATE
from provers import GOOD, LIMITS, SOUND, Bench, changes, graded, write

from gradewright.finding import Location
from gradewright.model import ATTACK, MUTANT, REPEAT, STRESS, Outcome, Probe, Reward, RewardState, Trial
from gradewright.prove.change import Change
from gradewright.prove.clues import clues
from gradewright.prove.edit import content, put
from gradewright.prove.engine import changes_of
from gradewright.prove.mutants import excused
from gradewright.prove.stage import staged
from gradewright.prove.subject import Subject

sandbox = pytest.mark.sandbox


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("bench"))


@pytest.fixture(scope="module")
def sound(bench: Bench) -> dict[bool, Trial]:
    """What the sound grader gives to the good and to the bad sample."""
    subject = bench.subject(SOUND)
    trials = {good: graded(subject, bench.sample(good=good)) for good in (True, False)}
    assert [trial.reward.overall for trial in trials.values()] == [1.0, 0.0], trials[True].outcome
    return trials


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All of pytest in one file, which Python can import from."""
    path = tmp_path_factory.mktemp("library") / "site.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments"):
            folder = Path(importlib.import_module(name).__file__ or "").parent
            for file in folder.rglob("*.py"):
                archive.write(file, file.relative_to(folder.parent))
        archive.write(folder.parent / "py.py", "py.py")
    return path


def with_pytest(subject: Subject, library: Path) -> Subject:
    return subject._replace(start=(*subject.start, (str(library), "/opt/site.zip")))


@sandbox
def test_every_mutant_is_shown(bench: Bench, sound: dict[bool, Trial]) -> None:
    offered = changes(bench.subject(SOUND), sound[True], MUTANT)
    kinds = {name.split(":")[0] for name in POOR}
    assert POOR.keys() <= offered.keys() and {name.split(":")[0] for name in offered} == kinds
    assert {name for name in offered.keys() - POOR.keys() if name.split(":")[0] not in ELSEWHERE} == set()
    assert changes(bench.subject(SOUND), sound[False], MUTANT) == {}


@sandbox
@pytest.mark.parametrize("name", POOR)
def test_a_poor_grader_takes_a_mutant_for_good_work(bench: Bench, sound: dict[bool, Trial], name: str) -> None:
    mutant = changes(bench.subject(SOUND), sound[True], MUTANT)[name]
    trial = graded(bench.subject(POOR[name]), bench.sample(good=True), mutant)
    assert trial.reward.overall == 1.0, trial.outcome


@sandbox
def test_a_sound_grader_notices_every_mutant(bench: Bench, sound: dict[bool, Trial]) -> None:
    for change, trial in all_graded(bench, sound[True], MUTANT):
        assert trial.reward.overall is not None and trial.reward.overall < 1.0, change.name


@sandbox
def test_a_sound_grader_is_never_fooled(bench: Bench, sound: dict[bool, Trial]) -> None:
    for change, trial in all_graded(bench, sound[False], ATTACK):
        assert trial.reward == sound[False].reward, change.name
    assert changes(bench.subject(SOUND), sound[True], ATTACK) == {}


@sandbox
@pytest.mark.parametrize("good", [True, False])
def test_a_sound_grader_stumbles_over_nothing(bench: Bench, sound: dict[bool, Trial], good: bool) -> None:
    for change, trial in all_graded(bench, sound[good], STRESS):
        assert trial.reward.overall is not None, (change.name, trial.outcome)
        assert change.passes in (None, trial.reward.overall >= 0.5), change.name
        assert change.passes is not None or good


@sandbox
@pytest.mark.parametrize("good", [True, False])
def test_a_sound_grader_says_the_same_again(bench: Bench, sound: dict[bool, Trial], good: bool) -> None:
    for change, trial in all_graded(bench, sound[good], REPEAT):
        assert trial.reward == sound[good].reward, change.name


def all_graded(bench: Bench, origin: Trial, kind: str) -> list[tuple[Change, Trial]]:
    """What the sound grader gives after each change of a kind."""
    subject = bench.subject(SOUND)
    with ThreadPoolExecutor(4) as pool:
        found = changes(subject, origin, kind).values()
        return [*zip(found, pool.map(lambda change: graded(subject, origin.sample, change), found), strict=True)]


@sandbox
@pytest.mark.parametrize("name", FOOLED)
def test_a_poor_grader_is_fooled(bench: Bench, library: Path, name: str) -> None:
    kind, text = FOOLED[name]
    others = {"test_state.py": STATE, "real.py": REAL} if kind.endswith(".sh") else {}
    if "expected" in name:
        others["expected.json"] = GOOD[JSON]
    subject = with_pytest(bench.subject(text, kind, others), library)
    origin = graded(subject, bench.sample(good=False))
    assert not origin.reward.overall, origin.outcome
    trial = graded(subject, bench.sample(good=False), changes(subject, origin, ATTACK)[name])
    assert trial.reward.overall == 1.0, trial.outcome


@sandbox
def test_tests_that_are_run_with_care_are_never_fooled(bench: Bench, library: Path) -> None:
    subject = with_pytest(bench.subject(GUARDED, "grader.sh", {"test_state.py": STATE}), library)
    sample = bench.sample(good=False)
    origin = graded(subject, sample)
    assert origin.reward.overall == 0.0, origin.outcome
    code = {name: change for name, change in changes(subject, origin, ATTACK).items() if name.startswith("code:")}
    assert len(code) >= 8
    for name, change in code.items():
        assert graded(subject, sample, change).reward.overall == 0.0, name


@sandbox
@pytest.mark.parametrize("name", FRAGILE)
def test_a_fragile_grader_breaks(bench: Bench, name: str) -> None:
    subject = bench.subject(FRAGILE[name])
    sample = bench.sample(good=True)
    origin = graded(subject, sample)
    assert origin.reward.overall, origin.outcome
    change = changes(subject, origin, STRESS)[name]
    trial = graded(subject, sample, change, LIMITS._replace(seconds=1))
    assert trial.reward.overall is None or (change.passes and not trial.reward.overall), trial


@sandbox
def test_every_attack_and_oddity_is_shown(bench: Bench, sound: dict[bool, Trial]) -> None:
    shown = {name.split(":")[0] for name in FOOLED} - {"programs"}
    assert {name.split(":")[0] for name in changes(bench.subject(SOUND), sound[False], ATTACK)} == shown
    code = {name for name in changes(bench.subject(SOUND), sound[False], ATTACK) if name.startswith("code:")}
    assert code <= {*FOOLED, "code:csv.py"} and len(code) >= 8
    offered = changes(bench.subject(SOUND), sound[True], STRESS)
    assert {name.split(":")[0] for name in offered} == {name.split(":")[0] for name in FRAGILE}


@sandbox
def test_a_grader_that_depends_on_chance_says_something_else(bench: Bench) -> None:
    subject = bench.subject("give(hash('a') % 1000 / 1000 or 0.5)")
    origin = graded(subject, bench.sample(good=True))
    repeats = changes(subject, origin, REPEAT)
    scores = {graded(subject, bench.sample(good=True), repeats[name]).reward.overall for name in repeats}
    assert len(scores) > 1
    assert graded(subject, bench.sample(good=True), repeats["hashseed-1"]).reward.overall == pytest.approx(
        graded(subject, bench.sample(good=True), repeats["hashseed-1"]).reward.overall
    )
    dated = bench.subject("import time\ngive(time.localtime(os.stat('app.py').st_mtime).tm_year < 2030)")
    origin = graded(dated, bench.sample(good=True))
    assert (origin.reward.overall, graded(dated, bench.sample(good=True), repeats["date"]).reward.overall) == (1.0, 0.0)
    zone = bench.subject("import time\ngive(time.timezone == 0)")
    assert graded(zone, bench.sample(good=True), repeats["zone"]).reward.overall == 0.0


@sandbox
def test_work_in_files_excuses_what_was_said(bench: Bench) -> None:
    """A grader of files does not have to notice that the trajectory is another one."""
    of_run = ["delete:answer", "other:answer", "delete:calls"]
    of_file = f"delete:{JSON}"

    def accepted(text: str, names: list[str]) -> list[str]:
        subject = bench.subject(text)
        origin = graded(subject, bench.sample(good=True))
        mutants = changes(subject, origin, MUTANT)
        probes = [Probe(MUTANT, name, "", origin, graded(subject, origin.sample, mutants[name])) for name in names]
        return [probe.name for probe in excused(probes) if probe.accepted]

    assert accepted(f"give(data('{JSON}') == {GOOD[JSON].encode()!r})", [*of_run, of_file]) == of_run
    assert accepted(SOUND, [*of_run, of_file]) == []
    assert accepted("give(1)", [*of_run, of_file]) == []


def test_names_are_the_same_in_every_run(bench: Bench) -> None:
    subject = bench.subject(SOUND)
    for good in (True, False):
        origin = ungraded(bench, good=good)
        names = [[change.name for change in changes_of(subject, origin, passes=good)] for _ in range(2)]
        assert names[0] == names[1] and len(names[0]) == len(set(names[0])) < 130
        assert all(change.what and "`None`" not in change.what for change in changes_of(subject, origin, passes=good))


def ungraded(bench: Bench, *, good: bool) -> Trial:
    reward = Reward(RewardState.SCORE, float(good), {}, {}, Location("reward.json"))
    outcome = Outcome(0, "", "", 0.1)
    sample = bench.sample(good=good)
    return Trial(sample, "skillevaluator", outcome, reward, (), (), "bubblewrap", sample.at)


def test_nothing_is_written_beyond_a_link(bench: Bench, tmp_path: Path) -> None:
    write(tmp_path, {"outside/a.txt": "mine", "sample/real.txt": "1 2 3"})
    os.symlink(tmp_path / "outside", tmp_path / "sample" / "out")
    os.symlink(tmp_path / "outside" / "a.txt", tmp_path / "sample" / "link.txt")
    (tmp_path / "sample" / "locked").mkdir()
    write(tmp_path / "sample", {"locked/file.json": '{"a": 1}'})
    os.chmod(tmp_path / "sample" / "locked" / "file.json", 0o400)
    os.chmod(tmp_path / "sample" / "locked", 0o500)
    subject = bench.subject("give('out/a.txt' and 'link.txt')")
    for good in (True, False):
        origin = ungraded(bench, good=good)
        sample = origin.sample._replace(workspace=str(tmp_path / "sample"))
        found = list(changes_of(subject, origin._replace(sample=sample), passes=good))
        assert {change.name for change in found} >= ({"delete:locked/file.json"} if good else {"claim:outputs"})
        assert not any(change.name.endswith((":out/a.txt", ":link.txt")) for change in found if change.kind == MUTANT)
        for change in found:
            with staged(subject, sample) as stage:
                change.apply(stage)
            assert not Path(stage.root).exists(), change.name
    assert (tmp_path / "outside" / "a.txt").read_text() == "mine"
    assert [path.name for path in (tmp_path / "outside").iterdir()] == ["a.txt"]
    os.chmod(tmp_path / "sample" / "locked", 0o700)


def test_a_shell_script_tells_what_it_looks_for(bench: Bench) -> None:
    text = "[ -f /workspace/out/a.txt ] && grep -q x sub/b.json; cat /tests/c.txt reward.json; diff ../d.txt e.rest\n"
    subject = bench.subject(text, "grader.sh", {"c.txt": ""})
    with staged(subject, bench.sample(good=False)) as stage:
        assert clues(subject, stage).targets == ("/workspace/out/a.txt", "/workspace/sub/b.json")


def test_a_place_is_made_for_a_file(bench: Bench) -> None:
    with staged(bench.subject("give(0)"), bench.sample(good=True)) as stage:
        put(stage, "/workspace/app.py/inner/file.txt", "\ud800text")
        assert content(stage, "/workspace/app.py/inner/file.txt") == b"?text"
        put(stage, "/workspace/app.py", b"again")
        assert content(stage, "/workspace/app.py") == b"again"
        os.mkfifo(stage.path("/workspace/pipe"))
        assert content(stage, "/workspace/pipe") is content(stage, "/workspace/none") is None
        assert content(stage, "/workspace/app.py", limit=4) is None
