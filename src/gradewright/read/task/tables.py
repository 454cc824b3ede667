"""Tables of `task.toml`, which Harbor need not have accepted: what has another type counts as absent."""

from typing import Any


def table_at(config: dict[str, Any], *keys: str) -> dict[str, Any]:
    """The table at `keys`, empty if there is none."""
    for key in keys:
        value = config.get(key)
        if not isinstance(value, dict):
            return {}
        config = value
    return config


def step_names(config: dict[str, Any]) -> list[tuple[int, str]]:
    """The steps whose names can be folders, with their places in the list."""
    steps = config.get("steps")
    named = enumerate(step.get("name") if isinstance(step, dict) else None for step in list_in(steps))
    return [(number, name) for number, name in named if isinstance(name, str) and name.strip(". ") and "/" not in name]


def list_in(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
