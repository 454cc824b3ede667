"""Containers: what the engine is asked for, tried with a stand-in, and with a real one where there is one."""

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from boxes import LIMITS, alive, run

from gradewright.prove.engine import Plan
from gradewright.prove.image import with_image
from gradewright.prove.session import grade
from gradewright.prove.subjects import one_subject
from gradewright.sandbox import container, containers
from gradewright.sandbox.container import Container
from gradewright.sandbox.protocol import Command, Limits, Mount, SandboxError

ENGINE = f"""#!{sys.executable}
import json, os, sys
words = sys.argv[1:]
here = os.path.dirname(os.path.abspath(__file__))
with open(here + "/asked.jsonl", "a") as stream:
    stream.write(json.dumps(words) + "\\n")
images = here + "/images"
known = open(images).read().split() if os.path.exists(images) else []
if words[0] == "images":
    print("\\n".join(known))
elif words[:2] == ["image", "inspect"]:
    sys.exit(words[-1] not in known)
elif words[0] == "build":
    if "RUN false" in open(words[words.index("--file") + 1]).read():
        sys.exit("the command ended with 1")
    open(images, "a").write(words[words.index("--tag") + 1] + "\\n")
elif words[0] == "run":
    if os.path.exists(here + "/broken"):
        sys.stderr.write("cannot connect\\n")
        sys.exit(125)
    start = words.index("--entrypoint")
    os.execv(words[start + 1], [words[start + 1], *words[start + 3:]])
"""


def forget() -> None:
    """Every test finds out anew what there is."""
    for cached in (containers.find_engine, container._health, container._limited):
        cached.cache_clear()


class Fake:
    """A program called `docker` that has images in name only and runs commands without any container."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "docker").write_text(ENGINE)
        (folder / "docker").chmod(0o755)

    def has(self, *images: str) -> None:
        (self.folder / "images").write_text("".join(f"{image}\n" for image in images))

    def asked(self, verb: str) -> list[list[str]]:
        path = self.folder / "asked.jsonl"
        lines = path.read_text().splitlines() if path.exists() else []
        return [words for words in map(json.loads, lines) if words[0] == verb]


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Fake]:
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setenv(containers.CHOICE, "docker")
    forget()
    yield Fake(tmp_path / "bin")
    forget()


def task(folder: Path, dockerfile: str) -> str:
    """The folder of an environment."""
    (folder / "environment").mkdir(parents=True, exist_ok=True)
    (folder / "environment" / "Dockerfile").write_text(dockerfile)
    return str(folder / "environment")


def values(words: list[str], option: str) -> list[str]:
    return [value for name, value in itertools.pairwise(words) if name == option]


def test_what_a_run_is_held_to(fake: Fake, tmp_path: Path) -> None:
    fake.has(containers.DEFAULT_IMAGE)
    mounts = (Mount(f"{tmp_path}/a,b", "/workspace", writable=True), Mount(str(tmp_path), "/tests"))
    limits = Limits(seconds=5, memory=1 << 28, file_size=1 << 20, processes=7)
    outcome = Container().run(
        Command(("sh", "-c", "echo out; echo err >&2; exit 3"), "/x", {"A": "b c"}), mounts, limits
    )
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (3, "out\n", "err\n")
    words = fake.asked("run")[-1]
    assert "--rm" in words
    assert values(words, "--pull") == ["never"]
    assert values(words, "--network") == ["none"]
    assert values(words, "--memory") == values(words, "--memory-swap") == ["268435456"]
    assert values(words, "--pids-limit") == ["7"]
    assert {"fsize=1048576:1048576", "core=0:0"} <= set(values(words, "--ulimit"))
    assert "no-new-privileges" in values(words, "--security-opt")
    assert values(words, "--workdir") == ["/x"]
    assert values(words, "--env") == ["A=b c"]
    assert values(words, "--mount") == [
        f"type=bind,source={tmp_path},target=/tests,readonly",
        f'type=bind,"source={tmp_path}/a,b",target=/workspace',
    ]
    assert not fake.asked("rm")


def test_the_network_is_there_if_it_is_asked_for(fake: Fake) -> None:
    fake.has(containers.DEFAULT_IMAGE)
    Container().run(Command(("true",), "/"), (), Limits(network=True))
    assert not values(fake.asked("run")[-1], "--network")


@pytest.mark.parametrize("script", ["sleep 30", "yes"])
def test_a_container_is_removed_when_its_time_is_up_or_it_floods(
    fake: Fake, script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.has(containers.DEFAULT_IMAGE)
    monkeypatch.setattr(container, "_START_SECONDS", 0.3)
    outcome = Container().run(Command(("sh", "-c", script), "/"), (), Limits(seconds=0.3, output=1000))
    assert outcome.exit_code is None
    assert (outcome.timed_out, outcome.flooded) == (script != "yes", script == "yes")
    name = values(fake.asked("run")[-1], "--name")
    assert [words[-1:] for words in fake.asked("rm")] == [name]


def test_a_script_that_ends_too_late_but_before_the_container_is_late(
    fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.has(containers.DEFAULT_IMAGE)
    monkeypatch.setattr(container, "_START_SECONDS", 20)
    outcome = Container().run(Command(("sleep", "0.5"), "/"), (), Limits(seconds=0.2))
    assert (outcome.exit_code, outcome.timed_out) == (None, True)


def test_an_engine_that_fails_is_no_failure_of_the_script(fake: Fake) -> None:
    fake.has(containers.DEFAULT_IMAGE)
    (fake.folder / "broken").touch()
    with pytest.raises(SandboxError, match="could not start the container: cannot connect"):
        Container().run(Command(("true",), "/"), (), Limits())
    health = Container().health_check()
    assert (health.works, "cannot connect" in health.reason) == (False, True)


def test_an_image_is_built_once_for_each_content(fake: Fake, tmp_path: Path) -> None:
    fake.has("debian:12")
    folder = task(tmp_path, "FROM debian:12 AS one\nFROM one\n")
    sandbox = Container()
    sandbox.prepare(folder)
    sandbox.prepare(folder)
    assert len(fake.asked("build")) == 1
    (tmp_path / "environment" / "data.txt").write_text("more")
    sandbox.prepare(folder)
    tags = [values(words, "--tag")[0] for words in fake.asked("build")]
    assert len(set(tags)) == 2
    assert all(tag.startswith("gradewright.invalid/task:") for tag in tags)
    sandbox.run(Command(("true",), "/"), (), Limits())
    assert tags[1] in fake.asked("run")[-1]


@pytest.mark.parametrize(
    ("image", "says"),
    [
        ("", r"the image `docker.io/library/python:3.12-slim` is not on this machine; get it with `docker pull "),
        ("ghcr.io/some/image:1", r"get it with `docker pull ghcr.io/some/image:1`"),
    ],
)
def test_nothing_is_pulled(fake: Fake, image: str, says: str) -> None:
    with pytest.raises(SandboxError, match=says):
        Container().prepare(image)
    assert not fake.asked("pull") + fake.asked("run")


def test_what_is_wrong_with_an_environment_is_said(fake: Fake, tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match=r"its base `debian:12` is not on this machine; get it with `docker"):
        Container().prepare(task(tmp_path, "FROM debian:12\n"))
    fake.has("debian:12")
    with pytest.raises(SandboxError, match="the image cannot be built: the command ended with 1; see `docker build"):
        Container().prepare(task(tmp_path, "FROM debian:12\nRUN false\n"))
    with pytest.raises(SandboxError, match="there is no Dockerfile"):
        Container().prepare(str(fake.folder))


def test_without_an_engine_it_says_how_to_get_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(containers.CHOICE, raising=False)
    forget()
    health = Container().health_check()
    assert (health.works, health.reason) == (False, "`podman` is not installed, `docker` is not installed")
    assert "apt-get install podman" in health.remedy
    with pytest.raises(SandboxError, match="apt-get install podman"):
        Container().prepare("")
    monkeypatch.setenv(containers.CHOICE, "lxc")
    forget()
    assert "has to be one of podman, docker" in Container().health_check().reason
    forget()


def test_without_an_image_nothing_was_tried(fake: Fake) -> None:
    health = Container().health_check()
    assert (health.works, health.remedy) == (False, "get one with `docker pull python:3.12-slim`")


@pytest.fixture
def real() -> Iterator[Container]:
    forget()
    sandbox = Container()
    health = sandbox.health_check()
    try:
        sandbox.prepare("")
    except SandboxError as error:
        pytest.skip(str(error))
    assert health.works, health
    yield sandbox
    engine = containers.find_engine()
    assert "gradewright-" not in engine.ask("ps", "--all", "--format", "{{.Names}}").stdout


@pytest.mark.container
def test_places_streams_and_exit_codes(real: Container, tmp_path: Path) -> None:
    outcome = run("echo out; echo error >&2; echo 0.5 > reward.txt; exit 3", tmp_path, sandbox=real)
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (3, "out\n", "error\n")
    assert (tmp_path / "reward.txt").read_text() == "0.5\n"
    assert (outcome.timed_out, outcome.flooded, outcome.out_of_memory, outcome.left_processes) == (False,) * 3 + (0,)


@pytest.mark.container
def test_time_and_output_are_limited(real: Container, tmp_path: Path) -> None:
    outcome = run("sleep 2345.5", tmp_path, LIMITS._replace(seconds=0.5), real)
    assert (outcome.exit_code, outcome.timed_out) == (None, True)
    assert not alive("2345.5")
    outcome = run("yes", tmp_path, sandbox=real)
    assert (outcome.exit_code, outcome.flooded, len(outcome.stdout)) == (None, True, LIMITS.output)


@pytest.mark.container
def test_file_size_memory_and_processes_are_limited(real: Container, tmp_path: Path) -> None:
    run("head -c 10G /dev/zero > large", tmp_path, sandbox=real)
    assert (tmp_path / "large").stat().st_size <= LIMITS.file_size
    missing = real.health_check().missing
    if "memory" not in missing:
        outcome = run("""python3 -c 'print(len(bytearray(b"x") * 3_000_000_000))'""", tmp_path, sandbox=real)
        assert (outcome.exit_code, outcome.stdout, outcome.out_of_memory) == (137, "", True)
    if "processes" not in missing:
        bomb = "bomb() { sleep 3456.5 & bomb & bomb; }; bomb; wait"
        assert run(bomb, tmp_path, LIMITS._replace(seconds=2), real).seconds < 10
        assert not alive("3456.5")


@pytest.mark.container
def test_nothing_is_left_running(real: Container, tmp_path: Path) -> None:
    script = "setsid nohup sleep 5679.5 > /dev/null 2>&1 < /dev/null & sleep 5679.5 & echo done"
    outcome = run(script, tmp_path, sandbox=real)
    assert (outcome.exit_code, outcome.stdout, outcome.left_processes) == (0, "done\n", 2)
    assert not alive("5679.5")


@pytest.mark.container
def test_there_is_no_network_and_nothing_of_the_caller(
    real: Container, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_PRIVATE_KEY", "marker-value")
    monkeypatch.setenv("https_proxy", "http://marker-value@proxy")
    outcome = run("ls /sys/class/net; env; cat /proc/*/environ", tmp_path, sandbox=real)
    assert outcome.stdout.startswith("lo\n")
    assert "marker-value" not in outcome.stdout


@pytest.mark.container
def test_a_task_is_graded_in_its_own_image_on_what_that_holds(real: Container, tmp_path: Path) -> None:
    task(
        tmp_path,
        "FROM python:3.12-slim\n"
        r"RUN mkdir -p /app && printf '1\n2\n3\n' > /app/numbers.txt && ln -s /bin/echo /usr/local/bin/special"
        "\nWORKDIR /app\n",
    )
    (tmp_path / "instruction.md").write_text("Add up\n")
    (tmp_path / "task.toml").write_text('version = "1.0"\n')
    for name, text in {
        "tests/test.sh": "special; [ $(cat /app/sum.txt) = 6 ] && echo 1 > /logs/verifier/reward.txt",
        "solution/solve.sh": "special && python3 -c 'print(sum(map(int, open(\"numbers.txt\"))))' > sum.txt",
    }.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    subject = one_subject(str(tmp_path), target="harbor", case=None)
    trial = grade(str(tmp_path), subject, "oracle", Plan(real, LIMITS, jobs=1))
    assert (trial.reward.overall, trial.sandbox) == (1.0, "container")
    (tmp_path / "made").mkdir()
    (start,) = [pair for pair in with_image(subject, real, str(tmp_path / "made")).start if pair[1] == "/app"]
    assert (Path(start[0]) / "numbers.txt").read_text() == "1\n2\n3\n"
    subprocess.run([containers.find_engine().program, "rmi", "--force", real._image], check=False, capture_output=True)
