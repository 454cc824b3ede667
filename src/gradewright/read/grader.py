"""Read one script that takes part in grading, in whichever language it is written."""

import os.path
import re

from gradewright.finding import Location
from gradewright.model import PYTHON, SHELL, Grader, Problem, Run, Write
from gradewright.read.contract_block import contract_block
from gradewright.read.credentials import credential_signs
from gradewright.read.files import Text, read_text
from gradewright.read.fixed_paths import fixed_path_signs
from gradewright.read.overwritten import remaining_signs

BYTE_ORDER_MARK = "\ufeff"
OLD_PYTHON = re.compile(r"python2(\.\d+)?\Z")
TEST_MODULE = re.compile(r"(test_.*|.*_test|conftest)\.py\Z")
PREPARING = frozenset({
    "apk", "apt", "apt-get", "cat", "cd", "chmod", "cp", "echo", "exit", "ls", "mkdir", "pip", "pip3", "printf", "pwd",
    "rm", "set", "touch", "umask", "uv",
})  # fmt: skip
"""Commands that a test script prepares with, or ends with: they check nothing."""

REMEMBERED = 64
"""Scripts of different content that are kept: thousands of tasks often share a handful of them."""

_memo: dict[tuple[bytes, str, str, bool], tuple[Grader, tuple[Problem, ...]]] = {}


def read_grader(path: str, problems: list[Problem], *, role: str, native: bool) -> Grader | None:
    """The facts of the script at `path`; None if there is none or it cannot be read, which goes to `problems`.

    `role` is `grader`, `test` (a task's own test script) or `helper`; `native` tells that it belongs to a Harbor task.
    """
    text = read_text(path, "grader" if role == "grader" else "script")
    if isinstance(text, Problem):
        problems.append(text)
        return None
    if text is None:
        return None
    key = text.data, _staged(path), role, native
    known = _memo.get(key)
    if known is None:
        if len(_memo) >= REMEMBERED:
            del _memo[next(iter(_memo))]
        known = _memo[key] = _read(text, role, native)
    grader, own = known
    if grader.at.path == path:
        problems.extend(own)
        return grader
    problems.extend(problem._replace(at=problem.at._replace(path=path)) for problem in own)
    return relocated(grader, path)


def facts_of(text: Text, *, role: str, native: bool) -> Grader:
    """The facts of a script that need not be a file yet."""
    return _read(text, role, native)[0]


def language_of(text: Text) -> str:
    """Python by its extension or its first line; everything else is read as a shell script."""
    extension = os.path.splitext(text.path)[1]
    if extension == ".py":
        return PYTHON
    first = text.text.removeprefix(BYTE_ORDER_MARK).split("\n", 1)[0]
    asks_for_python = first.startswith("#!") and re.search(r"\bpython[\d.]*\b", first) is not None
    return PYTHON if asks_for_python and extension not in (".sh", ".bash", ".bat") else SHELL


def relocated(grader: Grader, path: str) -> Grader:
    """The same facts for a script of the same content at another path."""

    def moved(at: Location) -> Location:
        return Location(path, at.line, at.column)

    contract = grader.contract
    return grader._replace(
        metrics=tuple(metric._replace(at=moved(metric.at)) for metric in grader.metrics),
        writes=tuple(
            write._replace(at=moved(write.at), bad=tuple((bad[0], bad[1], moved(bad[2])) for bad in write.bad))
            for write in grader.writes
        ),
        runs=tuple(run._replace(at=moved(run.at)) for run in grader.runs),
        stubs=tuple(stub._replace(at=moved(stub.at)) for stub in grader.stubs),
        signs=tuple(sign._replace(at=moved(sign.at)) for sign in grader.signs),
        imports=tuple(item._replace(at=moved(item.at)) for item in grader.imports),
        gaps=tuple(gap._replace(at=moved(gap.at), run=gap.run._replace(at=moved(gap.run.at))) for gap in grader.gaps),
        contract=contract and contract._replace(at=moved(contract.at)),
        at=Location(path),
    )


def _read(text: Text, role: str, native: bool) -> tuple[Grader, tuple[Problem, ...]]:
    problems: list[Problem] = []
    if language_of(text) == PYTHON:
        from gradewright.read.python.facts import python_facts

        grader = python_facts(text, role=role, native=native)
    else:
        from gradewright.read.shell.facts import script_problems, shell_facts
        from gradewright.read.shell.stubs import shell_stubs

        grader = shell_facts(text, role=role, native=native)
        grader = grader._replace(stubs=tuple(dict.fromkeys((*shell_stubs(text), *grader.stubs))))
        problems = script_problems(text, "grader" if role == "grader" else "script", executed=role == "test")
    digest = f"{hash(text.data) & (1 << 64) - 1:x}"
    block = contract_block(text.text, text.path)
    signs = (*grader.signs, *credential_signs(text.text, text.path, grader.language))
    if role == "grader" and not native:
        signs = (*signs, *fixed_path_signs(text.text, grader))
    grader = grader._replace(contract=block, digest=digest, alone=not native, started=role != "helper", signs=signs)
    return grader, tuple(problems)


def _staged(path: str) -> str:
    """What of a script's path its facts depend on: the part from the folder `tests` or `solution` on."""
    parts = path.replace(os.sep, "/").split("/")
    for index in range(len(parts) - 2, -1, -1):
        if parts[index] in ("tests", "solution"):
            return "/".join(parts[index:])
    return parts[-1]


def settled(scripts: list[Grader], *, in_skill: bool) -> list[Grader]:
    """The scripts of one folder of tests, told what only their task knows: `in_skill`, `alone` and `started`."""
    test = next((script for script in scripts if script.role == "test"), None)
    runs = [run for other in scripts for run in other.runs if run.script or run.is_pytest]
    moved = any(run.words[0] in ("cd", "pushd") for run in test.runs) if test else False
    texts = {path for other in scripts for path in other.reads if path.endswith(".py")}
    return [
        script._replace(
            writes=_elsewhere(script.writes) if moved and script.language == PYTHON else script.writes,
            in_skill=in_skill,
            alone=_is_alone(script, test),
            started=script.role != "helper" or _is_started(script, runs),
            foreign=_is_foreign(script, runs, texts),
            signs=remaining_signs(script, scripts),
        )
        for script in scripts
    ]


def _elsewhere(writes: tuple[Write, ...]) -> tuple[Write, ...]:
    """Writes of a script whose caller has changed its folder: relative paths cannot be told."""
    return tuple(write if (write.path or "/")[0] == "/" else write._replace(path=None) for write in writes)


def _is_started(script: Grader, runs: list[Run]) -> bool:
    """Whether a script, or pytest, is known to start this one."""
    folder, name = os.path.split(script.at.path)
    collected = TEST_MODULE.match(name) and os.path.basename(folder) == "tests"
    return any(
        (run.script is not None and script.at.path.endswith(run.script)) or bool(collected and run.is_pytest)
        for run in runs
    )


def _is_foreign(script: Grader, runs: list[Run], texts: set[str]) -> bool:
    """Whether Python 2 runs the script, or another one takes it as text and nothing is known to run it as it is."""
    if script.language != PYTHON or script.role == "test":
        return False
    own = [run for run in runs if run.script and script.at.path.endswith(run.script)]
    if own:
        return all(OLD_PYTHON.match((run.words[0] or "").rpartition("/")[2]) for run in own)
    name = os.path.basename(script.at.path)
    named = any((word or "").partition("::")[0].endswith(name) for run in runs for word in run.words[1:])
    return script.role == "helper" and not named and any(script.at.path.endswith(path) for path in texts)


def _is_plain_start(starts: list[Run], others: list[Run]) -> bool:
    """Whether nothing that the test script does may keep it from starting a script."""
    skipped = any(run.conditional or run.optional for run in starts)
    return not skipped and all(run.words[:1] and run.words[0] in PREPARING for run in others)


def _is_alone(grader: Grader, test: Grader | None) -> bool:
    """Whether nobody but this script can write the reward: the test script starts it as it is, and nothing like it."""
    if grader.role == "test" or test is None:
        return grader.role == "grader"
    name = os.path.basename(grader.at.path)
    starts = [run for run in test.runs if os.path.basename(run.script or "") == name and not run.inline]
    others = [run for run in test.runs if run not in starts]
    harmless = not any(run.script or run.inline or run.is_pytest or run.words[:1] == ("export",) for run in others)
    plain = harmless and not any(run.environment for run in starts)
    if grader.role == "helper" and not _is_plain_start(starts, others):
        return False
    return bool(starts) and plain and not test.may_write_reward
