"""The schemas themselves, and the words in which a mismatch is told."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from gradewright.contract import CASE_ID, ORG_NAME, RESERVED_METRICS, STANDARD_METRICS
from gradewright.finding import DOCS_URL, Location, Rule, Severity
from gradewright.model import MISSING_KEY, UNKNOWN_KEY, WRONG_TYPE, WRONG_VALUE, Problem, Report
from gradewright.read.data.schema import mismatches, schema_names, schema_text

OURS = ["config", "dataset", "dataset-manifest", "grading", "report", "reward"]
EXAMPLES = Path(__file__).parent / "bases"


def schema(name: str) -> dict[str, Any]:
    return dict(json.loads(schema_text(name)))


def told(value: Any, name: str = "config") -> list[tuple[str, tuple[Any, ...], str]]:
    return [(p.kind, p.at.keys, p.detail) for p in mismatches(value, name, name, Location("f"))]


def accepts(name: str, value: Any) -> bool:
    return not mismatches(value, name, name, Location("f"))


def config(**tables: Any) -> dict[str, Any]:
    return {"schema_version": 1, **tables}


@pytest.mark.parametrize("name", schema_names())
def test_schema_is_a_schema(name: str) -> None:
    document = schema(name)
    jsonschema.Draft202012Validator.check_schema(document)
    assert document["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert document["title"]


@pytest.mark.parametrize("name", OURS)
def test_schema_has_an_address_and_explains_every_key(name: str) -> None:
    document = schema(name)
    assert document["$id"] == f"{DOCS_URL}schemas/{name}.json"
    silent = [key for key, value in properties(document) if "description" not in value and "$ref" not in value]
    assert silent == []


def properties(node: Any) -> list[tuple[str, dict[str, Any]]]:
    if isinstance(node, list):
        return [found for child in node for found in properties(child)]
    if not isinstance(node, dict):
        return []
    named = [(key, value) for key, value in node.get("properties", {}).items()]
    return named + [found for child in node.values() for found in properties(child)]


def test_names() -> None:
    assert set(OURS) <= set(schema_names())
    with pytest.raises(OSError, match="nothing"):
        schema_text("nothing")


def test_schemas_agree_with_the_contract() -> None:
    nested = schema("reward")["$defs"]["nested"]
    assert set(nested["properties"]["custom_metrics"]["propertyNames"]["not"]["enum"]) == RESERVED_METRICS
    assert {branch["required"][0] for branch in nested["not"]["anyOf"]} == STANDARD_METRICS
    assert schema("dataset")["$defs"]["entry"]["properties"]["id"]["anyOf"][0]["pattern"] == (
        "^" + CASE_ID.pattern.replace("\\Z", "$")
    )
    name = schema("dataset-manifest")["properties"]["tasks"]["items"]["properties"]["name"]
    assert name["pattern"] == "^" + ORG_NAME.pattern.replace("\\Z", "$")


@pytest.mark.parametrize(
    "value",
    [
        config(),
        config(harbor=None, grading=None),
        config(harbor={"n_attempts": 1, "pass_threshold": 0, "timeout_multiplier": 0.5, "stop_on_pass": False}),
        config(harbor={"runtime_env": ["A"], "setup_commands": ["a", "b"], "agents": {"x": {"model": "y"}}}),
        config(harbor={"passthrough_env": {"A": "${A}"}, "pre_agent_setup": "true"}),
        config(grading={"mode": "aces_default"}, skill_workspace={"mode": "group", "include": ["a"]}),
    ],
)
def test_sound_configurations(value: Any) -> None:
    assert told(value) == []


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({}, (MISSING_KEY, (), "`schema_version` is missing")),
        ([], (WRONG_TYPE, (), "the file must be a mapping, not a list")),
        ({"schema_version": True}, (WRONG_VALUE, ("schema_version",), "`schema_version` must be `1`, not `true`")),
        (
            config(harbor={"n_attempt": 3}),
            (UNKNOWN_KEY, ("harbor", "n_attempt"), "unknown key `harbor.n_attempt`"),
        ),
        (
            config(harbor={"n_attempts": date(2024, 1, 1)}),
            (WRONG_TYPE, ("harbor", "n_attempts"), "`harbor.n_attempts` must be an integer of at least 1, not a date"),
        ),
        (
            config(harbor={"agent_workdir": ["a"]}),
            (WRONG_TYPE, ("harbor", "agent_workdir"), "`harbor.agent_workdir` must be text, not a list"),
        ),
        (
            config(harbor={"setup_commands": ["a", 1]}),
            (WRONG_TYPE, ("harbor", "setup_commands", 1), "`harbor.setup_commands.1` must be text, not `1`"),
        ),
        (
            config(harbor={"runtime_env": 1}),
            (
                WRONG_TYPE,
                ("harbor", "runtime_env"),
                "`harbor.runtime_env` must be a list of names or a mapping of names to values, not `1`",
            ),
        ),
        (
            config(harbor={"runtime_env": [], "passthrough_env": []}),
            (
                WRONG_VALUE,
                ("harbor", "passthrough_env"),
                "`passthrough_env` is another name of `runtime_env`, and both are given",
            ),
        ),
        (
            config(skill_workspace={"mode": ""}),
            (
                WRONG_VALUE,
                ("skill_workspace", "mode"),
                "`skill_workspace.mode` must be `isolated` or `group`, not an empty text",
            ),
        ),
    ],
)
def test_mismatches_are_told_in_our_words(value: Any, expected: tuple[str, tuple[Any, ...], str]) -> None:
    assert told(value) == [expected]


def test_a_near_miss_names_what_was_meant() -> None:
    [key] = mismatches(config(grading={"mod": "default"}), "config", "config", Location("f"))
    [value] = mismatches(config(grading={"mode": "custom-only"}), "config", "config", Location("f"))
    assert (key.nearest, value.nearest) == ("mode", "custom_only")


def test_every_mismatch_is_told_but_no_more_than_a_hundred() -> None:
    many = config(harbor={"setup_commands": list(range(5000))}, **{f"x{n}": 1 for n in range(3)})
    assert len(told(many)) == 100


@pytest.mark.parametrize(
    "value",
    [{1: 2}, {None: 1}, config(harbor={("a",): 1}), config(harbor={"agent_workdir": b"x"}), config(**{"\ud800": 1})],
)
def test_odd_keys_and_values_are_mismatches_and_no_errors(value: Any) -> None:
    assert told(value)


def test_values_beyond_json_that_fit_are_no_mismatches() -> None:
    entry = {"id": 10**400, "prompt": "\ud800", "when": date(2024, 1, 1), "score": float("nan"), 1: 2}
    assert accepts("dataset", {"evals": [entry]})


def test_rewards() -> None:
    assert accepts("reward", {"overall": 0.5, "custom_metrics": {"a": 1}, "details": {"a": {"score": 1, "reason": ""}}})
    assert accepts("reward", {"a": 5, "overall": 7})
    for refused in ({}, [], {"overall": "1"}, {"overall": 0.5, "custom_metrics": {"security": 1}}, {"a": {}}):
        assert not accepts("reward", refused)


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("evals.json")), ids=lambda path: path.parent.parent.name)
def test_datasets_of_the_bases_fit(path: Path) -> None:
    assert accepts("dataset", json.loads(path.read_text(encoding="utf-8")))


def test_report_is_what_its_schema_says() -> None:
    from gradewright.render.json import render

    rule = Rule("RD001", "unreadable-file", Severity.ERROR, Problem)
    finding = rule.at(Location("a", 1, 2), "what", hint="do", related=[Location("b")])
    text = render(Report((finding, rule.at(Location("a"), "whole file"))))
    assert accepts("report", json.loads(text))
