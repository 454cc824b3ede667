"""What needs Harbor itself, which is never loaded into our own process."""
