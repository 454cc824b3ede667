"""The diff of `--dry-run`."""

import subprocess
from pathlib import Path

import pytest
from writing import mode, planted

from gradewright.write import Change
from gradewright.write.diff import unified


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return planted(tmp_path)


def test_the_diff_is_one_that_git_applies(root: Path, tmp_path: Path) -> None:
    lines = b"".join(b"line %d\r\n" % number for number in range(50))
    (root / "long.txt").write_bytes(lines)
    (root / "gone.txt").write_bytes(b"gone")
    changes = [
        Change("SKILL.md", b"old\nmore", 0o755, b"old\n"),
        Change("long.txt", lines.replace(b"line 7\r", b"line seven\r"), 0o644, lines),
        Change("gone.txt", None, expect=b"gone"),
        Change("evals/a b/\u00e9.sh", "tab\there \u00e9\n".encode(), 0o755),
    ]
    patch = tmp_path / "patch"
    patch.write_bytes(unified(str(root), changes).encode())
    subprocess.run(["git", "apply", "--unsafe-paths", patch], cwd=root, check=True)
    applied = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    assert applied[root / "evals/a b/\u00e9.sh"] == "tab\there \u00e9\n".encode()
    assert applied == {root / c.path: c.content for c in changes if c.content is not None}
    assert mode(root / "SKILL.md") & 0o100


def test_the_diff_shows_what_a_terminal_would_obey(root: Path) -> None:
    text = unified(str(root), [Change("a\x1b[2Jb", "x\x1b]0;title\x07\u202e\r!\u2028\n".encode())])
    assert "\x1b" not in text and "\u202e" not in text and "\x07" not in text
    assert "+x\\x1b]0;title\\x07\\u202e\\r!\\u2028\n" in text


def test_the_diff_of_binary_or_unchanged_files(root: Path) -> None:
    assert unified(str(root), [Change("SKILL.md", b"old\n", 0o644, b"old\n")]) == ""
    assert "Binary files /dev/null and b/x differ" in unified(str(root), [Change("x", b"\xff\0")])
    assert unified(str(root), [Change("empty", b"", 0o755)]) == ("diff --git a/empty b/empty\nnew file mode 100755\n")
