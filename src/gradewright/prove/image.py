"""What an agent finds in the image of its task, where the sandbox really has that image."""

from gradewright.prove.stage import places_of
from gradewright.prove.subject import Subject
from gradewright.sandbox.protocol import Sandbox

_OURS = ("/logs", "/tests")
"""Platforms bring these themselves, whatever an image has there."""


def with_image(subject: Subject, sandbox: Sandbox, folder: str) -> Subject:
    """The subject with its start as the image has it, copied below `folder`: what RUN lines made is known only there.

    Raises `SandboxError` if the image cannot be made ready.
    """
    if not subject.image:
        return subject
    sandbox.prepare(subject.image)
    places = [place for place in places_of(subject) if place not in _OURS]
    start = sandbox.contents(tuple(places), folder)
    return subject if start is None else subject._replace(start=start)
