"""Our verdict on a generated table of `task.toml` files against Harbor's loader.

Every key that Harbor's model has, wherever it may stand, takes every value of a list of odd ones; what Harbor loads is
no error of ours, and what it refuses is one.
"""

import json
import tomllib
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from gradewright.finding import Location
from gradewright.model import UNKNOWN_KEY
from gradewright.read.data.schema import schema_text
from gradewright.read.task.schema import schema_problems
from gradewright.read.task.sense import sense_problems

VALUES: tuple[Any, ...] = (
    True, False, 0, 1, -1, 5, 10**6, 2**31, 2**63 - 1, -(2**63),
    0.0, 1.0, 1.5, -0.5, 1e18, 1e300, float("inf"), float("nan"),
    "", " ", "5", "5.0", "5.5", "-1", "ten", "true", "no", "nan", "2G", "2g", "512M", "1.5G", "G", "-2G",
    "a/b", "a", "a b/c", "/x", "../x", "x/../y", "C:\\x", "é", "1.4", "9.9", "${X}", "${X:-y}", "${", "root", "0:0",
    "sha256:" + "0" * 64, "http://x.org", "https://x.org/mcp", "*.x.org", "10.0.0.0/8", "::1", "X_Y", "a=b",
    "public", "no-network", "allowlist", "linux", "Windows", "stdio", "sse", "streamable-http", "shared", "separate",
    "mean", "final", "main", "30s", "2x2", "v4",
    [], [1], [True], ["a"], ["a", "a"], [""], [None], [{}], [[]], ["/x"], ["x.org"], ["https://x.org"], ["*"],
    {}, {"a": 1}, {"a": "b"}, {"a": True}, {"a": {}}, {"": "x"}, {"name": "a"}, {"name": 1}, {"X": "${X}"},
    {"source": "/x"}, {"source": "x", "target": "/y"}, {"type": "bind"}, {"cpus": 1},
    {"command": "true"}, {"type": "v4", "topology": "2x2"}, {"name": "org/name"},
    {"name": "one", "transport": "stdio", "command": "x"},
)  # fmt: skip
"""Every type, and texts that some key or other gives a meaning to."""

COMBINED = (
    ("environment", {"memory": "2G", "memory_mb": 2048}),
    ("environment", {"memory": "2G", "memory_mb": 1024}),
    ("environment", {"storage": "10G", "storage_mb": 10240}),
    ("environment", {"storage": "10G", "storage_mb": 1}),
    ("environment", {"allow_internet": False, "network_mode": "public"}),
    ("environment", {"allow_internet": True, "network_mode": "no-network"}),
    ("environment", {"allow_internet": False}),
    ("environment", {"network_mode": "allowlist"}),
    ("environment", {"network_mode": "allowlist", "allowed_hosts": []}),
    ("environment", {"network_mode": "allowlist", "allowed_hosts": ["x.org"]}),
    ("environment", {"network_mode": "public", "allowed_hosts": ["x.org"]}),
    ("environment", {"docker_image": "a:1", "os": "windows"}),
    ("environment", {"gpus": 1, "gpu_types": ["H100"]}),
    ("environment", {"gpus": 0, "gpu_types": ["H100"]}),
    ("verifier", {"environment_mode": "separate"}),
    ("verifier", {"environment_mode": "shared", "environment": {}}),
    ("verifier", {"environment_mode": "separate", "environment": {"memory": "2G"}}),
    ("verifier", {"environment": {"docker_image": "a:1"}}),
    ("verifier", {"environment": {"os": "windows", "env": {"A": "b"}}}),
    ("verifier", {"timeout_sec": -1, "env": {"A": "${B}"}}),
    ("steps", [{"name": "a"}, {"name": "A"}]),
    ("steps", [{"name": "a"}, {"name": "b", "verifier": {"environment_mode": "separate"}}]),
    ("steps", [{"name": "a", "min_reward": 0.5}, {"name": "b", "min_reward": {"x": 1}}]),
    ("steps", [{"name": "a", "agent": {"timeout_sec": "x"}}]),
    ("steps", [{"name": "con"}]),
    ("steps", [{}]),
    ("task", {"name": "a/b", "keywords": ["x"], "authors": [{"name": "x"}]}),
    ("task", {"name": "a/b", "authors": [{"email": "x"}]}),
    ("task", {"keywords": ["x"]}),
    ("version", "1.0"),
    ("version", 1.0),
)


def places(schema: dict[str, Any], definitions: dict[str, Any], depth: int = 0) -> Iterator[tuple[str | int, ...]]:
    """The keys of every value that the schema describes; 0 stands for an item, `any` for a free key."""
    schema = definitions[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    for name, below in schema.get("properties", {}).items():
        yield (name,)
        yield from ((name, *rest) for rest in places(below, definitions, depth + 1))
    if isinstance(schema.get("items"), dict):
        yield (0,)
        yield from ((0, *rest) for rest in places(schema["items"], definitions, depth + 1))
    if isinstance(schema.get("additionalProperties"), dict):
        yield ("any",)
        yield from (("any", *rest) for rest in places(schema["additionalProperties"], definitions, depth + 1))
    for either in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())):
        yield from places(either, definitions, depth)


def all_places() -> list[tuple[str | int, ...]]:
    schema = json.loads(schema_text("task"))
    return sorted(set(places(schema, schema.get("$defs", {}))), key=str)


def table(place: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    """The smallest sound configuration that has `value` at `place`."""
    root: dict[str, Any] = {"schema_version": "1.4", "task": {"name": "org/name"}}
    here: Any = root
    for number, (key, following) in enumerate(zip(place, (*place[1:], None), strict=True)):
        if following is None:
            below = value
        elif isinstance(following, int):
            below = []
        else:
            below = dict(NEEDED.get(key if isinstance(key, str) else place[number - 1], {}))
        if isinstance(here, list):
            here.append(below)
        elif following is None or not isinstance(here.get(key), dict):
            here[key] = below
        here = here[key] if not isinstance(here, list) else here[-1]
    for special, beside in BESIDE.items():
        if special in place:
            home: Any = root
            for key in place[: place.index(special)]:
                home = home[key]
            home.pop("command", None)
            home.update(beside)
    return root


BESIDE = {
    "headers": {"transport": "sse", "url": "https://x.org"},
    "allowed_hosts": {"network_mode": "allowlist"},
}
"""What goes with a key that is tried."""

NEEDED: dict[Any, dict[str, Any]] = {
    "task": {"name": "org/name"},
    "steps": {"name": "one"},
    "authors": {"name": "someone"},
    "mcp_servers": {"name": "one", "transport": "stdio", "command": "x"},
    "artifacts": {"source": "/x"},
    "healthcheck": {"command": "true"},
    "collect": {"command": "true"},
    "tpu": {"type": "v4", "topology": "2x2"},
}
"""What a table has to have beside the key that is tried."""


def written(value: Any) -> str:
    """`value` as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{written(str(key))} = {written(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(written(item) for item in value if item is not None) + "]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def text_of(config: dict[str, Any]) -> str:
    return "".join(f"{key} = {written(value)}\n" for key, value in config.items())


def refused(text: str) -> list[str]:
    config = tomllib.loads(text)
    found = [*schema_problems(config, Location("task.toml")), *sense_problems(config, Location("task.toml"))]
    return [problem.detail for problem in found if problem.kind != UNKNOWN_KEY]


@cache
def harbor_refuses(text: str) -> str:
    """What Harbor says against it; empty if it loads."""
    config = pytest.importorskip("harbor.models.task.config", reason="needs the extra `harbor`").TaskConfig
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            config.model_validate_toml(text)
        except (ValueError, OverflowError) as error:
            return str(error) or type(error).__name__
    return ""


def disagreements(texts: Iterator[str]) -> list[tuple[str, list[str], str]]:
    found = []
    for text in texts:
        ours, theirs = refused(text), harbor_refuses(text)
        if bool(ours) != bool(theirs):
            found.append((text, ours, theirs[:300]))
    return found


@pytest.mark.harbor
@pytest.mark.parametrize("place", all_places(), ids=lambda place: ".".join(map(str, place)))
def test_every_value_at_every_key(place: tuple[str | int, ...]) -> None:
    assert disagreements(text_of(table(place, value)) for value in VALUES) == []


@pytest.mark.harbor
def test_keys_that_are_missing() -> None:
    wanted = [table(place, {}) for place in all_places()] + [table(place, [{}]) for place in all_places()]
    assert disagreements(text_of(config) for config in wanted) == []


@pytest.mark.harbor
@pytest.mark.parametrize(("key", "value"), COMBINED, ids=str)
def test_values_that_depend_on_each_other(key: str, value: Any) -> None:
    config = {"schema_version": "1.4", "task": {"name": "org/name"}, key: value}
    if key == "version":
        del config["schema_version"]
    assert disagreements(iter([text_of(config)])) == []


@pytest.mark.harbor
def test_the_table_has_both_kinds_of_files_for_every_key() -> None:
    """Otherwise the files are refused for something else than the value that is tried."""
    verdicts = {
        place: {bool(harbor_refuses(text_of(table(place, value)))) for value in VALUES} for place in all_places()
    }
    assert [place for place, both in verdicts.items() if False not in both] == []
    assert sum(len(both) == 2 for both in verdicts.values()) > 150
