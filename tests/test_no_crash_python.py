"""Whatever a Python script holds, reading it gives facts or problems, in bounded time and memory."""

import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyforms import FOLDER, forms

from gradewright.contract import MAX_TEXT
from gradewright.model import NOT_CHECKED, SYNTAX, Problem
from gradewright.read.engines import ruff_problems
from gradewright.read.files import Text
from gradewright.read.grader import read_grader
from gradewright.read.python.doubts import Doubts
from gradewright.read.python.facts import python_facts

SCRIPTS = [form.code for path in sorted(FOLDER.glob("*.md")) for form in forms(path.stem)]
PIECES = [
    "(", ")", "[", "{", ":", "\n", "    ", "\0", "\ud800", "'", '"""', "f'{", "lambda: ", "*", "**", "=", ":=",
    "yield ",
    "await ", "global s\n", "del reward\n", "class C: ", "match s:\n", "\t", "\\", "\x0c", "é",
]  # fmt: skip
BOMBS = {
    "parentheses": "x = " + "(" * 50_000 + ")" * 50_000,
    "brackets": "[" * 100_000,
    "minus signs": "-" * 200_000 + "1",
    "lambdas": "lambda: " * 20_000 + "1",
    "attributes": "a" + ".b" * 50_000,
    "calls": "f" + "()" * 20_000,
    "additions": "x = " + "1 + " * 50_000 + "1",
    "texts added": "x = " + "'ab' + " * 20_000 + "'c'\nopen(x, 'w').write(x)",
    "branches": "if a: pass\n" + "elif a: x = 1\n" * 8_000 + "open(x, 'w')",
    "statements in a line": "a=1;" * (MAX_TEXT // 4),
    "names in a line": "x," * (MAX_TEXT // 2),
    "one long text": "x = '" + "a" * (MAX_TEXT - 100) + "'\nopen(x, 'w').write(x)",
    "bound again and again": "x = 'a'\n" + "x = x + x\n" * 3_000 + "open(x, 'w').write(x)",
    "branches that multiply": "x = 'a'\n" + "if f(): x = x + 'b'\n" * 300 + "open(x, 'w').write(x)",
    "functions that call all others": "".join(
        f"def f{n}(p):\n" + "".join(f"    f{m}(p + 'x')\n" for m in range(40)) + "    open(p, 'w')\n" for n in range(40)
    ) + "f0('a')\n",
    "a chain of functions": "".join(f"def f{n}(p): return f{n + 1}(p)\n" for n in range(500))
    + "def f500(p): return p\nopen(f0('/x'), 'w')\n",
    "recursion": "def f(p): return f(p + 'x') if p else f(f(p))\nopen(f('a'), 'w').write(f('b'))\n",
    "keys": "d = {" + ", ".join(f"'k{n}': {n}" for n in range(8_000)) + "}\nopen('x', 'w').write(str(d))\n",
    "dictionaries in one another": "import json\nd = {'a': 1}\n" + "d = {**d, **d}\n" * 300
    + "json.dump(d, open('x', 'w'))",
    "a dictionary in itself": "import json\nd = {}\nd['d'] = d\nd.update(d)\nd |= d\njson.dump(d, open('x', 'w'))\n",
    "digits": "x = " + "9" * 10_000 + "\nopen('/logs/verifier/reward.txt', 'w').write(str(x))\n",
    "hexadecimal digits": "import json\nx = 0x" + "f" * 100_000 + "\njson.dump({'overall': -x}, "
    "open('/logs/verifier/reward.json', 'w'))\nprint(f'{x:%}', x + 1, x / 3, float(x), round(x))\n",
    "NUL": "x = 1\0\n",
    "nothing but a mark": "\ufeff",
    "form feeds": "\x0c" * 1000 + "import json\n",
}  # fmt: skip


def read(source: str) -> None:
    python_facts(Text("grader.py", source, source.encode("utf-8", "surrogatepass")), role="grader", native=False)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_mutated_scripts(data: st.DataObject) -> None:
    script = data.draw(st.sampled_from(SCRIPTS))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(script)))
        end = min(len(script), start + data.draw(st.integers(0, 12)))
        script = script[:start] + data.draw(st.sampled_from([*PIECES, *SCRIPTS[:40], ""])) + script[end:]
    read(script)
    Doubts(script).about("s", data.draw(st.integers(1, 5)), data.draw(st.integers(1, 40)), unbound=False)


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_bounded_in_time(name: str) -> None:
    started = time.process_time()
    read(BOMBS[name])
    assert time.process_time() - started < 2


def test_bombs_are_bounded_in_memory() -> None:
    code = "import test_no_crash_python as t, resource, sys\nfor text in t.BOMBS.values(): t.read(text)\n"
    done = subprocess.run([sys.executable, "-c", code + "t.report()"], cwd=Path(__file__).parent, check=False,
                          capture_output=True, text=True, env={"PYTHONPATH": ":".join(sys.path)})  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 200


def report() -> None:
    """Print the peak memory of this process in MiB; the kernel's own figure still counts the parent's before `exec`."""
    status = Path("/proc/self/status")
    if status.exists():
        print(int(status.read_text().partition("VmHWM:")[2].split()[0]) / 1024)
    else:
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 / (1024 if sys.platform == "darwin" else 1))


def test_one_bad_script_leaves_ruff_the_others(tmp_path: Path) -> None:
    sources = {"a.py": "def f(:\n", "bomb.py": "-" * 100_000 + "1", "b.py": "x = (\n", "good.py": "x = 1\n"}
    problems: list[Problem] = []
    graders = []
    for name, source in sources.items():
        (tmp_path / name).write_text(source)
        grader = read_grader(str(tmp_path / name), problems, role="grader", native=False)
        assert grader is not None
        graders.append(grader)
    found = {(Path(problem.at.path).name, problem.kind) for problem in ruff_problems(graders)}
    assert found == {("a.py", SYNTAX), ("b.py", SYNTAX), ("bomb.py", NOT_CHECKED)}


def test_paths_with_odd_letters(tmp_path: Path) -> None:
    folder = tmp_path / "a b [c] {d} * é \"q\" 'p'"
    folder.mkdir()
    path = folder / "grader.py"
    path.write_text("match 1:\n    case 1: pass\n")
    grader = read_grader(str(path), [], role="grader", native=True)
    assert grader is not None
    kinds = [(problem.kind, problem.at.path) for problem in ruff_problems([grader._replace(python="3.9")])]
    assert kinds == [("newer-syntax", str(path))]


def test_equal_scripts_are_looked_at_once(tmp_path: Path) -> None:
    graders = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        path = tmp_path / name / "grader.py"
        path.write_text("import json\njson.dumps(undefined)\nx = float('nan')\n")
        grader = read_grader(str(path), [], role="grader", native=False)
        assert grader is not None
        graders.append(grader)
    assert graders[0].digest == graders[1].digest
    assert [problem.at.path for problem in ruff_problems(graders)] == [grader.at.path for grader in graders]
