"""The envelope in which every answer comes."""

from __future__ import annotations

import json
from typing import Any, NamedTuple, Optional


class Envelope(NamedTuple):
    code: int
    error: str
    data: Any


def parse_envelope(answer: bytes) -> Optional[Envelope]:
    """None where it is none: something else answered, or the answer broke off."""
    try:
        value = json.loads(answer)
        envelope = Envelope(value["code"], value["error"], value["data"])
    except (ValueError, KeyError, TypeError):
        return None
    return envelope if type(envelope.code) is int and isinstance(envelope.error, str) else None
