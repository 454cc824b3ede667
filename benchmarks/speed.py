"""Measure gradewright beside the floor and its peers: `python benchmarks/speed.py [--quick]`.

Every row runs two commands in turn, A B A B ..., as whole processes, and prints the median seconds of both, the
median of the pairwise ratios and the peak memory of A. Ratios carry over between machines; seconds do not.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
EXAMPLE = HERE.parent / "examples" / "csv-to-json"
PYTHON = [sys.executable]
COMMAND = [str(Path(sys.executable).with_name("gradewright"))]
HOOK = [str(Path(sys.executable).with_name("gradewright-validate"))]


class Run(NamedTuple):
    """One finished process."""

    seconds: float
    mebibytes: float


class Row(NamedTuple):
    """Two commands to run in turn, with what must be prepared before each run of A."""

    title: str
    a: Sequence[str]
    b: Sequence[str]
    aim: str


def run(command: Sequence[str]) -> Run:
    """Run `command` with its output thrown away; the peak is that of the largest single process."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"exit code {process.returncode} from {' '.join(command)}")
    return Run(time.perf_counter() - started, usage.ru_maxrss / 1024)


def measure(row: Row, runs: int) -> str:
    """The table line of `row`, after one warm-up of both commands."""
    run(row.a), run(row.b)
    pairs = [(run(row.a), run(row.b)) for _ in range(runs)]
    a, b = (statistics.median(pair[side].seconds for pair in pairs) for side in (0, 1))
    ratio = statistics.median(left.seconds / right.seconds for left, right in pairs)
    peak = max(left.mebibytes for left, _ in pairs)
    return f"| {row.title} | {a:.3f} | {b:.3f} | {ratio:.2f} | {row.aim} | {peak:.0f} |"


def skill(folder: Path, cases: int, *, distinct: bool) -> Path:
    """The example with `cases` native cases and as many entries; with `distinct` no two scripts are the same."""
    root = folder / f"{cases}{'-distinct' if distinct else ''}" / EXAMPLE.name
    shutil.copytree(EXAMPLE, root)
    evals = root / "evals"
    source = folder / "source"
    shutil.rmtree(source, ignore_errors=True)
    shutil.move(next(path.parent for path in sorted(evals.glob("harbor/*/task.toml"))), source)
    shutil.rmtree(evals / "harbor")
    dataset = json.loads((evals / "evals.json").read_text())
    names = [f"bench-{number:05d}" for number in range(cases)]
    dataset["evals"] = [{**dataset["evals"][0], "id": name} for name in names]
    (evals / "evals.json").write_text(json.dumps(dataset, indent=2))
    for name in names:
        copy(source, evals / "harbor" / name, distinct=distinct)
    listing = [f'[[tasks]]\nname = "gradewright/{name}"\n' for name in names]
    (evals / "harbor" / "dataset.toml").write_text("\n".join(['[dataset]\nname = "gradewright/bench"\n', *listing]))
    (evals / "config.yml").write_text(
        "schema_version: 1\nharbor:\n  task_source: native_harbor\ngrading:\n  mode: custom_only\n"
    )
    return root


def copy(source: Path, case: Path, *, distinct: bool) -> None:
    """One native case under its own name and id."""
    shutil.copytree(source, case)
    task = tomllib.loads((case / "task.toml").read_text())
    text = (case / "task.toml").read_text().replace(task["task"]["name"], f"gradewright/{case.name}")
    text = text.replace(f'entry_id = "{task["metadata"]["entry_id"]}"', f'entry_id = "{case.name}"')
    (case / "task.toml").write_text(text)
    if distinct:
        for script in (*case.glob("tests/*.*"), *case.glob("solution/*.*")):
            script.write_text(f"{script.read_text()}# {case.name}\n")


def start_up_rows(small: Path) -> list[Row]:
    """How long it takes until a command does something."""
    bare = [*PYTHON, "-c", "pass"]
    grader = str(small / "evals" / "grader.py")
    scaffold = [*PYTHON, str(HERE / "scaffold.py")]
    copier = [*PYTHON, "-c", "import copier"]
    return [
        Row("`--version` / bare Python", [*COMMAND, "--version"], bare, "3"),
        Row("hook start / bare Python", [*HOOK, "--version"], bare, "3"),
        Row("hook on one changed grader / bare Python", [*HOOK, grader], bare, ""),
        Row("`--help` / bare Python", [*COMMAND, "--help"], bare, "7"),
        Row("`rule GR111` / bare Python", [*COMMAND, "rule", "GR111"], bare, "7"),
        Row("`init-custom-grader` / importing copier", [*scaffold, "init-custom-grader"], copier, "2"),
        Row("`init-harbor-task` / importing copier", [*scaffold, "init-harbor-task"], copier, "2"),
    ]


def validate_rows(folder: Path, sizes: Sequence[int]) -> list[Row]:
    """`validate` against the floor, in one process and with the default number of them."""
    rows = []
    for cases in sizes:
        for distinct in (False, True):
            root = str(skill(folder, cases, distinct=distinct))
            floor = [*PYTHON, str(HERE / "floor.py"), root]
            check = [*COMMAND, "validate", root, "--harbor-contract"]
            kind = "all graders different" if distinct else "same grader"
            aim = "" if cases < 100 else "4" if cases < 1000 else "3"
            rows.append(Row(f"{cases:,} cases, {kind}, one process / floor", [*check, "--jobs", "1"], floor, aim))
            if cases >= 1000:
                rows.append(Row(f"{cases:,} cases, {kind}, default jobs / floor", check, floor, "2"))
    return rows


def many_cases_row(folder: Path) -> Row:
    """What adding a case costs once there are a thousand of them, against adding the first."""
    scaffold = [*PYTHON, str(HERE / "scaffold.py"), "init-harbor-task"]
    root = str(folder / "1000" / EXAMPLE.name)
    return Row("the 1,001st case / the first case", [*scaffold, root], scaffold, "1.3")


def peer_rows(folder: Path) -> list[Row]:
    """Harbor's own linter on the same 100 tasks, where it is installed beside us."""
    harbor = Path(sys.executable).with_name("harbor")
    if not harbor.exists():
        return []
    root = folder / "100" / EXAMPLE.name
    tasks = [str(path.parent) for path in sorted((root / "evals" / "harbor").glob("*/task.toml"))]
    ours = [*COMMAND, "validate", str(root), "--harbor-contract"]
    return [Row("100 cases / `harbor lint`", ours, [str(harbor), "lint", *tasks], "")]


def main() -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="3 runs, up to 1,000 cases")
    parser.add_argument("--only", default="", help="only rows whose title holds this text")
    options = parser.parse_args()
    sizes = (1, 100, 1000) if options.quick else (1, 100, 1000, 10000)
    with tempfile.TemporaryDirectory(prefix="gradewright-bench-") as temporary:
        folder = Path(temporary)
        rows = validate_rows(folder, sizes)
        rows = [*start_up_rows(folder / "1" / EXAMPLE.name), *rows, *peer_rows(folder), many_cases_row(folder)]
        print("| row (A / B) | A, s | B, s | ratio | aim | peak of A, MiB |\n|---|---|---|---|---|---|")
        for row in rows:
            if options.only in row.title:
                print(measure(row, 3 if options.quick else 5), flush=True)


if __name__ == "__main__":
    main()
