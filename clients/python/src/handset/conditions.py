"""The network conditions of a workspace: latency, refusals, lost answers."""

from __future__ import annotations

from typing import List, Optional, Union

from .contract import ConditionsPutApp, ConditionsPutRp, OverviewDataConditions
from .control import Control
from .phone import Phone
from .scope import Scope, scope_of


class Conditions:
    """The network conditions of a workspace; those of a lease that have a scope go with it."""

    def __init__(self, control: Control, lease: Optional[str] = None) -> None:
        self._control = control
        self._lease = lease
        self._own: List[Scope] = []

    def set(
        self,
        *,
        rp: Optional[ConditionsPutRp] = None,
        app: Optional[ConditionsPutApp] = None,
        user_id: Optional[str] = None,
        phone: Optional[Union[Phone, str]] = None,
        msg_id: Optional[str] = None,
    ) -> OverviewDataConditions:
        """
        Replaces those for calls about `user_id`, `phone` or `msg_id`, or those for everybody; what is not named is normal.
        """
        scope = scope_of(user_id, phone, msg_id)
        lease = self._lease if scope else None
        now = self._control.conditions_put(rp=rp, app=app, scope=scope or None, lease=lease)
        if self._lease is not None and scope not in self._own:
            self._own.append(scope)
        return now

    def clear(
        self,
        *,
        user_id: Optional[str] = None,
        phone: Optional[Union[Phone, str]] = None,
        msg_id: Optional[str] = None,
    ) -> None:
        """Those of the scope that is named, or all; on a lease, all that were set through it."""
        scope = scope_of(user_id, phone, msg_id)
        if self._lease is None:
            self._control.conditions_delete(**scope)
            return
        for each in [scope] if scope else list(self._own):
            self._clear(each)
            if each in self._own:
                self._own.remove(each)

    def _clear(self, scope: Scope) -> None:
        if scope:
            self._control.conditions_delete(**scope)
        else:
            # Deleting without a scope clears those of every scope, other leases' among them.
            self._control.conditions_put()
