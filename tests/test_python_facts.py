"""The facts of Python graders: what is written where, in every form in which it may be written down."""

from textwrap import dedent, indent

import pytest
from pyforms import Form, forms

from gradewright.contract import REWARD_JSON, REWARD_TXT
from gradewright.model import Grader
from gradewright.read.files import Text
from gradewright.read.python.facts import python_facts

HEAD = """
import json, os, sys
from pathlib import Path
"""
SCORE = "s = len(sys.argv) / 9\n"
WRITE = 'Path("/logs/verifier/reward.json").write_text(json.dumps(reward))\n'


def facts(source: str, *, head: str = HEAD) -> Grader:
    text = head + dedent(source)
    return python_facts(Text("grader.py", text, text.encode()), role="grader", native=False)


def each(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("form", forms(name), ids=lambda form: form.title)


def paths(grader: Grader) -> set[str | None]:
    return {write.path for write in grader.writes}


def shapes(grader: Grader, path: str = REWARD_JSON) -> set[str]:
    return {write.shape for write in grader.writes if write.path == path}


def bad(grader: Grader, path: str = REWARD_JSON) -> list[str]:
    return [
        f"{reason} `{literal}` {'certain' if write.certain else 'possible'}"
        for write in grader.writes
        if write.path == path
        for reason, literal, _ in write.bad
    ]


def names(grader: Grader) -> set[str]:
    return {f"{metric.name} {'nested' if metric.nested else 'flat'}" for metric in grader.metrics}


@each("writes")
@pytest.mark.parametrize("where", ["module", "main", "guard"])
def test_flat_reward_is_found_in_every_form(form: Form, where: str) -> None:
    code = form.code
    if where == "main":
        code = f"def main():\n{indent(code, '    ')}\nmain()\n"
    elif where == "guard":
        code = f"def main():\n{indent(code, '    ')}\nif __name__ == '__main__':\n    sys.exit(main())\n"
    grader = facts("def f():\n    return len(sys.argv) / 7\n" + code)
    assert shapes(grader) == {"flat"}
    assert not grader.opaque
    assert bad(grader) == []


@each("writes-nothing")
def test_a_mention_is_no_write(form: Form) -> None:
    grader = facts(form.code)
    assert not grader.opaque
    assert paths(grader) <= {"/dev/stdout"}


@each("opaque")
def test_what_cannot_be_followed_is_said(form: Form) -> None:
    assert facts(form.code).opaque


@pytest.mark.parametrize(
    "code",
    [
        "import numpy as np\nnp.mean([1])",
        "import subprocess\nsubprocess.run(['git', 'log'], capture_output=True)",
        "import unused_helper",
        "import yaml\nyaml.safe_load('')",
    ],
)
def test_what_writes_nothing_is_not_opaque(code: str) -> None:
    assert not facts(code).opaque


@each("metric-names")
@pytest.mark.parametrize("inside", [False, True], ids=["module", "main"])
def test_metric_names_are_found_in_every_form(form: Form, inside: bool) -> None:
    code = form.code + "\n" + WRITE
    code = f"def main():\n{indent(code, '    ')}\nmain()" if inside else code
    assert names(facts(SCORE + code)) == set(form.expected)


@each("no-metric-names")
def test_look_alikes_of_reserved_names_are_none(form: Form) -> None:
    assert not {"accuracy flat", "accuracy nested"} & names(facts(SCORE + form.code + "\n" + WRITE))


@each("bad-literals")
def test_bad_literals_are_found(form: Form) -> None:
    assert bad(facts(form.code + '\nreward = {"overall": s}\n' + WRITE)) == list(form.expected)


@each("sound-scores")
def test_sound_scores_are_left_alone(form: Form) -> None:
    grader = facts(form.code + '\nreward = {"overall": s, "custom_metrics": {"a": s}}\n' + WRITE)
    assert bad(grader) == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("str(s)", ""),
        ('f"{s:.4f}\\n"', ""),
        ("json.dumps(s)", ""),
        ('"{:.3f}".format(s)', ""),
        ('"1"', ""),
        ('" 0.5\\r\\n"', ""),
        ('"7.5e-1"', ""),
        ('f"{s:.0%}"', "certain"),
        ('f"{s}%"', "certain"),
        ('"pass"', "certain"),
        ('"0,8"', "certain"),
        ('f"score: {s}"', "certain"),
        ('"1" if s else "fail"', "possible"),
        ("str(s == 1)", "certain"),
        ('json.dumps({"overall": s})', "certain"),
    ],
)
def test_number_file(code: str, expected: str) -> None:
    grader = facts(f'{SCORE}Path("/logs/verifier/reward.txt").write_text({code})')
    assert shapes(grader, REWARD_TXT) == {"text"}
    assert {text.split()[-1] for text in bad(grader, REWARD_TXT)} == ({expected} if expected else set())


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("str(reward)", True),
        ('f"{reward}"', True),
        ('"```json\\n" + json.dumps(reward) + "\\n```"', True),
        ("json.dumps([reward])", True),
        ("json.dumps(1.0)", True),
        ('"1.0"', True),
        ("json.dumps(reward)", False),
        ('json.dumps(reward, indent=2) + "\\n"', False),
        ("sys.argv[1]", False),
    ],
)
def test_text_that_is_no_json_object(code: str, expected: bool) -> None:
    grader = facts(f'{SCORE}reward = {{"overall": s}}\nPath("/logs/verifier/reward.json").write_text({code})')
    assert any(text.startswith("not-json") and text.endswith("certain") for text in bad(grader)) is expected


def test_both_shapes_of_one_call_are_told_apart() -> None:
    grader = facts("""
        s = len(sys.argv) / 9
        reward = {"overall": s, "custom_metrics": {"a": s}}
        if "--harbor" in sys.argv:
            reward = {"overall": s, "a": s}
        Path("/logs/verifier/reward.json").write_text(json.dumps(reward))
    """)
    assert shapes(grader) == {"nested", "flat"}
    assert all(write.conditional for write in grader.writes)


def test_calls_of_one_helper_are_told_apart() -> None:
    grader = facts("""
        def put(path, text):
            temporary = f"{path}.tmp"
            with open(temporary, "w") as out:
                out.write(text)
            os.replace(temporary, path)
        s = len(sys.argv) / 9
        put("/logs/verifier/reward.json", json.dumps({"overall": s}))
        put("/logs/verifier/reward.txt", f"{s}")
    """)
    assert shapes(grader) == {"flat"}
    assert shapes(grader, REWARD_TXT) == {"text"}
    assert bad(grader) == bad(grader, REWARD_TXT) == []


@pytest.mark.parametrize(
    ("code", "kinds"),
    [
        ("", ["empty"]),
        ("# nothing yet\n", ["empty"]),
        ('"""Doc."""\npass\n', ["empty"]),
        ("import json\n", []),
        ('def check(run):\n    raise NotWritten("what good work is")\ncheck(1)\n', ["unwritten-check"]),
        ("class NotWritten(Exception): pass\ntry:\n    pass\nexcept NotWritten:\n    pass\n", []),
        ('x = {"reason": "Replace this with real custom grading logic."}\n', ["peer-text"]),
        ("x = 1\n# Replace this with real custom grading logic.\n", ["peer-text"]),
        ('x = open("/w").read()\nif "Replace this with real custom grading logic." in x:\n    print(1)\n', []),
    ],
)
def test_stubs(code: str, kinds: list[str]) -> None:
    assert [stub.what for stub in facts(code, head="").stubs] == kinds


def test_a_mark_beside_a_constant_score() -> None:
    marked = 's = 1.0  # TODO: real checks\nreward = {"overall": s}\n' + WRITE
    assert [stub.what for stub in facts(marked).stubs] == ["marked-score"]
    checked = "s = 1.0  # TODO: partial credit\nif len(sys.argv) > 1:\n    s = len(sys.argv) / 9\n"
    assert facts(checked + 'reward = {"overall": s}\n' + WRITE).stubs == ()


def test_places_count_characters() -> None:
    grader = facts('é = "ü"; reward = {"overall": 0.5, "accuracy": 0.5}\n' + WRITE)
    metric = next(metric for metric in grader.metrics if metric.name == "accuracy")
    line = (HEAD + 'é = "ü"; reward = {"overall": 0.5, "accuracy": 0.5}').split("\n")[metric.at.line - 1]
    assert line[metric.at.column - 1 :].startswith('"accuracy"')


def test_reads_and_runs() -> None:
    grader = facts("""
        import subprocess
        OUT = Path("/workspace") / "out.json"
        json.loads(OUT.read_text())
        subprocess.run(["git", "-C", "/workspace", sys.argv[1]])
    """)
    assert "/workspace/out.json" in grader.reads
    assert grader.runs[0].words == ("git", "-C", "/workspace", None)


def test_a_script_that_does_not_parse_has_no_facts() -> None:
    grader = facts("def f(:\n")
    assert grader.opaque
    assert grader.writes == ()
