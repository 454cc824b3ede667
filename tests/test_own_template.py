"""Templates of somebody else: rendered with our answers and theirs, and never trusted."""

import json
import subprocess
from pathlib import Path

import pytest
from test_scaffold import gradewright, make_skill, refused, scaffold, tree

QUESTION = "greeting:\n  type: str\n  default: hello\n"
GRADER = "# {{ greeting }} {{ language }} {{ metrics | join(' ') }} {{ skill_name }}\n"


def make_template(folder: Path, **files: str) -> Path:
    """A template; `files` have `__` for `/`, `_` for `.`, and are rendered where they end in `_jinja`."""
    for key, text in {"copier_yml": QUESTION, "grader_py_jinja": GRADER, **files}.items():
        path = folder / key.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_answers_are_ours_and_the_authors(tmp_path: Path) -> None:
    skill = make_skill(tmp_path / "s", "'{{ 7*7 }}'")
    template = make_template(tmp_path / "our template", helper_txt="x")
    (template / ".copier-answers.yml").write_text("left out")
    account = scaffold("init-custom-grader", skill, "--template", template, "--metric", "a", "--data", "greeting=a=b")
    assert account["created"] == ["evals/config.yml", "evals/evals.json", "evals/grader.py", "evals/helper.txt"]
    assert (skill / "evals" / "grader.py").read_text() == "# a=b python a {{ 7*7 }}\n"
    assert (skill / "evals" / "grader.py").stat().st_mode & 0o111


def test_a_git_repository(tmp_path: Path) -> None:
    template = make_template(tmp_path / "template")
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    for command in (("init", "-q"), ("add", "."), (*identity, "commit", "-qm", "x"), ("tag", "v1.0")):
        subprocess.run(["git", *command], cwd=template, check=True)
    skill = make_skill(tmp_path / "s")
    scaffold("init-custom-grader", skill, "--template", f"git+file://{template}", TMPDIR=str(tmp_path))
    assert (skill / "evals" / "grader.py").read_text().startswith("# hello python")


def test_a_task_without_a_grader_gets_ours(tmp_path: Path) -> None:
    files = {"task_toml_jinja": '[task]\nname = "{{ org }}/{{ case_id }}"\n', "tests__test_sh": "true\n"}
    template = make_template(tmp_path / "t", grader_py_jinja="", **files)
    (template / "grader.py.jinja").unlink()
    skill = make_skill(tmp_path / "s")
    scaffold("init-harbor-task", skill, "--template", template, "--language", "shell")
    case = skill / "evals" / "harbor" / "case-001"
    assert {name for name, value in tree(case).items() if value} == {"task.toml", "tests/grader.sh", "tests/test.sh"}


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"copier_yml": "_tasks: ['touch hacked']\n"}, "code of its own"),
        ({"copier_yml": "_jinja_extensions: [jinja2.ext.do]\n"}, "code of its own"),
        ({"copier_yml": "_tasks: ['touch hacked']\n"}, "unsafe feature: tasks.\n    take `_tasks`"),
        ({"copier_yml": "a: [\n"}, "cannot be rendered: while parsing a flow"),
        ({"copier_yml": "who:\n  type: str\n"}, '"who" is required\n    answer with `--data'),
        ({"grader_py_jinja": "ok\n{{ 1 / 0 }}"}, "grader.py.jinja:2: "),
        ({"grader_py_jinja": "{{ 'a' * 3000000000 }}"}, "needs more than 2 GiB"),
        ({"grader_py_jinja": "{% for i in range(99999) %}{{ 'a' * 9999 }}{% endfor %}"}, "cannot be rendered"),
        ({"a__.gradewright-stage-x__b": "x"}, "staging folder"),
        ({"grader_py_jinja": "{{ undefined.attribute }}"}, "cannot be rendered"),
        ({"grader_py_jinja": "{% if %}"}, "grader.py.jinja:1: "),
        ({"grader_py_jinja": "{{ ''.__class__.__mro__[1].__subclasses__() }}"}, "cannot be rendered"),
        ({"grader_sh": "x"}, "grader.py and grader.sh"),
        ({"evals_json": "[]"}, "`evals/evals.json`"),
        ({"config_yml": "x"}, "`evals/config.yml`"),
        ({"harbor__x_txt": "x"}, "`evals/harbor/x.txt`"),
        ({"files__a_csv": "x"}, "exists already"),
    ],
)
def test_templates_refused(tmp_path: Path, files: dict[str, str], said: str) -> None:
    skill = make_skill(tmp_path / "s", files__a_csv="mine")
    template = make_template(tmp_path / "t", **files)
    assert said in refused(tmp_path, "init-custom-grader", skill, "--template", template)
    assert not list(tmp_path.rglob("hacked"))


def test_places_and_links_refused(tmp_path: Path) -> None:
    skill = make_skill(tmp_path / "s")
    template = make_template(tmp_path / "t")
    (template / "stolen.txt").symlink_to("/etc/passwd")
    assert "symbolic link" in refused(tmp_path, "init-custom-grader", skill, "--template", template)
    assert "no template" in refused(tmp_path, "init-custom-grader", skill, "--template", tmp_path / "nowhere")
    unreachable = refused(tmp_path, "init-custom-grader", skill, "--template", "https://127.0.0.1:1/x.git")
    assert "cannot be fetched: fatal: unable to access" in unreachable
    assert "makes no task.toml" in refused(
        tmp_path, "init-harbor-task", skill, "--template", make_template(tmp_path / "u")
    )
    assert gradewright("init-custom-grader", skill, "--data", "a=b").returncode == 2


def test_settings_of_the_user_do_not_lend_trust(tmp_path: Path) -> None:
    template = make_template(tmp_path / "t", copier_yml="_tasks: ['touch hacked']\n")
    settings = tmp_path / "settings.yml"
    settings.write_text(json.dumps({"trust": [str(template)]}))
    done = gradewright(
        "init-custom-grader", make_skill(tmp_path / "s"), "--template", template, COPIER_SETTINGS_PATH=str(settings)
    )
    assert done.returncode == 2


def test_migrations_are_never_run(tmp_path: Path) -> None:
    migration = f"_migrations:\n  - command: touch {tmp_path}/hacked\n"
    template = make_template(tmp_path / "t", copier_yml=QUESTION + migration)
    done = gradewright("init-custom-grader", make_skill(tmp_path / "s"), "--template", template)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "hacked").exists()
