"""Tabs in YAML: refused by PyYAML's parser in Python, which the platforms use, and taken by the one in C."""

import random

import pytest
import yaml

from gradewright.read.data.yaml_syntax import read_yaml
from gradewright.read.data.yaml_tabs import refused_tab

PIECES = (
    *(
        "a",
        "b: ",
        "b:",
        "- ",
        "\n",
        "\n  ",
        "\t",
        " ",
        '"',
        "'",
        "# c",
        " # c",
        "[",
        "]",
        "{",
        "}",
        ", ",
        "&n ",
        "!!str ",
    ),
    *(
        '"q\tq"',
        '"q"',
        "'z'",
        "x y",
        "\n- ",
        "k: |\n    l\tm\n    n\n",
        'k: "v\n  w"\n',
        "--- ",
        "\r\n",
        "\t# c\n",
        "é",
    ),
)


def accepted(text: str, loader: type) -> bool:
    try:
        yaml.load(text, loader)
    except (yaml.YAMLError, ValueError, TypeError):
        return False
    return True


@pytest.mark.parametrize("seed", range(4))
def test_no_text_that_safe_load_takes_is_accused(seed: int) -> None:
    chance = random.Random(seed)
    told = missed = 0
    for _ in range(15_000):
        text = "".join(chance.choices(PIECES, k=chance.randint(1, 9)))
        if "\t" not in text or not accepted(text, yaml.CSafeLoader):
            continue
        fine = accepted(text, yaml.SafeLoader)
        found = refused_tab(text) is not None
        assert not (found and fine), text
        told += found
        missed += not found and not fine
    assert told > 200 and missed < told / 10


@pytest.mark.parametrize(
    ("text", "offset"),
    [("a:\tb\n", 2), ("a: b\t\n", 4), ("- a\tb\n", 3), ("a: [1,\t2]\n", 6), ("a: b\t# c\n", 4), ('{"a":\t1}', 5)],
)
def test_the_tab_is_found(text: str, offset: int) -> None:
    assert refused_tab(text) == offset


def test_only_what_safe_load_reads_is_held_to_it() -> None:
    for role, number in (("dataset", 1), ("config", 1), ("skill", 0), ("compose", 0)):
        value, problems = read_yaml("a:\tb\n", "x.yaml", role)
        assert (value, len(problems)) == ({"a": "b"}, number)


def test_escapes_of_half_characters_are_taken() -> None:
    value, problems = read_yaml('{"a": "\\ud83d\\ude00", "b": "\\ud800"}', "x.yaml", "dataset")
    assert problems == [] and set(value or ()) == {"a", "b"}
    assert read_yaml('{"a": "\\uZZZZ"}', "x.yaml", "dataset")[1]
