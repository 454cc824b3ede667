"""`action.yml`: its steps are run as a runner would run them, in a scratch repository."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from test_cli import EXAMPLE
from test_precommit import UNWANTED
from test_render_github import parsed
from test_render_sarif import validator

from gradewright import __version__

REPOSITORY = Path(__file__).parent.parent
ACTION: dict[str, Any] = yaml.safe_load((REPOSITORY / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
EXPRESSION = re.compile(r"\$\{\{ *([\w.-]+) *\}\}")
HOW_TO = (REPOSITORY / "docs" / "how-to" / "ci.md").read_text(encoding="utf-8")
UPLOAD_IF = "inputs.sarif == 'true' && github.event.pull_request.head.repo.fork != true"


class Job(NamedTuple):
    """What is left when the steps have run."""

    code: int
    log: str
    outputs: dict[str, dict[str, str]]
    uploaded: dict[str, str] | None


class Runner:
    """Runs `run:` steps with bash; of `uses:` steps it knows the two there are."""

    def __init__(self, folder: Path, workspace: Path, action: Path, skip: Mapping[str, dict[str, str]]) -> None:
        self.workspace = workspace
        self.action = action
        self.outputs: dict[str, dict[str, str]] = {"python": {"python-path": sys.executable}, **skip}
        self.skip = skip
        self.temp = folder / "runner temp"
        self.temp.mkdir(exist_ok=True)

    def run(self, **given: str) -> Job:
        inputs = {name: str(spec.get("default", "")) for name, spec in ACTION["inputs"].items()}
        inputs |= {name.replace("_", "-"): value for name, value in given.items()}
        log, uploaded = "", None
        for step in STEPS:
            if step.get("id") in self.skip:
                continue
            if "uses" in step:
                if step["uses"].startswith("github/codeql-action/upload-sarif@") and inputs["sarif"] == "true":
                    uploaded = {name: self.resolved(value, inputs) for name, value in step["with"].items()}
                continue
            code, text = self.shell(step, inputs)
            log += text
            if code:
                return Job(code, log, self.outputs, uploaded)
        return Job(0, log, self.outputs, uploaded)

    def shell(self, step: dict[str, Any], inputs: dict[str, str]) -> tuple[int, str]:
        output = self.temp / "output"
        output.write_text("")
        environment = {
            "PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), "CI": "true", "GITHUB_ACTIONS": "true",
            "GITHUB_WORKSPACE": str(self.workspace), "GITHUB_OUTPUT": str(output), "RUNNER_TEMP": str(self.temp),
            "RUNNER_OS": "Linux", "GITHUB_ACTION_PATH": str(self.action),
            **{name: value for name, value in os.environ.items() if name.startswith(("PIP_", "COVERAGE_"))},
        }  # fmt: skip
        environment |= {name: self.resolved(value, inputs) for name, value in step.get("env", {}).items()}
        script = self.temp / "step.sh"
        script.write_text(step["run"])
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.workspace, env=environment, capture_output=True, text=True, timeout=600, check=False,
        )  # fmt: skip
        pairs = (line.partition("=") for line in output.read_text().splitlines())
        self.outputs[step.get("id", "")] = {name: value for name, _, value in pairs}
        return done.returncode, done.stdout + done.stderr

    def resolved(self, text: str, inputs: dict[str, str]) -> str:
        return EXPRESSION.sub(lambda found: self.value(found[1], inputs), text)

    def value(self, name: str, inputs: dict[str, str]) -> str:
        kind, _, rest = name.partition(".")
        if kind == "inputs":
            return inputs[rest]
        if kind == "steps":
            step, _, output = rest.partition(".outputs.")
            return self.outputs.get(step, {}).get(output, "")
        assert name == "github.action_path", name
        return str(self.action)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A checked-out repository with a sound skill and one with an error and a warning."""
    root = tmp_path / "work space"
    (root / ".git").mkdir(parents=True)
    shutil.copytree(EXAMPLE, root / "skills" / "sound" / "csv-to-json")
    broken = Path(shutil.copytree(EXAMPLE, root / "skills" / "bro ken" / "csv-to-json"))
    path = broken / "evals" / "evals.json"
    document = json.loads(path.read_text())
    document["evals"][0] |= {"files": ["files/nowhere.csv"], "expected_output": "TODO"}
    path.write_text(json.dumps(document, indent=2))
    return root


@pytest.fixture
def runner(tmp_path: Path, workspace: Path) -> Runner:
    """A runner that finds gradewright installed already."""
    program = tmp_path / "gradewright"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gradewright "$@"\n')
    program.chmod(0o755)
    return Runner(tmp_path, workspace, REPOSITORY, {"install": {"gradewright": str(program)}})


def annotations(job: Job) -> list[tuple[str, str]]:
    """Errors and warnings with their files; notes are a matter of taste, and of the rules there are."""
    commands = [parsed(line) for line in job.log.splitlines() if line.startswith("::")]
    return [(command.name, command.properties["file"]) for command in commands if command.name != "notice"]


BROKEN = "skills/bro ken/csv-to-json/evals/evals.json"


def test_findings_are_annotated_uploaded_and_fail_the_job(runner: Runner) -> None:
    job = runner.run()
    assert job.code == 1
    assert sorted(annotations(job)) == [("error", BROKEN), ("warning", BROKEN)]
    assert job.outputs["validate"]["exit-code"] == "1"
    assert job.uploaded == {"sarif_file": job.outputs["validate"]["sarif-file"], "category": "gradewright"}
    document = json.loads(Path(job.uploaded["sarif_file"]).read_text())
    assert validator().is_valid(document)
    uris = {
        one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in document["runs"][0]["results"]
    }
    assert BROKEN.replace(" ", "%20") in uris


def test_a_clean_repository_passes_and_is_uploaded_too(runner: Runner) -> None:
    job = runner.run(paths="skills/sound")
    assert (job.code, annotations(job), job.uploaded is not None) == (0, [], True)


def test_inputs_reach_the_command(runner: Runner, workspace: Path) -> None:
    paths = "skills/sound\n\nskills/bro ken"
    assert "in 2 skills" in runner.run(paths=paths, sarif="false").log
    assert "2 skills and 4 tasks" in runner.run(paths=paths).log
    path = workspace / BROKEN
    path.write_text(path.read_text().replace("files/nowhere.csv", "files/orders.csv"))
    (workspace / "skills" / "bro ken" / "csv-to-json" / "evals" / "files").mkdir(exist_ok=True)
    (path.parent / "files" / "orders.csv").write_text("a\n1\n")
    assert runner.run(paths=paths).code == 0
    assert runner.run(paths=paths, strict="true").code == 1
    command = [sys.executable, "-m", "gradewright", "validate", ".", "--write-baseline", "known.json"]
    subprocess.run(command, cwd=workspace, check=True, capture_output=True)
    assert runner.run(strict="true", baseline="known.json").code == 0
    assert runner.run(target="harbor").code == 0


def test_without_sarif_nothing_is_uploaded(runner: Runner) -> None:
    job = runner.run(sarif="false")
    assert (job.code, job.uploaded, job.outputs["validate"].get("sarif-file")) == (1, None, None)


@pytest.mark.parametrize(
    "inputs", [{"paths": "nowhere"}, {"paths": ""}, {"target": "mars"}, {"strict": "yes"}, {"baseline": "nowhere"}]
)
def test_wrong_inputs_stop_before_the_upload(runner: Runner, inputs: dict[str, str]) -> None:
    job = runner.run(**inputs)
    assert (job.code, job.uploaded) == (2, None)


@pytest.mark.parametrize("name", ["paths", "target", "baseline", "strict", "harbor_contract", "sarif"])
@pytest.mark.parametrize(
    "value",
    ['"; touch pwned; "', "$(touch pwned)", "`touch pwned`", "x\n::error::y", "--output=pwned", "a' ; touch pwned"],
)
def test_no_input_is_run_by_the_shell(runner: Runner, workspace: Path, name: str, value: str) -> None:
    job = runner.run(**{name: value})
    assert job.code == 2
    assert not list(workspace.rglob("pwned")) + list(runner.temp.rglob("pwned"))


def test_scripts_take_inputs_from_the_environment_and_actions_are_pinned() -> None:
    uses = [step["uses"] for step in STEPS if "uses" in step]
    assert [re.sub(r"[0-9a-f]{40}$", "SHA", name) for name in uses] == [
        "actions/setup-python@SHA", "github/codeql-action/upload-sarif@SHA"
    ]  # fmt: skip
    for step in STEPS:
        assert "${{" not in step.get("run", ""), step["name"]
        assert step.get("shell", "bash") == "bash" and ("run" in step) == ("shell" in step)
    (upload,) = (step for step in STEPS if "codeql" in step.get("uses", ""))
    assert upload["if"] == UPLOAD_IF
    assert upload["continue-on-error"] is True


def test_every_input_is_described_and_used() -> None:
    text = json.dumps(ACTION["runs"])
    for name, spec in ACTION["inputs"].items():
        assert spec["description"] and isinstance(spec["default"], str), name
        assert re.search(rf"inputs\.{name}\b", text), name


def test_the_how_to_lists_every_input_with_its_default() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \| .* \| (.*) \|$", HOW_TO, re.M)
    assert [name for name, _ in rows] == list(ACTION["inputs"])
    for name, default in rows:
        assert default == f"`{ACTION['inputs'][name]['default']}`" or not ACTION["inputs"][name]["default"], name


@pytest.mark.docs
@pytest.mark.skipif(not find_spec("check_jsonschema"), reason="check-jsonschema is not installed")
def test_the_action_and_the_examples_fit_the_schemas_of_their_platforms(tmp_path: Path) -> None:
    github, gitlab = re.findall(r"^```yaml\n(.*?)^```", HOW_TO, re.M | re.S)
    for name, text in (("actions", json.dumps(ACTION)), ("workflows", github), ("gitlab-ci", gitlab)):
        file = tmp_path / f"{name}.yml"
        file.write_text(text, encoding="utf-8")
        schema = f"vendor.{name}" if name == "gitlab-ci" else f"vendor.github-{name}"
        command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(file)]
        shown = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert shown.returncode == 0, shown.stdout


@pytest.mark.wheel
def test_the_whole_action_with_its_installation(tmp_path: Path, workspace: Path) -> None:
    action = tmp_path / "action path"
    shutil.copytree(REPOSITORY, action, ignore=UNWANTED)
    runner = Runner(tmp_path, workspace, action, {})
    job = runner.run()
    assert job.code == 1, job.log
    assert sorted(annotations(job)) == [("error", BROKEN), ("warning", BROKEN)]
    installed = job.outputs["install"]["gradewright"]
    shown = subprocess.run([installed, "--version"], capture_output=True, text=True, check=True).stdout
    assert shown == f"gradewright {__version__}\n"
