"""`gradewright init-custom-grader`: a grader for a skill that fails closed until its checks are written."""

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


def init_custom_grader(
    skill_dir: SkillDir,
    language: LanguageOption = Language.PYTHON,
    mode: ModeOption = Mode.DEFAULT_PLUS_CUSTOM,
    metric: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A metric to report; repeat it for more.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the grader that is there.")] = False,
    no_config: Annotated[bool, typer.Option("--no-config", help="Leave evals/config.yml as it is.")] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    template: Template = "",
    data: Answers = None,
) -> int:
    """Write evals/grader.py or evals/grader.sh, with a dataset and a config where they are missing.

    Exit codes: 0 done, 2 refused with nothing touched.
    """
    from gradewright.scaffold.custom_grader import Options, plan_custom_grader

    options = Options(
        language=language.value,
        mode=mode.value,
        metrics=tuple(metric or ()),
        force=force,
        with_config=not no_config,
        source=source_of(template, data),
    )
    return carry_out(skill_dir, lambda: plan_custom_grader(skill_dir, options), dry_run=dry_run, as_json=as_json)
