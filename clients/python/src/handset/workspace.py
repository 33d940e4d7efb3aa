"""Where tests act: a workspace of a bench, or the same one for a limited time."""

from __future__ import annotations

import threading
from typing import Any, List, Mapping, NamedTuple, Optional, Sequence

from .conditions import Conditions
from .contract import PHONE_NAME_MAX
from .control import Control
from .errors import ControlError
from .names import plain_name
from .phone import Phone
from .report import Report, last_seq, report_markdown, report_page, trace_file
from .rp import RelyingParty
from .service import ServiceFaults

_BETWEEN_TRIES = 0.2


class AccessKey(NamedTuple):
    """With what an RP signs."""

    id: str
    secret: str


class Workspace:
    """A bench within the bench: RPs, users, phones, a clock of their own."""

    def __init__(self, bench: Control, control: Control, name: str, base_url: str) -> None:
        self._bench = bench
        self.control = control
        self.name = name
        self.base_url = base_url
        self._service = ServiceFaults(control)
        self._conditions = Conditions(control)

    @property
    def service(self) -> ServiceFaults:
        """What the service gets wrong towards RPs here."""
        return self._service

    @property
    def conditions(self) -> Conditions:
        """Latency, refusals and lost answers here."""
        return self._conditions

    def phone(self, name: str = "Phone", *, passkeys: Sequence[Mapping[str, str]] = (), **settings: Any) -> Phone:
        """A new phone; `passkeys=[{"user_id": "u-1"}]` has it start registered."""
        phone = Phone(self.control, self.control.phones_create(name=plain_name(name, PHONE_NAME_MAX), **settings))
        try:
            for passkey in passkeys:
                phone.register(**passkey)
        except BaseException:
            phone.remove()
            raise
        return phone

    def lease(self, name: str = "", ttl: Optional[float] = None) -> "Lease":
        """
        The same workspace for a limited time: its phones go when it ends, with all that they left. When this process is
        killed they go `ttl` seconds later, 10 by default.
        """
        return Lease(self, name, ttl)

    def relying_party(self, rp: Optional[str] = None) -> RelyingParty:
        """A client that signs as an RP of this workspace, with its first active key."""
        key = self.access_key(rp)
        return RelyingParty(self.base_url, key.id, key.secret, ca=self.control.ca)

    def access_key(self, rp: Optional[str] = None) -> AccessKey:
        """The first active key of an RP of this workspace, for a server of your own; a new one where it has none."""
        relying_party = rp or self.control.rps_list()["rps"][0]["id"]
        for key in self.control.keys_list(rp=relying_party)["keys"]:
            if key["state"] == "active":
                return AccessKey(key["id"], self.control.keys_reveal(rp=relying_party, key=key["id"])["secret"])
        made = self.control.keys_create(rp=relying_party)
        return AccessKey(made["key"]["id"], made["secret"])

    def close(self) -> None:
        """Removes it with all that is in it; `main` stays."""
        self._bench.workspaces_close(id=self.name)


class Lease(Workspace):
    """A workspace whose phones, faults of the service and conditions of a scope go when this ends; as a context manager it ends with the block."""

    def __init__(self, workspace: Workspace, name: str, ttl: Optional[float]) -> None:
        super().__init__(workspace._bench, workspace.control, workspace.name, workspace.base_url)
        self._since = last_seq(self.control)
        self._phones: List[Phone] = []
        ttl_ms = None if ttl is None else round(ttl * 1000)
        self.id = self.control.leases_create(name=plain_name(name, PHONE_NAME_MAX), ttl_ms=ttl_ms)["id"]
        self._service = ServiceFaults(self.control, self.id)
        self._conditions = Conditions(self.control, self.id)
        self._ended = threading.Event()
        threading.Thread(target=self._keep_holding, daemon=True).start()

    def phone(self, name: str = "Phone", *, passkeys: Sequence[Mapping[str, str]] = (), **settings: Any) -> Phone:
        phone = super().phone(name, passkeys=passkeys, lease=self.id, **settings)
        self._phones.append(phone)
        return phone

    def reports(self, title: str, failure: str = "") -> List[Report]:
        """What has happened since it began: of each of its phones, or of the workspace where no phone was made."""
        about = [phone.id for phone in self._phones] or [None]
        place, since = self.control, self._since
        pages = [(one, report_page(place, title, failure, after=since, phone=one)) for one in about]
        return [
            Report(
                page["html"],
                trace_file(place, title, after=since, phone=one),
                report_markdown(place, title, failure, after=since, phone=one),
                page["lines"],
            )
            for one, page in pages
        ]

    def end(self) -> None:
        """Removes what its phones registered, were asked and are; what others made stays."""
        self._ended.set()
        try:
            self.control.leases_delete(id=self.id)
        except ControlError as refusal:
            if refusal.code // 100 != 404:
                raise

    def _keep_holding(self) -> None:
        """The system closes the connection with this process, and keeps it while a debugger stops the test."""
        while not self._ended.is_set():
            try:
                self.control.hold(f"/leases/{self.id}/hold")
            except ControlError as refusal:
                if refusal.code != 0:
                    return
            self._ended.wait(_BETWEEN_TRIES)

    def __enter__(self) -> "Lease":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()
