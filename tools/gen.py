"""Write every file that is derived from another one; with `--check`, only tell which of them are out of date.

    python tools/gen.py [--check]

The table of rules, the pages of rules, the reference of the command line, the schemas for editors and the pre-commit
hooks.
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

REPOSITORY = Path(__file__).resolve().parent.parent
PACKAGE = REPOSITORY / "src" / "gradewright"
NOTE = "<!-- Written by tools/gen.py; do not edit. -->"
GROUPS = {
    "GW": "What you tell gradewright itself",
    "RD": "Reading files",
    "SK": "The skill's root",
    "DS": "The dataset, `evals/evals.*`",
    "CF": "The configuration, `evals/config.yml`",
    "GR": "Graders and test scripts",
    "TK": "Native Harbor tasks",
    "DM": "The manifest, `evals/harbor/dataset.toml`",
    "RW": "Rewards and trials",
    "GJ": "Grading files",
    "RB": "Rubrics",
    "HL": "What Harbor's own linter says",
}

HOOK_FILES = (
    r"(^|/)(SKILL\.md|(task|dataset)\.toml|instruction\.md|(run-\d+|(with|without|new|old)_skill|baseline)/grading\.json"
    r"|(evals|environment|tests|solution|steps)/.*)$"
)


class Entry(NamedTuple):
    """What the generator has to know of a rule."""

    code: str
    name: str
    severity: str
    node: str
    targets: tuple[str, ...]
    text: str


def entries() -> list[Entry]:
    """All rules, in the order of their codes."""
    found = []
    for path in (PACKAGE / "rules").glob("*.py"):
        if path.stem == "__init__":
            continue
        module = import_module(f"gradewright.rules.{path.stem}")
        rule = module.RULE
        targets = tuple(sorted(rule.targets))
        found.append(Entry(rule.code, rule.name, rule.severity.label, rule.on.__name__, targets, module.__doc__ or ""))
    return sorted(found)


def table(rules: list[Entry]) -> str:
    """`rules/__init__.py`: what must be known of a rule before its module is imported."""
    rows = "".join(f'    ("{rule.code}", "{rule.name}", "{rule.node}"),\n' for rule in rules)
    body = f"(\n{rows})" if rows else "()"
    head = '"""The rules by name: (code, name, node), one line each. Written by `tools/gen.py`; do not edit."""'
    return f"{head}\n\nTABLE: tuple[tuple[str, str, str], ...] = {body}\n"


def rule_page(rule: Entry) -> str:
    """A page of the documentation: the docstring under a line with the rule's data."""
    first, _, rest = rule.text.strip().partition("\n")
    platforms = {"harbor": "Harbor", "skillevaluator": "SkillEvaluator"}
    told = " and ".join(platforms[target] for target in rule.targets)
    facts = f"`{rule.code}` · {rule.severity} · matters for {told}"
    allow = f"`gradewright validate PATH --ignore {rule.code}` leaves this rule out;"
    ignore = f"{allow} [Ignore a finding](../how-to/ignore-a-finding.md) tells how to record why."
    return f"{NOTE}\n\n# {rule.name}\n\n{facts}\n\n{first}\n\n{rest.strip()}\n\n---\n\n{ignore}\n"


def rule_index(rules: list[Entry]) -> str:
    """The list of all rules, by the file that the author has to open."""
    parts = [NOTE, "# Rules", "The two letters of a code name the file you have to open."]
    for prefix, title in GROUPS.items():
        rows = [
            f"| `{rule.code}` | [{rule.name}]({rule.name}.md) | {rule.severity} | {_sentence(rule)} |"
            for rule in rules
            if rule.code.startswith(prefix)
        ]
        if rows:
            parts.append(
                "\n".join([f"## {title}\n", "| code | rule | severity | what it reports |", "| --- " * 4 + "|", *rows])
            )
    return "\n\n".join(parts) + "\n"


def hooks() -> str:
    """`.pre-commit-hooks.yaml`: what other repositories can use."""
    return f"""# Written by tools/gen.py; do not edit.
- id: gradewright-validate
  name: validate skills, graders and Harbor tasks
  description: Report what would break an evaluation, before anybody pays for a run.
  entry: gradewright-validate
  language: python
  files: {HOOK_FILES}
  require_serial: true
  minimum_pre_commit_version: 3.2.0
"""


def command_line() -> str:
    """`docs/cli.md`: every command with its options, as the parser knows them."""
    from typer.main import get_command

    app = import_module("gradewright.cli.app").app
    parts = [NOTE, "# Command line", "Exit codes are listed in [Formats](formats.md)."]
    parts += _command_pages(get_command(app), "gradewright", {})
    return "\n\n".join(parts) + "\n"


def _command_pages(command: Any, path: str, told: dict[Any, str]) -> list[str]:
    """The sections of a command or of all commands of a group; `told` are the functions that already have one."""
    children = getattr(command, "commands", {})
    if children:
        shown = [(name, child) for name, child in children.items() if not child.hidden]
        return [part for name, child in shown for part in _command_pages(child, f"{path} {name}", told)]
    function = getattr(command.callback, "__wrapped__", command.callback)
    same = told.setdefault(function, path)
    return [_command_page(command, path) if same == path else f"## `{path}`\n\nThe same as `{same}`."]


def _command_page(command: Any, path: str) -> str:
    arguments = [item for item in command.params if item.param_type_name == "argument" and not item.hidden]
    options = [item for item in command.params if item.param_type_name == "option" and not item.hidden]
    usage = " ".join([path, *map(_metavar, arguments), *(["[OPTIONS]"] if options else [])])
    text = "\n".join(line.strip() for line in (command.help or "").strip().split("\n"))
    lines = [f"## `{path}`", "", text, "", "```text", usage, "```"]
    if options:
        lines += ["", "| option | meaning | default |", "| --- | --- | --- |", *map(_option_row, options)]
    return "\n".join(lines)


def _metavar(argument: Any) -> str:
    name = (argument.metavar or argument.name.upper()).strip("[]")
    name = f"{name}..." if argument.nargs == -1 and not name.endswith("...") else name
    return name if argument.required else f"[{name}]"


def _option_row(option: Any) -> str:
    names = ", ".join(f"`{name}`" for name in [*option.opts, *option.secondary_opts])
    if not option.is_flag:
        names = f"{names[:-1]} {_value(option)}`".replace("|", "\\|")
    default = getattr(option.default, "value", option.default)
    shown = f"`{default}`" if isinstance(default, str | int) and default not in ("", False) else ""
    meaning = " ".join((option.help or "").split()).replace("|", "\\|")
    return f"| {names} | {meaning} | {shown} |"


def _value(option: Any) -> str:
    choices = getattr(option.type, "choices", None)
    if choices:
        return "|".join(map(str, choices))
    return str(option.metavar or ("N" if option.type.name.startswith("int") else option.type.name.upper()))


def _sentence(rule: Entry) -> str:
    return rule.text.strip().partition("\n")[0].replace("|", "\\|")


def outputs() -> dict[Path, str]:
    """Every generated file with its content."""
    rules = entries()
    pages = {REPOSITORY / "docs" / "rules" / f"{rule.name}.md": rule_page(rule) for rule in rules}
    schemas = {
        REPOSITORY / "docs" / "schemas" / path.name: path.read_text(encoding="utf-8")
        for path in (PACKAGE / "schemas").glob("*.json")
    }
    return (
        pages
        | schemas
        | {
            PACKAGE / "rules" / "__init__.py": table(rules),
            REPOSITORY / "docs" / "rules" / "index.md": rule_index(rules),
            REPOSITORY / "docs" / "cli.md": command_line(),
            REPOSITORY / ".pre-commit-hooks.yaml": hooks(),
        }
    )


def stale(wanted: dict[Path, str]) -> list[Path]:
    """The generated files that are missing or differ, and pages whose source is gone."""
    differing = [
        path for path, text in wanted.items() if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]
    derived = [path for folder in ("rules", "schemas") for path in (REPOSITORY / "docs" / folder).glob("*")]
    orphans = [path for path in derived if path not in wanted]
    return sorted(differing + orphans)


def main(arguments: list[str]) -> int:
    wanted = outputs()
    outdated = stale(wanted)
    for path in outdated:
        print(path.relative_to(REPOSITORY))
        if "--check" in arguments:
            continue
        if path in wanted:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path], encoding="utf-8")
        else:
            path.unlink()
    return 1 if outdated and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
