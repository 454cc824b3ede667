"""Build graders for agent evaluations, and prove that they tell good work from bad."""

__version__ = "0.1.0"
