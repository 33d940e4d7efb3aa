"""One call over HTTP, without proxies: a bench is on this machine or on one that is named."""

from __future__ import annotations

import functools
import http.client
import ssl
import time
import urllib.error
import urllib.request
from typing import IO, Mapping, Optional, Tuple

# An export of a large workspace is the longest answer there is; one that never ends is none.
_MOST = 256 * 1024 * 1024
_PIECE = 64 * 1024


# From Python 3.10 on it has a name; without it a server's own certificate cannot be trusted by itself.
_PARTIAL_CHAIN = ssl.VerifyFlags(0x80000)


@functools.lru_cache(maxsize=16)
def _opener(ca: Optional[str]) -> urllib.request.OpenerDirector:
    """Trusts the certificates of a PEM text and no others, and what the system trusts where there is none."""
    if ca == "":  # which would mean the system's
        raise ValueError("ca must be certificates as PEM; got an empty text")
    try:
        context = ssl.create_default_context(cadata=ca)
    except (ssl.SSLError, ValueError) as reason:
        raise ValueError(f"ca must be certificates as PEM: {reason}") from reason
    if ca is not None:
        context.verify_flags |= _PARTIAL_CHAIN
    return urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context)
    )


def check_ca(ca: Optional[str]) -> None:
    """A ValueError where it is not what `exchange` takes."""
    _opener(ca)


def exchange(
    method: str,
    url: str,
    headers: Mapping[str, str],
    body: Optional[bytes],
    timeout: float,
    ca: Optional[str] = None,
) -> Tuple[int, bytes]:
    """Status and body of an answer, whatever its status; none, half of one, or one that is not whole in time is an OSError."""
    request = urllib.request.Request(url, data=body, headers=dict(headers), method=method)
    until = time.monotonic() + timeout
    try:
        with _opener(ca).open(request, timeout=timeout) as answer:
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


def read_to_end(url: str, headers: Mapping[str, str], timeout: float, ca: Optional[str] = None) -> int:
    """Reads a stream until the other side ends it; its status. `timeout` is the longest silence."""
    try:
        with _opener(ca).open(urllib.request.Request(url, headers=dict(headers)), timeout=timeout) as line:
            while line.readline(1024):
                pass
            return line.status
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code
    except http.client.HTTPException as broken:
        raise OSError(str(broken)) from broken
