"""Show text of unknown origin on a terminal: file names, file contents, and messages that quote them."""

import re

_OBEYED = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
"""What a terminal obeys or swallows rather than shows: controls, marks that reorder or break a line, characters without
any shape, and surrogates, which no encoding takes. The joiners U+200C and U+200D are left: scripts and emoji need them.
"""


def visible(text: str) -> str:
    """`text` on one line, with escapes such as `\\x1b` or `\\n` for what a terminal would not show."""
    return _OBEYED.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)
