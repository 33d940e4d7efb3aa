"""Virtual phones for tests of scan-and-push FIDO sign-in."""

from .bench import Handset, connect, start
from .conditions import Conditions
from .errors import ControlError, HandsetError, NoPush, PhoneRefused, RpRefusal, StartError, VersionMismatch
from .phone import Phone
from .rp import Message, RelyingParty, sign
from .service import ArmedFault, ServiceFaults
from .workspace import AccessKey, Lease, Workspace

__all__ = [
    "AccessKey",
    "ArmedFault",
    "Conditions",
    "ControlError",
    "Handset",
    "HandsetError",
    "Lease",
    "Message",
    "NoPush",
    "Phone",
    "PhoneRefused",
    "RelyingParty",
    "RpRefusal",
    "ServiceFaults",
    "StartError",
    "VersionMismatch",
    "Workspace",
    "connect",
    "sign",
    "start",
]
