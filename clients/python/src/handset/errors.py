"""What this package raises: each error says what came instead of what was expected."""

from __future__ import annotations

from typing import Any, Optional


class HandsetError(Exception):
    """Every error of this package."""


class StartError(HandsetError):
    """The program did not start; `output` is what it wrote."""

    def __init__(self, problem: str, output: str = "") -> None:
        super().__init__(f"{problem} {output.strip()}".strip())
        self.output = output


class VersionMismatch(HandsetError):
    """The bench speaks another version of the control interface than this package."""

    code = "version_mismatch"


class ControlError(HandsetError):
    """The control interface refused a call; the codes stand in docs/errors.md."""

    def __init__(self, code: int, error: str, data: Any = None) -> None:
        super().__init__(f"{code}: {error}" if code else error)
        self.code = code
        self.data = data


class RpRefusal(HandsetError):
    """The service refused a call of the relying party."""

    def __init__(self, code: int, error: str, data: Any = None, http_status: int = 0) -> None:
        super().__init__(f"{code}: {error}" if code else error)
        self.code = code
        self.data = data
        self.http_status = http_status


class PhoneRefused(HandsetError):
    """What the phone sent was refused, or it had nothing to answer; `word` says why."""

    def __init__(self, word: str, detail: Optional[str] = None) -> None:
        super().__init__(word if detail is None else f"{word}: {detail}")
        self.word = word


class NoPush(HandsetError):
    """No push came in time."""
