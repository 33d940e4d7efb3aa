"""One call over HTTP, without proxies: a bench is on this machine or on one that is named."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from typing import IO, Mapping, Optional, Tuple

_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

# An export of a large workspace is the longest answer there is; one that never ends is none.
_MOST = 256 * 1024 * 1024
_PIECE = 64 * 1024


def exchange(
    method: str, url: str, headers: Mapping[str, str], body: Optional[bytes], timeout: float
) -> Tuple[int, bytes]:
    """Status and body of an answer, whatever its status; none, half of one, or one that is not whole in time is an OSError."""
    request = urllib.request.Request(url, data=body, headers=dict(headers), method=method)
    until = time.monotonic() + timeout
    try:
        with _opener.open(request, timeout=timeout) as answer:
            return answer.status, _whole(answer, until)
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, _whole(refusal, until)
    except http.client.HTTPException as broken:
        raise OSError(f"{type(broken).__name__}: {broken}") from broken


def _whole(answer: IO[bytes], until: float) -> bytes:
    pieces, length = [], 0
    # read1 answers with what is there; read would wait for a whole piece, however slowly it comes.
    while piece := answer.read1(_PIECE):  # type: ignore[attr-defined]
        pieces.append(piece)
        length += len(piece)
        if length > _MOST:
            raise OSError(f"the answer has more than {_MOST} bytes")
        if time.monotonic() > until:
            raise TimeoutError("the answer was not whole in time")
    if getattr(answer, "length", None):
        raise OSError("the answer broke off")
    return b"".join(pieces)


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
