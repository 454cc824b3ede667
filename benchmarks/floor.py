"""The floor: walk, read and parse the files of a skill once with the standard library, keeping nothing."""

import ast
import json
import os
import sys
import tomllib


def main(root: str) -> None:
    """Read every file below `root`; parse JSON, TOML and Python."""
    for folder, _, names in os.walk(root):
        for name in names:
            with open(os.path.join(folder, name), "rb") as stream:
                data = stream.read()
            if name.endswith(".json"):
                json.loads(data)
            elif name.endswith(".toml"):
                tomllib.loads(data.decode())
            elif name.endswith(".py"):
                ast.parse(data)


if __name__ == "__main__":
    main(sys.argv[1])
