"""What is shipped beside the code: the contract blocks of our own templates."""

import os

from gradewright.model import PYTHON
from gradewright.read.contract_block import contract_span
from gradewright.read.files import Text, read_text


def current_contract(language: str) -> str:
    """The contract block that a grader in `language` gets from the scaffold today, from its first mark to its last."""
    name = "python/grader.py.jinja" if language == PYTHON else "shell/grader.sh.jinja"
    text = read_text(os.path.join(_templates(), "grader", "template", name), "template")
    span = contract_span(text.text) if isinstance(text, Text) else None
    assert isinstance(text, Text) and span, "the template is shipped with its block"
    return text.text[slice(*span)]


def _templates() -> str:
    """Inside an installed wheel, or in the repository of an editable install."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    installed = os.path.join(package, "_data", "templates")
    return installed if os.path.isdir(installed) else os.path.join(package, "..", "..", "templates")
