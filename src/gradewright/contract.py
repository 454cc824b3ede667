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
REWARD_JSON = "/logs/verifier/reward.json"
REWARD_TXT = "/logs/verifier/reward.txt"
REWARD_FILES = (REWARD_JSON, REWARD_TXT)

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

GRADING_MODES = ("default", "default_plus_custom", "custom_only")
LEGACY_GRADING_MODES = {"aces_default": "default", "aces_plus_custom": "default_plus_custom"}
TASK_SOURCES = ("auto", "evals_json", "native_harbor")

MAX_DESCRIPTION = 1024

# --- limits of what is read ------------------------------------------------------------------------------------------

MAX_TEXT = 1 << 20
"""Bytes. A script, manifest, instruction or config larger than this is a finding and is not parsed."""

MAX_DATASET = 8 << 20
"""Bytes. A dataset holds every entry of a skill and may be larger than one small text."""


def case_id_problem(case_id: object) -> str | None:
    """Why SkillEvaluator refuses `case_id` (text or integer), or None if it is accepted."""
    if isinstance(case_id, bool) or not isinstance(case_id, str | int):
        return "is neither text nor an integer"
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

SCAFFOLD_TEXTS = (
    NOT_WRITTEN,
    "Replace this text with the instruction that the agent is given",
    "Replace this text with what a user asks the agent to do",
    "Replace this text with what a good result looks like",
    "Replace this text with one thing that a good result shows",
    "Replace this text with the commands that solve the task",
)
"""Beginnings of texts that a scaffold leaves for the author: one of them still in a file means nobody wrote it yet."""
