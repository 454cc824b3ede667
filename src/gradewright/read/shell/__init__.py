"""Shell graders and test scripts: one walk over the syntax tree, and what bash says of the syntax."""
