"""A virtual phone, and the hand that holds it."""

from __future__ import annotations

import base64
import time
from typing import Any, Optional, Union

from .contract import WAIT_ENDED, PhonesArmData, PhoneState, Prompt
from .control import Control
from .errors import ControlError, NoPush, PhoneRefused
from .report import last_seq, report_page, trace_file


class Phone:
    """A virtual phone."""

    def __init__(self, control: Control, state: PhoneState) -> None:
        self.control = control
        self.id = state["id"]
        self.name = state["name"]
        self._since = last_seq(control)

    def state(self) -> PhoneState:
        """Everything that it shows and holds."""
        return self.control.phones_get(id=self.id)

    def scan(self, code: Union[str, bytes]) -> Prompt:
        """Holds the camera over a code: its address, or the bytes of a PNG or JPEG that it really reads."""
        if isinstance(code, str):
            return self._asked(self.control.phones_scan(id=self.id, url=code))
        kind = "png" if code.startswith(b"\x89PNG") else "jpeg"
        image: Any = {"type": kind, "data": base64.b64encode(code).decode()}
        return self._asked(self.control.phones_scan(id=self.id, image=image))

    def wait_for_push(self, timeout: float = 5) -> Prompt:
        """Opens the oldest push that nobody has answered, however early it came; NoPush after `timeout` seconds."""
        until = time.monotonic() + timeout
        while True:
            after = last_seq(self.control)
            waiting = self.state()["notifications"]
            if waiting:
                oldest = min(waiting, key=lambda push: push["arrived_at"])
                return self._asked(self.control.phones_open(id=self.id, msg_id=oldest["msg_id"]))
            left = max(0, round((until - time.monotonic()) * 1000))
            match = {"kind": "phone", "change": "pushed", "phone_id": self.id}
            try:
                self.control.events_wait(match=match, after=after, timeout_ms=left)
            except ControlError as refusal:
                if refusal.code == WAIT_ENDED:
                    raise NoPush(f"no push came to {self.name} within {timeout} s") from None
                raise

    def approve(self, storage: Optional[str] = None) -> PhoneState:
        """Puts the finger on the sensor. PhoneRefused when the service does not accept what it sends."""
        return self._answered(self.control.phones_approve(id=self.id, storage=storage))  # type: ignore[arg-type]

    def reject(self, reason: Optional[str] = None) -> PhoneState:
        """Says no."""
        return self.control.phones_reject(id=self.id, reason=reason)

    def arm(self, fault: str, *, times: int = 1, **parameters: Any) -> PhonesArmData:
        """
        Has it get one thing wrong in its next attempts: docs/faults.md. `strikes["begun"]` has the attempts that have begun, and go on
        without it.
        """
        return self.control.phones_arm(id=self.id, fault=fault, times=times, parameters=parameters or None)

    def register(self, user_id: str, username: Optional[str] = None, rp: Optional[str] = None) -> None:
        """Makes it hold a passkey of a user, through the bench's simulated RP."""
        relying_party = rp or self.control.rps_list()["rps"][0]["id"]
        attempt = self.control.simulator_register(
            rp=relying_party, user_id=user_id, username=username or user_id, poll=False
        )
        self.scan(attempt["url"])
        self.approve()

    def report(self, title: str, failure: str = "") -> str:
        """What has happened to it and its users since it is there, as an HTML file that needs nothing else. A failure stands at its head."""
        return report_page(self.control, title, failure, after=self._since, phone=self.id)["html"]

    def trace(self, title: str) -> bytes:
        """The same as a .handset file, which Handset's page and `handset show` open."""
        return trace_file(self.control, title, after=self._since, phone=self.id)

    def remove(self) -> None:
        """Signs it out and takes it off the bench; what it registered stays at the service. A lease removes that as well."""
        self.control.phones_delete(id=self.id)

    def _asked(self, state: PhoneState) -> Prompt:
        screen: Any = state["screen"]
        if screen["kind"] == "request":
            return screen["prompt"]
        raise PhoneRefused(screen.get("word", f"the phone shows {screen['kind']}"), screen.get("detail"))

    def _answered(self, state: PhoneState) -> PhoneState:
        screen: Any = state["screen"]
        if screen["kind"] in ("refused", "problem"):
            raise PhoneRefused(screen["word"], screen.get("detail"))
        return state
