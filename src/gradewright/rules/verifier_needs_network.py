"""The verifier downloads something although it has no network.

## Why is this bad?
With `network_mode = "no-network"` (or the older `allow_internet = false`) nothing can be fetched when the test script
runs. What it installs is missing unless the image has it already; the usual result is that every agent gets 0.

Harbor takes the setting of a step's `[verifier]`, then of the task's `[verifier]`, then of the environment that the
verifier runs in: its own where it has one, else that of the agent.

## How to fix it
Install the dependencies in the image, or give the verifier its network back: `network_mode = "public"` in `[verifier]`.

## When to ignore it
When the image, or a cache in it, already holds what is installed here.

## Example
```toml
[environment]
network_mode = "no-network"
```
```bash
curl -LsSf https://astral.sh/uv/install.sh | sh
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Location, Rule, Severity
from gradewright.model import SHELL, Grader, Run, Task, quoted
from gradewright.model.install import download

RULE = Rule("TK210", "verifier-needs-network", Severity.WARNING, Task)
PROBES = ("curl", "wget", "git")
OTHER_SOURCES = ("OFFLINE", "NO_INDEX", "FIND_LINKS", "INDEX_URL", "PROXY", "REGISTRY", "GOFLAGS")
"""Parts of the names of variables that let installers do without the public index."""


def check(task: Task) -> Iterator[Finding]:
    own = (task.test_script, task.grader, *task.helpers)
    yield from _judged(task, [script for script in own if script], task.offline)
    for step in task.steps:
        yield from _judged(task, list(step.scripts), step.offline)


def _judged(task: Task, scripts: list[Grader], offline: Location | None) -> Iterator[Finding]:
    scripts = [script for script in scripts if script.started]
    if offline is None or _has_other_sources(task, scripts):
        return
    for script in scripts:
        runs = [(run, found) for run in script.runs if _is_needed(run) and (found := download(run))]
        if runs and script.language == SHELL:
            more = f" (and {len(runs) - 1} more)" if len(runs) > 1 else ""
            yield RULE.at(
                runs[0][0],
                f"{quoted(runs[0][1].shown)}{more} needs the network, which is off for the verifier",
                hint='install it in the image, or set `network_mode = "public"` in `[verifier]`',
                related=[offline],
            )


def _is_needed(run: Run) -> bool:
    """Whether the script counts on the command. A request in a condition may be there to see that it fails."""
    program = (run.words[0] or "").rpartition("/")[2] if run.words else ""
    return not run.optional and not (run.asked and program in PROBES)


def _has_other_sources(task: Task, scripts: list[Grader]) -> bool:
    names = [*task.table("environment", "env"), *task.table("verifier", "env")]
    names += [word or "" for run in _runs(scripts) for word in (*run.environment, *_exported(run))]
    return any(part in name.upper() for name in names for part in OTHER_SOURCES)


def _runs(scripts: list[Grader]) -> Iterator[Run]:
    return (run for script in scripts for run in script.runs)


def _exported(run: Run) -> tuple[str | None, ...]:
    return run.words[1:] if run.words[:1] == ("export",) else ()
