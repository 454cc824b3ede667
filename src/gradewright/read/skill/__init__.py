"""A skill's own files: SKILL.md, dataset, fixtures, policy and manifest."""
