"""The commands prove, sample, doctor and run --change as a person meets them."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as Xml
from pathlib import Path
from typing import Any

import pytest

FIELD = Path(__file__).parent / "field"
EXISTENCE = FIELD / "07-existence-only-check"
SOUND = FIELD / "36-legacy-task-toml"
sandbox = pytest.mark.sandbox


def gradewright(*words: str | Path, folder: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gradewright", *map(str, words)],
        capture_output=True, text=True, check=False, timeout=120, cwd=folder, env={**os.environ, **environment},
    )  # fmt: skip


def prove(case: Path, *words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return gradewright("prove", case / "input", "--samples", case / "samples", "--quick", *words, **environment)


def skill(folder: Path) -> Path:
    """A skill of one native case, in which samples can be recorded."""
    return Path(shutil.copytree(EXISTENCE / "input", folder / "skill"))


@sandbox
def test_text() -> None:
    done = prove(EXISTENCE, "--target", "harbor")
    assert (done.returncode, done.stderr) == (1, "")
    assert (
        "RW202 error case `count-errors`: sample `good` is good work and gets 1, no more than `bad` (1)" in done.stdout
    )
    assert "case count-errors, as harbor grades it (a pass is 0.6)" in done.stdout
    rows = [line.split() for line in done.stdout.splitlines()]
    assert ["bad", "fail", "pass", "1"] in [row[:4] for row in rows]
    assert "not measured: mutants, attacks and odd input, because of --quick" in done.stdout
    assert done.stdout.endswith("1 error in 1 proof\n")


@sandbox
def test_exit_codes() -> None:
    assert prove(SOUND).returncode == 0
    assert prove(EXISTENCE, "--exit-zero").returncode == 0
    assert prove(EXISTENCE, "--ignore", "RW202").returncode == 0
    assert prove(EXISTENCE, "--select", "RW203").returncode == 0
    for words, said in (
        (["--case", "other"], "there is no case `other`"),
        (["--select", "RW999"], "no rule is called `RW999`"),
        (["--sandbox", "nowhere"], "there is no sandbox `nowhere`"),
    ):
        done = prove(EXISTENCE, *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr
    assert gradewright("prove", EXISTENCE / "input", "--samples", "/nowhere").returncode == 2
    assert gradewright("prove", "/nowhere").returncode == 2


@sandbox
def test_every_format(tmp_path: Path) -> None:
    sarif = json.loads(prove(EXISTENCE, "--format", "sarif").stdout)
    assert sarif["runs"][0]["results"][0]["ruleId"] == "RW202"
    assert Xml.fromstring(prove(EXISTENCE, "--format", "junit").stdout).get("failures") == "1"
    assert prove(EXISTENCE, "--format", "github").stdout.startswith("::error title=RW202")
    assert prove(EXISTENCE, "--format", "html", "--output", tmp_path / "page.html").stdout == ""
    assert (tmp_path / "page.html").read_text().startswith("<!DOCTYPE html>")


@sandbox
def test_the_same_report_every_time() -> None:
    def told() -> Any:
        document = json.loads(prove(EXISTENCE, "--format", "json", "--jobs", "4").stdout)
        for proof in document["proofs"]:
            for result in (*proof["samples"], *proof["probes"]):
                del result["seconds"]
        return document

    assert told() == told()


@sandbox
def test_an_ignore_in_the_grader_holds(tmp_path: Path) -> None:
    folder = skill(tmp_path)
    script = folder / "evals" / "harbor" / "count-errors" / "tests" / "test.sh"
    first, rest = script.read_text().split("\n", 1)
    script.write_text(f"{first}\n# gradewright: ignore[indiscriminate-score] a file is all that is asked for\n{rest}")
    done = gradewright("prove", folder, "--samples", EXISTENCE / "samples", "--quick")
    assert done.returncode == 0
    assert "RW202 a file is all that is asked for" in done.stdout


@sandbox
def test_run_makes_a_change() -> None:
    words = ["run", EXISTENCE / "input", "--target", "harbor", "--sample", EXISTENCE / "samples" / "good"]
    done = gradewright(*words, "--change", "delete:out/greeting.txt", "--format", "json")
    assert json.loads(done.stdout)["reward"]["overall"] == 0.0, done.stderr
    done = gradewright(*words, "--change", "other")
    assert done.returncode == 2
    assert "has no change `other`" in done.stderr


@sandbox
def test_nothing_is_left_after_an_interrupt(tmp_path: Path) -> None:
    folder = skill(tmp_path)
    mark = f"mark-{os.getpid()}-{time.monotonic_ns()}"
    script = folder / "evals" / "harbor" / "count-errors" / "tests" / "test.sh"
    script.write_text(f"sleep 1000 & exec bash -c 'while true; do sleep 1; done' {mark}\n")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "gradewright", "prove", str(folder)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(temporary)},
    )  # fmt: skip
    deadline = time.monotonic() + 30
    while not running(mark) and time.monotonic() < deadline:
        time.sleep(0.1)
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    try:
        output, errors = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 130, errors
    assert output == ""
    assert time.monotonic() - started < 10
    assert not running(mark)
    assert list(temporary.iterdir()) == []


def running(mark: str) -> bool:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark.encode() in path.read_bytes():
                return True
        except OSError:
            continue
    return False


def sample(folder: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    return gradewright("sample", folder, "--case", "count-errors", *words)


def recorded(folder: Path) -> dict[str, bytes]:
    root = folder / "evals" / "samples"
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_a_folder_becomes_a_sample(tmp_path: Path) -> None:
    folder = skill(tmp_path)
    done = sample(folder, "--name", "good", "--from", EXISTENCE / "samples" / "good" / "workspace")
    assert (done.returncode, done.stdout) == (0, "recorded evals/samples/count-errors/good (1 files)\n")
    assert list(recorded(folder)) == ["count-errors/good/workspace/out/greeting.txt"]
    whole = sample(folder, "--name", "again", "--from", EXISTENCE / "samples" / "good", "--verdict", "pass")
    assert whole.returncode == 0
    assert recorded(folder)["count-errors/again/expect.toml"] == b'verdict = "pass"\n'
    assert "count-errors/again/workspace/out/greeting.txt" in recorded(folder)


def test_a_sample_is_never_overwritten_unasked(tmp_path: Path) -> None:
    folder = skill(tmp_path)
    work = tmp_path / "work"
    work.mkdir()
    (work / "a.txt").write_text("one")
    assert sample(folder, "--name", "good", "--from", work).returncode == 0
    (work / "a.txt").rename(work / "b.txt")
    before = recorded(folder)
    done = sample(folder, "--name", "good", "--from", work)
    assert done.returncode == 2
    assert "exists already" in done.stderr and "--force" in done.stderr
    assert recorded(folder) == before
    assert sample(folder, "--name", "good", "--from", work, "--force").returncode == 0
    assert recorded(folder) == {"count-errors/good/workspace/b.txt": b"one"}


def test_links_are_not_followed(tmp_path: Path) -> None:
    folder = skill(tmp_path)
    work = tmp_path / "work"
    (work / ".git").mkdir(parents=True)
    (work / ".git" / "config").write_text("x")
    (work / "a.txt").write_text("one")
    (work / "run.sh").write_text("true\n")
    (work / "run.sh").chmod(0o755)
    (work / "secret").symlink_to("/etc/passwd")
    os.mkfifo(work / "pipe")
    done = sample(folder, "--name", "odd", "--from", work)
    assert done.returncode == 0
    assert sorted(recorded(folder)) == ["count-errors/odd/workspace/a.txt", "count-errors/odd/workspace/run.sh"]
    assert os.access(folder / "evals/samples/count-errors/odd/workspace/run.sh", os.X_OK)
    for name in (".git", "secret", "pipe"):
        assert f"workspace/{name}" in done.stdout
    assert "add `--verdict`" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--name", "good", "--from", "/nowhere"], "is not a folder"),
        (["--name", "../good", "--from", "."], "must start with"),
        (["--name", "good", "--verdict", "fail", "--from", "."], "says `pass`"),
        (["--name", "good"], "name one source"),
        (["--name", "good", "--from", ".", "--from-solution"], "name one source"),
        (["--name", "good", "--from-trial", "."], "it has no `agent/`"),
    ],
)
def test_what_is_refused(tmp_path: Path, words: list[str], said: str) -> None:
    folder = skill(tmp_path)
    (tmp_path / "a.txt").write_text("one")
    done = gradewright("sample", folder, "--case", "count-errors", *words, folder=EXISTENCE)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert not (folder / "evals" / "samples").exists()


def test_a_sample_has_bounds(tmp_path: Path) -> None:
    folder = skill(tmp_path)
    work = tmp_path / "work"
    work.mkdir()
    with (work / "huge").open("wb") as stream:
        stream.truncate(65 << 20)
    done = sample(folder, "--name", "good", "--from", work)
    assert done.returncode == 2
    assert "at most 2,000 files and 64 MiB" in done.stderr
    (work / "huge").unlink()
    for number in range(2001):
        (work / f"{number}").write_text("")
    assert sample(folder, "--name", "good", "--from", work).returncode == 2
    assert not (folder / "evals" / "samples").exists()


def test_a_harbor_trial_becomes_a_sample(tmp_path: Path) -> None:
    folder = skill(tmp_path)
    trial = tmp_path / "trial"
    for name, text in {
        "agent/trajectory.json": "{}", "agent/log.txt": "x", "verifier/reward.json": '{"reward": 1}',
        "artifacts/workspace/out/greeting.txt": "hello", "artifacts/manifest.json": "{}", "result.json": "{}",
    }.items():  # fmt: skip
        (trial / name).parent.mkdir(parents=True, exist_ok=True)
        (trial / name).write_text(text)
    assert sample(folder, "--name", "bad", "--from-trial", trial).returncode == 0
    assert sorted(recorded(folder)) == [
        "count-errors/bad/logs/agent/log.txt",
        "count-errors/bad/trajectory.json",
        "count-errors/bad/workspace/out/greeting.txt",
    ]
    shutil.rmtree(trial / "artifacts")
    done = sample(folder, "--name", "bad-too", "--from-trial", trial)
    assert "did not keep `/workspace`" in done.stdout


@sandbox
def test_the_solution_becomes_a_sample(tmp_path: Path) -> None:
    folder = skill(tmp_path)
    assert sample(folder, "--name", "good", "--from-solution").returncode == 0
    assert recorded(folder)["count-errors/good/workspace/out/greeting.txt"]
    done = gradewright("prove", folder, "--quick", "--format", "json", "--target", "harbor")
    (proof,) = json.loads(done.stdout)["proofs"]
    assert proof["measured"]["good work"]
    assert {one["name"]: one["got"] for one in proof["samples"]}["good"] == "pass"


@sandbox
def test_doctor_tells_what_works() -> None:
    done = gradewright("doctor")
    assert done.returncode == 0
    assert "bubblewrap   works" in done.stdout
    assert "no security boundary" in done.stdout
    document = json.loads(gradewright("doctor", "--format", "json").stdout)
    assert document["version"] == 1
    assert document["programs"]["python"].startswith("3.")
    assert {one["name"] for one in document["sandboxes"]} >= {"bubblewrap", "process"}


def test_doctor_tells_how_to_get_the_rest(tmp_path: Path) -> None:
    done = gradewright("doctor", PATH=str(tmp_path))
    assert done.returncode == 1
    assert "`bwrap` is not installed" in done.stdout
    assert "apt-get install bubblewrap" in done.stdout
