"""Credentials in scripts: every form, built at run time so that this repository holds none; look-alikes stay silent."""

import random
import string
from pathlib import Path

import pytest

from gradewright.check import check_paths
from gradewright.cli.validate import Format
from gradewright.read.credentials import credential_signs
from gradewright.render import PLAIN, render
from gradewright.settings import Settings

CHANCE = random.Random(7)
LETTERS = string.ascii_letters + string.digits


def text(length: int, alphabet: str = LETTERS) -> str:
    """Letters that nobody chose; the first ones make sure that there are digits among them."""
    return "q7Z3"[: min(length, 4) if alphabet == LETTERS else 0] + "".join(
        CHANCE.choice(alphabet) for _ in range(length - (4 if alphabet == LETTERS else 0))
    )


HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + "234567"
FORMS = {
    "an API key": ["sk-" + text(48), "sk-ant-api03-" + text(80), "sk-proj-" + text(60), "sk_live_" + text(24)],
    "a GitHub token": ["ghp_" + text(36), "ghs_" + text(36), "github_pat_" + text(70)],
    "a GitLab token": ["glpat-" + text(20)],
    "an AWS access key": ["AKIA" + text(16, UPPER), "ASIA" + text(16, UPPER)],
    "a Google API key": ["AIza" + text(35)],
    "a Slack token": ["xoxb-" + text(12, string.digits) + "-" + text(24)],
    "a Slack webhook": ["https://hooks.slack.com/services/T" + text(9) + "/B" + text(9) + "/" + text(24)],
    "a Hugging Face token": ["hf_" + text(34)],
    "an npm token": ["npm_" + text(36)],
    "a PyPI token": ["pypi-AgE" + text(90)],
    "a SendGrid key": ["SG." + text(22) + "." + text(43)],
    "a JSON web token": ["eyJ" + text(30) + ".eyJ" + text(60) + "." + text(43)],
    "a private key": ["-----BEGIN PRIVATE KEY-----\\n" + text(64), "-----BEGIN EC PRIVATE KEY-----\n" + text(64)],
}
CASES = [(kind, value) for kind, values in FORMS.items() for value in values]


@pytest.mark.parametrize(("kind", "value"), CASES, ids=lambda part: part[:24])
@pytest.mark.parametrize("form", ['KEY = "{}"', "# {}", "call('{}')", "export KEY={}", "f(\n    {{'a': '{}'}}\n)"])
def test_forms(kind: str, value: str, form: str) -> None:
    for language in ("python", "shell"):
        [sign] = credential_signs("# two\n" + form.format(value), "p", language)
        assert (sign.detail, sign.at.path) == (kind, "p")
        assert sign.at.line >= 2


@pytest.mark.parametrize(
    "line",
    [
        'api_key = "{}"', "apiKey='{}'", 'os.environ["A_API_KEY"] = "{}"', 'os.environ.setdefault("A_TOKEN_API", "{}")',
        'client = Client(model="m", api_key="{}")', 'self.client_secret: str = "{}"', 'password = "{}"',
        '{{"access_token": "{}"}}', 'h = {{"Authorization": "Bearer {}"}}', "h = {{'X-Api-Key': '{}'}}",
        'h["Authorization"] = f"Bearer {}"', "OPENAI_KEY = '{}'", 'DB_PASSWORD="{}"',
    ],
)  # fmt: skip
def test_values_of_names(line: str) -> None:
    assert len(credential_signs(line.format(text(32)), "p", "python")) == 1


@pytest.mark.parametrize(
    "line", ["TOKEN={}", "export A_API_KEY={} B=c", "TOKEN={} run", "curl -H 'X-Auth-Token: {}' x"]
)
def test_values_of_names_in_a_shell(line: str) -> None:
    assert len(credential_signs(line.format(text(32)), "p", "shell")) == 1


@pytest.mark.parametrize(
    "line",
    [
        'expected_token = "{}"', 'assert token == "{}"', 'token != "{}"', 'secret_hash = "{}"', 'api_key_id = "{}"',
        'compare(api_key, "{}")', 'public_key = "{}"', 'data = "{}"', 'primary_key = "{}"', 'flag_secret = "{}"',
        'tokens = ["{}"]', 'api_key = "test-{}"', 'api_key = "your-{}"', 'url = "https://x.org/{}"', 'key = "{}"',
        'api_key = "${{{}}}"', 'api_key = "<{}>"', 'api_key = "{} or so"',
    ],
)  # fmt: skip
def test_look_alikes(line: str) -> None:
    assert credential_signs(line.format(text(32)), "p", "python") == ()


@pytest.mark.parametrize("name", ["token", "secret", "password"])
@pytest.mark.parametrize("value", [text(32, HEX), text(64, HEX), "123e4567-e89b-42d3-a456-426614174000", "run-2024-06"])
def test_digests_and_ids_of_plain_names(name: str, value: str) -> None:
    assert credential_signs(f'{name} = "{value}"', "p", "python") == ()


def test_no_more_than_twenty_are_listed() -> None:
    assert len(credential_signs("\n".join(f'api_key = "{text(32)}"' for _ in range(500)), "p", "python")) == 20


def test_the_value_is_in_no_report(tmp_path: Path) -> None:
    """Not in any format, and not for a form that only a longer look tells from words."""
    values = [value for _, value in CASES] + [text(32)]
    grader = tmp_path / "skill" / "evals" / "grader.py"
    grader.parent.mkdir(parents=True)
    grader.write_text("".join(f"api_key = {value!r}\n" for value in values), encoding="utf-8")
    report = check_paths([str(tmp_path / "skill")], Settings(harbor_contract=True))
    assert any(finding.rule.name == "hard-coded-secret" for finding in report.findings)
    formats = [form.value for form in Format]
    assert "sarif" in formats
    for shown in [str(report), *(render(report, form, PLAIN._replace(statistics=True)) for form in formats)]:
        assert not [value for value in values if value[8:24] in shown]
