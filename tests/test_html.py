"""The page for people: nothing in it is fetched or run, and texts of others stay texts."""

import os
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
import trials

from gradewright.model import Proof, Report
from gradewright.prove.judge import judged
from gradewright.prove.session import Proven
from gradewright.render.html import render
from gradewright.settings import Settings

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
OWNED = "document.title='owned'"
HOSTILE = (
    f"</span></pre><script>{OWNED}</script><img src=x onerror={OWNED}>\"' onmouseover={OWNED} `{{{{ 7*7 }}}}` \x1b[31m"
)


def hostile(folder: Path) -> Report:
    """A report in which every text of others tries to break out."""
    for name in ("good", "bad"):
        (folder / name).mkdir(parents=True)
        (folder / name / "reward.json").write_text('{"overall": 1, "custom_metrics": {"rows": 1}}')
    proof = trials.proof(folder)
    good, bad = proof.trial("good"), proof.trial("bad")
    assert good and bad
    reward = good.reward._replace(metrics={HOSTILE: 1.0}, details={HOSTILE: {"reason": HOSTILE}})
    good = good._replace(
        sample=good.sample._replace(name=HOSTILE),
        reward=reward,
        replay=HOSTILE,
        outcome=good.outcome._replace(stderr=HOSTILE),
    )
    proof = proof._replace(case=HOSTILE, trials=(good, bad), unmeasured=(HOSTILE,), at=proof.at._replace(path=HOSTILE))
    return judged([Proven(with_probes(proof), ())], Settings())


def with_probes(proof: Proof) -> Proof:
    from gradewright.model import KINDS, Probe

    diff = f"--- a\n+++ b\n-{HOSTILE}\n+{HOSTILE}\n"
    origin = proof.trials[0]
    lost = origin._replace(reward=origin.reward._replace(overall=None, state=proof.trials[0].reward.state))
    probes = [Probe(kind, HOSTILE, HOSTILE, origin, origin, diff=diff) for kind in KINDS]
    return proof._replace(probes=(*probes, Probe("stress", "x", HOSTILE, origin, lost, passes=False)))


class Elements(HTMLParser):
    """The elements of a page with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_texts_of_others_stay_texts(tmp_path: Path) -> None:
    page = render(hostile(tmp_path))
    elements = Elements(page).found
    assert not {"script", "img", "link", "iframe", "object", "embed", "base", "form"} & {tag for tag, _ in elements}
    assert not [name for _, attributes in elements for name in attributes if name.startswith("on")]
    assert "{{ 7*7 }}" in page
    assert "\x1b" not in page
    assert page.isascii()


def test_nothing_is_fetched(tmp_path: Path) -> None:
    page = render(hostile(tmp_path))
    for _, attributes in Elements(page).found:
        assert "src" not in attributes
        for address in filter(None, [attributes.get("href")]):
            assert address.startswith(("#", "https://gradewright.readthedocs.io/")), address
    assert not re.search(r"url\(|@import", page)


def test_every_outcome_has_a_word(tmp_path: Path) -> None:
    """Colour alone tells nothing."""
    for name, value in (("good", 1), ("good-too", 0), ("bad", 0), ("nop", 0)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "reward.json").write_text(f'{{"overall": {value}}}')
    (tmp_path / "odd").mkdir()
    page = render(trials_report(tmp_path))
    for text in ("&#10003; pass", "&#10007; fail", "&#10003; fail", "no reward", "must pass", "no verdict recorded"):
        assert text in page


def trials_report(folder: Path) -> Report:
    return judged([Proven(trials.proof(folder), ())], Settings())


def test_the_same_report_gives_the_same_page(tmp_path: Path) -> None:
    report = hostile(tmp_path)
    assert render(report) == render(report)


def test_a_report_without_proofs(tmp_path: Path) -> None:
    assert "None." in render(Report(()))


@pytest.mark.browser
@pytest.mark.skipif(not CHROMIUM, reason="chromium is not installed")
@pytest.mark.parametrize("width", [400, 1400])
def test_a_browser_runs_nothing_of_it(tmp_path: Path, width: int) -> None:
    page = tmp_path / "page.html"
    page.write_text(render(hostile(tmp_path / "trials")))
    assert CHROMIUM
    shown = subprocess.run(
        [
            CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            f"--user-data-dir={tmp_path / 'profile'}", f"--window-size={width},1000", "--virtual-time-budget=2000",
            "--dump-dom", page.as_uri(),
        ],
        capture_output=True, text=True, timeout=90, check=True, env={**os.environ, "HOME": str(tmp_path)},
    )  # fmt: skip
    assert "<title>Grader proof</title>" in shown.stdout
    assert not {"script", "img"} & {tag for tag, _ in Elements(shown.stdout).found}
