"""What a test is called, as the bench takes it."""

from __future__ import annotations

import unicodedata

_NEVER = ("Cc", "Cs", "Zl", "Zp")


def plain_name(title: str, most: int) -> str:
    """On one line, of so many characters at most."""
    kept = "".join(" " if unicodedata.category(character) in _NEVER else character for character in title)
    return kept.strip()[:most] or "A test"
