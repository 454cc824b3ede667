"""Measure what a grading costs beside its grader: `python benchmarks/trials.py [--runs N] [--cases N]`.

The floor is a bare loop over `bwrap ... python3 grader.py` with the same grader, the same mounts and no limits. Each
pair is run in turn, A B A B ..., and the median of the pairwise ratios is printed: ratios carry over between machines.
The last rows prove generated skills whose cases have ten recorded samples each, and show the peak memory.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from gradewright.model import Sample
from gradewright.prove.samples import find_sample
from gradewright.prove.stage import staged
from gradewright.prove.subject import Subject
from gradewright.prove.subjects import one_subject
from gradewright.prove.trial import run_trial
from gradewright.sandbox.bubblewrap import PATH, Bubblewrap, arguments
from gradewright.sandbox.protocol import Command, Limits

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "csv-to-json"
SAMPLES = 10
LIMITS = Limits()
GRADER = """\
#!/bin/sh
if [ -s /workspace/out.txt ]; then score=1; else score=0; fi
echo "{\\"overall\\": $score, \\"custom_metrics\\": {\\"work\\": $score}}" > /logs/verifier/reward.json
"""
PROVE = """\
import resource, sys
from gradewright.__main__ import main
sys.argv[1:] = ["prove", *sys.argv[1:], "--quick", "--runs", "1", "--exit-zero", "--quiet", "--output", "/dev/null"]
try:
    main()
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def seconds(work: Callable[[], object]) -> float:
    """How long `work` takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def beside_the_floor(subject: Subject, sample: Sample, runs: int) -> None:
    """One grading after the other, each beside a bare run."""
    sandbox = Bubblewrap()
    with staged(subject, sample) as stage:
        command = [*arguments(Command(subject.words, subject.folder), stage.mounts, LIMITS), *subject.words]

        def bare() -> None:
            subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True, env={"PATH": PATH})

        def ours() -> None:
            run_trial(subject, sample, sandbox, LIMITS)

        seconds(bare), seconds(ours)
        pairs = [(seconds(ours), seconds(bare)) for _ in range(runs)]
    a, b = (statistics.median(pair[side] for pair in pairs) for side in (0, 1))
    ratio = statistics.median(left / right for left, right in pairs)
    print(f"| a grading / the floor, ms | {a * 1000:.1f} | {b * 1000:.1f} | {ratio:.2f} | 1.25 |", flush=True)


def with_jobs(subject: Subject, sample: Sample, runs: int, jobs: int) -> None:
    """Gradings per second of several jobs at a time, beside one, in turn."""
    sandbox = Bubblewrap()

    def all_of(threads: int) -> float:
        with ThreadPoolExecutor(threads) as pool:
            work = (lambda _: run_trial(subject, sample, sandbox, LIMITS), range(runs))
            return runs / seconds(lambda: list(pool.map(*work)))

    pairs = [(all_of(jobs), all_of(1)) for _ in range(3)]
    many, one = (statistics.median(pair[side] for pair in pairs) for side in (0, 1))
    ratio = statistics.median(left / right for left, right in pairs)
    print(f"| gradings per second, {jobs} jobs / 1 job | {many:.1f} | {one:.1f} | {ratio:.2f} | {jobs} |", flush=True)


def skill(folder: Path, cases: int) -> Path:
    """A skill with `cases` cases, each with ten recorded samples."""
    root = folder / str(cases)
    (root / "evals").mkdir(parents=True)
    (root / "SKILL.md").write_text("---\nname: many\ndescription: Many cases.\n---\n")
    names = [f"case-{number:05d}" for number in range(cases)]
    entries = [{"id": name, "prompt": "Write out.txt", "expected_output": "out.txt"} for name in names]
    (root / "evals" / "evals.json").write_text(json.dumps({"skill_name": "many", "evals": entries}))
    (root / "evals" / "grader.sh").write_text(GRADER)
    for name in names:
        for number in range(SAMPLES):
            verdict = "good" if number % 2 else "bad"
            workspace = root / "evals" / "samples" / name / f"{verdict}-{number}" / "workspace"
            workspace.mkdir(parents=True)
            (workspace / "out.txt").write_text("x" * 1000 if number % 2 else "")
    return root


def memory(root: Path, cases: int) -> float:
    """Peak MiB of a process that proves all cases; prints the row."""
    started = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", PROVE, str(root)], capture_output=True, text=True, check=False)
    if not done.stdout.strip():
        raise SystemExit(done.stderr)
    peak = float(done.stdout.split()[-1])
    taken = time.perf_counter() - started
    print(f"| {cases:,} cases with {SAMPLES} samples: peak MiB, seconds | {peak:.0f} | {taken:.0f} | | |", flush=True)
    return peak


def main() -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=50, help="pairs of gradings")
    parser.add_argument("--cases", type=int, default=1000, help="of the largest skill; 0 leaves the memory out")
    options = parser.parse_args()
    subject = one_subject(str(EXAMPLE), target="skillevaluator", case="inventory")
    print("| row (A / B) | A | B | ratio | aim |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="gradewright-bench-") as temporary:
        sample = find_sample(str(EXAMPLE), subject, "good", temporary)
        beside_the_floor(subject, sample, options.runs)
        for jobs in range(2, len(os.sched_getaffinity(0)) + 1):
            with_jobs(subject, sample, options.runs, jobs)
        if options.cases:
            sizes = (options.cases // 10, options.cases)
            small, large = (memory(skill(Path(temporary), cases), cases) for cases in sizes)
            print(
                f"| memory of {sizes[1]:,} cases / {sizes[0]:,} | {large:.0f} | {small:.0f} | {large / small:.2f} | |"
            )
    print(f"\nload average {os.getloadavg()[0]:.1f} on {len(os.sched_getaffinity(0))} cores")


if __name__ == "__main__":
    main()
