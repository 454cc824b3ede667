"""Mend what rules found, as far as a rule offers a fix: looked for late, published together or not at all."""

from gradewright.finding import Edit, Finding


def edits(finding: Finding) -> tuple[Edit, ...]:
    """The replacements that the fix of `finding` makes, none if it has none or it cannot be made without doubt.

    The file is read and parsed for it. A fix that renames a file has no edits.
    """
    from gradewright.fix.remedies import changed

    if finding.fix is None:
        return ()
    return changed(finding.fix.remedy)
