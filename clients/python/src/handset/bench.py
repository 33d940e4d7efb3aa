"""A bench that runs: one that is there, or a program of its own."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Set
from urllib.parse import urlsplit

from .contract import CONTROL_VERSION
from .control import Control
from .errors import ControlError, StartError, VersionMismatch
from .image import run_image
from .workspace import Workspace


class Handset:
    """A bench that runs. As a context manager it ends what `start` started."""

    def __init__(self, control: Control, process: Optional["_Process"] = None) -> None:
        info = control.bench_info()
        spoken = info.get("control_version") if isinstance(info, dict) else None
        if not isinstance(spoken, int):
            raise ControlError(0, f"What answers at {control.control_url} is no bench: it names no version.")
        if spoken != CONTROL_VERSION:
            raise VersionMismatch(
                f"This package speaks version {CONTROL_VERSION} of the control interface; "
                f"the bench at {control.control_url} (Handset {info.get('version')}) speaks version {spoken}."
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
        control = Control(found["control_url"], self.control.token, ca=self.control.ca)
        return Workspace(self.control, control, name, found["base_url"])

    def close(self) -> None:
        if self._process is not None:
            self._process.stop()

    def __enter__(self) -> "Handset":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def connect(control_url: str, token: str, *, ca: Optional[str] = None) -> Handset:
    """
    Uses a bench that runs: `control_url`, `token` and, where it speaks https, `ca` as `handset serve --json` prints them.
    `ca` is PEM of the certificates to trust instead of the system's.
    """
    if urlsplit(control_url).scheme not in ("http", "https"):
        raise ValueError(f"control_url must be one such as http://localhost:7420/control/v1; got {control_url!r}")
    return Handset(Control(control_url, token, ca=ca))


def start(
    *options: str, command: Optional[Sequence[str]] = None, image: Optional[str] = None, timeout: float = 30
) -> Handset:
    """
    Starts `handset serve` on a free port, in memory unless `options` say otherwise. It ends with this process.
    `command` is what starts the program: HANDSET_COMMAND of the environment, or `npx handset`. `image` has Docker run
    it instead, on this machine.
    The CA that the option `--tls` has it make is trusted, or the certificate of `--tls-cert`.
    """
    if image is None:
        program = list(command or shlex.split(os.environ.get("HANDSET_COMMAND") or "npx handset"))
        given = [*_port(options), *options]
    else:
        program, given = run_image(image, options)
    process = _Process([*program, "serve", "--json", "--until-input-ends", *_place(options), *given], timeout)
    try:
        ready = process.ready
        return Handset(Control(ready["control_url"], ready["token"], ca=_trusted(ready, options)), process)
    except BaseException:
        process.stop()
        raise


def _names(options: Sequence[str]) -> Set[str]:
    return {option.partition("=")[0] for option in options}


def _place(options: Sequence[str]) -> List[str]:
    return [] if _names(options) & {"--data", "--memory"} else ["--memory"]


def _port(options: Sequence[str]) -> List[str]:
    return [] if "--port" in _names(options) else ["--port", "0"]


def _trusted(ready: Mapping[str, Any], options: Sequence[str]) -> Optional[str]:
    """Who starts a bench with a certificate trusts that."""
    for place, option in enumerate(options):
        name, _, file = option.partition("=")
        if name == "--tls-cert":
            return Path(file or options[place + 1]).read_text("ascii")
    return ready["ca"]


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
            raise StartError(f"{args[0]} cannot be started: {reason}. Set HANDSET_COMMAND or HANDSET_IMAGE.") from reason
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
