"""The project's gates. `nox` runs them all, the fast ones first; `nox -s NAME` runs one."""

import os
import shutil

import nox

nox.needs_version = ">=2024.10.9"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.reuse_venv = "yes"
nox.options.error_on_missing_interpreters = False
nox.options.download_python = "never"
nox.options.sessions = ["lint", "types", "tests", "docs", "wheel", "precommit", "sandbox", "browser", "harbor"]

PROJECT = nox.project.load_toml("pyproject.toml")
OWN_SESSION = "docs or wheel or precommit or sandbox or container or browser or harbor"


def install(session: nox.Session, *groups: str, project: str = "-e.") -> None:
    """Install dependency groups of pyproject.toml, and the project itself unless `project` is empty."""
    requirements = nox.project.dependency_groups(PROJECT, *groups)
    session.install(*requirements, *([project] if project else []))


def marked(session: nox.Session, marker: str) -> None:
    """Run the tests that only this session has the tools for; none of them may be skipped here."""
    session.run("pytest", "-m", marker, *session.posargs, env={"GRADEWRIGHT_NO_SKIPS": "1"})


def needs(session: nox.Session, program: str) -> None:
    """Skip the session where a program of the system is not installed; where everything has to run, fail instead."""
    if not shutil.which(program) and not os.environ.get("CI"):
        session.skip(f"`{program}` is not installed")


@nox.session
def lint(session: nox.Session) -> None:
    """Style and format."""
    install(session, "lint", project="")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """Types, strictly."""
    install(session, "types")
    session.run("mypy")


@nox.session(python=["3.13", "3.12"])
def tests(session: nox.Session) -> None:
    """The tests that need nothing but the project, with every Python that is found."""
    install(session, "test")
    coverage = ["--cov", "--cov-report=term:skip-covered"] if session.python == "3.13" else []
    session.run("pytest", "-n", "auto", "-m", f"not ({OWN_SESSION})", *coverage, *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """The tutorial word for word, every link, and the schemas in the tools of editors."""
    install(session, "test", "editors")
    marked(session, "docs")


@nox.session
def wheel(session: nox.Session) -> None:
    """The built wheel, alone in an empty environment."""
    install(session, "test", "wheel")
    marked(session, "wheel")


@nox.session
def precommit(session: nox.Session) -> None:
    """The hook, run by pre-commit in a scratch repository."""
    install(session, "test", "precommit")
    marked(session, "precommit")


@nox.session
def sandbox(session: nox.Session) -> None:
    """Scripts that try to break out or to use up the machine."""
    needs(session, "bwrap")
    install(session, "test")
    marked(session, "sandbox")


@nox.session
def container(session: nox.Session) -> None:
    """Scripts in containers; asked for by name where docker or podman and the image `python:3.12-slim` are there."""
    install(session, "test")
    marked(session, "container")


@nox.session
def browser(session: nox.Session) -> None:
    """The page for people, with hostile texts in it, in a real browser."""
    needs(session, "chromium")
    install(session, "test")
    marked(session, "browser")


@nox.session
def harbor(session: nox.Session) -> None:
    """What has to agree with Harbor itself."""
    install(session, "test", project="-e.[harbor]")
    marked(session, "harbor")
