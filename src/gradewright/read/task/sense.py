"""What Harbor's loader refuses in `task.toml` beyond the types of values: things that no schema can say."""

import re
from collections.abc import Iterator
from typing import Any

from gradewright.finding import Location
from gradewright.model import WRONG_VALUE, Problem, quoted
from gradewright.read.data.limits import MAX_PROBLEMS
from gradewright.read.task.schema import dotted

_WINDOWS_DEVICE = re.compile(
    r"(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[1-9\u00b9\u00b2\u00b3])\Z", re.IGNORECASE
)
_NOT_IN_A_FOLDER = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')
_HOST_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\n?\Z")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_TEMPLATE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
_SECRET = re.compile(r"KEY|SECRET|TOKEN(?!S)|PASSWORD|CREDENTIAL|AUTH", re.IGNORECASE)
_VARIABLE = r"\$\{[A-Za-z_][A-Za-z0-9_]*(?::-)?\}"
_FROM_VARIABLES = re.compile(rf"\s*(?:[A-Za-z]+\s+)?{_VARIABLE}(?:[\s:-]*{_VARIABLE})*\s*")
_MAX_HEADER = 8192
"""Characters; a longer header is not looked into."""

_MEBIBYTES = {"G": 1024.0, "M": 1.0, "K": 1 / 1024}


def sense_problems(config: dict[str, Any], at: Location) -> list[Problem]:
    """What Harbor 0.26's loader refuses and `schema_problems` cannot see; values of a wrong type are passed over."""
    from itertools import islice

    return list(islice(_refusals(config, at), MAX_PROBLEMS))


def _refusals(config: dict[str, Any], at: Location) -> Iterator[Problem]:
    version = config.get("version")
    if version is not None and "schema_version" not in config and not isinstance(version, str):
        yield _problem(at.within("version"), f"is {quoted(version)} and not text", "put it in quotes")
    if "environment" in config:
        yield from _environment(config["environment"], at.within("environment"))
    yield from _phases(config, at)
    yield from _artifacts(config, at)
    steps = config.get("steps")
    if isinstance(steps, list):
        yield from _steps(steps, at.within("steps"))


def _phases(table: dict[str, Any], at: Location) -> Iterator[Problem]:
    """`[agent]` and `[verifier]`, of the task or of one step."""
    for name in ("agent", "verifier"):
        phase, place = table.get(name), at.within(name)
        if not isinstance(phase, dict):
            continue
        if "allowed_hosts" in phase:
            yield from _hosts(phase, place, silent=False)
        if name == "verifier" and "environment" in phase:
            if phase.get("environment_mode") == "shared":
                yield _problem(
                    place.within("environment_mode"),
                    "is `shared` beside a table `environment`",
                    "delete one of the two",
                )
            yield from _environment(phase["environment"], place.within("environment"))


def _environment(table: Any, at: Location) -> Iterator[Problem]:
    if not isinstance(table, dict):
        return
    for legacy in ("memory", "storage"):
        if isinstance(table.get(legacy), str):
            yield from _size(table, legacy, at)
    if "allowed_hosts" in table:
        yield from _hosts(table, at, silent=True)
    servers = table.get("mcp_servers")
    if isinstance(servers, list):
        for number, server in enumerate(servers):
            if isinstance(server, dict):
                yield from _server(server, at.within("mcp_servers", number))


def _size(table: dict[str, Any], legacy: str, at: Location) -> Iterator[Problem]:
    text = table[legacy].strip().upper()
    try:
        size = int(float(text[:-1]) * _MEBIBYTES[text[-1:]])
    except (ValueError, KeyError, OverflowError):
        yield _problem(at.within(legacy), f"is {quoted(table[legacy])}, not a size", "write a size like `2G` or `512M`")
        return
    current = f"{legacy}_mb"
    if current in table and table[current] != size:
        what = f"is {quoted(table[legacy])}, and `{current}` beside it is {quoted(table[current])}"
        yield _problem(at.within(legacy), what, f"keep only `{current}`")


def _hosts(table: dict[str, Any], at: Location, *, silent: bool) -> Iterator[Problem]:
    """`allowed_hosts`; with `silent` an empty list is accepted in every mode."""
    hosts, mode = table["allowed_hosts"], table.get("network_mode")
    if not isinstance(hosts, list) or not isinstance(mode, str | None):
        return
    place = at.within("allowed_hosts")
    if mode != "allowlist" and (hosts or (mode is None and not silent)):
        yield _problem(place, 'is given without `network_mode = "allowlist"`', "set the mode or delete the hosts")
    for number, host in enumerate(hosts):
        if isinstance(host, str) and not _is_host(host.strip().lower().rstrip(".")):
            what = f"is {quoted(host)}, not a host name, an address or a range"
            yield _problem(place.within(number), what, "leave out scheme, port and path")


def _is_host(host: str) -> bool:
    if "/" in host or ":" in host:
        return "%" not in host and _is_address(host)
    if host.startswith("*."):
        host = host[2:]
        if _is_address(host):
            return False
    return bool(host) and all(_HOST_LABEL.match(label) for label in host.split("."))


def _is_address(host: str) -> bool:
    from ipaddress import IPv6Address, ip_address, ip_network

    try:
        if "/" in host:
            ip_network(host, strict=True)
        elif ":" in host:
            IPv6Address(host)
        else:
            ip_address(host)
    except ValueError:
        return False
    return True


def _server(server: dict[str, Any], at: Location) -> Iterator[Problem]:
    transport, headers = server.get("transport", "sse"), server.get("headers")
    if not isinstance(transport, str):
        return
    needed = "command" if transport == "stdio" else "url"
    if server.get(needed, "") == "":
        yield _problem(at, f"has no `{needed}`, which the transport `{transport}` needs", f'add `{needed} = "..."`')
    if not isinstance(headers, dict) or not headers:
        return
    if transport == "stdio":
        yield _problem(at.within("headers"), "is given for the transport `stdio`", "delete it")
    for name, value in headers.items():
        what = _header(name, value) if isinstance(value, str) else ""
        if what:
            yield _problem(at.within("headers", name), what, "write it like `Bearer ${TOKEN}`")


def _header(name: str, value: str) -> str:
    """What is wrong with a header, or an empty text."""
    if not _HEADER_NAME.fullmatch(name):
        return "is not the name of a header"
    if "\r" in value or "\n" in value:
        return "holds a line break"
    if len(value) > _MAX_HEADER:
        return ""
    templates = _TEMPLATE.findall(value)
    if "${" in _TEMPLATE.sub(" ", value) or any("${" in default for _, default in templates):
        return "holds a `${` that starts no variable"
    secret = bool(_SECRET.search(name)) or name.lower() in ("cookie", "set-cookie")
    if any(default and (secret or _SECRET.search(variable)) for variable, default in templates):
        return "has a default for a secret"
    return "holds a secret itself" if secret and value.strip() and not _FROM_VARIABLES.fullmatch(value) else ""


def _artifacts(table: dict[str, Any], at: Location) -> Iterator[Problem]:
    entries = table.get("artifacts")
    for number, entry in enumerate(entries if isinstance(entries, list) else ()):
        place = at.within("artifacts", number)
        if isinstance(entry, str):
            entry = {"source": entry}
        if isinstance(entry, dict):
            yield from _artifact(entry, place)


def _artifact(entry: dict[str, Any], at: Location) -> Iterator[Problem]:
    source, service, destination = (entry.get(key) for key in ("source", "service", "destination"))
    if isinstance(source, str):
        if ".." in source.split("/"):
            yield _problem(at, f"has the source {quoted(source)}, which holds `..`", "write the path without `..`")
        elsewhere = isinstance(service, str) and service.strip() not in ("", "main")
        if elsewhere and not re.match(r"/|[A-Za-z]:[/\\]", source):
            yield _problem(at, f"has the source {quoted(source)} in another service", "write an absolute path")
    if isinstance(destination, str) and destination and not _is_destination(destination):
        what = f"is {quoted(destination)}, not a path below the artifacts"
        yield _problem(at.within("destination"), what, "write a relative path with `/` and without `..`")


def _is_destination(path: str) -> bool:
    parts = [part for part in path.split("/") if part not in ("", ".")]
    inside = bool(parts) and not path.startswith("/") and "\\" not in path and ".." not in parts
    return inside and path.rstrip("/") != "manifest.json"


def _steps(steps: list[Any], at: Location) -> Iterator[Problem]:
    from unicodedata import normalize

    seen: dict[str, str] = {}
    for number, step in enumerate(steps):
        if not isinstance(step, dict):
            continue
        name, place = step.get("name"), at.within(number, "name")
        if isinstance(name, str):
            if not _is_step_name(name):
                yield _problem(
                    place, f"is {quoted(name)}, not the name of a folder", "use letters, digits, `-` and `_`"
                )
            key = normalize("NFC", name).casefold()
            if key in seen:
                yield _problem(
                    place, f"is {quoted(name)}, and so is an earlier step: {quoted(seen[key])}", "rename one"
                )
            seen.setdefault(key, name)
        yield from _phases(step, at.within(number))
        yield from _artifacts(step, at.within(number))


def _is_step_name(name: str) -> bool:
    """Whether a folder of this name can exist on every system; Harbor asks for that."""
    if not name.strip() or name.endswith((".", " ")) or _NOT_IN_A_FOLDER.search(name):
        return False
    return not _WINDOWS_DEVICE.match(name.partition(".")[0].rstrip(" ")) and len(name.encode()) <= 255


def _problem(at: Location, what: str, cure: str) -> Problem:
    subject = dotted(at.keys)
    return Problem(WRONG_VALUE, "task", at, f"{quoted(subject)} {what}", subject, cure=cure)
