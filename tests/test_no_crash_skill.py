"""Whatever stands in a skill's own files, its readers and rules answer with nodes and findings, and soon."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gradewright.catalogue import load
from gradewright.finding import Location
from gradewright.model import Brief, Node, Problem, Skill
from gradewright.read.skill.dataset import read_dataset
from gradewright.read.skill.folder import layout, list_fixtures, read_front_matter
from gradewright.read.skill.manifest import read_manifest
from gradewright.read.skill.policy import read_policy
from gradewright.rules import TABLE

SECONDS = 2.0
FILES: dict[str, bytes] = {
    "SKILL.md": b"---\nname: s\ndescription: Converts a table. Use it for CSV.\n---\n# s\n",
    "evals/evals.json": json.dumps(
        {
            "skill_name": "s",
            "evals": [
                {"id": "a", "prompt": "Convert.", "expected_output": "A list.", "files": ["files/a.csv"]},
                {"id": 3, "prompt": "TODO", "expected_output": "", "assertions": ["x", {"text": "y"}], "files": []},
            ],
        }
    ).encode(),
    "evals/config.yml": b"schema_version: 1\nharbor: {task_source: auto}\ngrading: {mode: default_plus_custom}\n",
    "evals/harbor/dataset.toml": b'[dataset]\nname = "o/s"\n\n[[tasks]]\nname = "o/a"\ndigest = "sha256:x"\n',
}  # fmt: skip

ODD = st.sampled_from([
    b"", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"{", b"}", b"[", b"]", b'"', b"'", b"\n", b"\r\n", b"---\n",
    b": ", b"- ", b"&a ", b"*a", b"<<: *a\n", b"!!python/object:x ", b"? ", b"null", b"NaN", b"1e999", b"9" * 5000,
    b"\\ud800", b"0x" + b"f" * 5000, b"2024-01-01", b"../", b"[[tasks]]", b"= ", b"# TODO", b'"id": {}', b",", b"-",
])  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn, original: bytes) -> bytes:
    content = original
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        end = draw(st.integers(start, min(len(content), start + 20)))
        content = content[:start] + draw(ODD | st.binary(max_size=8)) + content[end:]
    return content


def read_all(root: Path) -> list[Node]:
    """Every node of the skill at `root`, as the walk makes them, with two made-up native cases."""
    problems: list[Problem] = []
    evals = str(root / "evals")
    dataset = read_dataset(evals, problems)
    policy = read_policy(evals, problems)
    manifest = read_manifest(str(root / "evals" / "harbor" / "dataset.toml"), problems)
    odd = Brief(f"{root}/evals/harbor/B", {"x": [1]}, 3, Location("b"), Location("b"), ("test.sh",))
    skill = Skill(
        name=root.name,
        skill_md="SKILL.md",
        front_matter=read_front_matter(str(root / "SKILL.md"), problems),
        has_evals=True,
        dataset=dataset,
        policy=policy,
        graders=(),
        tasks=(Brief(f"{root}/evals/harbor/b", "b", "o/b", Location("b"), Location("b")), odd),
        manifest=manifest,
        fixtures=list_fixtures(evals, problems),
        at=Location(str(root)),
        present=layout(str(root)),
    )
    nodes: list[Node] = [*problems, policy, skill]
    nodes += [dataset, *dataset.cases] if dataset else []
    return [*nodes, manifest] if manifest else nodes


def checks() -> Iterator[tuple[str, Callable[[Any], Iterator[Any]]]]:
    for _, name, node in TABLE:
        if node in ("Problem", "Case", "Dataset", "Policy", "Manifest", "Skill"):
            yield node, load(name).check


CHECKS = list(checks())


def judge(root: Path) -> None:
    started = time.process_time()
    for node in read_all(root):
        for kind, check in CHECKS:
            if kind == type(node).__name__:
                for finding in check(node):
                    assert finding.message and "\n" not in finding.message + finding.hint
                    assert (finding.message + finding.hint).encode()
                    assert len(finding.message) < 400
    assert time.process_time() - started < SECONDS


def write(root: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)


@pytest.mark.parametrize("name", sorted(FILES))
def test_mutated_files(name: str, tmp_path: Path) -> None:
    write(tmp_path, FILES)

    @settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(content=mutated(FILES[name]))
    def run(content: bytes) -> None:
        (tmp_path / name).write_bytes(content)
        judge(tmp_path)

    run()


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12) | st.just(10**200),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
ENTRIES = st.dictionaries(
    st.sampled_from(["id", "prompt", "question", "expected_output", "assertions", "files", "expectations", "Files"])
    | st.text(max_size=5),
    VALUES | st.sampled_from(["files/a.csv", "../x", "a\\b", "TODO", "http://x", "evals.json", "\ud800", "con"]),
    max_size=6,
)  # fmt: skip


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(
    entries=st.lists(ENTRIES | VALUES, max_size=4), top=st.sampled_from(["evals", "cases", "", "eval"]), extra=VALUES
)
def test_any_value_in_any_place(
    entries: list[Any], top: str, extra: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("skill")
    write(root, FILES)
    value = {top: entries, "skill_name": extra} if top else entries
    (root / "evals" / "evals.json").write_text(json.dumps(value), encoding="utf-8")
    judge(root)


BOMBS: dict[str, bytes] = {
    "deep lists": b"[" * 200_000,
    "deep objects": b'{"a":' * 100_000,
    "many entries": b"[" + b"{}," * 2_000_000 + b"{}]",
    "many files": b'[{"id": 1, "files": [' + b'"a",' * 1_500_000 + b'"a"]}]',
    "many equal ids": b"[" + b'{"id": 1},' * 19_000 + b'{"id": "1"}]',
    "many near misses": b"[" + b'{"promptt": 1, "asertions": 2},' * 19_000 + b'{"id": "1"}]',
    "many keys": b"[{" + b",".join(b'"expected_%d": 1' % number for number in range(200_000)) + b"}]",
    "one huge text": b'[{"id": "' + b"a" * 7_000_000 + b'", "prompt": "' + b"TODO " * 100_000 + b'"}]',
    "a huge number": b'[{"id": ' + b"9" * 1_000_000 + b"}]",
    "a long path": b'[{"id": 1, "files": "' + b"a/" * 1_000_000 + b'"}]',
}


@pytest.mark.parametrize("name", sorted(BOMBS))
def test_bombs_in_the_dataset(name: str, tmp_path: Path) -> None:
    write(tmp_path, {**FILES, "evals/evals.json": BOMBS[name]})
    judge(tmp_path)


@pytest.mark.parametrize(
    "content",
    [
        b"a: &a [x, x, x, x, x, x, x, x, x]\n"
        + b"".join(b"%c: &%c [%s]\n" % (n, n, b", ".join([b"*%c" % (n - 1)] * 9)) for n in range(98, 106)),
        b"- &a [*a]\n",
        b"evals: &e\n  - *e\n",
        b"x: " + b"[" * 50_000,
        b"- " * 50_000,
        b"? " * 20_000,
        b"evals: [{id: 0x" + b"f" * 100_000 + b"}]\n",
        b"evals:\n" + b"  - {id: a, prompt: b}\n" * 15_000,
    ],
)
@pytest.mark.parametrize("name", ["evals/evals.yaml", "evals/config.yml", "SKILL.md"])
def test_bombs_in_yaml(name: str, content: bytes, tmp_path: Path) -> None:
    write(tmp_path, FILES)
    (tmp_path / "evals" / "evals.json").unlink()
    write(tmp_path, {name: b"---\n" + content + b"---\n" if name == "SKILL.md" else content})
    judge(tmp_path)
