#!/bin/bash
# Plain Harbor starts this script and reads the flat reward.json which the grader leaves.
rm -f /logs/verifier/reward.json /logs/verifier/reward.txt
exec python3 /tests/grader.py --harbor
