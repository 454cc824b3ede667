"""What `init-harbor-task` makes, keeps and refuses, and what Harbor says to it."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from test_scaffold import ENTRY, make_skill, refused, scaffold, tree

NATIVE = "schema_version: 1\nharbor:\n  task_source: native_harbor\ngrading:\n  mode: {}\n"


def listed(skill: Path) -> list[str]:
    manifest = tomllib.loads((skill / "evals" / "harbor" / "dataset.toml").read_text(encoding="utf-8"))
    return [task["name"] for task in manifest["tasks"]]


@pytest.mark.harbor
@pytest.mark.parametrize("language", ["python", "shell"])
@pytest.mark.parametrize("case_id", ["case-001", "7", "A.b_c", "a" * 128])
def test_harbor_takes_the_case(tmp_path: Path, language: str, case_id: str) -> None:
    module = pytest.importorskip("harbor.models.task.task")
    skill = make_skill(tmp_path / "w\u00f6rd count", "w\u00f6rd 'count'")
    scaffold("init-harbor-task", skill, "--case-id", case_id, "--language", language)
    case = skill / "evals" / "harbor" / case_id
    task = module.Task(case)
    assert task.name == f"w-rd-count/{case_id}"
    assert task.instruction.strip()
    lint = [str(Path(sys.executable).with_name("harbor")), "lint", "--json", str(case)]
    found = json.loads(subprocess.run(lint, capture_output=True, text=True).stdout)
    assert [finding["rule"] for finding in found] == ["shared-verifier"]


def test_a_first_case(tmp_path: Path) -> None:
    skill = make_skill(tmp_path / "word-count")
    account = scaffold("init-harbor-task", skill, "--with-config", "--org", "acme")
    case = "evals/harbor/case-001"
    assert account["created"] == [
        "evals/config.yml",
        *(f"{case}/{name}" for name in ("environment/Dockerfile", "instruction.md", "solution/solve.sh", "task.toml")),
        f"{case}/tests/grader.py", f"{case}/tests/test.sh", "evals/harbor/dataset.toml",
    ]  # fmt: skip
    assert (skill / case / "tests" / "test.sh").stat().st_mode & 0o777 == 0o755
    assert listed(skill) == ["acme/case-001"]
    config = (skill / "evals" / "config.yml").read_text()
    assert "  mode: custom_only\n" in config and "  task_source: native_harbor\n" in config
    scaffold("init-harbor-task", skill, "--case-id", "second")
    assert listed(skill) == ["acme/case-001", "acme/second"]


@pytest.mark.parametrize(
    ("files", "mode", "entries"),
    [
        ({}, "custom_only", None),
        ({}, "default_plus_custom", ["case-001"]),
        ({"evals_json": json.dumps([ENTRY])}, "default_plus_custom", ["a", "case-001"]),
        ({"evals_json": json.dumps([{**ENTRY, "id": "case-001"}])}, "default_plus_custom", ["case-001"]),
        ({"evals_json": json.dumps({"skill_name": "s", "evals": [ENTRY]})}, "default_plus_custom", ["a", "case-001"]),
        ({"evals_json": json.dumps([ENTRY])}, "custom_only", ["a"]),
        (
            {"evals_json": json.dumps([ENTRY]), "config_yml": NATIVE.format("default_plus_custom")},
            "custom_only",
            ["a", "case-001"],
        ),
    ],
)
def test_an_entry_where_the_mode_needs_one(
    tmp_path: Path, files: dict[str, str], mode: str, entries: list[str] | None
) -> None:
    skill = make_skill(tmp_path / "s", **files)
    scaffold("init-harbor-task", skill, "--mode", mode)
    path = skill / "evals" / "evals.json"
    value = json.loads(path.read_text()) if path.exists() else None
    found = value["evals"] if isinstance(value, dict) else value
    assert (found and [entry["id"] for entry in found]) == entries


@pytest.mark.parametrize("dataset", ["evals.jsonl", "evals.yaml"])
def test_entries_of_other_formats(tmp_path: Path, dataset: str) -> None:
    skill = make_skill(tmp_path / "s")
    (skill / "evals").mkdir()
    line = json.dumps(ENTRY)
    (skill / "evals" / dataset).write_text(f"- {line}\n" if dataset == "evals.yaml" else f"{line}\n")
    account = scaffold("init-harbor-task", skill, "--mode", "default_plus_custom")
    assert f"evals/{dataset}" in account["changed"]
    assert "case-001" in (skill / "evals" / dataset).read_text()


@pytest.mark.parametrize(
    ("files", "never"),
    [
        ({}, "grader never runs"),
        ({"evals_json": json.dumps([ENTRY])}, "case never runs"),
        ({"config_yml": "schema_version: 1\nharbor: {task_source: evals_json}\n"}, "case never runs"),
        ({"config_yml": NATIVE.format("default")}, "grader never runs"),
        ({"config_yml": NATIVE.format("custom_only")}, ""),
    ],
)
def test_a_case_that_would_not_run_is_said_with_the_cure(tmp_path: Path, files: dict[str, str], never: str) -> None:
    skill = make_skill(tmp_path / "it's", **files)
    account = scaffold("init-harbor-task", skill)
    notes = [note for note in account["notes"] if "never runs" in note]
    assert bool(notes) == bool(never) and all(never in note for note in notes)
    if not notes:
        return
    import shlex

    before = tree(skill / "evals" / "harbor")
    cure = shlex.split(account["next"][0])
    assert cure[0] == "gradewright"
    cured = scaffold(*cure[1:])
    assert tree(skill / "evals" / "harbor") == before
    assert not [note for note in cured["notes"] if "never runs" in note]
    assert "exists already" in refused(tmp_path, *cure[1:])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--case-id", "a/b"), "letter"),
        (("--case-id", ".."), "start"),
        (("--case-id", "a..b"), "`..`"),
        (("--case-id", ""), "empty"),
        (("--case-id", "a" * 129), "128"),
        (("--case-id", "nul"), "Windows"),
        (("--case-id", "README.md"), "reserved"),
        (("--case-id", "Results"), "reserved"),
        (("--case-id", "a\n"), "letter"),
        (("--case-id", "Case-1"), "collides"),
        (("--case-id", "case-1"), "--force"),
        (("--case-id", "A"), "collides with `a` in the dataset"),
        (("--org", "a b"), "owner"),
        (("--org", "a..b"), "owner"),
        (("--org", "acme/x"), "owner"),
    ],
)
def test_cases_refused(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    skill = make_skill(tmp_path / "s", "s", evals_json=json.dumps([ENTRY]))
    (skill / "evals" / "harbor" / "case-1").mkdir(parents=True)
    assert said in refused(tmp_path, "init-harbor-task", skill, *arguments)


@pytest.mark.parametrize("manifest", ["[dataset", "tasks = 3\n", "[tasks]\nname = 1\n"])
def test_a_malformed_manifest_is_refused(tmp_path: Path, manifest: str) -> None:
    skill = make_skill(tmp_path / "s", harbor__dataset_toml=manifest)
    assert "dataset.toml" in refused(tmp_path, "init-harbor-task", skill)


def test_force_replaces_this_case_only(tmp_path: Path) -> None:
    skill = make_skill(tmp_path / "s")
    for case_id in ("one", "two"):
        scaffold("init-harbor-task", skill, "--case-id", case_id)
    harbor = skill / "evals" / "harbor"
    (harbor / "one" / "instruction.md").write_text("mine")
    (harbor / "one" / "environment" / "data").mkdir()
    (harbor / "one" / "environment" / "data" / "big.bin").write_bytes(bytes(range(256)))
    (harbor / "two" / "instruction.md").write_text("mine")
    others = tree(harbor / "two")
    account = scaffold("init-harbor-task", skill, "--case-id", "one", "--force", "--language", "shell")
    assert account["removed"] == [
        f"evals/harbor/one/{name}" for name in ("environment/data/big.bin", "tests/grader.py")
    ]
    assert {name for name, value in tree(harbor / "one").items() if value} == {
        "environment/Dockerfile", "instruction.md", "solution/solve.sh", "task.toml",
        "tests/grader.sh", "tests/test.sh",
    }  # fmt: skip
    assert tree(harbor / "two") == others
    assert listed(skill) == ["word-count/one", "word-count/two"]
    (harbor / "one" / "link").symlink_to(tmp_path)
    assert "symbolic link" in refused(tmp_path, "init-harbor-task", skill, "--case-id", "one", "--force")


def test_an_entry_that_wakes_the_dataset_puts_the_case_to_sleep(tmp_path: Path) -> None:
    skill = make_skill(tmp_path / "s", config_yml="schema_version: 1\ngrading: {mode: default_plus_custom}\n")
    account = scaffold("init-harbor-task", skill, "--mode", "default_plus_custom")
    assert any("this case never runs" in note for note in account["notes"])


def test_a_mode_that_changes_for_every_case_is_said(tmp_path: Path) -> None:
    skill = make_skill(tmp_path / "s", config_yml=NATIVE.format("custom_only"))
    account = scaffold("init-harbor-task", skill, "--with-config", "--mode", "default_plus_custom")
    assert "`custom_only` in evals/config.yml and is now `default_plus_custom`" in account["notes"][0]
    assert not [note for note in scaffold("init-harbor-task", skill, "--case-id", "b")["notes"] if "is now" in note]


def test_a_case_too_large_to_replace_is_refused(tmp_path: Path) -> None:
    skill = make_skill(tmp_path / "s")
    scaffold("init-harbor-task", skill)
    data = skill / "evals" / "harbor" / "case-001" / "environment" / "data"
    data.mkdir()
    for name in ("a", "b"):
        with (data / name).open("wb") as stream:
            stream.truncate(17 << 20)
    assert "more than 32 MiB" in refused(tmp_path, "init-harbor-task", skill, "--force")
    with (data / "a").open("wb") as stream:
        stream.truncate(33 << 20)
    assert "larger than 32 MiB" in refused(tmp_path, "init-harbor-task", skill, "--force")


def test_the_manifest_keeps_its_comments_and_owner(tmp_path: Path) -> None:
    manifest = (
        '# ours\n[dataset]\nname = "acme/words"   # the name\n\n[[tasks]]\nname = "acme/a"\ndigest = "sha256:x"\n'
    )
    skill = make_skill(tmp_path / "s", harbor__dataset_toml=manifest)
    scaffold("init-harbor-task", skill, "--case-id", "b")
    assert (skill / "evals" / "harbor" / "dataset.toml").read_text().startswith(manifest)
    assert listed(skill) == ["acme/a", "acme/b"]
    assert '"acme/b"' in (skill / "evals" / "harbor" / "b" / "task.toml").read_text()
