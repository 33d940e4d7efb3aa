"""What happened, of one phone or of a whole workspace: as an HTML file that needs nothing else, in Markdown, and as a trace."""

from __future__ import annotations

import base64
from typing import List, NamedTuple, Optional

from .contract import REPORT_FAILURE_MAX, REPORT_TITLE_MAX, EventsReportData
from .control import Control
from .names import plain_failure, plain_name


class Report(NamedTuple):
    html: str
    trace: bytes
    markdown: str
    """For readers that are programs: the verdict, the evidence, and a scenario that repeats it."""
    lines: List[str]
    """What went wrong, for a terminal."""


def last_seq(control: Control) -> int:
    """The number of the latest event."""
    return control.events_list(latest=True, limit=1)["last_seq"]


def report_page(control: Control, title: str, failure: str, *, after: int, phone: Optional[str] = None) -> EventsReportData:
    """A failure stands at its head."""
    about = plain_name(title, REPORT_TITLE_MAX)
    said = plain_failure(failure, REPORT_FAILURE_MAX) or None
    return control.events_report(title=about, failure=said, after=after, phone_id=phone)


def report_markdown(control: Control, title: str, failure: str, *, after: int, phone: Optional[str] = None) -> str:
    about = plain_name(title, REPORT_TITLE_MAX)
    said = plain_failure(failure, REPORT_FAILURE_MAX) or None
    return control.events_agent_report(title=about, failure=said, after=after, phone_id=phone)["markdown"]


def trace_file(control: Control, title: str, *, after: int, phone: Optional[str] = None) -> bytes:
    about = plain_name(title, REPORT_TITLE_MAX)
    return base64.b64decode(control.events_trace(title=about, after=after, phone_id=phone)["handset"])
