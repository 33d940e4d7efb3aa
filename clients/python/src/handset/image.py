"""The container image in the place of the program: docs/using/image.md."""

from __future__ import annotations

import socket
from typing import List, Sequence, Tuple


def run_image(image: str, options: Sequence[str]) -> Tuple[List[str], List[str]]:
    """
    What runs `handset` of an image, and the options that are left. The port is the same inside and outside, since the
    addresses that the bench tells name it; it is published to this machine alone. The container is removed when it
    ends, and it ends with its standard input.
    """
    port, left = _take_port(options)
    place = ["--publish", f"127.0.0.1:{port}:{port}", "--env", f"HANDSET_PORT={port}"]
    return ["docker", "run", "--rm", "--interactive", *place, image], left


def _take_port(options: Sequence[str]) -> Tuple[str, List[str]]:
    """What `--port` says, or a free one."""
    port, left = "0", []
    rest = iter(options)
    for option in rest:
        name, sign, value = option.partition("=")
        if name == "--port":
            port = value if sign else next(rest, "")
        else:
            left.append(option)
    return port if port != "0" else _free_port(), left


def _free_port() -> str:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return str(asked.getsockname()[1])
