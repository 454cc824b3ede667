"""What a score should not come from, told by names: chance, the clock, other machines, places of the agent."""

import ast
import posixpath
import re
from typing import Any

from gradewright.contract import AGENT_FOLDERS, AGENT_LOGS, FIXTURES_PLACE, SOLUTION_DIR, TRAJECTORY
from gradewright.read.python.kinds import HOLE, SEQUENCE, TEXT, Values

SCRATCH = "/tmp"  # noqa: S108 - looked for, not used
MADE = "()"
"""Stands behind the name of what made an object, before the names of its attributes: `requests.Session().get`."""

CHANCE = re.compile(
    r"random\.(?!seed\b|setstate|getstate|Random\b|SystemRandom\b|shuffle\b)\w+|secrets\.(?:token_\w+|randbelow|randbits|choice)|uuid\.uuid[14]|os\.urandom"
    r"|numpy\.random\.(?!seed\b|default_rng\b|RandomState\b|Generator\b)\w+|hash"
    r"|(?:random\.(?:System)?Random|numpy\.random\.(?:default_rng|RandomState))\(\)\.(?!seed\b|shuffle\b)\w+"
)
SEEDS = {"random.seed": "random.", "numpy.random.seed": "numpy.random."}
CLOCKS = re.compile(
    r"time\.(?:time|monotonic|perf_counter|process_time|thread_time)(?:_ns)?|time\.(?:localtime|gmtime|ctime|asctime)"
    r"|datetime\.datetime\.(?:now|utcnow|today)|datetime\.date\.today|timeit\.\w+|pandas\.Timestamp\.(?:now|today)"
)
VERBS = r"(?:get|post|put|patch|head|delete|options|request|stream)"
FETCH = re.compile(
    rf"requests\.{VERBS}|requests\.(?:S|s)ession\(\)\.{VERBS}|httpx\.{VERBS}|httpx\.(?:Async)?Client\(\)\.{VERBS}"
    rf"|aiohttp\.ClientSession\(\)\.{VERBS}|urllib\.request\.urlopen|urllib3\.(?:request|PoolManager\(\)\.request)"
    r"|socket\.create_connection|socket\.gethostbyname|http\.client\.HTTPS?Connection"
)
MODEL = re.compile(
    r"(?:openai|anthropic|litellm|cohere|mistralai|groq|together|google\.generativeai|google\.genai)\."
    r"(?:\w+(?:\(\))?\.)*(?:create|parse|completion|acompletion|chat|complete|generate|generate_content|invoke|stream)"
)
FILE_READERS = frozenset({
    "pandas.read_json", "pandas.read_csv", "numpy.load", "numpy.loadtxt", "numpy.genfromtxt", "numpy.fromfile",
})  # fmt: skip
FILE_METHODS = frozenset({"read_text", "read_bytes", "open"})
ENVIRONMENT_READERS = frozenset({"os.getenv", "os.environ.get"})
FIRST = re.compile(r"(?:requests|httpx)\.(?:request|stream)|.*\.(?:request|stream)")
LOCAL_NAME = re.compile(r"[^.]*|[\d.]+|.*\.(?:local|internal|localhost|test|lan|invalid)|.*:.*")
HOST = re.compile(r"(?:[a-z][a-z+]*://)?(?:[^/@]*@)?(?P<host>\[[^\]]*\]|[^/:?#]*)", re.I)


def agent_path(text: str, *, scratch: bool = False) -> str:
    """`text` if it is a path below a place where the agent writes, else nothing."""
    path = posixpath.normpath(text) if text.startswith("/") else ""
    if not path or path == TRAJECTORY or path.startswith(FIXTURES_PLACE + "/"):
        return ""
    places = (*AGENT_FOLDERS, AGENT_LOGS, *((SCRATCH,) if scratch else ()))
    return path if any(path == place or path.startswith(place + "/") for place in places) else ""


def solution_path(text: str) -> str:
    """`text` if it is the folder of the reference solution or something in it, else nothing."""
    path = posixpath.normpath(text) if text.startswith("/") else ""
    return path if path == SOLUTION_DIR or path.startswith(SOLUTION_DIR + "/") else ""


def known_texts(values: Values | None) -> list[str]:
    """All texts that are possible, those of which a part is unknown included."""
    return [value.data for value in values or () if value.kind == TEXT and value.data]


def foreign_host(values: Values | None) -> str:
    """The host of an address outside of the task's own machines; nothing where it cannot be told."""
    for value in values or ():
        if value.kind == SEQUENCE and value.data:
            return foreign_host(value.data[0])
    for text in known_texts(values):
        match = HOST.match(text)
        host = match["host"] if match else ""
        if host and HOLE not in host and not LOCAL_NAME.fullmatch(host):
            return host
    return ""


def fetched_host(values: Values | None) -> str:
    """The host of another machine that a command line has curl or wget ask; nothing where it cannot be told."""
    for value in values or ():
        words = [known_texts(item) for item in value.data] if value.kind == SEQUENCE else []
        words += [[word] for word in value.data.split()] if value.kind == TEXT and value.data else []
        if words and posixpath.basename("".join(words[0])) in ("curl", "wget"):
            addresses = [text.strip("'\"") for texts in words[1:] for text in texts]
            found = (HOST.match(text) for text in addresses if text.startswith(("http://", "https://")))
            hosts = [match["host"] for match in found if match]
            return next((host for host in hosts if host and HOLE not in host and not LOCAL_NAME.fullmatch(host)), "")
    return ""


def is_seeded(call: Any) -> bool:
    """Whether the maker of a generator of random numbers is given a seed."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return any(item.__class__ is not ast.Constant or item.value is not None for item in given)
