"""Our verdict on a `task.toml` against Harbor's own loader, which is authoritative, and the schema against drift."""

import tomllib
import warnings
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from gradewright.finding import Location
from gradewright.model import UNKNOWN_KEY
from gradewright.read.task.schema import schema_problems
from gradewright.read.task.sense import sense_problems

REPOSITORY = Path(__file__).resolve().parent.parent
TEXTS = [
    line.replace(" ; ", "\n")
    for line in (Path(__file__).parent / "task_texts.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("# ")
]


def refused(text: str) -> list[str]:
    """What we accuse `text` of as an error."""
    config = tomllib.loads(text)
    found = [*schema_problems(config, Location("task.toml")), *sense_problems(config, Location("task.toml"))]
    return [problem.detail for problem in found if problem.kind != UNKNOWN_KEY]


def harbor_refuses(text: str) -> bool:
    config = pytest.importorskip("harbor.models.task.config", reason="needs the extra `harbor`").TaskConfig
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            config.model_validate_toml(text)
        except (ValueError, OverflowError):
            return True
    return False


def derivation() -> Any:
    spec = spec_from_file_location("derive_task_schema", REPOSITORY / "tools" / "derive_task_schema.py")
    assert spec and spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.harbor
@pytest.mark.parametrize("text", TEXTS)
def test_we_refuse_what_harbor_refuses(text: str) -> None:
    assert bool(refused(text)) == harbor_refuses(text), refused(text)


@pytest.mark.harbor
def test_schema_has_not_drifted() -> None:
    pytest.importorskip("harbor.models.task.config", reason="needs the extra `harbor`")
    module = derivation()
    assert module.TARGET.read_text(encoding="utf-8") == module.text()


@pytest.mark.parametrize("text", TEXTS)
def test_walk_agrees_with_a_validator_of_json_schemas(text: str) -> None:
    config = tomllib.loads(text)
    schema = (REPOSITORY / "src/gradewright/schemas/task.json").read_text(encoding="utf-8")
    kinds = {problem.kind for problem in schema_problems(config, Location("task.toml"))} - {UNKNOWN_KEY}
    if any(word in text for word in ("nan", "inf", "1979", "07:32", "1e300")):
        pytest.skip("JSON has no such value, or counts it otherwise")
    assert jsonschema_rs.validator_for(schema).is_valid(config) == (not kinds)
