"""What a test is called and what it said, as the bench takes it."""

from __future__ import annotations

import re
import unicodedata

_NEVER = ("Cc", "Cs", "Zl", "Zp")


def plain_name(title: str, most: int) -> str:
    """On one line, of so many characters at most."""
    kept = "".join(" " if unicodedata.category(character) in _NEVER else character for character in title)
    return kept.strip()[:most] or "A test"


_COLORS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def plain_failure(text: str, most: int) -> str:
    """What a test said, without a terminal's colors, of so many characters at most."""
    return "".join("\ufffd" if unicodedata.category(one) == "Cs" else one for one in _COLORS.sub("", text).strip()[:most])
