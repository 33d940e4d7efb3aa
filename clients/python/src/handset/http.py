"""One call over HTTP, without proxies: a bench is on this machine or on one that is named."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from typing import Mapping, Optional, Tuple

_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def exchange(
    method: str, url: str, headers: Mapping[str, str], body: Optional[bytes], timeout: float
) -> Tuple[int, bytes]:
    """Status and body of an answer, whatever its status; no answer, or half of one, is an OSError."""
    request = urllib.request.Request(url, data=body, headers=dict(headers), method=method)
    try:
        with _opener.open(request, timeout=timeout) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.read()
    except http.client.HTTPException as broken:
        raise OSError(f"{type(broken).__name__}: {broken}") from broken


def read_to_end(url: str, headers: Mapping[str, str], timeout: float) -> int:
    """Reads a stream until the other side ends it; its status. `timeout` is the longest silence."""
    try:
        with _opener.open(urllib.request.Request(url, headers=dict(headers)), timeout=timeout) as line:
            while line.readline(1024):
                pass
            return line.status
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code
    except http.client.HTTPException as broken:
        raise OSError(str(broken)) from broken
