"""What is done to the content of files, as plain functions."""

import pytest

from gradewright.prove.content import dropped, half, number, numbers, other, renamed, shortened, swapped


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("0", "1"),
        ("0.00", "1.00"),
        ("0.50", "0.60"),
        ("9", "8"),
        ("007 of 12", "008 of 22"),
        ("2024-01-05", "3024-02-06"),
        ("-1.5, v2 utf8 x3y", "-2.5, v2 utf8 x3y"),
        ("50% at 1.2.3", "60% at 1.2.3"),
    ],
)
def test_other_numbers(before: str, after: str) -> None:
    assert (numbers("a.txt", before.encode()) or b"").decode() == after


def test_what_cannot_be_changed() -> None:
    for operator in (numbers, swapped, shortened, number(0), renamed("a"), dropped("a")):
        assert operator("a.bin", b"\0\1\2") is None
        assert operator("a.json", b"[" * 100_000) is None
    assert half("a", b"1") is None and swapped("a.txt", b"one line\n") is None and numbers("a.txt", b"none") is None
    assert swapped("a.json", b'{"b": 1, "a": 2}') is None and renamed("x")("a.json", b'[{"a": 1}]') is None
    assert other("a.yml", b"unrelated: content\n") is None


def test_content_stays_of_its_type() -> None:
    table = b'a;b\r\n"1;2";"x\r\ny"\r\n3;4\r\n'
    assert swapped("a.csv", table) == b'a;b\r\n3;4\r\n"1;2";"x\r\ny"\r\n'
    assert dropped("a")("a.csv", table) == b'b\r\n"x\r\ny"\r\n4\r\n'
    assert shortened("a.csv", table) == b'a;b\r\n"1;2";"x\r\ny"\r\n'
    assert renamed("\u00e9")("a.json", '[{"\u00e9": 1}, 2]\n'.encode()) == '[{"\u00e9_renamed": 1}, 2]\n'.encode()
    assert swapped("a.json", b"[[1, 2], 3]") == b"[3, [2, 1]]"
    assert shortened("a.json", b'{"n": 1, "a": [1, 2]}') == b'{"n": 1, "a": [1]}'
    png = b"\x89PNG\r\n\x1a\n" + bytes(range(100))
    assert (other("a.png", png) or b"")[:8] == png[:8]
