"""A relying party: signs, calls the service, polls until a result is final."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import threading
import time
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Tuple
from urllib.parse import quote, unquote_to_bytes, urlencode

from .envelope import parse_envelope
from .errors import RpRefusal
from .http import check_ca, exchange

FINAL = ("success", "fail", "timeout")

#: Seconds, after which who polls gives up on a service that refuses or does not answer.
_PATIENCE = 30


def sign(
    method: str,
    url: str,
    body: bytes = b"",
    headers: Iterable[Tuple[str, str]] = (),
    *,
    access_key_id: str,
    secret_key: str,
    identifier: str = "",
    date: Optional[str] = None,
) -> Dict[str, str]:
    """The two headers that a request needs: docs/interface/signing.md. A date of None is now."""
    date = date or time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    address = re.fullmatch(r"https?://([^/?]+)([^?]*)(?:\?(.*))?", url)
    if address is None:
        raise ValueError(f"not an http address: {url!r}")
    host, path, query = address.groups()

    def encode(text: str) -> str:
        return quote(unquote_to_bytes(text), safe="-._~")

    pairs = sorted([encode(part) for part in pair.partition("=")[::2]] for pair in (query or "").split("&") if pair)
    signed: Dict[str, List[str]] = {}
    for name, value in [("host", host), ("x-svc-date", date), *headers]:
        signed.setdefault(name.lower(), []).append(re.sub(" +", " ", value).strip(" "))
    names = ";".join(sorted(signed))
    lines = "".join(f"{name}:{','.join(signed[name])}\n" for name in sorted(signed))
    canonical = "\n".join([method.upper(), path or "/", "&".join(map("=".join, pairs)), lines, names, _sha256(body)])
    scope = f"fido-server/{identifier}"
    to_sign = "\n".join(["SVC-HMAC-SHA256", date, scope, _sha256(canonical.encode())])
    signature = hmac.new(secret_key.encode(), to_sign.encode(), hashlib.sha256).hexdigest()
    return {"X-Svc-Date": date, "Authorization": f"SVC-HMAC-SHA256 {access_key_id}/{scope},{names},{signature}"}


def _sha256(octets: bytes) -> str:
    return hashlib.sha256(octets).hexdigest()


class Message(NamedTuple):
    """A registration or a sign-in that waits for a phone."""

    url: str
    expires_at: int
    #: `attestation` or `assertion`: which result call belongs to it.
    ceremony: str

    @property
    def msg_id(self) -> str:
        return self.url.partition("#")[2][1:]


class RelyingParty:
    """
    Calls the service as an RP does; a refusal is an RpRefusal. `ca` is PEM of the certificates to trust instead of the
    system's, where the service speaks https.
    """

    def __init__(
        self, base_url: str, access_key_id: str, secret_key: str, *, timeout: float = 30, ca: Optional[str] = None
    ) -> None:
        check_ca(ca)
        self.base_url = base_url.rstrip("/")
        self._key = {"access_key_id": access_key_id, "secret_key": secret_key}
        self._timeout = timeout
        self._ca = ca

    def call(self, method: str, path: str, body: Any = None, **query: str) -> Any:
        """Any call, signed: the `data` of its answer."""
        url = self.base_url + path + (f"?{urlencode(query, quote_via=quote)}" if query else "")
        octets = b"" if body is None else json.dumps(body).encode()
        headers = {**sign(method, url, octets, **self._key), "Content-Type": "application/json"}
        try:
            status, answer = exchange(method, url, headers, octets or None, self._timeout, self._ca)
        except OSError as reason:
            raise RpRefusal(0, f"No answer from {self.base_url}: {reason}") from reason
        envelope = parse_envelope(answer)
        if envelope is None:
            raise RpRefusal(0, f"HTTP {status}: the answer is not an envelope.", answer, status)
        if envelope.code != 0:
            raise RpRefusal(envelope.code, envelope.error, envelope.data, status)
        return envelope.data

    def register(self, user_id: str, username: str, **optional: str) -> Message:
        """`display_name` and `credential_name` are optional."""
        body = {"user_id": user_id, "username": username, **optional}
        return self._message("attestation", self.call("POST", "/rp/attestation/options", body))

    def sign_in(self, user_id: str, username: str, method: str = "qrcode") -> Message:
        """`method` is `qrcode` or `push`."""
        body = {"user_id": user_id, "username": username, "method": method}
        return self._message("assertion", self.call("POST", "/rp/assertion/options", body))

    def result(self, message: Message) -> Dict[str, Any]:
        """The result as it is now. The service delivers a final one once."""
        return self.call("GET", f"/rp/{message.ceremony}/result", msg_id=message.msg_id)

    def wait_for_result(
        self, message: Message, *, interval: float = 1, timeout: float = 60, cancel: Optional[threading.Event] = None
    ) -> Dict[str, Any]:
        """
        Polls until the result is final. TimeoutError after `timeout` seconds; `cancel` ends it with what came last.
        It goes on where the service refuses for the moment or does not answer, for 30 seconds at most.
        """
        answered = time.monotonic()
        until = answered + timeout
        result: Optional[Dict[str, Any]] = None
        while True:
            refusal: Optional[RpRefusal] = None
            try:
                result = self.result(message)
                if _field(result, "status", str) in FINAL:
                    return result
                answered = time.monotonic()
            except RpRefusal as reason:
                if not _passes(reason.code) or time.monotonic() - answered > _PATIENCE:
                    raise
                refusal = reason
            left = until - time.monotonic()
            if left <= 0:
                if refusal is not None:
                    raise refusal
                raise TimeoutError(f"the result is still {result['status']!r} after {timeout} s")
            pause = min(interval, left)
            if cancel is None:
                time.sleep(pause)
            elif cancel.wait(pause):
                if result is None:
                    raise refusal
                return result

    def credentials(self, user_id: str) -> List[Dict[str, Any]]:
        return _field(self.call("GET", "/rp/credentials", user_id=user_id), "list", list)

    def delete_credentials(self, user_id: str, credential_ids: List[str]) -> int:
        """How many there were."""
        body = {"user_id": user_id, "credential_ids": credential_ids}
        return _field(self.call("DELETE", "/rp/credentials", body), "total", int)

    @staticmethod
    def _message(ceremony: str, data: Dict[str, Any]) -> Message:
        return Message(_field(data, "url", str), _field(data, "expires_at", int), ceremony)


def _passes(code: int) -> bool:
    """The same call may be answered later: too many calls, a problem of the service, or no answer."""
    return code == 0 or code // 100 == 429 or code // 100 >= 500


def _field(data: Any, name: str, kind: type) -> Any:
    value = data.get(name) if isinstance(data, dict) else None
    if isinstance(value, kind):
        return value
    raise RpRefusal(0, f'The answer does not fit: "{name}" must be {kind.__name__}; got {value!r:.100}.', data)
