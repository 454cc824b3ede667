"""What the platforms that run a grader really do, as constants.

Measured on SkillEvaluator 0.2.0 and Harbor 0.26.0; nothing else in the package states these facts.
"""

import re

# --- where a grader finds its inputs and puts its reward -------------------------------------------------------------

ENVIRONMENT = {
    "HARBOR_ATIF_PATH": "/logs/agent/trajectory.json",
    "HARBOR_ENTRY_JSON": "/tests/entry.json",
    "HARBOR_REWARD_JSON": "/logs/verifier/reward.json",
    "HARBOR_REWARD_TXT": "/logs/verifier/reward.txt",
    "HARBOR_LOGS_DIR": "/logs",
    "HARBOR_VERIFIER_DIR": "/logs/verifier",
    "HARBOR_TESTS_DIR": "/tests",
    "HARBOR_GRADER": "/tests/grader.py",
    "HARBOR_GRADER_SH": "/tests/grader.sh",
}
"""The variables the platforms document, with the path each stands for when it is not set."""

VERIFIER_DIR = "/logs/verifier"
TESTS_DIR = "/tests"
TRAJECTORY = "/logs/agent/trajectory.json"
SOLUTION_DIR = "/solution"
"""The reference solution; there only while the oracle agent runs."""

AGENT_LOGS = "/logs/agent"
"""Where the trajectory lies. The agent can write there too."""

ARM_KEY = "has_skill"
"""The key of `entry.json` that tells a grader which arm of the comparison it grades."""

REWARD_JSON = "/logs/verifier/reward.json"
REWARD_TXT = "/logs/verifier/reward.txt"
REWARD_FILES = (REWARD_JSON, REWARD_TXT)
REWARD_DETAILS = "reward-details.json"
"""Beside a flat reward, which has no room for them: the reasons, as our own graders write them."""

AGENT_FOLDERS = ("/workspace", "/app", "/testbed", "/repo", "/project", "/code", "/home", "/root")
"""Where tasks have the agent work: SkillEvaluator's, Terminal-Bench's, and what other tasks in the field use. The agent
can write to these, whoever else may."""

# --- the reward ------------------------------------------------------------------------------------------------------

STANDARD_METRICS = frozenset(
    {"security", "skill_execution", "skill_efficiency", "accuracy", "goal_accuracy", "behavior_check"}
)
"""SkillEvaluator's own metrics: reserved inside `custom_metrics` and at the top level of a reward."""

RESERVED_METRICS = STANDARD_METRICS | {
    "overall", "details", "metrics", "metric_set", "entry_id",
    "evaluation_errors", "evaluation_status", "has_skill", "trajectory_source",
}  # fmt: skip
"""Names refused inside `custom_metrics`."""

# --- ids -------------------------------------------------------------------------------------------------------------

CASE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}\Z")
MAX_CASE_ID = 128
WINDOWS_DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10))})
RESERVED_CASE_FOLDERS = frozenset({"dataset.toml", "readme.md", "metric.py", "results"})
"""Names in `evals/harbor/` that belong to the dataset itself, folded to lower case."""

ORG_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*\Z")

# --- files of a skill ------------------------------------------------------------------------------------------------

DATASET_FILES = ("evals.json", "evals.jsonl", "evals.yaml", "evals.yml")
"""In order of precedence: the first that exists is read, the others are ignored without a word."""

CONFIG_FILES = ("config.yml", "config.yaml")
GRADER_FILES = ("grader.py", "grader.sh")
"""`grader.py` wins silently when both exist."""

GRADING_SCRIPTS = (*GRADER_FILES, "test.sh", "test.bat")
"""The files of a native case's `tests/` that a platform may start."""

GRADING_MODES = ("default", "default_plus_custom", "custom_only")
LEGACY_GRADING_MODES = {"aces_default": "default", "aces_plus_custom": "default_plus_custom"}
TASK_SOURCES = ("auto", "evals_json", "native_harbor")

MAX_DESCRIPTION = 1024

TASK_SCHEMA_VERSION = (1, 4)
"""The newest `schema_version` of a task that Harbor 0.26 writes; it loads any other without a word."""

SKILLS_DIR = "/workspace/skills"
"""The only `environment.skills_dir` that SkillEvaluator stages."""

WORKSPACE = "/workspace"
FIXTURES_PLACE = "/workspace/input"
"""Where SkillEvaluator puts an entry's fixtures: `files/x` becomes `/workspace/input/x`."""

PASS_THRESHOLD = 0.5
"""What counts as a pass where the configuration names no `harbor.pass_threshold`."""

VERIFIER_SECONDS = 600.0
"""How long Harbor waits for a verifier where `task.toml` names no `verifier.timeout_sec`."""

COMPOSE_FILE = "docker-compose.yaml"
"""In `environment/`: the only name of a compose file that Harbor 0.26 looks for."""

LOADER_VARIABLES = frozenset(
    {"LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH"}
)
"""Variables of the dynamic linker, which SkillEvaluator refuses in `environment.env`."""

# --- limits of what is read ------------------------------------------------------------------------------------------

MAX_TEXT = 1 << 20
"""Bytes. A script, manifest, instruction or config larger than this is a finding and is not parsed."""

MAX_DATASET = 8 << 20
"""Bytes. A dataset holds every entry of a skill and may be larger than one small text."""

MAX_REWARD = 8 << 20
"""Bytes. The numbers of a reward take a few hundred; its `details` may quote the output of whole test runs."""

MAX_TRAJECTORY = 64 << 20
"""Bytes. Long agent runs, with all their tool output, take some ten mebibytes; this one may stay in memory as it is,
since only one step at a time is decoded and parsed."""

MAX_STEP = 8 << 20
"""Bytes of one step of a trajectory, which takes up to nine times as much memory while it is decoded and parsed."""


def grading_mode(value: object) -> str | None:
    """The grading mode that `value` names, a legacy spelling included; None if there is no such mode."""
    if not isinstance(value, str):
        return None
    mode = LEGACY_GRADING_MODES.get(value, value)
    return mode if mode in GRADING_MODES else None


def case_id_problem(case_id: object) -> str | None:
    """Why SkillEvaluator refuses `case_id` (text or integer), or None if it is accepted."""
    if isinstance(case_id, bool) or not isinstance(case_id, str | int):
        return "is neither text nor an integer"
    if isinstance(case_id, int) and abs(case_id) >= 10**MAX_CASE_ID:
        return f"is longer than {MAX_CASE_ID} digits"
    text = str(case_id)
    if not text:
        return "is empty"
    if len(text) > MAX_CASE_ID:
        return f"is {len(text)} characters long (at most {MAX_CASE_ID})"
    if not CASE_ID.match(text):
        return "must start with an ASCII letter or digit and hold only letters, digits, `.`, `_` and `-`"
    if text.endswith("."):
        return "ends in a dot"
    if text.split(".")[0].lower() in WINDOWS_DEVICES:
        return "is a device name on Windows"
    return None


def collision_key(case_id: str | int) -> str:
    """Two ids collide when their keys are equal: letter case and number against text make no difference."""
    return str(case_id).casefold()


# --- text of our own scaffolds ---------------------------------------------------------------------------------------

NOT_WRITTEN = "what good work looks like is not checked yet"
"""The reason an unwritten check of a scaffolded grader gives for its 0.0."""

CONTRACT_STAMPS = {"python": ("1", "beeea3dbe8e9eda7"), "shell": ("1", "ef0b19f98e488410")}
"""The version and hash that the contract blocks of our templates bear; a test compares them."""

SCAFFOLD_TEXTS = (
    NOT_WRITTEN,
    "Replace this text with the instruction that the agent is given",
    "Replace this text with what a user asks the agent to do",
    "Replace this text with what a good result looks like",
    "Replace this text with one thing that a good result shows",
    "Replace this text with the commands that solve the task",
)
"""Beginnings of texts that a scaffold leaves for the author: one of them still in a file means nobody wrote it yet."""

PEER_TEXTS = frozenset({
    "user's task prompt", "user's example prompt", "description of expected result",
    "the output includes x", "the skill used script y",
})  # fmt: skip
"""Examples from the documentation of skill-creator, folded to lower case."""

_SUBJECT = (
    r"(?:prompt|question|instruction|task|outcome|output|result|answer|assertion|expectation|behaviou?r|statement"
    r"|criteri(?:on|a)|description|text)s?"
)
_FILL = r"(?:put|describe|write|add|replace|fill|insert|provide|explain|specify|define|enter|state|supply|your|the)"
_SUSPECTS = (
    "todo", "fixme", "tbd", "placeholder", "change", "fill", "replace", "here", "...", "\u2026", "<", "[", "{", "lorem",
    "user", "description", "the output includes", "the skill used", "is not checked yet",
)  # fmt: skip
"""Cheap to look for, and a part of every placeholder: most texts have none of them."""
_WORDS = r"[\w' -]*"
_INSIDE = r"[^<>\[\]{}=\",:]*"
_PLACEHOLDERS = (
    r"\[?(?:todo|fixme|tbd|placeholder|change ?me|fill (?:me|this) in|replace ?me)\]?[.!:]*|\.\.\.",
    rf"\[?(?:todo|fixme|tbd)\]?(?:\([^)]*\))?[:. \u2013\u2014-]+{_FILL}\b[^.!?]*[.!]*",
    r"[<\[{]{1,2} ?(?:your )?(?:prompt|question|todo|placeholder|expected[ _-](?:output|outcome))s? ?[>\]}]{1,2}[.!]?",
    rf"[<\[{{]{{1,2}}{_INSIDE} {_INSIDE}\b(?:{_SUBJECT}|here)\b{_INSIDE}[>\]}}]{{1,2}}[.!]?",
    rf"(?:please )?replace (?:this|me)(?: {_SUBJECT})? with (?:the|an?|your)\b{_WORDS}\b{_SUBJECT}\b{_WORDS}[.!]?",
    rf"(?:put|write|enter|add|insert|describe|type|paste|state|specify)\b{_WORDS}\b{_SUBJECT}\b{_WORDS}\bhere[.!]*",
    rf"(?:the |your )?(?:[\w-]+ )?{_SUBJECT}(?: goes)? here[.!]*",
)
_LOREM = (
    "lorem ipsum dolor sit amet consectetur adipiscing adipisicing elit sed do eiusmod tempor incididunt ut labore et "
    "dolore magna aliqua enim ad minim veniam quis nostrud exercitation ullamco laboris nisi aliquip ex ea commodo "
    "consequat"
)


def is_placeholder(text: str) -> bool:
    """Whether the whole of `text` is what a scaffold, or an author in a hurry, leaves to be replaced.

    A text that merely speaks of such words is none: `list the TODO comments`, `replace this with that in a.txt`.
    """
    heading, _, rest = text[:2000].strip().partition("\n")
    if heading.startswith("#") and rest.strip() and len(heading) <= 60:
        return is_placeholder(rest.lstrip())
    start = text[:2000].casefold()
    if not any(suspect in start for suspect in _SUSPECTS):
        return False
    words = " ".join(text[:2000].split()).lstrip("\"'*_#`> ").rstrip("\"'*_` ")
    if words.startswith(SCAFFOLD_TEXTS):
        return True
    folded = words.casefold().replace("\u2019", "'").replace("\u2026", "...")
    if folded.startswith("lorem ipsum"):
        return set(_LOREM.split()).issuperset(folded.replace(",", "").replace(".", "").split())
    if not folded or len(folded) > 160:
        return False
    return folded.rstrip(".!") in PEER_TEXTS or any(re.fullmatch(pattern, folded) for pattern in _PLACEHOLDERS)


# --- grading files of skill-creator ----------------------------------------------------------------------------------

GRADING_FILE = "grading.json"
"""The verdicts on one run. It lies beside the `outputs/` of the run, which is where its readers look for it."""

GRADING_METADATA = "eval_metadata.json"
"""Beside the runs of one evaluation: its prompt, and the expectations that every run is graded by."""

GRADING_CONFIGURATIONS = frozenset({"with_skill", "without_skill", "new_skill", "old_skill", "baseline"})
"""Folders of an evaluation, one for each way in which it was run."""

GRADING_COUNTERS = ("passed", "failed", "total", "pass_rate")

GRADING_SYNONYMS = {
    "expectations": frozenset({
        "expectation", "expectation_results", "expectations_results", "assertions", "assertion_results", "results",
        "checks", "criteria", "verdicts", "grades", "gradings", "evaluations", "items", "requirements",
    }),
    "text": frozenset({
        "expectation", "assertion", "name", "description", "criterion", "statement", "requirement", "check", "title",
        "claim", "label",
    }),
    "passed": frozenset({
        "met", "pass", "passes", "pass_", "is_passed", "has_passed", "result", "success", "succeeded", "satisfied",
        "verdict", "status", "ok", "achieved", "fulfilled", "outcome", "grade", "verified", "is_met",
    }),
    "evidence": frozenset({
        "details", "detail", "reason", "reasons", "reasoning", "explanation", "notes", "note", "justification",
        "rationale", "comment", "comments", "proof", "message", "observation", "evidences", "why",
    }),
}  # fmt: skip
"""What the keys of a grading file are called instead by graders that are models, which no reader knows."""

COUNTER_SYNONYMS = {
    "passed": frozenset({"passes", "pass", "passed_count", "num_passed", "pass_count", "met", "passing"}),
    "failed": frozenset({"fails", "fail", "failed_count", "num_failed", "fail_count", "failures", "failing", "unmet"}),
    "total": frozenset({"total_count", "num_total", "count", "total_expectations", "totals", "total_assertions"}),
    "pass_rate": frozenset({"passrate", "pass_percentage", "pass_ratio", "rate", "passing_rate", "success_rate"}),
}
"""The same for the keys of `summary`."""

ASSERTION_RESULTS = "assertion_results"
"""What the guide of agentskills.io calls `expectations`; skill-creator's readers do not know it."""
