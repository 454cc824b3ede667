"""The edits that both scaffolds make to a skill's own files: its config and its dataset."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from gradewright.finding import DOCS_URL
from gradewright.scaffold import RefusedError
from gradewright.scaffold.files import File
from gradewright.scaffold.skill import Ground
from gradewright.write import Change
from gradewright.write.splice import (
    SpliceError,
    append_json_item,
    append_jsonl_item,
    append_toml_table,
    append_yaml_item,
    set_yaml,
)


def schema_url(name: str) -> str:
    """Where editors find the JSON Schema `name`."""
    return f"{DOCS_URL}schemas/{name}.json"


def set_config(ground: Ground, wanted: Mapping[tuple[str, str], str]) -> Change | None:
    """The change that gives the config the `wanted` values (table and key to value); None if it has them already."""
    if ground.config is None:
        head = f"# yaml-language-server: $schema={schema_url('config')}\nschema_version: 1\n"
        tables = "".join(f"{table}:\n  {key}: {value}\n" for (table, key), value in sorted(wanted.items()))
        return Change("evals/config.yml", (head + tables).encode())
    config = ground.config

    def edit(text: str) -> str:
        if not config.value:
            text = set_yaml(text, ("schema_version",), 1)
        for (table, key), value in wanted.items():
            if (config.value.get(table) or {}).get(key) != value:
                text = set_yaml(text, (table, key), value)
        return text

    return spliced(config, edit)


def add_entry(ground: Ground, case_id: str) -> Change:
    """The change that gives the dataset an entry `case_id`, to be filled in; makes the dataset if there is none."""
    entry = {
        "id": case_id,
        "prompt": "Replace this text with what a user asks the agent to do.",
        "expected_output": "Replace this text with what a good result looks like.",
        "files": [],
        "assertions": ["Replace this text with one thing that a good result shows."],
    }
    if ground.dataset is None:
        dataset = {"skill_name": ground.name, "evals": [entry]}
        return Change("evals/evals.json", (json.dumps(dataset, indent=2) + "\n").encode())
    keys, path = ground.entries.keys, ground.dataset.path
    if keys is None:
        raise RefusedError(f"`{path}` is one bare entry, which has no room for a second", "make it a list of entries")
    if path.endswith(".jsonl"):
        change = spliced(ground.dataset, lambda text: append_jsonl_item(text, entry))
    elif path.endswith(".json"):
        change = spliced(ground.dataset, lambda text: append_json_item(text, keys, entry))
    else:
        change = spliced(ground.dataset, lambda text: append_yaml_item(text, keys, entry))
    assert change, "an entry was added"
    return change


def add_task(manifest: File | None, dataset_name: str, task_name: str) -> Change | None:
    """The change that lists `task_name` in `dataset.toml`, which is made if there is none; None if it is listed."""
    if manifest is None:
        head = f'#:schema {schema_url("dataset-manifest")}\n[dataset]\nname = "{dataset_name}"\n'
        return Change("evals/harbor/dataset.toml", f'{head}\n[[tasks]]\nname = "{task_name}"\n'.encode())
    tasks: Any = manifest.value.get("tasks", [])
    if not isinstance(tasks, list):
        raise RefusedError(f"`tasks` in `{manifest.path}` is not a list of tables", "mend it first")
    if any(isinstance(task, dict) and task.get("name") == task_name for task in tasks):
        return None
    return spliced(manifest, lambda text: append_toml_table(text, "tasks", {"name": task_name}))


def spliced(file: File, edit: Callable[[str], str]) -> Change | None:
    """The change that `edit` makes to the text of `file`, None if it makes none."""
    try:
        content = edit(file.data.decode()).encode()
    except SpliceError as error:
        raise RefusedError(f"`{file.path}` cannot be edited: {error.message}", error.hint) from error
    return Change(file.path, content, expect=file.data) if content != file.data else None
