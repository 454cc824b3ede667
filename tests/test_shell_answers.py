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
