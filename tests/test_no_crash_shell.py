"""Shell scripts of any content are read, and given to bash, without a crash, in bounded time, and never run."""

import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gradewright.model import NOT_CHECKED, SHELL_SYNTAX
from gradewright.read.files import Text
from gradewright.read.shell import bash
from gradewright.read.shell.facts import script_problems, shell_facts

VALID = [
    """#!/bin/bash
set -euo pipefail
X="${HARBOR_REWARD_JSON:-/logs/verifier/reward.json}"
mkdir -p "$(dirname "$X")"
if pytest -q /tests; then s=1; else s=0; fi
printf '{"overall": %s}' "$s" > "$X"
""",
    """#!/bin/bash
python3 - <<'PY'
import json
json.dump({'a': 1}, open('/logs/verifier/reward.json', 'w'))
PY
""",
    """f() { local a="$1"; shift; "$@" | tee -a log; }
trap "f 1 echo" EXIT
for x in a b; do f $x true || exit 1; done
""",
    """case "$1" in a|b) cat <<-END > f && x
\ta $b $(c) `d`
\tEND
;; *) jq -n '{a: {b: $c}}' > r;; esac
""",
    """while read -r l; do [[ $l == x* ]] && ((n++)); done < <(find . -type f)
coproc c { x; }
bash -c 'a; b' > >(tee x)
""",
]
PARTS = st.sampled_from(
    ["$(", ")", "`", '"', "'", "${", "}", "<<E", "\nE\n", "|", "&&", "if ", "fi", "case x in", "esac", "{ ", "; }",
     "\\", "\n", "\r", "\0", "\ud800", "é", ">", "&>", "$((", "))", "[[", "]]", "f() {", "f\n", "exec ",
     "trap f EXIT\n", "%s"]
)  # fmt: skip


def read(code: str, role: str = "test") -> None:
    text = Text("t/tests/test.sh", code, code.encode("utf-8", "surrogatepass"))
    shell_facts(text, role=role, native=True)
    script_problems(text, "script", executed=True)


@given(st.sampled_from(VALID), st.lists(st.tuples(st.integers(0, 400), st.integers(0, 30), PARTS), max_size=6))
@settings(max_examples=300, deadline=None)
def test_changed_scripts(code: str, changes: list[tuple[int, int, str]]) -> None:
    for start, length, part in changes:
        code = code[:start] + part + code[start + length :]
    read(code)


@given(st.lists(PARTS, max_size=40).map("".join))
@settings(max_examples=200, deadline=None)
def test_noise(code: str) -> None:
    read(code, "grader")


BOMBS = {
    "substitutions": "echo " + "$(" * 30_000 + ")" * 30_000,
    "brackets": "(" * 200_000,
    "braces": "{ " * 100_000,
    "defaults": "${a:-" * 20_000 + "}" * 20_000,
    "ors": " || ".join(["a"] * 30_000),
    "pipes": " | ".join(["a"] * 30_000),
    "echoes": "set -e\n" + "echo 1 > /logs/verifier/reward.txt\ntest -f x\n" * 5_000,
    "calls": "".join(f"f{i}() {{ f{i + 1}; f{i + 1}; }}\n" for i in range(60)) + "f60() { echo 1 > x; }\nf0\n",
    "recursion": "f() { f; f; }\nf\n",
    "branches": "if a; then x=1; fi\n" * 10_000,
    "nested-ifs": "if a; then\n" * 5_000 + "fi\n" * 5_000,
    "here-documents": "cat <<E > f\n" * 5_000,
    "one-line": "echo é; " * 30_000,
    "long-word": "echo " + "x" * 1_000_000,
    "quotes": "'\"" * 100_000,
    "variables": "".join(f'v{i}="$v{i - 1}$v{i - 1}"\n' for i in range(1, 200))
    + 'echo "$v199" > /logs/verifier/reward.txt',
    "doubling": "v=xxxxxxxxxxxxxxxx\n" + 'v="$v$v"\n' * 60 + "echo $v > /logs/verifier/reward.txt\n",
    "digits": f"echo {'9' * 200_000} > /logs/verifier/reward.txt",
    "json": "echo '" + "[" * 100_000 + "' > /logs/verifier/reward.json",
    "nul": "echo \0 > /logs/verifier/reward.txt\0\n",
    "carriage-returns": "echo 1\r\n" * 60_000,
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs(name: str, tmp_path: Path) -> None:
    started = time.process_time()
    read(BOMBS[name])
    assert time.process_time() - started < 2
    script = tmp_path / "test.sh"
    script.write_text(BOMBS[name])
    bash.bash_problems([str(script)])
    assert time.process_time() - started < 4.5


def write_all(folder: Path, codes: list[str]) -> list[str]:
    paths = []
    for number, code in enumerate(codes):
        path = folder / f"{number}.sh"
        path.write_bytes(code.encode("utf-8", "surrogatepass"))
        paths.append(str(path))
    return paths


FAULTS = [
    "if a; then b\n",
    "fi\n",
    'echo "a\n',
    "echo 'b\n",
    "x=$(a\n",
    "esac; case x in x)\n",
    "a )\n",
    "f() {\n",
    "a ;;\n",
]
SOUND = [
    *VALID[:4],
    "cat <<END\nnever closed\n",
    "echo \\",
    "",
    "# only",
    "exit 0\n(((\n",
    "shopt -s extglob\nls !(a|b)\n",
]


def test_bash_accuses_the_faulty_and_nobody_else(tmp_path: Path) -> None:
    codes = [code for pair in zip(FAULTS, SOUND, strict=False) for code in pair] + FAULTS + SOUND[9:]
    paths = write_all(tmp_path, codes)
    accused = {problem.at.path for problem in bash.bash_problems(paths) if problem.kind == SHELL_SYNTAX}
    assert accused == {path for path, code in zip(paths, codes, strict=True) if code in FAULTS}


@given(st.lists(st.one_of(st.sampled_from(FAULTS), st.sampled_from(SOUND)), min_size=2, max_size=8))
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_batch_says_what_each_script_says_alone(tmp_path: Path, codes: list[str]) -> None:
    paths = write_all(tmp_path, codes)
    together = {(problem.at, problem.detail) for problem in bash.bash_problems(paths)}
    alone = {(problem.at, problem.detail) for path in paths for problem in bash.bash_problems([path])}
    assert together == alone


def test_nothing_is_ever_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = tmp_path / "ran"
    start = tmp_path / "start"
    start.write_text(f"touch {mark}\n")
    monkeypatch.setenv("BASH_ENV", str(start))
    monkeypatch.setenv("ENV", str(start))
    monkeypatch.setenv("BASH_FUNC_echo%%", f"() {{ touch {mark}; }}")
    touch = f"touch {mark}"
    codes = [
        touch,
        f"x=$({touch})",
        f"esac\n{touch}\ncase x in x)",
        f"`{touch}`\nfi",
        f"trap '{touch}' EXIT\nset +n\n{touch}",
    ]
    bash.bash_problems(write_all(tmp_path, codes))
    assert not mark.exists()


def test_without_bash_there_is_one_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    bash._bash.cache_clear()
    try:
        (problem,) = bash.bash_problems(write_all(tmp_path, FAULTS))
    finally:
        bash._bash.cache_clear()
    assert (problem.kind, problem.subject) == (NOT_CHECKED, "bash")
