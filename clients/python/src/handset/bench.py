"""A bench that runs, its workspaces and its phones."""

from __future__ import annotations

import base64
import json
import os
import shlex
import subprocess
import tempfile
import threading
import time
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union
from urllib.parse import quote, urlencode, urlsplit

from .contract import Calls, PhoneState, Prompt
from .errors import ControlError, NoPush, PhoneRefused, StartError
from .http import exchange
from .rp import RelyingParty

CONTROL_VERSION = 1
_GRACE = 10
_PHONE_CANNOT = 40906


class Control(Calls):
    """The control interface of one workspace, call by call: docs/control-routes.md."""

    def __init__(self, control_url: str, token: str, timeout: float = 30) -> None:
        self.control_url = control_url.rstrip("/")
        self.token = token
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
            status, answer = exchange(method, url, headers, octets, patience)
        except OSError as reason:
            raise ControlError(0, f"Nothing answers at {self.control_url}: {reason}") from reason
        try:
            envelope = json.loads(answer)
            code, data, error = envelope["code"], envelope["data"], envelope["error"]
        except (ValueError, KeyError, TypeError):
            raise ControlError(0, f"HTTP {status}: what answers at {self.control_url} is no bench.") from None
        if code == _PHONE_CANNOT:
            raise PhoneRefused(data.get("word", "phone"), error)
        if code != 0:
            raise ControlError(code, error, data)
        return data


class Phone:
    """A virtual phone."""

    def __init__(self, control: Control, state: PhoneState) -> None:
        self.control = control
        self.id = state["id"]
        self.name = state["name"]
        self._since = _last_seq(control)

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
            after = _last_seq(self.control)
            waiting = self.state()["notifications"]
            if waiting:
                oldest = min(waiting, key=lambda push: push["arrived_at"])
                return self._asked(self.control.phones_open(id=self.id, msg_id=oldest["msg_id"]))
            left = max(0, round((until - time.monotonic()) * 1000))
            match = {"kind": "phone", "change": "pushed", "phone_id": self.id}
            try:
                self.control.events_wait(match=match, after=after, timeout_ms=left)
            except ControlError as refusal:
                if refusal.code == 40905:
                    raise NoPush(f"no push came to {self.name} within {timeout} s") from None
                raise

    def approve(self, storage: Optional[str] = None) -> PhoneState:
        """Puts the finger on the sensor. PhoneRefused when the service does not accept what it sends."""
        return self._answered(self.control.phones_approve(id=self.id, storage=storage))  # type: ignore[arg-type]

    def reject(self, reason: Optional[str] = None) -> PhoneState:
        """Says no."""
        return self.control.phones_reject(id=self.id, reason=reason)

    def arm(self, fault: str, *, times: int = 1, **parameters: Any) -> None:
        """Has it get one thing wrong in its next attempts: docs/faults.md."""
        self.control.phones_arm(id=self.id, fault=fault, times=times, parameters=parameters or None)

    def register(self, user_id: str, username: Optional[str] = None, rp: Optional[str] = None) -> None:
        """Makes it hold a passkey of a user, through the bench's simulated RP."""
        relying_party = rp or self.control.rps_list()["rps"][0]["id"]
        attempt = self.control.simulator_register(
            rp=relying_party, user_id=user_id, username=username or user_id, poll=False
        )
        self.scan(attempt["url"])
        self.approve()

    def report(self, title: str) -> str:
        """What has happened to it and its users since it is there, as an HTML file that needs nothing else."""
        return self.control.events_report(title=title[:128], after=self._since, phone_id=self.id)["html"]

    def remove(self) -> None:
        """Takes it off the bench, and what it began or holds off the service."""
        device = self.state().get("device_id")
        for message in self.control.messages_list(state="bind", limit=1000)["messages"]:
            if message.get("device") == device:
                self.control.messages_expire(id=message["id"])
        while True:
            held = self.state()["credentials"]
            if not held:
                break
            for credential in held:
                try:
                    self.control.credentials_delete(id=credential["id"])
                except ControlError as refusal:
                    if refusal.code // 100 != 404:
                        raise
                self.control.phones_forget_credential(id=self.id, credential_id=credential["id"])
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


class Workspace:
    """A bench within the bench: RPs, users, phones, a clock of their own."""

    def __init__(self, bench: Control, control: Control, name: str, base_url: str) -> None:
        self._bench = bench
        self.control = control
        self.name = name
        self.base_url = base_url

    def phone(self, name: str = "Phone", *, passkeys: Sequence[Mapping[str, str]] = (), **settings: Any) -> Phone:
        """A new phone; `passkeys=[{"user_id": "u-1"}]` has it start registered."""
        phone = Phone(self.control, self.control.phones_create(name=name[:64], **settings))
        for passkey in passkeys:
            phone.register(**passkey)
        return phone

    def relying_party(self, rp: Optional[str] = None) -> RelyingParty:
        """A client that signs as an RP of this workspace, with a key of its own."""
        key = self.control.keys_create(rp=rp or self.control.rps_list()["rps"][0]["id"])
        return RelyingParty(self.base_url, key["key"]["id"], key["secret"])

    def close(self) -> None:
        """Removes it with all that is in it; `main` stays."""
        self._bench.workspaces_close(id=self.name)


class Handset:
    """A bench that runs. As a context manager it ends what `start` started."""

    def __init__(self, control: Control, process: Optional["_Process"] = None) -> None:
        info = control.bench_info()
        spoken = info["control_version"]
        if spoken != CONTROL_VERSION:
            raise ControlError(
                0,
                f"This client speaks version {CONTROL_VERSION} of the control interface, "
                f"the bench at {control.control_url} (Handset {info['version']}) version {spoken}.",
            )
        self.control = control
        self.base_url = info["base_url"]
        self.app_url = info["app_url"]
        self._process = process

    def workspace(self, name: str = "main", **settings: Any) -> Workspace:
        """`main`, or another one, which is opened when it is not there."""
        if name == "main":
            return Workspace(self.control, self.control, name, self.base_url)
        try:
            found = self.control.workspaces_get(id=name)
        except ControlError as refusal:
            if refusal.code // 100 != 404:
                raise
            found = self.control.workspaces_create(id=name, **settings)
        control = Control(found["control_url"], self.control.token)
        return Workspace(self.control, control, name, found["base_url"])

    def close(self) -> None:
        if self._process is not None:
            self._process.stop()

    def __enter__(self) -> "Handset":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def connect(control_url: str, token: str) -> Handset:
    """Uses a bench that runs: `control_url` and `token` as `handset serve --json` prints them."""
    if urlsplit(control_url).scheme not in ("http", "https"):
        raise ValueError(f"control_url must be one such as http://localhost:7420/control/v1; got {control_url!r}")
    return Handset(Control(control_url, token))


def start(*options: str, command: Optional[Sequence[str]] = None, timeout: float = 30) -> Handset:
    """
    Starts `handset serve` on a free port, in memory unless `options` say otherwise. It ends with this process.
    `command` is what starts the program: HANDSET_COMMAND of the environment, or `npx handset`.
    """
    program = list(command or shlex.split(os.environ.get("HANDSET_COMMAND", "npx handset")))
    process = _Process([*program, "serve", "--json", "--until-input-ends", *_defaults(options), *options], timeout)
    try:
        return Handset(Control(process.ready["control_url"], process.ready["token"]), process)
    except BaseException:
        process.stop()
        raise


def _defaults(options: Sequence[str]) -> List[str]:
    given = {option.partition("=")[0] for option in options}
    place = [] if given & {"--data", "--memory"} else ["--memory"]
    return place if "--port" in given else [*place, "--port", "0"]


class _Process:
    """`handset serve`: it ends when its standard input does, which the system closes with this process."""

    def __init__(self, args: Sequence[str], timeout: float) -> None:
        env = {name: value for name, value in os.environ.items() if not name.startswith("HANDSET_")}
        self._log = tempfile.TemporaryFile()
        try:
            self._child = subprocess.Popen(
                args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, env=env
            )
        except OSError as reason:
            raise StartError(f"{args[0]} cannot be started: {reason}. Set HANDSET_COMMAND or pass `command`.") from reason
        line: List[bytes] = []
        reader = threading.Thread(target=lambda: line.append(self._child.stdout.readline()), daemon=True)
        reader.start()
        reader.join(timeout)
        late = not line
        if late or not line[0]:
            self._child.kill()
            code = self._child.wait()
            how = f"was not ready within {timeout} s." if late else f"ended with exit code {code}."
            raise StartError(f"{' '.join(args)} {how}", self._output())
        self.ready: Dict[str, Any] = json.loads(line[0])

    def _output(self) -> str:
        self._log.seek(0)
        return self._log.read()[-8192:].decode(errors="replace")

    def stop(self) -> None:
        if self._child.stdin is not None:
            self._child.stdin.close()
        try:
            self._child.wait(5)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        if self._child.stdout is not None:
            self._child.stdout.close()
        self._log.close()


def _last_seq(control: Control) -> int:
    return control.events_list(latest=True, limit=1)["last_seq"]
