"""Run graders on samples and show whether they tell good work from bad."""
