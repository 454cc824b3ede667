#!/bin/bash
# Harbor runs this script after the agent has ended. SkillEvaluator runs grader.py itself.
set -u

tests_dir="${HARBOR_TESTS_DIR:-/tests}"
reward_json="${HARBOR_REWARD_JSON:-/logs/verifier/reward.json}"
reward_txt="${HARBOR_REWARD_TXT:-/logs/verifier/reward.txt}"

give_up() {
    rm -rf -- "$reward_json" "$reward_txt"
    echo "test.sh: $1, so there is no reward" >&2
    exit 1
}

rm -rf -- "$reward_json" "$reward_txt" || give_up "an old reward cannot be removed"
mkdir -p -- "$(dirname -- "$reward_json")" || give_up "the folder of the reward cannot be made"
python3 "$tests_dir/grader.py" --harbor || give_up "grader.py failed with exit status $?"
[ -s "$reward_json" ] || give_up "grader.py wrote no reward"
