"""The contract block of a scaffolded grader was edited, or an older release wrote it.

## Why is this bad?
The block reads the run and writes the reward in the shape that each platform takes, and fails closed. Changes to it are
not tested, and are lost when the block is renewed; an older block lacks what was mended since.

## How to fix it
Put your own code above the block, where the checks are, and let `gradewright validate --fix` renew the block.

## When to ignore it
When the block was changed for good reasons and you look after it yourself. An older block that nobody has edited works
as it did, and is only a note.

## Example
```python
# --- gradewright contract 1 (sha256:beeea3dbe8e9eda7) ---
# Do not edit below: this part reads the run and writes the reward.

WORKSPACE = "/my/folder"
```
"""

from collections.abc import Iterator

from gradewright.contract import CONTRACT_STAMPS
from gradewright.finding import Finding, Fix, RenewContract, Rule, Severity
from gradewright.model import ContractBlock, Grader, quoted

RULE = Rule("GR401", "outdated-contract-block", Severity.WARNING, Grader)


def check(grader: Grader) -> Iterator[Finding]:
    block = grader.contract
    if block is None:
        return
    fix = Fix("renew the contract block", block.intact, RenewContract(block.at)) if block.end else None
    if not block.intact:
        message = "the contract block was edited" if block.end else "the contract block has lost its last line"
        yield RULE.at(block, message, hint="keep your own code above it, and renew the block", fix=fix)
    elif not block.current and not _is_newer(block, grader.language):
        present = CONTRACT_STAMPS[grader.language][0]
        message = f"the contract block is of version {quoted(block.version)}, not {quoted(present)}"
        if block.version == present:
            message = "there is a newer contract block"
        yield RULE.at(block, message, hint="renew the block", fix=fix, severity=Severity.NOTE)


def _is_newer(block: ContractBlock, language: str) -> bool:
    """Whether a release wrote the block that may be later than this one."""
    number = block.version
    plain = number.isascii() and number.isdigit() and len(number) < 10
    return not plain or int(number) > int(CONTRACT_STAMPS[language][0])
