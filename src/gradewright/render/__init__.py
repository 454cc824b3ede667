"""Reports as text or machine-readable documents, one module a format."""
