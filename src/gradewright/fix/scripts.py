"""Changes of scripts. Whether one was right is decided by reading the facts of the changed script."""

import os
import re

from gradewright.contract import REWARD_FILES
from gradewright.finding import EndLines, FirstLine, RedirectReward, RenameMetric, RenewContract
from gradewright.fix import python_names, shell_names
from gradewright.fix.python_names import Names
from gradewright.model import PYTHON, Grader
from gradewright.read.contract_block import contract_span
from gradewright.read.files import Text, read_text
from gradewright.read.grader import facts_of, language_of
from gradewright.read.shell.facts import harmful_returns
from gradewright.read.shipped import current_contract
from gradewright.write.splice.text import SpliceError, newline_of


def end_lines(_: EndLines, text: str) -> str:
    """Without the carriage returns of CRLF; in a script that has LF too, those inside of data and texts are left."""
    if text.count("\n") <= 1 and text.count("\r") > text.count("\r\n"):
        return text.replace("\r\n", "\n").replace("\r", "\n")  # an old Mac's
    if text.count("\n") == text.count("\r\n"):
        return text.replace("\r\n", "\n")
    lines = text.split("\n")
    for number in {1, *harmful_returns(text)}:
        lines[number - 1] = lines[number - 1].removesuffix("\r")
    return "\n".join(lines)


def first_line(remedy: FirstLine, text: str) -> str:
    """With the interpreter's line in front of all others."""
    return text if text.startswith("#!") else remedy.text + newline_of(text) + text


def rename_metric(remedy: RenameMetric, text: str) -> str:
    """With the new name in every place that names the metric."""
    before = _facts(remedy.at.path, text)
    if all(metric.name != remedy.name for metric in before.metrics):
        raise SpliceError(f"no metric `{remedy.name}` is named in the file itself")
    if any(metric.name == remedy.to for metric in before.metrics):
        raise SpliceError(f"there is a metric `{remedy.to}` already")
    _refuse_others(remedy)
    names = Names(remedy.name, remedy.to, frozenset(metric.name for metric in before.metrics), _places(before, remedy))
    rename = python_names.renamed if before.language == PYTHON else shell_names.renamed
    result = rename(text, names)
    after = _facts(remedy.at.path, result)
    wanted = {(remedy.to if metric.name == remedy.name else metric.name, metric.nested) for metric in before.metrics}
    if {(metric.name, metric.nested) for metric in after.metrics} != wanted or not _alike(before, after):
        raise SpliceError(f"not every place that names `{remedy.name}` can be told")
    return result


def redirect_reward(remedy: RedirectReward, text: str) -> str:
    """With the new path in the one place that names the old one."""
    before = _facts(remedy.at.path, text)
    redirect = python_names.redirected if before.language == PYTHON else shell_names.redirected
    result = redirect(text, remedy.path, remedy.to)
    after = _facts(remedy.at.path, result)
    wanted = [remedy.to if write.path == remedy.path else write.path for write in before.writes]
    if [write.path for write in after.writes] != wanted or remedy.to not in REWARD_FILES:
        raise SpliceError(f"the place that names `{remedy.path}` cannot be told")
    return result


def renew_contract(remedy: RenewContract, text: str) -> str:
    """With the block that our scaffold writes today; what is around it, the checks, stays as it is."""
    span = contract_span(text)
    if span is None:
        raise SpliceError("there is no contract block with both its marks")
    block = current_contract(language_of(Text(remedy.at.path, text, b"")))
    return text[: span[0]] + block.replace("\n", newline_of(text)) + text[span[1] :]


def _facts(path: str, text: str) -> Grader:
    return facts_of(Text(path, text, text.encode()), role="grader", native=True)


def _places(grader: Grader, remedy: RenameMetric) -> frozenset[tuple[int, int]]:
    return frozenset((one.at.line, one.at.column) for one in grader.metrics if one.name == remedy.name)


def _refuse_others(remedy: RenameMetric) -> None:
    """Raise SpliceError if a script beside this one names the metric as well: it may read what this one writes."""
    folder, own = os.path.split(remedy.at.path)
    try:
        names = sorted(os.listdir(folder or "."))
    except OSError as error:
        raise SpliceError("the scripts beside it cannot be listed") from error
    for name in names:
        if name != own and name.endswith((".py", ".sh", ".bash")):
            text = read_text(os.path.join(folder, name), "script")
            if isinstance(text, Text) and re.search(rf"(?<![\w-]){re.escape(remedy.name)}(?![\w-])", text.text):
                raise SpliceError(f"`{name}` names `{remedy.name}` too")


def _alike(before: Grader, after: Grader) -> bool:
    """Whether both scripts write the same files in the same shape."""
    rows = [[(write.path, write.shape, write.conditional) for write in grader.writes] for grader in (before, after)]
    return rows[0] == rows[1] and before.opaque == after.opaque
