"""Fixes of random files: what parsed still does, only what was meant is changed, and twice is the same as once."""

import json
import re
import tempfile
import tomllib
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from gradewright.finding import (
    AddTask,
    DropCommas,
    DropComments,
    DropMark,
    EndLines,
    Location,
    PlainHeader,
    RenameKey,
    RenameMetric,
    SetText,
)
from gradewright.fix.remedies import RefusedError, applied, changed
from gradewright.read.files import Text
from gradewright.read.grader import facts_of
from gradewright.write.splice.text import same

NAMES = st.sampled_from(["a", "b", "mode", "x y", "\u00e9", "\U0001f600", "yes", "012", "it's", "[", "-", "// x", "a,"])
SCALARS = NAMES | st.integers() | st.booleans() | st.none()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=8
)
TABLES = st.dictionaries(NAMES, VALUES, min_size=1, max_size=4)
NEWLINES = st.sampled_from(["\n", "\r\n"])
NOISE = st.sampled_from(["", " ", "\n", "// one\n", "/* two, */", " # three ]\n", "/**/"])
COMMAS = st.sampled_from(["", ",", " ,", ",\n"])


def pretty(draw: Any, value: Any) -> str:
    """`value` as JSON with comments anywhere and commas behind last items."""
    noise = draw(NOISE)
    if isinstance(value, dict | list):
        rows = value.items() if isinstance(value, dict) else [(None, item) for item in value]
        items = [("" if key is None else json.dumps(key) + ":") + pretty(draw, item) for key, item in rows]
        body = ("," + draw(NOISE)).join(items) + (draw(COMMAS) if items else "")
        text = f"{{{body}{draw(NOISE)}}}" if isinstance(value, dict) else f"[{body}{draw(NOISE)}]"
    else:
        text = json.dumps(value, ensure_ascii=draw(st.booleans()))
    return noise + text + draw(NOISE)


@settings(max_examples=150, deadline=None)
@given(st.data(), TABLES, NEWLINES, st.booleans())
def test_json_without_what_json_does_not_have(data: Any, value: Any, newline: str, bom: bool) -> None:
    text = ("\ufeff" if bom else "") + pretty(data.draw, value).replace("\n", newline)
    at = Location("a.json")
    for remedies in (
        (DropMark(at), DropCommas(at), DropComments(at)),
        (DropComments(at), DropCommas(at), DropMark(at)),
    ):
        result = text
        for remedy in remedies:
            result = applied(remedy, result)
            assert applied(remedy, result) == result
        assert json.loads(result) == value


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet='{}[]",:/*# \n\\a1\ufeff', max_size=40))
def test_no_text_makes_json_fixes_fail_otherwise_than_by_refusal(text: str) -> None:
    for remedy in (DropMark(Location("a.json")), DropCommas(Location("a.json")), DropComments(Location("a.jsonl"))):
        try:
            result = applied(remedy, text)
        except RefusedError:
            continue
        assert applied(remedy, result) == result


def place(draw: Any, value: Any) -> tuple[str | int, ...]:
    """The keys of a random member of a mapping somewhere in `value`."""
    keys: tuple[str | int, ...] = ()
    while True:
        key = draw(st.sampled_from(sorted(value) if isinstance(value, dict) else range(len(value))))
        keys, value = (*keys, key), value[key]
        inside = isinstance(value, dict | list) and value
        if not inside or (isinstance(key, str) and draw(st.booleans())):
            return keys


def renamed(value: Any, keys: tuple[str | int, ...], to: str) -> Any:
    if len(keys) == 1:
        return {to if key == keys[0] else key: item for key, item in value.items()}
    if isinstance(value, list):
        return [renamed(item, keys[1:], to) if index == keys[0] else item for index, item in enumerate(value)]
    return {key: renamed(item, keys[1:], to) if key == keys[0] else item for key, item in value.items()}


@settings(max_examples=200, deadline=None)
@given(st.data(), TABLES, st.sampled_from(["json", "yaml"]), st.booleans(), NEWLINES)
def test_a_key_is_renamed_and_nothing_else(data: Any, value: Any, kind: str, flow: bool, newline: str) -> None:
    keys = place(data.draw, value)
    if kind == "json":
        text = json.dumps(value, indent=None if flow else 2, ensure_ascii=False)
    else:
        text = yaml.safe_dump(value, default_flow_style=flow, sort_keys=False, allow_unicode=True)
    text = text.replace("\n", newline)
    read = json.loads if kind == "json" else yaml.safe_load
    remedy = RenameKey(Location(f"a.{kind}", keys=keys), "renamed_key")
    try:
        result = applied(remedy, text)
    except RefusedError:
        assert read(text) != value or not isinstance(keys[-1], str) or kind == "yaml"
        return
    assert same(read(result), renamed(read(text), keys, "renamed_key"))
    assert result.replace("renamed_key", "") in text.replace(str(keys[-1]), "") or len(result) != len(text)


TOML_NAMES = st.sampled_from(["a", "b", "verifer", "x-y"])
TOML_LINES = st.lists(
    st.sampled_from([
        "[verifer]", "[verifer.env]", "[a.verifer]", "[[steps]]", "[steps.verifer]", "[a]  # note",
        " [ environment ] # x",
        "k = 1 # c", "verifer.k = 2", "verifer = {k = 1}", "env.k = '''\nverifer = 1\n'''", "# verifer = 3", "",
        'name = "verifer"', '"verifer" = 4', "[environment] # verifer",
    ]),
    max_size=8,
)  # fmt: skip


def toml(text: str) -> Any:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


@settings(max_examples=400, deadline=None)
@given(TOML_LINES, st.sampled_from([("verifer",), ("a", "verifer"), ("steps", 0, "verifer"), ("verifer", "env")]))
def test_a_table_is_renamed_in_all_its_parts(lines: list[str], keys: tuple[str | int, ...]) -> None:
    text = "\n".join(lines) + "\n"
    before = toml(text)
    try:
        result = applied(RenameKey(Location("task.toml", keys=keys), "renamed"), text)
    except RefusedError:
        return
    assert same(toml(result), renamed(before, keys, "renamed"))


@settings(max_examples=300, deadline=None)
@given(TOML_LINES, st.integers(1, 9), NEWLINES)
def test_a_header_is_written_plainly(lines: list[str], number: int, newline: str) -> None:
    text = newline.join([*lines, ""])
    try:
        result = applied(PlainHeader(Location("task.toml", number)), text)
    except RefusedError:
        return
    assert same(toml(result), toml(text))
    assert toml(result) is not None
    assert re.sub(r"[^\n]", "", result.replace(newline, "")) == re.sub(r"[^\n]", "", text.replace(newline, ""))


@settings(max_examples=200, deadline=None)
@given(TOML_LINES)
def test_a_task_is_listed(lines: list[str]) -> None:
    text = "\n".join(lines)
    try:
        result = applied(AddTask(Location("dataset.toml"), "org/new"), text)
    except RefusedError:
        return
    before, after = toml(text), toml(result)
    assert after["tasks"] == [{"name": "org/new"}]
    assert {**after, "tasks": 0} == {**before, "tasks": 0}


@settings(max_examples=150, deadline=None)
@given(TABLES, st.sampled_from(["aces_default", "a: b", "x"]), st.sampled_from(["", "'", '"']), NEWLINES)
def test_a_text_is_replaced(value: Any, old: str, quote: str, newline: str) -> None:
    body = yaml.safe_dump({"rest": value}, sort_keys=False, allow_unicode=True)
    text = f"grading:\n  mode: {quote}{old}{quote} # why\n{body}".replace("\n", newline)
    keys = ("grading", "mode")
    try:
        result = applied(SetText(Location("a.yml", keys=keys), "default"), text)
    except RefusedError:
        return
    wanted = yaml.safe_load(text)
    wanted["grading"]["mode"] = "default"
    assert same(yaml.safe_load(result), wanted)
    assert result == text.replace(f"{quote}{old}{quote} # why", f"{quote}default{quote} # why", 1)


SHELL = st.lists(
    st.sampled_from([
        "#!/bin/bash", "set -eu", "if true; then", "fi", "cat <<EOF", "EOF", "x='a", "b'", "# note", "",
        "echo \"a", "b\"",
        "echo 1 > /logs/verifier/reward.txt", "for i in 1 2; do", "done", "x=1 \\",
    ]),
    max_size=12,
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(SHELL, st.lists(st.sampled_from(["\n", "\r\n", "\r"]), min_size=12, max_size=12))
def test_line_ends_change_and_nothing_else(lines: list[str], ends: list[str]) -> None:
    text = "".join(line + end for line, end in zip(lines, ends, strict=False))
    remedy = EndLines(Location("test.sh"))
    result = applied(remedy, text)
    assert result.replace("\r", "").replace("\n", "") == text.replace("\r", "").replace("\n", "")
    assert result.count("\n") >= text.count("\n")
    assert applied(remedy, result) == result or "\r" in result


EMPTY = tempfile.mkdtemp()
PIECES = st.lists(
    st.sampled_from([
        'metrics["accuracy"] = 0.5', 'metrics = {"accuracy": 0.5}', 'data = json.load(open("/logs/agent/x.json"))',
        'score = data["accuracy"]', 'print("accuracy")', 'text = f"accuracy {score}"', '# accuracy', 'accuracy = 1.0',
        'WEIGHTS = {"accuracy": 1.0}', 'total = metrics["accuracy"]', 'metrics.update(accuracy=0.5)',
        'for name in ["accuracy"]:\n    metrics[name] = 1.0', 'metrics |= dict(accuracy=1)', 'x = "acc" "uracy"',
        'metrics = {r"accuracy": 1}', 'if "accuracy" in data:\n    score = 1', "y = b'accuracy'",
    ]),
    min_size=1,
    max_size=6,
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(PIECES)
def test_a_metric_is_renamed_everywhere_or_not_at_all(pieces: list[str]) -> None:
    end = 'json.dump({"overall": score, "custom_metrics": metrics}, open("/logs/verifier/reward.json", "w"))\n'
    text = "\n".join(["import json", "metrics = {}", "score = 0.5", *pieces, end])
    try:
        result = applied(RenameMetric(Location(f"{EMPTY}/grader.py"), "accuracy", "custom_accuracy"), text)
    except RefusedError:
        return
    assert result.replace("custom_accuracy", "accuracy") == text
    assert 'data["accuracy"]' in result or 'data["accuracy"]' not in text, "what others wrote keeps its name"
    facts = facts_of(Text("tests/grader.py", result, result.encode()), role="grader", native=True)
    assert {metric.name for metric in facts.metrics} >= {"custom_accuracy"}
    assert "accuracy" not in {metric.name for metric in facts.metrics}
    assert run(result) == {key.replace("accuracy", "custom_accuracy"): value for key, value in run(text).items()}


def run(text: str) -> dict[str, float]:
    """The overall score and the metrics that a script writes, with files of its own; nothing where it fails."""
    import io

    files: dict[str, Any] = {"/logs/agent/x.json": io.StringIO('{"accuracy": 0.25}')}

    def fake_open(path: str, *_: str) -> Any:
        files[path] = files[path] if path.startswith("/logs/agent") else io.StringIO()
        files[path].seek(0)
        return files[path]

    try:
        exec(compile(text, "grader.py", "exec"), {"open": fake_open, "print": lambda *_: None})
    except KeyError as error:
        return {str(error): 1}
    reward: dict[str, Any] = json.loads(files["/logs/verifier/reward.json"].getvalue())
    return {"overall": reward["overall"], **reward["custom_metrics"]}


def test_edits_of_a_file_that_is_not_there() -> None:
    assert changed(DropMark(Location("/nowhere/at/all"))) == ()
