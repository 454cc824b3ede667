"""Run an untrusted script once, within limits, in places that look like a container's."""
