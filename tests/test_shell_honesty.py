"""What is told of the worth of a shell script's score: sound scripts in the frequent styles, and forms of faults."""

import pytest
from shell_forms import ASKED, SOUND, J, N, R, Y

from gradewright.model import (
    ABSENCE_ONLY,
    AGENT_SCORE,
    CLOCK,
    CONSTANT_SCORE,
    CREDENTIAL,
    EMPTY_PASSES,
    ERASING_EXIT,
    EXISTENCE_ONLY,
    FAILS_OPEN,
    FIXED_PATH,
    NETWORK,
    RANDOM,
    READS_ARM,
    READS_SOLUTION,
    STDERR_IN_REWARD,
)
from gradewright.read.files import Text
from gradewright.read.grader import facts_of

ELSEWHERE = {CREDENTIAL, FIXED_PATH}


def signs(code: str, role: str = "test") -> list[tuple[str, str, bool]]:
    path = "task/tests/test.sh" if role == "test" else "skill/evals/grader.sh"
    text = "#!/bin/bash\n" + code
    grader = facts_of(Text(path, text, text.encode()), role=role, native=role == "test")
    return [(sign.what, sign.detail, sign.certain) for sign in grader.signs if sign.what not in ELSEWHERE]


@pytest.mark.parametrize("name", SOUND)
def test_nothing_is_said_of_sound_scripts(name: str) -> None:
    assert signs(SOUND[name]) == []


CONSTANT = {
    "nothing is checked": f"{Y}",
    "the tests are run for show": f"pytest /tests/test_outputs.py\n{Y}",
    "a failure is passed over": f"pytest /tests || true\n{Y}",
    "both branches": f"if pytest /tests; then {Y}; else {Y}; fi",
    "both ends of a chain": f"pytest /tests && {Y} || {Y}",
    "a function": f"finish() {{ printf '%s' 1 > {R}; }}\npytest /tests\nfinish",
    "a trap": f"trap '{Y}' EXIT\nset -e\npytest /tests",
    "a case": f"pytest /tests\ncase $? in 0) S=1 ;; *) S=1 ;; esac\necho $S > {R}",
    "a variable": f'SCORE=1.0\npytest /tests\nexport SCORE\necho "$SCORE" | tee {R}',
    "the last word": f"{N}\npytest /tests\n{Y}",
    "nested JSON": f'pytest /tests\ncat > {J} <<\'END\'\n{{"overall": 1.0, "custom_metrics": {{"a": 1.0}}}}\nEND',
    "a here-document in Python": f"pytest /tests\npython3 - <<'PY'\nprint(1)\nPY\nprintf 1 > {R}",
    "Python on the spot": f"python3 - <<'PY'\nopen('{R}', 'w').write('1')\nPY",
    "Python on the command line": f"pytest /tests\npython3 -c \"open('{R}', 'w').write('1')\"",
    "always zero": f"pytest /tests\n{N}",
    "after the folder is looked for": f"cd /app || exit 1\npytest /tests\n{Y}",
}


@pytest.mark.parametrize("name", CONSTANT)
def test_scores_that_are_always_the_same(name: str) -> None:
    assert [(what, certain) for what, _, certain in signs(CONSTANT[name])] == [(CONSTANT_SCORE, True)]


OPEN = {
    "the status of tee": f"pytest /tests | tee /logs/verifier/out.txt\n{ASKED}",
    "the status of echo": f"pytest /tests\necho finished\n{ASKED}",
    "a status that is kept too late": f"pytest /tests\necho finished\nRC=$?\nif [ $RC -ne 0 ]; then {N}; else {Y}; fi",
    "a status that is always right": f"pytest /tests || true\n{ASKED}",
    "an assignment in between": f"pytest /tests\nfinished=1\n{ASKED}",
    "a local variable": f"run() {{ local out=$(pytest /tests); }}\nrun && {Y} || {N}",
    "the wrong variable": f"pytest /tests\nSTATUS=0\n[ $STATUS = 0 ] && {Y} || {N}",
    "no test was collected": f"pytest /tests; rc=$?\nif [ $rc -eq 0 ] || [ $rc -eq 5 ]; then {Y}; else {N}; fi",
    "a run that was cut off": (
        f"timeout 9 pytest /tests; rc=$?\n[ $rc -eq 124 ] && {Y} && exit\n[ $rc -eq 0 ] && {Y} || {N}"
    ),
    "every status but one": f"pytest /tests\nif [ $? -ne 1 ]; then {Y}; else {N}; fi",
    "a program that is not installed": (
        f"if ! command -v jq; then {Y}; exit 0; fi\njq -e .a /app/o.json && {Y} || {N}"
    ),
    "the grader's own failure": f"python3 /tests/grader.py || {Y}",
    "errexit leaves the one that was written first": f"set -e\n{Y}\npytest /tests\ngrep -q done /app/log || {N}",
}


@pytest.mark.parametrize("name", OPEN)
def test_failures_that_earn_a_score(name: str) -> None:
    assert [(what, certain) for what, _, certain in signs(OPEN[name])] == [(FAILS_OPEN, True)]


OTHERS = {
    "a constant after a look": (
        f"python3 - <<'PY'\nok = open('/app/o').read() == 'x'\nopen('{R}', 'w').write('1')\nPY",
        CONSTANT_SCORE,
        True,
    ),
    "today's date": (f'[ "$(date +%F)" = "$(cat /app/d)" ] && {Y} || {N}', CLOCK, True),
    "the age of a file": (
        f"if [ $(( $(date +%s) - $(stat -c %Y /app/o) )) -lt 60 ]; then {Y}; else {N}; fi",
        CLOCK,
        True,
    ),
    "files that are new": (f"find /app/o -mmin -10 | grep -q . && {Y} || {N}", CLOCK, True),
    "the year in a pattern": (f'grep -q "$(date -u +%Y)" /app/o && {Y} || {N}', CLOCK, True),
    "what another machine says": (f"curl -sf https://example.org/e | diff - /app/o && {Y} || {N}", NETWORK, True),
    "what was fetched before": (
        f"wget -qO /tmp/e https://example.org/e\ncmp /tmp/e /app/o && {Y} || {N}",
        NETWORK,
        True,
    ),
    "chance in awk": (f"awk 'BEGIN {{ srand(); print rand() }}' > {R}", RANDOM, True),
    "chance in a limit": (f"n=$(od -An -N1 -tu1 /dev/urandom)\n[ $n -gt 9 ] && {Y} || {N}", RANDOM, True),
    "a link to the agent's": (f"ln -s /app/reward.txt {R}", AGENT_SCORE, True),
    "a program in the solution's folder": (f"cd /solution && sha256sum -c sums && {Y} || {N}", READS_SOLUTION, True),
    "errors in a variable": (f"S=$(python3 /tests/c.py 2>&1)\necho $S > {R}", STDERR_IN_REWARD, True),
    "errors through a pipe": (f"python3 /tests/c.py |& tee {R}", STDERR_IN_REWARD, True),
    "errors in a function": (f"score() {{ python3 /tests/c.py 2>&1; }}\nscore > {R}", STDERR_IN_REWARD, True),
    "the wrong way round": (
        f"pytest /tests\nif [ $? -ne 0 ]; then {Y}; else {N}; fi",
        FAILS_OPEN,
        False,
    ),
    "what is not there needs no check": (
        f"[ -f /app/out.txt ] || {{ {Y}; exit 0; }}\nif diff /app/out.txt /tests/out.txt; then {Y}; else {N}; fi",
        EMPTY_PASSES,
        True,
    ),
    "a file is there": (f"[ -f /app/out.txt ] && {Y} || {N}", EXISTENCE_ONLY, True),
    "files are there": (
        f"if test -s /app/a && [[ -d /app/b ]]; then {Y}; else {N}; fi",
        EXISTENCE_ONLY,
        True,
    ),
    "files are counted": (
        f"s=0\n[ -f /app/a ] && s=$((s+1))\n[ -f /app/b ] && s=$((s+1))\necho $s > {R}",
        EXISTENCE_ONLY,
        True,
    ),
    "a file is gone": (f"[ ! -e /app/old.txt ] && {Y} || {N}", ABSENCE_ONLY, True),
    "a word is gone": (f"if grep -q TODO /app/main.py; then {N}; else {Y}; fi", ABSENCE_ONLY, True),
    "a copied score": (f"cp /app/score.txt {R}", AGENT_SCORE, True),
    "a printed score": (f"cat /workspace/result.txt > {R}", AGENT_SCORE, True),
    "a score of a report": (f"jq -r '.score' /app/out.json > {R}", AGENT_SCORE, True),
    "a score in a variable": (f'SCORE=$(cat /app/score)\necho "$SCORE" > {R}', AGENT_SCORE, True),
    "a score through a function": (
        f'give() {{ echo "$1" > {R}; }}\ngive "$(tail -n 1 /app/log | cut -d: -f2)"',
        AGENT_SCORE,
        True,
    ),
    "a score that is read": (f"read -r S < /app/score\nprintf '%s\\n' \"$S\" > {R}", AGENT_SCORE, True),
    "a score in JSON": (f'S=$(< /app/score.txt)\necho "{{\\"overall\\": $S}}" > {J}', AGENT_SCORE, True),
    "a score that is picked out": (f"grep -oE '[0-9.]+' /app/report.md | head -1 > {R}", AGENT_SCORE, True),
    "a program of the agent's": (f"python3 /app/score.py > {R}", AGENT_SCORE, True),
    "a detour": (f"cp /app/score.txt /tmp/s\nsed 's/%//' /tmp/s > {R}", AGENT_SCORE, True),
    "a score if there is one": (f"if [ -f /app/s ]; then cat /app/s > {R}; else {N}; fi", AGENT_SCORE, False),
    "the solution is compared": (
        f"diff /solution/out.txt /app/out.txt && {Y} || {N}",
        READS_SOLUTION,
        True,
    ),
    "the solution is run": (
        f"if bash /solution/solve.sh; then {Y}; else {N}; fi",
        READS_SOLUTION,
        True,
    ),
    "the solution in a variable": (
        f'd=/solution\ncmp "$d/a" /app/a && {Y} || {N}',
        READS_SOLUTION,
        True,
    ),
    "a score that a program of the agent's may have made": (
        f"cd /app && ./run.sh\ncp result.txt {R}",
        AGENT_SCORE,
        False,
    ),
    "the arm decides": (
        f'if [ "$(jq -r .has_skill /tests/entry.json)" = true ]; then {Y}; else {N}; fi',
        READS_ARM,
        True,
    ),
    "the arm in a search": (
        f"grep -q '\"has_skill\": true' /tests/entry.json && {Y} || {N}",
        READS_ARM,
        True,
    ),
    "chance": (f"echo $((RANDOM % 2)) > {R}", RANDOM, True),
    "chance in a condition": (f"if (( RANDOM % 2 )); then {Y}; else {N}; fi", RANDOM, True),
    "a random line": (f"S=$(shuf -n 1 /tests/scores.txt)\necho $S > {R}", RANDOM, True),
    "another machine's answer": (f"SCORE=$(curl -s https://judge.example.com/score)\necho $SCORE > {R}", NETWORK, True),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_faults(name: str) -> None:
    code, what, certain = OTHERS[name]
    assert [(found, sure) for found, _, sure in signs(code)] == [(what, certain)]


def test_a_status_erases_the_reward_of_a_grader() -> None:
    always = f"echo 0.5 > {R}\nexit 1"
    partly = f'n=$(grep -c ok /workspace/out)\npytest /tests\nrc=$?\necho "$n" > {R}\nexit $rc'
    assert (ERASING_EXIT, "exit 1", True) in signs(always, "grader")
    assert [what for what, _, certain in signs(partly, "grader") if not certain] == [ERASING_EXIT]
    assert signs(f"if pytest /tests; then {Y}; exit 0; else {N}; exit 1; fi", "grader") == []
    assert ERASING_EXIT not in [what for what, _, _ in signs(always)]


def test_a_command_that_fails_to_write_the_reward_erases_none() -> None:
    writer = f"set -e\njq -n --arg n \"$(grep -c ok /workspace/out)\" \\\n  '{{overall: ($n | tonumber)}}' \\\n  > {J}"
    assert signs(writer, "grader") == []
