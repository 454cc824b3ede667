"""What other programs answer is not known before the run: a script that asks them is not accused."""

import pytest
from shell_forms import N, Y
from test_shell_honesty import signs

SOUND = {
    "the number of commits": "git rev-list --count main",
    "the branch": "git -C /app branch --show-current",
    "the state of the tree": "git status --porcelain",
    "the version of a package": "pip show demo | sed -n 's/^Version: //p'",
    "a package": "pip show demo",
    "the state of a service": "systemctl is-active nginx",
    "a service in the old way": "service nginx status",
    "a setting of the kernel": "sysctl -n vm.swappiness",
    "a fingerprint": "ssh-keygen -lf /app/key.pub",
    "the mask": "umask",
    "a system package": "dpkg -l htop",
}


@pytest.mark.parametrize("name", SOUND)
def test_an_answer_is_compared(name: str) -> None:
    assert signs(f'if [ "$({SOUND[name]})" = "7" ]; then {Y}; else {N}; fi') == []


@pytest.mark.parametrize("name", SOUND)
def test_an_answer_counts(name: str) -> None:
    counted = f'n=0\nif [ "$({SOUND[name]})" = "7" ]; then n=$((n+1)); fi\ncmp -s /app/a /tests/a && n=$((n+1))'
    assert signs(f'{counted}\nif [ "$n" -eq 2 ]; then {Y}; else {N}; fi') == []


HANDED_ON = {
    "Ruby on the spot": """ruby -rjson -e 'puts JSON.parse(File.read("/logs/verifier/r.json"))["x"]'""",
    "Node on the spot": """node -e 'console.log(require("fs").readFileSync("/app/x", "utf8") == "3" ? 1 : 0)'""",
    "Perl on every line": """perl -ne 'print 1 if /a.b/' /app/x""",
    "a module of Python": "python3 -m json.tool /tests/x",
    "a class of Java": "java -cp /tests/lib.jar Main.Class",
    "a script that was copied": "cp /tests/score.py /app/ && python3 score.py",
    "a script that was copied under another name": "cp /tests/score.py /app/s.py; python3 /app/s.py",
    "a script written on the spot": "cat > score.py <<'PY'\nprint(len(open('o').read()))\nPY\npython3 score.py",
    "a folder that was copied": "cp -r /tests/. /app/; python3 score.py",
}


@pytest.mark.parametrize("name", HANDED_ON)
def test_code_on_the_spot_is_no_program_of_the_agents(name: str) -> None:
    assert signs(f"cd /app\n{HANDED_ON[name]} > /logs/verifier/reward.txt") == []


def test_a_pipeline_may_keep_what_its_last_command_sets() -> None:
    loop = "sort /tests/names | while read -r f; do cmp -s /app/$f /tests/$f || ok=0; done"
    assert signs(f"shopt -s lastpipe\nok=1\n{loop}\nif [ $ok -eq 1 ]; then {Y}; else {N}; fi") == []
