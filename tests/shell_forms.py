"""Sound test scripts in the styles that are frequent in the field, and the parts that tests make others of."""

R = "/logs/verifier/reward.txt"
J = "/logs/verifier/reward.json"
Y = f"echo 1 > {R}"
N = f"echo 0 > {R}"
ASKED = f"if [ $? -eq 0 ]; then\n  {Y}\nelse\n  {N}\nfi"


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
    "a background job": f"pytest /tests & pid=$!\nwait $pid\n{ASKED}",
    "a status from a file": f'( pytest /tests; echo $? > /tmp/rc )\n[ "$(cat /tmp/rc)" = 0 ] && {Y} || {N}',
    "a status that is printed": f"rc=$(pytest /tests > /dev/null; echo $?)\nif [ $rc -eq 0 ]; then {Y}; else {N}; fi",
    "a sum that counts up": (
        f"n=0\n/tests/a.sh && : $((n++))\n/tests/b.sh && let n+=1\nif [ $n -eq 2 ]; then {Y}; else {N}; fi"
    ),
    "more than one line": f"echo 0 > {R}\npytest /tests && sed -i s/0/1/ {R}",
    "one of two, by a pattern": f"case $(cat /app/a) in\n  yes) s=1 ;;\n  *) s=0 ;;\nesac\necho $s > {R}",
    "a program in a variable": f"ok=true\ncmp -s /app/a /tests/a || ok=false\nif $ok; then {Y}; else {N}; fi",
    "a failure list": (
        "FAILED=''\ncheck() { cmp -s /app/$1 /tests/$1 || FAILED+=\" $1\"; }\nfor f in a b c; do check $f; done\n"
        f'if [ -z "$FAILED" ]; then {Y}; else {N}; fi'
    ),
    "an array of results": (
        'PASSED=0\nTESTS=(one two)\nfor t in "${TESTS[@]}"; do\n  if /tests/$t.sh; then ((PASSED++)); fi\ndone\n'
        f"if [ $PASSED -eq ${{#TESTS[@]}} ]; then {Y}; else {N}; fi"
    ),
    "chance as input of a test": f'n=$RANDOM\nout=$(/app/prog $n)\n[ "$out" = "$((n*2))" ] && {Y} || {N}',
    "a name of chance that is looked for": (
        f"id=$(head -c 8 /dev/urandom | xxd -p)\n/app/add $id\n/app/list > /tmp/o\ngrep -q $id /tmp/o && {Y} || {N}"
    ),
    "a deadline": (
        "end=$(( $(date +%s) + 30 ))\nwhile [ $(date +%s) -lt $end ]; do nc -z localhost 80 && break; sleep 1; done\n"
        f"pytest /tests\n{ASKED}"
    ),
    "a date in the name of a log": f'pytest /tests > "/tmp/log-$(date +%F)"\n{ASKED}',
    "a server that has to go on": f"timeout 5 /app/server\nif [ $? -eq 124 ]; then {Y}; else {N}; fi",
    "cut off is failed": (
        f"timeout 9 pytest /tests; rc=$?\nif [ $rc -eq 124 ]; then {N}; exit; fi\n[ $rc -eq 0 ] && {Y} || {N}"
    ),
    "a program that is not installed": (
        f"if ! command -v jq; then {N}; exit 0; fi\njq -e .a /app/o.json && {Y} || {N}"
    ),
    "the last line of what is said": f"S=$(python3 /tests/c.py 2>&1 | tail -n 1)\necho $S > {R}",
    "errors in a log": f'OUT=$(pytest /tests 2>&1)\nrc=$?\necho "$OUT"\n[ $rc -eq 0 ] && {Y} || {N}',
    "Python on the spot that decides": (
        f"python3 - <<'PY'\nok = open('/app/o').read() == 'x'\nopen('{R}', 'w').write('1' if ok else '0')\nPY"
    ),
    "Python on the spot in both branches": (
        f"if cmp /app/a /tests/a; then python3 -c \"open('{R}', 'w').write('1')\"; "
        f"else python3 -c \"open('{R}', 'w').write('0')\"; fi"
    ),
    "Python on the spot that begins with nothing": (
        f"python3 -c \"open('{R}', 'w').write('0')\"\npytest /tests && {Y}"
    ),
    "an until loop": (
        f"n=0\nuntil nc -z localhost 5432 || [ $n -ge 30 ]; do sleep 1; n=$((n+1)); done\npytest /tests\n{ASKED}"
    ),
}
