#!/bin/bash
# One whole comparison: the reward is 1 when every row came through, else 0.
mkdir -p /logs/verifier
if python3 - <<'PYTHON'
import csv
import json
import sys

with open("/workspace/input/input.csv", newline="", encoding="utf-8") as stream:
    expected = list(csv.DictReader(stream))
try:
    with open("/workspace/output.json", encoding="utf-8") as stream:
        produced = json.load(stream)
except (OSError, ValueError) as error:
    sys.exit("output.json cannot be read: {}".format(error))
sys.exit(0 if produced == expected else "the rows differ")
PYTHON
then
  echo 1 > /logs/verifier/reward.txt
else
  echo 0 > /logs/verifier/reward.txt
fi
