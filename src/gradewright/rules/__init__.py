"""The rules by name: (code, name, node), one line each. Written by `tools/gen.py`; do not edit."""

TABLE: tuple[tuple[str, str, str], ...] = (
    ("GW001", "ignore-without-reason", "Problem"),
)
