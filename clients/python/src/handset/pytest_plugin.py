"""pytest's `handset`, `handset_workspace`, `handset_phone` and `handset_service`: https://docs.pytest.org/en/stable/reference/fixtures.html"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import Iterator, List, Optional

import pytest

from .bench import Handset, connect, start
from .phone import Phone
from .service import ServiceFaults
from .workspace import Lease

# Where a test keeps its lease, so that its report finds it also where a fixture failed.
_LEASE = pytest.StashKey[Lease]()

# Seconds: an image may have to be fetched first.
_IMAGE_TIMEOUT = 300

# Bytes of the readable part; every file system takes it.
_NAME_MAX = 120

# Of what went wrong: the page has the rest.
_LINES_MAX = 8


@pytest.fixture(scope="session")
def handset() -> Iterator[Handset]:
    """
    The bench of HANDSET_CONTROL_URL, HANDSET_TOKEN and, where it speaks https, HANDSET_CA, a file; else one of its own
    that ends with the tests: the image HANDSET_IMAGE, or what HANDSET_COMMAND starts.
    """
    control_url = os.environ.get("HANDSET_CONTROL_URL")
    if control_url:
        yield connect(control_url, _token(), ca=_in_file("HANDSET_CA"))
        return
    image = os.environ.get("HANDSET_IMAGE")
    with start(image=image, timeout=_IMAGE_TIMEOUT) if image else start() as started:
        yield started


@pytest.fixture
def handset_workspace(handset: Handset, request: pytest.FixtureRequest) -> Iterator[Lease]:
    """The workspace `main`, whose phones go when the test ends, with all that they left."""
    with handset.workspace().lease(request.node.name) as lease:
        request.node.stash[_LEASE] = lease
        yield lease


@pytest.fixture
def handset_phone(handset_workspace: Lease, request: pytest.FixtureRequest) -> Phone:
    """A phone of this test alone."""
    return handset_workspace.phone(request.node.name)


@pytest.fixture
def handset_service(handset_workspace: Lease) -> ServiceFaults:
    """The service as something that lies: what this test arms is disarmed when it ends. Give it a scope: others share it."""
    return handset_workspace.service


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("handset_reports", "Where a test that fails leaves its report.", default="handset-reports")


# Outermost, so that it sees what other plugins make of an outcome: a failure that is expected is none.
@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    outcome = yield
    report = outcome.get_result()
    if not report.failed or _LEASE not in item.stash:
        return
    said = "" if call.excinfo is None else call.excinfo.exconly()
    try:
        kept = _keep_reports(item, said)
    # Whatever goes wrong here, such as a bench that is gone: the test's own failure is shown, and the next test runs.
    except Exception as reason:
        kept = [f"There is no report of this test: {reason}"]
    # What fails after this is its consequence, or stands beside it in pytest's own words.
    del item.stash[_LEASE]
    report.sections.append(("handset", "\n".join(kept)))


def _keep_reports(item: pytest.Item, said: str) -> List[str]:
    folder = item.config.rootpath / item.config.getini("handset_reports")
    folder.mkdir(parents=True, exist_ok=True)
    wrong, lines = [], []
    for place, kept in enumerate(item.stash[_LEASE].reports(item.nodeid, said)):
        name = _file_name(item.nodeid) + (f"-{place + 1}" if place else "")
        file, trace = folder / f"{name}.html", folder / f"{name}.handset"
        file.write_text(kept.html, "utf-8")
        (folder / f"{name}.agent-report.md").write_text(kept.markdown, "utf-8")
        trace.write_bytes(kept.trace)
        wrong += [line for line in kept.lines if line not in wrong]
        lines += [f"What happened during this test: {file}", f"As a trace: {trace}"]
    return wrong[-_LINES_MAX:] + lines


def _file_name(test: str) -> str:
    """Of one test alone: what can be read of two may be the same, on some file systems also by its case."""
    readable = re.sub(r"[^\w.-]+", "-", test).encode()[-_NAME_MAX:].decode(errors="ignore").strip("-")
    return f"{readable}-{hashlib.sha256(test.encode(errors='replace')).hexdigest()[:8]}"


def _token() -> str:
    kept = _in_file("HANDSET_TOKEN_FILE")
    token = os.environ.get("HANDSET_TOKEN") if kept is None else kept.rstrip("\r\n")
    if not token:
        raise pytest.UsageError("HANDSET_CONTROL_URL needs HANDSET_TOKEN or HANDSET_TOKEN_FILE.")
    return token


def _in_file(variable: str) -> Optional[str]:
    file = os.environ.get(variable)
    if not file:
        return None
    try:
        return Path(file).read_text("utf-8")
    except OSError as reason:
        raise pytest.UsageError(f"{variable} cannot be read: {reason}") from reason
