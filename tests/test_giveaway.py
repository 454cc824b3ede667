"""What counts as an answer that is given away, and which commands fetch something."""

import shlex
import time

import pytest

from gradewright.finding import Location
from gradewright.model import Run
from gradewright.model.giveaway import given_away, line_of, plain, says_something
from gradewright.model.install import Download, download


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("The total of the amounts is 1482.75.", "Sum them. The total of the amounts is 1482.75 and no more."),
        ("Paris is the capital of France.", "Which one? Remember: paris is the **capital** of\nFrance."),
        ("\u201cThe clerk\u2019s letter went to Antwerp\u201d", "You know that the clerk's letter went to Antwerp."),
        ("48210.50", "Compute it (the answer is 48210.50)."),
        ("48,211 rows", "Hint: 48,211 rows"),
        ("9f86d081884c", "The correct value is 9f86d081884c."),
        ("total is 1482.75", "As we know, the total is 1482.75."),
    ],
)
def test_given_away(answer: str, text: str) -> None:
    assert given_away(answer, plain(text))


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("yes", "The answer is yes."),
        ("4", "The answer is 4."),
        ("2024", "The answer is 2024."),
        ("output.json", "The answer is output.json."),
        ("The report is saved as out/report.md", "Take care that the report is saved as out/report.md"),
        ("A JSON list with one object for each row", "Make it a JSON list with one object for each row."),
        ("48210.50", "Invoice 17, total 48210.50 EUR: extract the total."),
        ("48210", "The answer is 48210.50."),
        ("8211", "The answer is 48,8211."),
        ("welcome to our little harbour", "Write `welcome to our little harbour` into a.txt."),
        ("welcome to our little harbour", "The file contains the text: welcome to our little harbour"),
        ("welcome to our little harbour", "A greeting, for example welcome to our little harbour."),
        ("port 8080", "Listen on port 8080."),
        ("", "The answer is ."),
        (None, "The answer is null."),
        (["a"], "a"),
    ],
)
def test_not_given_away(answer: object, text: str) -> None:
    assert not given_away(answer, plain(text))


def test_the_line_of_a_passage() -> None:
    text = "# Title\n\nFind it.\nThe **clerk's** letter went\nto Antwerp."
    passage = given_away("The clerk's letter went to Antwerp", plain(text))
    assert line_of(passage, text) == 4
    assert line_of("never there at all", text) == 1


def test_large_texts_take_no_time() -> None:
    answer = "the clerk took the letter " * 70
    text = plain("the clerk took the letter " * 40_000 + "the answer is " * 1000)
    start = time.process_time()
    assert says_something(answer)
    for _ in range(100):
        given_away(answer, text)
    assert time.process_time() - start < 1


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("pip install -q pytest rich==14", Download("pip install", ("pytest",))),
        ("/usr/bin/python3.12 -m pip install 'a>=1' 'b~=2.0' c@1", Download("pip install", ("a>=1",))),
        ("pip install -r list.txt a", Download("pip install")),
        ("pip install -e .", None),
        ("pip install --no-index a", None),
        ("pip list", None),
        ("uvx -p 3.13 -w pytest==8.4.1 pytest /tests", Download("uvx")),
        ("uvx --with a,b==1 pytest", Download("uvx", ("a", "pytest"))),
        ("uvx --from tool==1 run", Download("uvx")),
        ("uv tool run ruff check x", Download("uvx", ("ruff",))),
        ("uv tool install ruff", Download("uv tool install", ("ruff",))),
        ("uv pip install --system a", Download("uv pip install", ("a",))),
        ("uv add a", Download("uv add", ("a",))),
        ("uv init", None),
        ("npm ci", Download("npm ci")),
        ("npm install", None),
        ("npm i -g a @o/b @o/c@2 d@latest ./e", Download("npm i", ("a", "@o/b", "d@latest"))),
        ("apt-get -qq -o A=B install -y curl", Download("apt-get install")),
        ("apt-get update", None),
        ("go install a.b/c@latest", Download("go install", ("a.b/c@latest",))),
        ("cargo install --version 1 a", Download("cargo install")),
        ("curl -fsS https://example.com/x", Download("curl")),
        ("curl http://localhost:80 http://db:1/x http://127.0.0.1", None),
        ("wget http://user@example.com", Download("wget")),
        ("git clone git@example.com:a/b", Download("git clone")),
        ("git clone /srv/a", None),
        ("git pull https://example.com/a", None),
        ("pytest", None),
    ],
)
def test_downloads(command: str, found: Download | None) -> None:
    assert download(Run(tuple(shlex.split(command)), Location("x"))) == found


def test_unknown_words_prove_nothing() -> None:
    for words in ((), (None,), ("pip", None, "a"), ("curl", None), ("uvx", "--with", None), ("git", "clone", None)):
        assert download(Run(words, Location("x"))) is None
    assert download(Run(("pip", "install", None, "a"), Location("x"))) == Download("pip install", ("a",))
