"""What both scaffolding commands share: options, the lock, writing, and the account of what was done."""

import json
import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from gradewright.cli.output import fail
from gradewright.failure import say

if TYPE_CHECKING:
    from gradewright.scaffold import Plan, Source


class Mode(StrEnum):
    """What the grader's score counts for."""

    DEFAULT_PLUS_CUSTOM = "default_plus_custom"
    CUSTOM_ONLY = "custom_only"


class Language(StrEnum):
    """What the grader is written in."""

    PYTHON = "python"
    SHELL = "shell"


SkillDir = Annotated[str, typer.Argument(metavar="SKILL_DIR", help="The folder of the skill, with its SKILL.md.")]
LanguageOption = Annotated[Language, typer.Option(help="What the grader is written in.")]
ModeOption = Annotated[Mode, typer.Option(help="What the grader's score counts for.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the changes as a diff and make none.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the account as JSON.")]
Template = Annotated[str, typer.Option(metavar="PATH_OR_GIT_URL", help="A copier template of your own.")]
Answers = Annotated[
    list[str] | None, typer.Option("--data", metavar="NAME=VALUE", help="An answer to a question of --template.")
]


def source_of(template: str, answers: Sequence[str] | None) -> "Source":
    """The template to use; its questions are asked on a terminal, elsewhere their defaults are taken."""
    from gradewright.scaffold import Source

    pairs = [answer.partition("=") for answer in answers or ()]
    for name, equals, _ in pairs:
        if not name or not equals or not template:
            raise typer.BadParameter("give NAME=VALUE, together with --template", param_hint="--data")
    return Source(template, {name: value for name, _, value in pairs}, sys.stdin.isatty() and sys.stdout.isatty())


def carry_out(skill_dir: str, make_plan: Callable[[], "Plan"], *, dry_run: bool, as_json: bool) -> int:
    """Plan and publish under the skill's lock, or only show what would be done; 2 if that is refused."""
    from gradewright.scaffold import RefusedError
    from gradewright.scaffold.template import load
    from gradewright.write import WriteError

    try:
        if dry_run:
            from gradewright.write.diff import unified

            plan = make_plan()
            return _show(plan, unified(plan.root, plan.changes), as_json=as_json)
        load()
        return _show(_publish(skill_dir, make_plan), None, as_json=as_json)
    except (RefusedError, WriteError) as error:
        return fail(error.message, error.hint)


def _publish(skill_dir: str, make_plan: Callable[[], "Plan"]) -> "Plan":
    from gradewright.scaffold.skill import refuse_no_skill
    from gradewright.write.lock import lock
    from gradewright.write.transaction import publish, recover

    root = refuse_no_skill(skill_dir)
    with lock(root):
        left_alone = recover(root)
        plan = make_plan()
        publish(plan.root, plan.changes)
    return plan._replace(notes=(*plan.notes, *left_alone))


def _show(plan: "Plan", diff: str | None, *, as_json: bool) -> int:
    from gradewright.visible import visible

    groups = {"created": plan.created, "changed": plan.changed, "removed": plan.removed, "kept": list(plan.kept)}
    if as_json:
        account = {"version": 1, **groups, "notes": list(plan.notes), "next": list(plan.next)}
        say(json.dumps(account if diff is None else {**account, "diff": diff}, indent=2) + "\n")
        return 0
    lines = [f"{group:8} {path}" for group, paths in groups.items() for path in paths]
    lines += [f"note     {note}" for note in plan.notes]
    lines += [f"next     {command}" for command in plan.next]
    say("".join(f"{visible(line)}\n" for line in lines) if diff is None else diff)
    return 0
