"""Whom a fault of the service or a network condition is for."""

from __future__ import annotations

from typing import Optional, Union

from .contract import OverviewDataConditionsScopedItemScope as Scope
from .phone import Phone


def scope_of(user_id: Optional[str], phone: Optional[Union[Phone, str]], msg_id: Optional[str]) -> Scope:
    """Empty for everybody."""
    named = {"user_id": user_id, "phone": phone.id if isinstance(phone, Phone) else phone, "msg_id": msg_id}
    return {name: value for name, value in named.items() if value is not None}  # type: ignore[return-value]
