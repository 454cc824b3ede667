"""What the two scaffolding commands make, keep and refuse."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FRONT = "---\nname: {}\ndescription: Counts words.\n---\n# Words\n"
COMMANDS = ("init-custom-grader", "init-harbor-task")
ENTRY = {"id": "a", "prompt": "p", "expected_output": "e"}


def make_skill(folder: Path, name: str = "word-count", **files: str) -> Path:
    """A skill; `files` are below `evals/`, with `__` for `/` and `_` for `.`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "SKILL.md").write_text(FRONT.format(name), encoding="utf-8")
    for key, text in files.items():
        path = folder / "evals" / key.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return folder


def tree(folder: Path) -> dict[str, object]:
    """Everything below `folder`: bytes of files, targets of links."""
    paths = sorted(folder.rglob("*"))
    return {
        p.relative_to(folder).as_posix(): os.readlink(p) if p.is_symlink() else p.read_bytes() if p.is_file() else None
        for p in paths
    }


def gradewright(*arguments: object, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gradewright", *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, **more},
        stdin=subprocess.DEVNULL,
    )


def scaffold(*arguments: object, **more: str) -> dict[str, list[str]]:
    done = gradewright(*arguments, "--json", **more)
    assert done.returncode == 0, done.stderr
    account = json.loads(done.stdout)
    assert account.pop("version") == 1
    return dict(account)


def refused(folder: Path, *arguments: object) -> str:
    """The message of a refusal, after which everything is as before."""
    before = tree(folder)
    done = gradewright(*arguments)
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("error: "), done.stderr
    assert tree(folder) == before
    return done.stderr


@pytest.mark.parametrize(("language", "name"), [("python", "grader.py"), ("shell", "grader.sh")])
def test_a_first_grader(tmp_path: Path, language: str, name: str) -> None:
    skill = make_skill(tmp_path / "word-count")
    account = scaffold("init-custom-grader", skill, "--language", language, "--metric", "a", "--metric", "b")
    assert account["created"] == ["evals/config.yml", "evals/evals.json", f"evals/{name}"]
    assert account["changed"] == account["removed"] == account["kept"] == []
    assert account["next"] == [f"gradewright validate {skill} --harbor-contract"]
    assert (skill / "evals" / name).stat().st_mode & 0o777 == 0o755
    dataset = json.loads((skill / "evals" / "evals.json").read_text())
    assert dataset["skill_name"] == "word-count"
    assert [entry["id"] for entry in dataset["evals"]] == ["case-001"]
    assert "  mode: default_plus_custom\n" in (skill / "evals" / "config.yml").read_text()
    assert "check_a" in (skill / "evals" / name).read_text()


def test_existing_files_are_edited_in_place(tmp_path: Path) -> None:
    config = (
        "# ours\r\nschema_version: 1\r\nharbor: {n_attempts: 3}   # three\r\ngrading:\r\n  # why\r\n  mode: default\r\n"
    )
    skill = make_skill(tmp_path / "s", "s", config_yaml=config, evals_json=json.dumps([ENTRY]))
    account = scaffold("init-custom-grader", skill, "--mode", "custom_only")
    assert account["changed"] == ["evals/config.yaml"]
    assert account["kept"] == ["evals/evals.json"]
    with (skill / "evals" / "config.yaml").open(newline="") as stream:
        assert stream.read() == config.replace("mode: default", "mode: custom_only")


@pytest.mark.parametrize("mode", ["default_plus_custom", "aces_plus_custom"])
def test_a_config_that_is_right_is_kept(tmp_path: Path, mode: str) -> None:
    skill = make_skill(tmp_path / "s", config_yml=f"schema_version: 1\ngrading: {{mode: {mode}}}\n")
    assert scaffold("init-custom-grader", skill)["kept"] == ["evals/config.yml"]


def test_notes_tell_of_modes_and_cases_that_change(tmp_path: Path) -> None:
    mode = "schema_version: 1\ngrading: {mode: custom_only}\n"
    account = scaffold("init-custom-grader", make_skill(tmp_path / "mode", config_yml=mode))
    assert [note for note in account["notes"] if "was `custom_only`" in note and "is now `default_plus_custom`" in note]
    assert not [note for note in account["notes"] if "never runs" in note]
    native = make_skill(tmp_path / "native")
    scaffold("init-harbor-task", native)
    account = scaffold("init-custom-grader", native)
    assert [note for note in account["notes"] if note.startswith("the cases in evals/harbor no longer run")]


def test_a_file_that_cannot_be_read_is_refused_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gradewright.scaffold import RefusedError
    from gradewright.scaffold.files import open_text

    def denied(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "a").write_text("x")
    monkeypatch.setattr(os, "open", denied)
    with pytest.raises(RefusedError, match="`a` cannot be read: permission denied"):
        open_text(str(tmp_path), "a", "config")


def test_no_config_says_that_the_grader_never_runs(tmp_path: Path) -> None:
    skill = make_skill(tmp_path / "s")
    account = scaffold("init-custom-grader", skill, "--no-config")
    assert "evals/config.yml" not in account["created"]
    assert any("never runs" in note for note in account["notes"])


@pytest.mark.parametrize(
    ("files", "arguments", "said"),
    [
        ({"grader_py": "x"}, (), "--force"),
        ({"grader_sh": "x"}, (), "--force"),
        ({"evals_json": "{"}, (), "evals.json"),
        ({"evals_json": "[1]"}, (), "evals.json"),
        ({"evals_json": '{"evals": {}}'}, (), "evals.json"),
        ({"evals_yaml": "a: [\n"}, (), "evals.yaml"),
        ({"evals_jsonl": "{}\n{\n"}, (), "evals.jsonl"),
        ({"config_yml": "grading: ["}, (), "config.yml"),
        ({"config_yml": "- a"}, (), "config.yml"),
        ({"config_yml": "grading: custom_only\n"}, (), "config.yml"),
        ({}, ("--metric", "accuracy"), "`trajectory_source`"),
        ({}, ("--metric", "Overall"), "reserved"),
        ({}, ("--metric", "a-b"), "`a-b`"),
        ({}, ("--metric", "1a"), "reserved are"),
        ({}, ("--metric", "class"), "keyword"),
        ({}, ("--metric", "a" * 65), "64"),
        ({}, ("--metric", "a\n"), "safe"),
        ({}, ("--metric", ""), "safe"),
        ({}, ("--metric", "a", "--metric", "a"), "twice"),
    ],
)
def test_graders_refused(tmp_path: Path, files: dict[str, str], arguments: tuple[str, ...], said: str) -> None:
    skill = make_skill(tmp_path / "s", **files)
    for dry in ((), ("--dry-run",)):
        assert said in refused(tmp_path, "init-custom-grader", skill, *arguments, *dry)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", ["nothing", "no-skill-md", "folder", "link", "evals-link", "evals-file", "dangling"])
def test_skills_refused(tmp_path: Path, command: str, kind: str) -> None:
    skill = tmp_path / "s"
    if kind != "nothing":
        make_skill(skill)
    if kind in {"no-skill-md", "folder", "link"}:
        (skill / "SKILL.md").rename(tmp_path / "moved.md")
    if kind == "folder":
        (skill / "SKILL.md").mkdir()
    elif kind == "link":
        (skill / "SKILL.md").symlink_to(tmp_path / "moved.md")
    elif kind == "evals-link":
        (tmp_path / "elsewhere").mkdir()
        (skill / "evals").symlink_to(tmp_path / "elsewhere")
    elif kind == "dangling":
        (skill / "evals").symlink_to("nowhere")
    elif kind == "evals-file":
        (skill / "evals").write_text("")
    refused(tmp_path, command, skill, *(("--force",) if kind != "nothing" else ()))


@pytest.mark.parametrize(
    "place", ["grader.py", "config.yml", "evals.json", "harbor", "harbor/case-001", "harbor/dataset.toml"]
)
def test_links_in_place_of_our_files_are_refused(tmp_path: Path, place: str) -> None:
    skill = make_skill(tmp_path / "s", extra_txt="x")
    (tmp_path / "target").mkdir()
    link = skill / "evals" / place
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(tmp_path / "target")
    command = COMMANDS[place.startswith("harbor")]
    assert "symbolic link" in refused(tmp_path, command, skill, "--force")


def test_force_replaces_either_grader(tmp_path: Path) -> None:
    skill = make_skill(tmp_path / "s", grader_py="old", grader_sh="older")
    account = scaffold("init-custom-grader", skill, "--language", "shell", "--force")
    assert (account["changed"], account["removed"]) == (["evals/grader.sh"], ["evals/grader.py"])
    assert (skill / "evals" / "grader.sh").stat().st_mode & 0o111
    assert not (skill / "evals" / "grader.py").exists()


@pytest.mark.parametrize("command", COMMANDS)
def test_dry_run_shows_what_would_be_done(tmp_path: Path, command: str) -> None:
    skill = make_skill(tmp_path / "s", config_yml="schema_version: 1\n")
    before = tree(tmp_path)
    done = gradewright(command, skill, "--dry-run", "--mode", "custom_only")
    assert done.returncode == 0
    assert "new file mode 100755" in done.stdout
    assert tree(tmp_path) == before
    account = scaffold(command, skill, "--dry-run")
    assert account["created"] and account["diff"]
    assert tree(tmp_path) == before
    subprocess.run(["git", "apply", "-"], input=done.stdout, text=True, check=True, cwd=skill)
    applied = tree(skill)
    make_skill(other := tmp_path / "other", config_yml="schema_version: 1\n")
    scaffold(command, other, "--mode", "custom_only")
    assert {k: v for k, v in tree(other).items() if v} == {k: v for k, v in applied.items() if v}


HOSTILE = [
    '"{{ 7*7 }}"',
    '\'"""\'',
    "'$(touch hacked) `touch hacked`'",
    '"a\\nb: c #}"',
    "'\\'",
    '"{% raw %}"',
    '"\\ud83d\\ude00"',
]


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("language", ["python", "shell"])
def test_a_skills_text_is_data(tmp_path: Path, name: str, language: str) -> None:
    skill = make_skill(tmp_path / "it's a sk\u00efll", name)
    for command in COMMANDS:
        scaffold(command, skill, "--language", language, "--mode", "default_plus_custom", LC_ALL="C")
    dataset = json.loads((skill / "evals" / "evals.json").read_text())
    assert "49" not in dataset["skill_name"]
    for grader in skill.rglob("grader.*"):
        assert "7*7" not in grader.read_text() and "hacked" not in grader.read_text()
        runner = [sys.executable] if language == "python" else ["bash"]
        environment = {
            "PATH": os.environ["PATH"],
            "HARBOR_REWARD_JSON": "r/reward.json",
            "HARBOR_REWARD_TXT": "r/reward.txt",
        }
        subprocess.run([*runner, grader], check=True, cwd=tmp_path, env=environment)
    assert not (tmp_path / "hacked").exists()


def test_parallel_scaffolds_lose_nothing(tmp_path: Path) -> None:
    skill = make_skill(tmp_path / "s")
    command = [sys.executable, "-m", "gradewright", "init-harbor-task", str(skill), "--mode", "default_plus_custom"]
    running = [subprocess.Popen([*command, "--case-id", f"case-{n}"], stdout=subprocess.DEVNULL) for n in range(20)]
    assert [process.wait(timeout=120) for process in running] == [0] * 20
    import tomllib

    listed = tomllib.loads((skill / "evals" / "harbor" / "dataset.toml").read_text())["tasks"]
    entries = json.loads((skill / "evals" / "evals.json").read_text())["evals"]
    assert len(listed) == len(entries) == 20
    for n in range(20):
        case = skill / "evals" / "harbor" / f"case-{n}"
        assert len([path for path in case.rglob("*") if path.is_file()]) == 6
    assert [path.name for path in skill.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_no_room_is_a_clear_refusal(tmp_path: Path, command: str) -> None:
    skill = make_skill(tmp_path / "s")
    before = tree(tmp_path)
    script = 'ulimit -f 1; trap "" XFSZ; exec "$@"'
    arguments = ["bash", "-c", script, "bash", sys.executable, "-B", "-m", "gradewright", command, str(skill)]
    done = subprocess.run(arguments, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("error: ")
    assert tree(tmp_path) == before
