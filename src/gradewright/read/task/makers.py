"""Signs of scripts that the rest of their task explains: who makes the file that is read, where the agent works."""

import posixpath
import re

from gradewright.contract import SOLUTION_DIR
from gradewright.model import AGENT_SCORE, READS_SOLUTION, Grader, Sign, Task

SOLUTION_NAMED = re.compile(re.escape(SOLUTION_DIR) + r"(?![\w-])")


def with_known_makers(task: Task) -> Task:
    """The task without signs of numbers that its own scripts have made, and of a `/solution` that is the agent's."""
    all_scripts = list(task.scripts)
    if not any(sign.what in (AGENT_SCORE, READS_SOLUTION) for script in all_scripts for sign in script.signs):
        return task
    agents = any(SOLUTION_NAMED.search(text or "") for _, text in task.instructions)

    def kept(script: Grader) -> Grader:
        signs = tuple(sign for sign in script.signs if not _is_explained(sign, script, all_scripts, agents))
        return script if len(signs) == len(script.signs) else script._replace(signs=signs)

    return task._replace(
        grader=task.grader and kept(task.grader),
        test_script=task.test_script and kept(task.test_script),
        helpers=tuple(kept(script) for script in task.helpers),
        steps=tuple(step._replace(scripts=tuple(kept(script) for script in step.scripts)) for step in task.steps),
    )


def _is_explained(sign: Sign, script: Grader, scripts: list[Grader], agents: bool) -> bool:
    if sign.what == READS_SOLUTION:
        return agents
    return sign.what == AGENT_SCORE and any(_makes(other, sign.detail) for other in scripts if other is not script)


def _makes(other: Grader, path: str) -> bool:
    """Whether a script names or writes a file, or writes one that is not known."""
    name = posixpath.basename(path)
    if any(name in word for run in other.runs for word in run.words if word):
        return True
    if other.role == "helper" and other.started and any(write.path is None for write in other.writes):
        return True
    return any(write.path is not None and posixpath.basename(write.path) == name for write in other.writes)
