"""What is told of the worth of a shell script's score: sound scripts in the frequent styles, and forms of faults."""

import pytest

from gradewright.model import (
    ABSENCE_ONLY,
    AGENT_SCORE,
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
)
from gradewright.read.files import Text
from gradewright.read.grader import facts_of

R = "/logs/verifier/reward.txt"
J = "/logs/verifier/reward.json"
Y = f"echo 1 > {R}"
N = f"echo 0 > {R}"
ELSEWHERE = {CREDENTIAL, FIXED_PATH}
ASKED = f"if [ $? -eq 0 ]; then\n  {Y}\nelse\n  {N}\nfi"


def signs(code: str, role: str = "test") -> list[tuple[str, str, bool]]:
    path = "task/tests/test.sh" if role == "test" else "skill/evals/grader.sh"
    text = "#!/bin/bash\n" + code
    grader = facts_of(Text(path, text, text.encode()), role=role, native=role == "test")
    return [(sign.what, sign.detail, sign.certain) for sign in grader.signs if sign.what not in ELSEWHERE]


SOUND = {
    "terminal-bench": f"""apt-get update && apt-get install -y curl
curl -LsSf https://astral.sh/uv/0.9.5/install.sh | sh
source $HOME/.local/bin/env
if [ "$PWD" = "/" ]; then
  echo "Error: no working directory"
  exit 1
fi
uvx -p 3.13 -w pytest==8.4.1 -w pytest-json-ctrf==0.3.5 pytest --ctrf /logs/ctrf.json /tests/test_outputs.py -rA
{ASKED}""",
    "a status that is kept": f"""mkdir -p /logs/verifier
pytest /tests/test_outputs.py -rA
RC=$?
echo "pytest ended with $RC"
if [ "$RC" -eq 0 ]; then REWARD=1; else REWARD=0; fi
echo "$REWARD" > {R}
exit 0""",
    "a chain": f"cd /app && pytest -q /tests/test_outputs.py && {Y} || {N}",
    "a status in brackets": f"pytest /tests; [[ $? == 0 ]] && {Y} || {N}",
    "arithmetic": f"pytest /tests\necho $(( $? == 0 ? 1 : 0 )) > {R}",
    "one minus the status": f"grep -q add /app/README.md\necho $((1 - $?)) > {R}",
    "zero first": f"{N}\nset -e\npytest /tests\n{Y}",
    "zero first, in a subshell": f"{N}\n( set -e; cd /app; make; pytest /tests ) && {Y}",
    "only on success": f"set -e\npytest /tests/test_outputs.py\n{Y}",
    "a trap": f"""set -euo pipefail
finish() {{
  local code=$1
  if [ "$code" -eq 0 ]; then {Y}; else {N}; fi
  exit "$code"
}}
trap 'finish $?' EXIT
cd /app
pytest /tests/test_outputs.py""",
    "a trap for what is left out": f"""trap '[ -f {R} ] || {N}' EXIT
set -e
pytest /tests
{Y}""",
    "pipefail": f"set -o pipefail\npytest /tests | tee /logs/verifier/out.txt\n{ASKED}",
    "the status inside a pipeline": (
        f"pytest /tests | tee out.txt\n[ ${{PIPESTATUS[0]}} -eq 0 ] && r=1 || r=0\necho $r > {R}"
    ),
    "a filter that decides": f"pytest /tests 2>&1 | grep -q ' 3 passed'\n{ASKED}",
    "no errexit around the tests": (
        f"set -e\nset +e\npytest /tests\nrc=$?\nset -e\ncase $rc in\n0) {Y} ;;\n*) {N} ;;\nesac"
    ),
    "nothing collected counts as failure": (
        f"pytest /tests\nrc=$?\nif [ $rc -eq 5 ]; then {N}; elif [ $rc -eq 0 ]; then {Y}; else {N}; fi"
    ),
    "a failed test run counts in part": f"pytest /tests\nrc=$?\nif [ $rc -le 1 ]; then {Y}; else {N}; fi",
    "functions": f"""pass() {{ {Y}; exit 0; }}
fail() {{ echo "$1"; {N}; exit 0; }}
[ -f /app/out.txt ] || fail "no output"
[ "$(cat /app/out.txt)" = 42 ] && pass
fail "wrong\"""",
    "parts": f"""SCORE=0
[ -f /app/a.txt ] && SCORE=$((SCORE + 1))
grep -q done /app/a.txt && SCORE=$((SCORE + 1))
python3 /tests/check.py && SCORE=$((SCORE + 2))
echo "scale=2; $SCORE / 4" | bc > {R}""",
    "a loop over cases": f"""pass=0; total=0
for f in /tests/cases/*.in; do
  total=$((total+1))
  out=$(/app/prog < "$f") || continue
  [ "$out" = "$(cat "${{f%.in}}.out")" ] && pass=$((pass+1))
done
echo "scale=3; $pass/$total" | bc > {R}""",
    "a loop that fails early": f"""for name in a b c; do
  if ! diff -q /app/$name.txt /tests/$name.txt; then {N}; exit 0; fi
done
{Y}""",
    "a flag that a loop sets": f"ok=1\nfor f in a b; do cmp -s /app/$f /tests/$f || ok=0; done\necho $ok > {R}",
    "a while loop": (
        "ok=1\n"
        'while read -r line; do grep -qxF "$line" /app/out.txt || ok=0; done < /tests/expected.txt\n'
        f"echo $ok > {R}"
    ),
    "retries": (
        "ok=0\n"
        "for i in 1 2 3; do if curl -sf http://localhost:8080/health; then ok=1; break; fi; sleep 1; "
        "done\n"
        f"echo $ok > {R}"
    ),
    "rewardkit": "uvx --from harbor-rewardkit==0.1 rewardkit /tests",
    "a grader in Python": 'cd /tests\npython3 /tests/grader.py --flat || echo "failed"',
    "a fallback": f"python3 /tests/grader.py\n[ -f {J} ] || {N}",
    "a fallback by a chain": f"python3 /tests/grader.py > {R} || {N}",
    "swe-bench": f"""source /opt/miniconda3/bin/activate
conda activate testbed
cd /testbed
git apply - <<'EOF'
diff --git a/x b/x
EOF
./run_tests.sh 2>&1 | tee /tmp/log || true
uv run /tests/parser.py /tmp/log | tee -a /tmp/log
exit_code=${{PIPESTATUS[0]}}
if [ "${{exit_code}}" -eq 0 ]; then {Y}; else {N}; fi
exit "${{exit_code}}\"""",
    "ctrf": f"""pytest --ctrf /logs/verifier/ctrf.json /tests
python3 - <<'PY'
import json
summary = json.load(open("/logs/verifier/ctrf.json"))["results"]["summary"]
open("{R}", "w").write(str(summary["passed"] / max(1, summary["tests"])))
PY""",
    "jq on a report of the tests": (
        "cd /app\n"
        "pytest --json-report --json-report-file=/app/report.json /tests\n"
        f"jq .summary.passed /app/report.json > {R}"
    ),
    "a report that a script has just written": f"python3 /tests/score.py --out /app/score.txt\ncp /app/score.txt {R}",
    "a count": f'n=$(grep -c PASS /app/log.txt)\necho "$n" > {R}',
    "a count of lines": f"wc -l < /app/out.txt > {R}",
    "a comparison with what the agent says": (
        f'SCORE=$(cat /app/score.txt)\nif [ "$SCORE" = 42 ]; then {Y}; else {N}; fi'
    ),
    "what the agent says, in the details": (
        "ANSWER=$(cat /app/answer.txt)\n"
        '[ "$ANSWER" = 42 ] && S=1 || S=0\n'
        f'echo "{{\\"overall\\": $S, \\"details\\": \\"$ANSWER\\"}}" > {J}'
    ),
    "a choice by an answer": f"case \"$(tr -d ' \\n' < /app/answer.txt)\" in\n  B|b) {Y} ;;\n  *) {N} ;;\nesac",
    "the time in a log": f'echo "started $(date +%s)" > /logs/verifier/log\npytest /tests\n{ASKED}',
    "a limit on the time": (
        "s=$(date +%s); /app/run > /tmp/o; e=$(date +%s)\n"
        f"if cmp /tmp/o /tests/o && [ $((e - s)) -lt 60 ]; then {Y}; else {N}; fi"
    ),
    "a server on this machine": (
        f"code=$(curl -s -o /dev/null -w '%{{http_code}}' http://localhost:3000/)\n[ \"$code\" = 200 ] && {Y} || {N}"
    ),
    "what must be gone and something to be there": (
        f"if [ ! -f /app/old.py ] && python3 /tests/check.py; then {Y}; else {N}; fi"
    ),
    "a secret that must be gone": (
        f"if [ -f /app/.env ] && grep -q KEY /app/.env; then {N}; elif pytest /tests; then {Y}; else {N}; fi"
    ),
    "only in comments and texts": f"# {Y}\necho 'cp /app/score.txt {R}; cat /solution/x'\npytest /tests\n{ASKED}",
    "a solution that is removed": f"rm -rf /solution\n[ -d /solution ] && ls /solution\npytest /tests\n{ASKED}",
    "a here-document that decides": f"""python3 - <<'PY' && R=1 || R=0
assert open("/app/out.txt").read() == "42"
PY
echo $R > {R}""",
    "code that cannot be followed": f'eval "$CHECKS"\n{Y}',
    "functions from elsewhere": f"source /tests/lib.sh\nrun_checks || exit_with 0\n{Y}",
    "a file of words": f"R={R}\nset -u\nif /tests/check.sh; then printf '1\\n' >\"$R\"; else printf '0\\n' >\"$R\"; fi",
    "a folder with a name of chance": f'd=/tmp/$RANDOM\npython3 /tests/s.py > "$d/out"\ncat "$d/out" > {R}',
    "the time beside the score": (
        f'pytest /tests && s=1 || s=0\necho "{{\\"overall\\": $s, \\"timestamp\\": $(date +%s)}}" > {J}'
    ),
    "a machine that must not be reached": f"! curl -m 3 https://example.com\n{ASKED}",
    "git decides": f"cd /app && git diff --quiet HEAD~1\n{ASKED}",
    "a program that has to be there": f"which htop && {Y} || {N}",
    "the status of a branch": f"if curl -s http://127.0.0.1:8000/; then\n  true\nelse\n  false\nfi\n{ASKED}",
    "only on success, with git": f"set -e\ncd /app\ngit diff --quiet\n{Y}",
    "an until loop": (
        f"n=0\nuntil nc -z localhost 5432 || [ $n -ge 30 ]; do sleep 1; n=$((n+1)); done\npytest /tests\n{ASKED}"
    ),
}


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
    "errexit leaves the one that was written first": f"set -e\n{Y}\npytest /tests\ngrep -q done /app/log || {N}",
}


@pytest.mark.parametrize("name", OPEN)
def test_failures_that_earn_a_score(name: str) -> None:
    assert [(what, certain) for what, _, certain in signs(OPEN[name])] == [(FAILS_OPEN, True)]


OTHERS = {
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
