"""`gradewright init-harbor-task`: a native Harbor case of a skill, with image, instruction, grader and solution."""

from typing import Annotated

import typer

from gradewright.cli.scaffolding import (
    Answers,
    AsJson,
    DryRun,
    Language,
    LanguageOption,
    Mode,
    ModeOption,
    SkillDir,
    Template,
    carry_out,
    source_of,
)


def init_harbor_task(
    skill_dir: SkillDir,
    case_id: Annotated[str, typer.Option(metavar="ID", help="The case, and its folder in evals/harbor/.")] = "case-001",
    mode: ModeOption = Mode.CUSTOM_ONLY,
    language: LanguageOption = Language.PYTHON,
    with_config: Annotated[
        bool, typer.Option("--with-config", help="Set evals/config.yml so that native cases run.")
    ] = False,
    org: Annotated[str, typer.Option(metavar="NAME", help="The part before the slash in the task's name.")] = "",
    force: Annotated[bool, typer.Option("--force", help="Replace this case if it is there.")] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    template: Template = "",
    data: Answers = None,
) -> int:
    """Write evals/harbor/ID/ and list it in evals/harbor/dataset.toml.

    Exit codes: 0 done, 2 refused with nothing touched.
    """
    from gradewright.scaffold.harbor_task import Options, plan_harbor_task

    options = Options(
        case_id=case_id,
        mode=mode.value,
        language=language.value,
        with_config=with_config,
        org=org,
        force=force,
        source=source_of(template, data),
    )
    return carry_out(skill_dir, lambda: plan_harbor_task(skill_dir, options), dry_run=dry_run, as_json=as_json)
