#!/bin/bash
set -euo pipefail
python3 - <<'PYTHON'
import csv
import json

with open("/workspace/input/input.csv", newline="", encoding="utf-8") as stream:
    rows = list(csv.DictReader(stream))
with open("/workspace/output.json", "w", encoding="utf-8") as stream:
    json.dump(rows, stream)
PYTHON
