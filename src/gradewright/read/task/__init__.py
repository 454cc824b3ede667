"""Native Harbor tasks: configuration, texts, scripts and image."""
