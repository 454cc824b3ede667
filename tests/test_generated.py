"""What `tools/gen.py` writes is up to date, and `tools/new_rule.py` makes what the harness asks to be filled in."""

import runpy
from pathlib import Path

REPOSITORY = Path(__file__).parent.parent


def test_generated_files_are_up_to_date() -> None:
    tool = runpy.run_path(str(REPOSITORY / "tools" / "gen.py"))
    stale = [str(path.relative_to(REPOSITORY)) for path in tool["stale"](tool["outputs"]())]
    assert stale == [], "run `python tools/gen.py`"


def test_a_new_rule_is_valid_python_with_places_to_fill_in() -> None:
    tool = runpy.run_path(str(REPOSITORY / "tools" / "new_rule.py"))
    files = tool["files"]("GR999", "some-new-rule", "Grader")
    assert [path.name for path in files] == ["some_new_rule.py", "some-new-rule.md", "some-new-rule.md"]
    module, *others = files.values()
    compile(module, "some_new_rule.py", "exec")
    assert all("TODO" in text for text in [module, *others])


def test_a_new_rule_with_a_bad_name_is_refused(capsys) -> None:  # type: ignore[no-untyped-def]
    tool = runpy.run_path(str(REPOSITORY / "tools" / "new_rule.py"))
    assert tool["main"](["GR1", "Some_Rule", "Grader"]) == 2
    assert tool["main"]([]) == 2
    assert "GR111" in capsys.readouterr().err
