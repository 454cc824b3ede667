"""Run by another Python: what `harbor lint` finds in each of the folders that are listed on the input, as JSON lines.

Only the standard library and Harbor are imported. Harbor's functions are called rather than its command line, which
gives up on all tasks when one cannot be checked.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    """Answer on the output that was there at the start: whatever libraries print goes to the error output."""
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    folders = json.load(sys.stdin)
    try:
        from harbor.cli.lint import LintConfig, _selected_rules
        from harbor.lint import lint_task
        from harbor.lint.models import COMPOSE_RULES
    except ImportError as error:
        answers.write(json.dumps({"missing": str(error.name or error)}) + "\n")
        return
    for folder in folders:
        answer: dict[str, Any] = {"folder": folder, "findings": []}
        try:
            root = Path(folder).resolve()
            rules = _selected_rules(root, LintConfig())
            try:
                found = lint_task(root, selected_rules=rules)
            except RuntimeError as error:
                if type(error).__name__ != "ComposeLoadError":
                    raise
                answer["without_compose"] = str(error)
                found = lint_task(root, selected_rules=rules - COMPOSE_RULES)
            answer["findings"] = [finding.model_dump(mode="json") for finding in found]
        except Exception as error:
            answer["failed"] = type(error).__name__
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
