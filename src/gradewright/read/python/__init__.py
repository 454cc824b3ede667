"""Python graders: one walk over the syntax tree, and values that are followed on demand."""
