"""Data files: JSON, YAML and TOML parsed within bounds, checked against schemas, and located."""
