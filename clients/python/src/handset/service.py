"""The service of a bench as something that lies and fails on command: docs/service-faults.md."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Union

from .control import Control
from .errors import ControlError
from .phone import Phone
from .scope import scope_of


class ArmedFault:
    """What the service will get wrong; as a context manager no longer than the block."""

    def __init__(self, control: Control, armed: Dict[str, Any]) -> None:
        self._control = control
        self.id: str = armed["id"]
        self.fault: str = armed["fault"]

    def disarm(self) -> None:
        """One that is used up is disarmed already."""
        try:
            self._control.service_disarm(id=self.id)
        except ControlError as refusal:
            if refusal.code // 100 != 404:
                raise

    def __enter__(self) -> "ArmedFault":
        return self

    def __exit__(self, *_: object) -> None:
        self.disarm()


class ServiceFaults:
    """The faults of the service in a workspace; those of a lease go with it."""

    def __init__(self, control: Control, lease: Optional[str] = None) -> None:
        self._control = control
        self._lease = lease
        self._own: List[ArmedFault] = []

    def arm(
        self,
        fault: str,
        *,
        user_id: Optional[str] = None,
        phone: Optional[Union[Phone, str]] = None,
        msg_id: Optional[str] = None,
        **settings: Any,
    ) -> ArmedFault:
        """
        Once, towards everybody, unless it says otherwise: `times`, `probability`, `parameters` and `only` as
        `service_arm` takes them; `user_id`, `phone` or `msg_id` for calls about one of these alone.
        """
        scope = scope_of(user_id, phone, msg_id)
        answer = self._control.service_arm(fault=fault, scope=scope or None, lease=self._lease, **settings)  # type: ignore[arg-type]
        armed = ArmedFault(self._control, dict(answer))
        if self._lease is not None:
            self._own.append(armed)
        return armed

    def armed(self) -> List[Any]:
        """All that is armed in the workspace, oldest first."""
        return list(self._control.service_faults()["faults"])

    def disarm(self) -> None:
        """All that is armed in the workspace; on a lease, all that was armed through it."""
        if self._lease is None:
            self._control.service_disarm_all()
            return
        while self._own:
            self._own[-1].disarm()
            self._own.pop()
