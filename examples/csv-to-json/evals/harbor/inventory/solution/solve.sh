#!/bin/bash
# The reference solution, which Harbor's oracle agent runs in the task's image: it must earn the full score.
set -eu

mkdir -p /workspace/output
python3 - <<'PYTHON'
import csv
import json

with open("/workspace/input/inventory.csv", encoding="utf-8", newline="") as table:
    records = list(csv.DictReader(table))
with open("/workspace/output/records.json", "w", encoding="utf-8") as result:
    json.dump(records, result, ensure_ascii=False, indent=2)
PYTHON
