"""Virtual phones for tests of scan-and-push FIDO sign-in."""

from .bench import Handset, Phone, Workspace, connect, start
from .errors import ControlError, HandsetError, NoPush, PhoneRefused, RpRefusal, StartError
from .rp import Message, RelyingParty, sign

__all__ = [
    "ControlError",
    "Handset",
    "HandsetError",
    "Message",
    "NoPush",
    "Phone",
    "PhoneRefused",
    "RelyingParty",
    "RpRefusal",
    "StartError",
    "Workspace",
    "connect",
    "sign",
    "start",
]
