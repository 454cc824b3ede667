"""No text, however broken, makes the readers of native tasks fail, hang or swell."""

import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gradewright.model import Problem
from gradewright.read.task.native import read_brief, read_task
from gradewright.read.task.plan import read_plan

TASK = """schema_version = "1.3"
multi_step_reward_strategy = "mean"
artifacts = ["/a", { source = "/b", destination = "c" }]
[task]
name = "org/case"
authors = [{ name = "x" }]
[metadata]
entry_id = "case"
[agent]
timeout_sec = 300.0
allowed_hosts = ["a.b", "::1", "10.0.0.0/8"]
network_mode = "allowlist"
[verifier]
environment_mode = "separate"
[verifier.environment]
os = "linux"
[environment]
memory = "2G"
memory_mb = 2048
mcp_servers = [{ name = "x", url = "y", headers = { A = "${B}" } }]
[environment.env]
A = "1"
[[steps]]
name = "one"
min_reward = { a = 1 }
"""
DOCKERFILE = """# escape=\\
ARG V=3.12
FROM --platform=x python:${V}-slim AS base
COPY --chown=1:1 input.csv ["a b", \\
  # c
  "d"] /x/
RUN --mount=type=bind,from=base,source=/x <<-EOF
\tCOPY a b
\tEOF
ADD https://example.org/x /y
"""
COMPOSE = "services:\n  main:\n    environment: &a [A=1]\n  db:\n    image: *a\n"
PIECES = st.sampled_from(
    ["[", "]", "{", "}", "=", '"', "'", "\\", "\n", "\0", "#", "<<EOF\n", "FROM ", "COPY ", "--from=", "${", "..", "/",
     "nan", "1979-05-27", "[[steps]]\n", "\ufeff", "é", "*", "&a", "- ", "9" * 40]
)  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn, text: str) -> bytes:
    """`text` with some pieces put in, taken out or repeated."""
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 30)))
        text = text[:start] + draw(PIECES) * draw(st.integers(0, 3)) + text[end:]
    data = text.encode("utf-8", "surrogatepass")
    return data + draw(st.sampled_from([b"", b"\xff", b"\r\n"]))


def fill(folder: Path, files: dict[str, bytes]) -> str:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return str(folder)


def take_in(folder: str) -> None:
    problems: list[Problem] = []
    task = read_task(folder, problems, in_skill=True)
    read_brief(folder)
    assert len(task.instructions) <= 100
    assert len(problems) < 1000


@settings(max_examples=150, deadline=2000, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(task=mutated(TASK), dockerfile=mutated(DOCKERFILE), compose=mutated(COMPOSE), with_compose=st.booleans())
def test_mutated_tasks(tmp_path: Path, task: bytes, dockerfile: bytes, compose: bytes, with_compose: bool) -> None:
    files = {"task.toml": task, "environment/Dockerfile": dockerfile, "instruction.md": compose}
    (tmp_path / "environment" / "docker-compose.yaml").unlink(missing_ok=True)
    take_in(fill(tmp_path, files | ({"environment/docker-compose.yaml": compose} if with_compose else {})))


@settings(max_examples=200, deadline=2000)
@given(st.text(st.sampled_from("FROMCPYARUN<>EOF \\\n\t#=-\"'[]{},$x:/0"), max_size=200))
def test_any_dockerfile(text: str) -> None:
    read_plan(text)


MIB = 1 << 20
BOMBS: dict[str, dict[str, bytes]] = {
    "headers": {"task.toml": b'environment.mcp_servers = [{name="x",headers={X="%s"}}]' % (b"${A:-" * 180_000)},
    "numbers in text": {"task.toml": b'agent.timeout_sec = "%s"' % (b"1" * 900_000 + b"x")},
    "a long name": {"task.toml": b'task.name = "%s"' % (b"a.b" * 300_000)},
    "a long size": {"task.toml": b'environment.memory = "%sG"' % (b"1" * 900_000)},
    "unknown keys": {"task.toml": b"".join(b"timeout_secs%d = 1\n" % number for number in range(15_000))},
    "refused variables": {"task.toml": b"[environment.env]\n" + b"".join(b"A%d = 1\n" % n for n in range(15_000))},
    "steps": {"task.toml": b"".join(b'[[steps]]\nname = "s%d"\n' % number for number in range(5_000))},
    "hosts": {"task.toml": b'environment.allowed_hosts = ["%s"]' % (b"a-" * 450_000)},
    "flags": {"environment/Dockerfile": b"FROM a\nCOPY " + b"--a " * 250_000 + b"x y"},
    "mounts": {"environment/Dockerfile": b"FROM a\nRUN " + b"--mount=" * 125_000},
    "words": {"environment/Dockerfile": b"FROM a\nCOPY " + b"a " * 500_000},
    "stages": {"environment/Dockerfile": b"".join(b"FROM s%d AS s%d\n" % (n, n + 1) for n in range(40_000))},
    "here-documents": {"environment/Dockerfile": b"FROM a\n" + b"RUN <<A\n" * 120_000},
    "continued lines": {"environment/Dockerfile": b"FROM a\nRUN " + b"\\\n" * 500_000},
    "arguments": {"environment/Dockerfile": b"".join(b"ARG A%d=${A%d}$A%dx\n" % (n + 1, n, n) for n in range(30_000))},
    "variables": {"environment/Dockerfile": b"FROM " + b"${A:-" * 200_000},
    "arrays": {"environment/Dockerfile": b"FROM a\nCOPY " + b"[" * 1_000_000},
    "blank lines": {"environment/Dockerfile": b"\n" * (MIB - 1)},
    "aliases": {"environment/docker-compose.yaml": b"a: &a [x]\n" + b"".join(
        b"%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n" % (n, n, *([n - 1] * 8)) for n in range(ord("b"), ord("z"))
    )},
}  # fmt: skip


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_read_in_time(name: str, tmp_path: Path) -> None:
    files: dict[str, Any] = {"task.toml": b"", "environment/Dockerfile": b"FROM a\n", **BOMBS[name]}
    folder = fill(tmp_path, files)
    started = time.process_time()
    take_in(folder)
    assert time.process_time() - started < 2
