"""What is read from shell scripts: writes, metrics, runs, lost rewards, and what keeps a script from starting."""

import pytest

from gradewright.model import Grader
from gradewright.read.files import Text, staged_path
from gradewright.read.shell.facts import interpreter, is_shell, script_problems, shell_facts

JSON = "/logs/verifier/reward.json"
TXT = "/logs/verifier/reward.txt"


def text_of(code: str, path: str = "task/tests/test.sh") -> Text:
    return Text(path, code, code.encode())


def facts(code: str, role: str = "test", path: str = "task/tests/test.sh") -> Grader:
    return shell_facts(text_of(code, path), role=role, native=True)


def paths(code: str) -> list[str | None]:
    return [write.path for write in facts(code).writes]


@pytest.mark.parametrize(
    "code",
    [
        f"echo 1 > {TXT}",
        f"echo 1 >| {TXT}",
        f"echo 1 &> {TXT}",
        f"echo 1 >> {TXT}",
        f"> /dev/null echo 1; echo 1 | tee {TXT}",
        f"printf 1 | sudo tee -a {TXT} > /dev/null",
        f"{{ echo 1; }} > {TXT}",
        f"( cd /; echo 1 ) > {TXT}",
        f"if test -f x; then echo 1; else echo 0; fi > {TXT}",
        f"for x in a b; do echo $x; done > {TXT}",
        f"cat > {TXT} <<END\n1\nEND",
        f"cat <<END > {TXT}\n1\nEND",
        f"cat <<END | tee {TXT}\n1\nEND",
        f"cat <<< 1 > {TXT}",
        f'X="${{HARBOR_REWARD_TXT:-{TXT}}}"; echo 1 > "$X"',
        'echo 1 > "$HARBOR_REWARD_TXT"',
        'd="${HARBOR_VERIFIER_DIR:-/logs/verifier}"\necho 1 > "$d/reward.txt"',
        'd=$(dirname "${HARBOR_REWARD_JSON:-/logs/verifier/reward.json}")\necho 1 > "${d}/reward.txt"',
        "cd /logs/verifier && echo 1 > reward.txt",
        "pushd /logs\necho 1 > ./verifier/../verifier/reward.txt",
        'give() { echo "$1" > "$2"; }\ngive 1 ' + TXT,
        f'function give {{ local to=$1; echo 1 > "$to"; }}\ngive {TXT}',
        f"trap 'echo 1 > {TXT}' EXIT",
        f"done_() {{ echo 1 > {TXT}; }}\ntrap done_ EXIT\nexit 3",
        f"bash -c 'echo 1 > {TXT}'",
        f"cp /tmp/r {TXT}",
        "mv -f /tmp/reward.txt /logs/verifier/",
        f"install -m 644 /tmp/r {TXT}",
        f"dd if=/tmp/r of={TXT}",
        f"sed -i s/a/b/ {TXT}",
        f"python3 - <<'PY'\nopen('{TXT}', 'w').write('1')\nPY",
        f"python3 -c \"open('{TXT}', 'w').write('1')\"",
        f"timeout -k 5 60 env A=1 python3 -u -c \"open('{TXT}', 'w').write('1')\"",
        f"case $1 in a|b) echo 1 > {TXT};; esac",
        f"while read -r line; do echo 1 > {TXT}; done < list",
        f"test -f x && echo 1 > {TXT} || true",
        f"a=1 b=2\necho 1 > {TXT}",
    ],
)
def test_a_write_is_found_in_every_form(code: str) -> None:
    assert TXT in paths(code)


@pytest.mark.parametrize(
    "code",
    [
        f"# echo 1 > {TXT}",
        f"echo 'echo 1 > {TXT}'",
        f"exit 0\necho 1 > {TXT}",
        f"if a; then exit 0; else exit 1; fi\necho 1 > {TXT}",
        f"exec python3 /tests/x.py\necho 1 > {TXT}",
        f"give() {{ echo 1 > {TXT}; }}",
        f": > {TXT}",
        f"> {TXT}",
        f"rm -f {TXT}; mkdir -p /logs/verifier; touch {TXT}",
        f"cat {TXT} < {TXT}",
        f"cat <<END\necho 1 > {TXT}\nEND",
        f"test -s {TXT} || exit 1",
        "echo 1 > /dev/null 2>&1",
        "echo 1 >&2",
    ],
)
def test_a_mention_is_no_write(code: str) -> None:
    assert paths(code) == []


@pytest.mark.parametrize(
    ("code", "path"),
    [
        ("echo 1 > /tmp/reward.txt", "/tmp/reward.txt"),
        ("echo 1 > reward.txt", "reward.txt"),
        ('echo 1 > "$somewhere/reward.txt"', None),
        ('X="${OUT:-/tmp/reward.txt}"; echo 1 > "$X"', None),
        ('X="${HARBOR_REWARD_JSON:-/tmp/reward.json}"; echo 1 > "$X"', "/tmp/reward.json"),
        ('cd "$somewhere"; echo 1 > reward.txt', None),
        ('echo 1 > "$(dirname "$0")/reward.txt"', "/tests/reward.txt"),
        ('here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"\necho 1 > "$here/x"', "/tests/x"),
        ("if a; then d=/logs; else d=/tmp; fi\necho 1 > $d/x", None),
        ('out=$(mktemp)\necho 1 > "$out"', None),
        ("echo 1 > ~/reward.txt", None),
    ],
)
def test_where_a_write_goes(code: str, path: str | None) -> None:
    assert paths(code) == [path]


@pytest.mark.parametrize(
    ("code", "shape", "bad"),
    [
        (f"echo 1 > {TXT}", "text", []),
        (f"echo 0.85 > {TXT}", "text", []),
        (f"echo -n ' 7.5e-1 ' > {TXT}", "text", []),
        (f'echo "$score" > {TXT}', "text", []),
        (f'printf "%.3f" "$score" > {TXT}', "text", []),
        (f"echo pass > {TXT}", "text", [("non-numeric", "pass")]),
        (f"echo 85% > {TXT}", "text", [("non-numeric", "85%")]),
        (f'printf "%d%%" "$score" > {TXT}', "text", [("non-numeric", "…%")]),
        (f"echo 0,8 > {TXT}", "text", [("non-numeric", "0,8")]),
        (f"echo NaN > {TXT}", "text", [("non-finite", "NaN")]),
        (f"printf '%s\\n' 1e400 > {TXT}", "text", [("non-finite", "1e400")]),
        (f"echo 7.5 > {TXT}", "text", [("out-of-range", "7.5")]),
        (f"echo -1 > {TXT}", "text", [("out-of-range", "-1")]),
        (f"echo -e '1\\n0' > {TXT}", "text", [("non-numeric", "1\n0")]),
        (f"""echo '{{"overall": 1}}' > {JSON}""", "flat", []),
        (f'''echo "{{\\"overall\\": $s}}" > {JSON}''', "flat", []),
        (f"""printf '{{"overall": %s, "custom_metrics": {{"a": %s}}}}' "$s" "$s" > {JSON}""", "nested", []),
        (f"""printf '{{"overall": %s, "custom_metrics": %s}}' "$s" "$m" > {JSON}""", "unknown", []),
        (f"""jq -n --argjson s "$s" '{{overall: $s, "details": {{a: ($s * 2)}}}}' > {JSON}""", "nested", []),
        (f"""jq -n --argjson s "$s" '{{overall: $s}}' > {JSON}.tmp && mv {JSON}.tmp {JSON}""", "flat", []),
        (f'cat > {JSON} <<END\n{{"overall": $s, "x": 2}}\nEND', "flat", [("out-of-range", "2")]),
        (f"cat > {JSON} <<'END'\n```json\n{{}}\n```\nEND", "unknown", [("not-json", "```")]),
        (f"echo '{{overall: 1}}' > {JSON}", "unknown", [("not-json", "{overall: 1}")]),
        (f"echo 1 > {JSON}", "unknown", [("not-json", "1")]),
        (f"""echo '{{"a": true, "b": "0.8", "c": NaN}}' > {JSON}""", "flat",
         [("boolean", "true"), ("non-numeric", '"0.8"'), ("non-finite", "NaN")]),
        (f"python3 /tests/x.py > {JSON}", "unknown", []),
        (f'echo "$reward" > {JSON}', "unknown", []),
        (f"echo pass >> {TXT}", "unknown", []),
        ("echo pass > /tmp/log.txt", "unknown", []),
    ],
)  # fmt: skip
def test_what_is_written(code: str, shape: str, bad: list[tuple[str, str]]) -> None:
    write = facts(code).writes[-1]
    assert (write.shape, [found[:2] for found in write.bad]) == (shape, bad)


def test_alternatives_are_judged_one_by_one() -> None:
    write = facts(f"if a; then echo 1; elif b; then echo 0.5; else echo fail; fi > {TXT}").writes[0]
    assert [found[:2] for found in write.bad] == [("non-numeric", "…fail")]
    assert not write.certain
    assert not write.conditional


@pytest.mark.parametrize(
    ("code", "certain", "conditional"),
    [
        (f"echo 1 > {TXT}", True, False),
        (f'echo "$s" > {TXT}', False, False),
        (f"if a; then echo 1 > {TXT}; fi", True, True),
        (f"a || echo 0 > {TXT}", True, True),
        (f"a || exit 1\necho 1 > {TXT}", True, True),
        (f"score=1\n[ -f x ] || score=0\necho $score > {TXT}", False, False),
        (f"score=1\necho $score > {TXT}", True, False),
    ],
)
def test_how_sure_a_write_is(code: str, certain: bool, conditional: bool) -> None:
    write = facts(code).writes[-1]
    assert (write.certain, write.conditional) == (certain, conditional)


def test_metrics_stand_where_they_are_written() -> None:
    code = f"""#!/bin/bash
printf '{{"overall": %s, "custom_metrics": {{"ä": 1, "accuracy": %s}}}}' "$s" "$t" \\
  > {JSON}
jq -n '{{overall: 1, custom_metrics: {{"rows kept": 1}}}}' > "$out"
cat > {TXT}.bak <<END
{{"unrelated": 1}}
END
"""
    found = [(metric.name, metric.nested, metric.at.line, metric.at.column) for metric in facts(code).metrics]
    assert found == [("ä", True, 2, 45), ("accuracy", True, 2, 53), ("rows kept", True, 4, 39)]


@pytest.mark.parametrize(
    ("code", "script"),
    [
        ("python3 /tests/check.py", "/tests/check.py"),
        ('python3 "${HARBOR_TESTS_DIR:-/tests}/check.py" --flag', "/tests/check.py"),
        ("cd /tests; python3 -u check.py", "/tests/check.py"),
        ("bash -eu /tests/run.sh a b", "/tests/run.sh"),
        (". /tests/lib.sh", "/tests/lib.sh"),
        ('source "$(dirname "$0")/lib.sh"', "/tests/lib.sh"),
        ("timeout 60 /tests/check x", "/tests/check"),
        ("uv run --with numpy python /tests/check.py", "/tests/check.py"),
        ("exec python3.12 /tests/check.py", "/tests/check.py"),
        ('run() { "$@"; }\nrun python3 /tests/check.py', "/tests/check.py"),
    ],
)
def test_scripts_that_are_started(code: str, script: str) -> None:
    found = facts(code)
    assert [run.script for run in found.runs if run.script] == [script]
    assert not found.opaque
    assert facts(code, role="grader").opaque, "only a task's rules can look into the script"


@pytest.mark.parametrize(
    "code",
    [
        "curl -LsSf https://astral.sh/uv/install.sh | sh", "uvx rewardkit /tests", "make grade", "node /x", 'eval "$x"',
        '"$program" x', "python3 -m grading", "cat x | python3", "./$name", "find . -exec bash {} \\;",
        "if a; then b",
        'bash -c "$code"', "python3 - <<PY\nprint($x)\nPY", "awk '{print > \"/logs/x\"}' f",
        "sort -o /logs/verifier/x f",
    ],
)  # fmt: skip
def test_what_cannot_be_followed_is_opaque(code: str) -> None:
    assert facts(code).opaque


def test_ordinary_programs_can_be_followed() -> None:
    code = """#!/bin/bash
set -euo pipefail
apt-get update && apt-get install -y --no-install-recommends jq
pip install --quiet pytest==8.4.1
cd /workspace || exit 1
count=$(grep -c ERROR app.log | tr -d ' ')
if [[ "$count" -eq 3 ]] && diff -q a b >/dev/null 2>&1; then echo same; fi
awk -F, 'NR > 1 && $3 > 2 {print $1}' data.csv | sort -u | head -n 5
curl -fsS http://localhost:8080/health || true
find . -name '*.pyc' -exec rm {} +
uvx -p 3.13 -w pytest==8.4.1 pytest --ctrf /logs/verifier/ctrf.json /tests/test_outputs.py -rA
"""
    assert not facts(code).opaque


def test_other_interpreters_are_left_alone() -> None:
    assert interpreter("#!/usr/bin/env -S bash -e\n") == "bash"
    assert interpreter("\ufeff#!/usr/bin/env FOO=1 python3\n") == "python3"
    assert interpreter("echo") == ""
    assert not is_shell("#!/usr/bin/fish\n")
    found = facts("#!/usr/bin/env python3\nopen('/logs/verifier/reward.txt', 'w').write('1')\n")
    assert found.opaque
    assert not found.writes
    assert shell_facts(text_of("@echo off\r\n", "t/tests/test.bat"), role="test", native=True).opaque


def test_where_scripts_lie_when_they_run() -> None:
    assert staged_path("a/evals/harbor/c/tests/lib/x.sh") == "/tests/lib/x.sh"
    assert staged_path("a/evals/grader.sh") == "/tests/grader.sh"
    assert staged_path("a/tests/b/solution/solve.sh") == "/solution/solve.sh"


def test_inline_code_is_located_in_the_script() -> None:
    code = (
        f"#!/bin/bash\n  bash -c 'true\n  echo pass > {TXT}'\npython3 <<'PY'\n\nopen('{JSON}', 'w').write('[]')\nPY\n"
    )
    first, second = facts(code).writes
    assert (first.at.line, first.at.column) == (3, 15)
    assert [(bad[0], bad[2].line, bad[2].column) for bad in first.bad] == [("non-numeric", 3, 8)]
    assert second.at.line == 6


def test_gaps_of_errexit() -> None:
    code = f"#!/bin/bash\nset -e\npython3 /tests/a.py\nif [ $? -eq 0 ]; then echo 1 > {TXT}; else echo 0 > {TXT}; fi\n"
    (gap,) = facts(code).gaps
    assert (gap.at.line, gap.status_read, gap.constant) == (3, True, False)
    (gap,) = facts(f"#!/bin/bash -eu\ndiff a b\necho 1 > {TXT}\n").gaps
    assert (gap.run.words, gap.status_read, gap.constant) == (("diff", "a", "b"), False, True)


@pytest.mark.parametrize(
    "check",
    [
        "python3 /tests/a.py || true", "! python3 /tests/a.py", "if python3 /tests/a.py; then :; fi",
        "python3 /tests/a.py && ok=1 || ok=0", "set +e; python3 /tests/a.py; set -e", "echo $(python3 /tests/a.py)",
        "while python3 /tests/a.py; do break; done", "python3 /tests/a.py | tee log", "local x=$(python3 /tests/a.py)",
        "f() { python3 /tests/a.py; }; if f; then :; fi", "mkdir -p /x; echo 1 > " + TXT + "; python3 /tests/a.py",
    ],
)  # fmt: skip
def test_errexit_does_not_act_here(check: str) -> None:
    assert facts(f"#!/bin/bash\nset -e\n{check}\necho 1 > {TXT}\n").gaps == ()


def kinds(code: str, *, executed: bool = True) -> list[tuple[str, int]]:
    return [(problem.kind, problem.at.line) for problem in script_problems(text_of(code), "script", executed=executed)]


def test_what_keeps_a_script_from_starting() -> None:
    assert kinds("#!/bin/bash\necho\n") == []
    assert kinds("echo\n") == [("no-shebang", 1)]
    assert kinds("echo\n", executed=False) == []
    assert kinds("") == []
    assert kinds("\ufeff#!/bin/sh\n") == [("bom", 1)]
    assert kinds("#!/bin/bash\r\necho\r\n") == [("crlf", 1)]
    assert kinds("#!/bin/bash\r\n\r\n# only\r\necho\r\n", executed=False) == [("crlf", 4)]
    assert kinds("#!/bin/bash\necho 'a\r\nb'\n# c\r\n") == []
    assert kinds("#!/bin/bash\recho\r") == [("crlf", 1)]
    assert kinds("#!/usr/bin/env python3\nprint()\r\n") == []


def test_a_scaffolded_grader_names_its_metrics_in_a_table() -> None:
    code = 'CHECKS=(\n    "rows 1"\n    "accuracy 2"\n)\n# --- gradewright contract 1 (sha256:0) ---\n'
    assert [(m.name, m.nested, m.at.line, m.at.column) for m in facts(code).metrics] == [
        ("rows", True, 2, 6),
        ("accuracy", True, 3, 6),
    ]
