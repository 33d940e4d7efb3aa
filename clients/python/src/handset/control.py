"""The control interface of one workspace over HTTP."""

from __future__ import annotations

import json
from typing import Any, Mapping, Optional
from urllib.parse import quote, urlencode

from .contract import PHONE_REFUSED, Calls
from .envelope import parse_envelope
from .errors import ControlError, PhoneRefused
from .http import check_ca, exchange, read_to_end

_GRACE = 10
#: A stream says something every 15 seconds.
_SILENCE = 60


class Control(Calls):
    """The control interface of one workspace, call by call: docs/control-routes.md."""

    def __init__(self, control_url: str, token: str, timeout: float = 30, *, ca: Optional[str] = None) -> None:
        check_ca(ca)
        self.control_url = control_url.rstrip("/")
        self.token = token
        self.ca = ca
        self._timeout = timeout

    def _call(
        self,
        method: str,
        path: str,
        params: Mapping[str, str] = {},
        query: Mapping[str, Any] = {},
        body: Optional[Mapping[str, Any]] = None,
    ) -> Any:
        for name, value in params.items():
            path = path.replace(f"{{{name}}}", quote(value, safe=""))
        asked = {name: json.dumps(value) if isinstance(value, bool) else value for name, value in query.items()}
        text = urlencode({name: value for name, value in asked.items() if value is not None}, doseq=True)
        url = f"{self.control_url}{path}{'?' if text else ''}{text}"
        octets = None
        if body is not None:
            octets = json.dumps({name: value for name, value in body.items() if value is not None}).encode()
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        # A wait may take as long as it says.
        patience = self._timeout if body is None else max(self._timeout, (body.get("timeout_ms") or 0) / 1000 + _GRACE)
        try:
            status, answer = exchange(method, url, headers, octets, patience, self.ca)
        except OSError as reason:
            raise ControlError(0, f"Nothing answers at {self.control_url}: {reason}") from reason
        envelope = parse_envelope(answer)
        if envelope is None:
            raise ControlError(0, f"HTTP {status}: what answers at {self.control_url} is no bench.")
        code, error, data = envelope
        if code == PHONE_REFUSED and isinstance(data, dict):
            raise PhoneRefused(data.get("word", "phone"), error)
        if code != 0:
            raise ControlError(code, error, data)
        return data

    def hold(self, path: str) -> None:
        """Keeps a stream open until the bench ends it or the line breaks; a ControlError where it is refused."""
        try:
            headers = {"Authorization": f"Bearer {self.token}"}
            status = read_to_end(self.control_url + path, headers, _SILENCE, self.ca)
        except OSError as reason:
            raise ControlError(0, f"Nothing answers at {self.control_url}: {reason}") from reason
        if status != 200:
            raise ControlError(status * 100, f"HTTP {status}")
