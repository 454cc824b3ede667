"""Signs that a score may not be earned."""

from typing import NamedTuple

from gradewright.finding import Location


class Sign(NamedTuple):
    """A place in a script that tells something about the worth of its score, its isolation or its care.

    `what` is one of the constants below, `detail` the part of the code or the name concerned, as it is spelt there.
    `certain` tells that it holds on every run; otherwise only some runs, or some ways through the script, show it.
    """

    what: str
    at: Location
    detail: str = ""
    certain: bool = True


CONSTANT_SCORE = "constant-score"
"""Every way through the script ends with the same score."""

FAILS_OPEN = "fails-open"
"""An error, or a check that could not run, earns a score."""

EMPTY_PASSES = "empty-passes"
"""Evidence that is missing or empty earns the full score."""

EXISTENCE_ONLY = "existence-only"
"""All that is looked at is whether something exists."""

ABSENCE_ONLY = "absence-only"
"""All that is looked at is whether something is absent, which a run that did nothing satisfies."""

AGENT_SCORE = "agent-score"
"""The score, or a part of it, is read from a file that the agent can write."""

READS_SOLUTION = "reads-solution"
"""The reference solution is read, which is there only while the oracle runs."""

READS_ARM = "reads-arm"
"""The score depends on whether the agent had the skill."""

RANDOM = "random"
CLOCK = "clock"
NETWORK = "network"
UNORDERED = "unordered"
"""The score depends on chance, on the time, on another machine, on the order of a set or of a folder's listing."""

AGENT_CONFIGURATION = "agent-configuration"
"""A test runner takes its configuration, or its tests, from where the agent works."""

SHADOWED_RUNNER = "shadowed-runner"
"""A test runner is started as a module in the agent's folder, where Python looks for modules first."""

AGENT_PATH = "agent-path"
"""The modules that graders import are looked for where the agent works before all others."""

AGENT_IMPORT = "agent-import"
"""Code is imported from where the agent works."""

STDERR_IN_REWARD = "stderr-in-reward"
"""What a command says about its errors goes into the reward file."""

UNSET_PATH = "unset-path"
"""The reward goes to a file that is named by a variable which nothing sets, or by one that falls apart into words."""

ERASING_EXIT = "erasing-exit"
"""The script ends with a non-zero exit status although it has written a valid reward."""

CREDENTIAL = "credential"
"""A credential is spelt out. `detail` says of which kind; the value itself is never kept."""

FIXED_PATH = "fixed-path"
"""A path of the platform is spelt out where a variable would tell it."""
