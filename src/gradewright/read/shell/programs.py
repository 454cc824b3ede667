"""Programs that scripts of graders start, by what they can do to a reward file."""

NONE: frozenset[str] = frozenset()

WRAPPERS: dict[str, tuple[frozenset[str], int]] = {
    "env": (frozenset({"--chdir", "--unset", "-C", "-u"}), 0),
    "timeout": (frozenset({"--kill-after", "--signal", "-k", "-s"}), 1),
    "gtimeout": (frozenset({"--kill-after", "--signal", "-k", "-s"}), 1),
    "nice": (frozenset({"--adjustment", "-n"}), 0),
    "ionice": (frozenset({"-c", "-n"}), 0),
    "stdbuf": (frozenset({"-e", "-i", "-o"}), 0),
    "sudo": (frozenset({"--group", "--user", "-C", "-D", "-g", "-p", "-u"}), 0),
    "gosu": (NONE, 1),
    "su-exec": (NONE, 1),
    "time": (frozenset({"--format", "--output", "-f", "-o"}), 0),
    "nohup": (NONE, 0),
    "setsid": (NONE, 0),
    "command": (NONE, 0),
    "builtin": (NONE, 0),
    "exec": (frozenset({"-a"}), 0),
    "unbuffer": (NONE, 0),
    "chronic": (NONE, 0),
    "xvfb-run": (frozenset({"--server-args", "--server-num", "-e", "-f", "-n", "-p", "-s", "-w"}), 0),
    "dbus-run-session": (NONE, 0),
}
"""Programs that start the one named after their options: options with a value, and positional arguments."""

RUNNERS: dict[tuple[str, str], frozenset[str]] = {
    ("uv", "run"): frozenset({
        "--directory", "--env-file", "--extra", "--group", "--index", "--no-group", "--only-group",
        "--project", "--python", "--with", "--with-editable", "--with-requirements", "-p", "-w",
    }),
    ("poetry", "run"): frozenset({"--directory", "--project", "-C", "-P"}),
    ("pipenv", "run"): NONE,
    ("pdm", "run"): frozenset({"-p"}),
    ("hatch", "run"): NONE,
    ("conda", "run"): frozenset({"--cwd", "--name", "--prefix", "-n", "-p"}),
    ("mamba", "run"): frozenset({"--cwd", "--name", "--prefix", "-n", "-p"}),
    ("micromamba", "run"): frozenset({"--cwd", "--name", "--prefix", "-n", "-p"}),
    ("coverage", "run"): frozenset({"--data-file", "--include", "--omit", "--rcfile", "--source"}),
}  # fmt: skip
"""The same for programs that do so by a verb."""

SHELLS = frozenset({"ash", "bash", "dash", "ksh", "sh"})
PYTHON_VALUES = frozenset({"--check-hash-based-pycs", "-W", "-X"})
PYTEST = frozenset({"py.test", "pytest"})

CHECKS = frozenset({"grep", "egrep", "fgrep", "rg", "diff", "cmp", "test", "[", "[["})
"""Programs whose exit status is their answer."""

SILENT = frozenset({
    ":", "[", "add-apt-repository", "adduser", "alias", "apache2ctl", "apk", "apt", "apt-add-repository",
    "apt-get", "ask", "bg", "bind", "brew", "chgrp", "chmod", "chown", "clear", "cmp", "complete", "corepack",
    "deactivate", "disown", "dnf", "dpkg", "false", "fg", "gem", "getopts", "git", "groupadd", "hash",
    "history", "initdb", "kill", "killall", "let", "locale-gen", "mkdir", "mkfifo", "mount", "nginx", "nvm",
    "pacman", "pg_ctl", "pip", "pip2", "pip3", "pkill", "popd", "pushd", "redis-server", "reset", "rm", "rmdir",
    "rustup", "service", "shopt", "sleep", "ssh-keygen", "stty", "sync", "sysctl", "systemctl", "test", "touch",
    "true", "truncate", "ulimit", "umask", "umount", "unalias", "update-alternatives", "update-ca-certificates",
    "useradd", "wait", "yum", "zypper",
})  # fmt: skip
"""Print nothing that matters and write no reward."""

TALKING = frozenset({
    "alias", "apk", "apt", "dnf", "dpkg", "gem", "git", "history", "kill", "nginx", "nvm", "pacman", "pip", "pip2",
    "pip3", "pkill", "rustup", "service", "shopt", "ssh-keygen", "stty", "sysctl", "systemctl", "ulimit", "umask",
    "update-alternatives", "yum",
})  # fmt: skip
"""Of these, the ones that print something when they are asked for it."""

DOING = frozenset({
    "add", "am", "apply", "checkout", "clean", "clone", "commit", "config", "disable", "enable", "fetch", "init",
    "install", "pull", "push", "reload", "remove", "reset", "restart", "restore", "start", "stash", "stop", "switch",
    "uninstall", "update", "upgrade", "use",
})  # fmt: skip
"""Verbs with which they do something, and print nothing that matters."""

PRINTING = frozenset({
    "arch", "base32", "base64", "basename", "bc", "bzip2", "cal", "cksum", "column", "comm", "command",
    "compgen", "createdb", "csvtool", "curl", "cut", "date", "dc", "df", "diff", "dig", "dirname", "dmesg",
    "dos2unix", "dpkg-query", "dropdb", "du", "egrep", "env", "exec", "exiftool", "expand", "expr", "factor",
    "ffprobe", "fgrep", "file", "find", "fmt", "fold", "free", "fuser", "getconf", "getent", "grep", "groups",
    "gunzip", "gzip", "head", "help", "hexdump", "hexyl", "host", "hostname", "iconv", "id", "identify",
    "ifconfig", "ip", "jobs", "join", "jq", "last", "ldd", "less", "locale", "logger", "look", "ls",
    "lsb_release", "lscpu", "lsof", "md5sum", "mlr", "more", "mysql", "mysqladmin", "nc", "netstat", "nl", "nm",
    "nproc", "nslookup", "numfmt", "nvidia-smi", "objdump", "od", "openssl", "paste", "patch", "pdftotext",
    "pg_isready", "pgrep", "ping", "pr", "printenv", "ps", "psql", "pstree", "pwd", "readelf", "readlink",
    "realpath", "redis-cli", "rev", "rg", "rsync", "seq", "sha1sum", "sha256sum", "sha512sum", "shellcheck",
    "shuf", "sort", "split", "sqlite3", "ss", "stat", "strings", "sum", "tac", "tail", "tar", "telnet", "tidy",
    "time", "times", "tput", "tr", "tree", "tsort", "tty", "type", "uname", "uniq", "unix2dos", "unxz", "unzip",
    "uptime", "uudecode", "vmstat", "watch", "wc", "wget", "whereis", "which", "who", "whoami", "xmllint",
    "xsltproc", "xxd", "xz", "yes", "yq", "zcat", "zgrep", "zip",
})  # fmt: skip
"""Print something, and write files only where they are told to."""

MAY_WRITE = frozenset({
    "base64", "bzip2", "csvtool", "curl", "diff", "dos2unix", "find", "git", "gunzip", "gzip", "iconv", "jq",
    "mlr", "mysql", "openssl", "patch", "psql", "rsync", "shuf", "sort", "split", "sqlite3", "tar", "tidy",
    "truncate", "uniq", "unix2dos", "unzip", "uudecode", "wget", "xmllint", "xsltproc", "xxd", "xz", "yq", "zip",
})  # fmt: skip
"""Of these, the ones that an argument can make write a file."""

TOOL_VERBS: dict[str, frozenset[str]] = {
    "uv": frozenset({
        "add", "build", "cache", "export", "init", "lock", "pip", "python", "self", "sync", "tool", "venv",
    }),
    "npm": frozenset({"--version", "-v", "cache", "ci", "config", "i", "init", "install", "ls", "prefix", "root"}),
    "pnpm": frozenset({"--version", "add", "config", "i", "install"}),
    "yarn": frozenset({"--version", "add", "config", "install"}),
    "go": frozenset({"build", "env", "fmt", "get", "install", "mod", "version", "vet"}),
    "cargo": frozenset({"--version", "build", "check", "clippy", "fetch", "fmt", "install"}),
    "poetry": frozenset({"--version", "add", "config", "env", "install", "lock"}),
    "conda": frozenset({"activate", "config", "create", "info", "init", "install", "list"}),
    "docker": frozenset({"--version", "images", "info", "ps", "pull", "version"}),
    "node": frozenset({"--version", "-v"}),
    "java": frozenset({"--version", "-version"}),
    "rustc": frozenset({"--version"}),
    "gcc": frozenset({"--version", "-v"}),
    "python": frozenset({"--version", "-V"}),
}  # fmt: skip
"""Verbs with which a program that could start anything starts nothing of the task's."""

PYTHON_TOOLS = frozenset({
    "black", "compileall", "ensurepip", "flake8", "isort", "json.tool", "mypy", "pip", "platform", "py_compile",
    "pycodestyle", "pyflakes", "ruff", "site", "sysconfig", "tarfile", "venv", "virtualenv", "zipfile",
})  # fmt: skip
"""Modules that `python -m` starts and that write no reward."""

HARMLESS_SOURCES = (
    "/.local/bin/env", "/bin/activate", "/.cargo/env", "/etc/profile", "/.bashrc", "/.profile",
    "/.bash_profile", "/nvm.sh", "/conda.sh", "/sdkman-init.sh", "/etc/os-release", "/.zshrc",
    "/etc/environment", "/setup.bash",
)  # fmt: skip
"""Ends of files that scripts take in for their PATH."""
