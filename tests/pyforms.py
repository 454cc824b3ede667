"""Read `tests/python_forms/*.md`: small scripts, each under a `##` heading, with what is expected of them."""

import re
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "python_forms"
FORM = re.compile(
    r"^## (?P<title>[^\n]*)\n(?:expect: (?P<expected>[^\n]*)\n)?\n```python\n(?P<code>.*?)^```$", re.M | re.S
)


class Form(NamedTuple):
    """A script, its title and the parts of its line `expect:`."""

    title: str
    code: str
    expected: tuple[str, ...]


def forms(name: str) -> list[Form]:
    """All scripts of one file."""
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    found = [
        Form(match["title"], match["code"], tuple((match["expected"] or "").split(", ")))
        for match in FORM.finditer(text)
    ]
    assert len(found) == text.count("\n## "), name
    return found
