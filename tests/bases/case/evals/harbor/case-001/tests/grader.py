"""Grade one conversion: which part of the rows came through unchanged."""

import csv
import json
import os
import sys

LOGS = os.environ.get("HARBOR_VERIFIER_DIR", "/logs/verifier")
REWARD_JSON = os.environ.get("HARBOR_REWARD_JSON", os.path.join(LOGS, "reward.json"))
REWARD_TXT = os.environ.get("HARBOR_REWARD_TXT", os.path.join(LOGS, "reward.txt"))
WORKSPACE = "/workspace"


def rows_kept():
    """The share of the table's rows found at their place, and the reason in words."""
    with open(os.path.join(WORKSPACE, "input", "input.csv"), newline="", encoding="utf-8") as stream:
        expected = list(csv.DictReader(stream))
    try:
        with open(os.path.join(WORKSPACE, "output.json"), encoding="utf-8") as stream:
            produced = json.load(stream)
    except (OSError, ValueError) as error:
        return 0.0, "output.json cannot be read: " + str(error)
    if not isinstance(produced, list):
        return 0.0, "output.json is not a list"
    kept = sum(1 for want, got in zip(expected, produced) if want == got)
    longest = max(len(expected), len(produced), 1)
    return kept / longest, "{} of {} rows are right".format(kept, longest)


def main():
    score, reason = rows_kept()
    reward = {
        "overall": score,
        "custom_metrics": {"rows_kept": score},
        "details": {"rows_kept": {"score": score, "reason": reason}},
    }
    if "--harbor" in sys.argv[1:]:
        reward = {"overall": score, "rows_kept": score}
    os.makedirs(os.path.dirname(REWARD_JSON), exist_ok=True)
    with open(REWARD_JSON, "w", encoding="utf-8") as stream:
        json.dump(reward, stream)
    with open(REWARD_TXT, "w", encoding="utf-8") as stream:
        stream.write("{:.6f}\n".format(score))


if __name__ == "__main__":
    main()
