"""pytest's `handset`, `handset_workspace`, `handset_phone` and `handset_service`: https://docs.pytest.org/en/stable/reference/fixtures.html"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Iterator, Optional

import pytest

from .bench import Handset, connect, start
from .phone import Phone
from .service import ServiceFaults
from .workspace import Lease


@pytest.fixture(scope="session")
def handset() -> Iterator[Handset]:
    """
    The bench of HANDSET_CONTROL_URL, HANDSET_TOKEN and, where it speaks https, HANDSET_CA, a file; else one of its own
    that ends with the tests.
    """
    control_url = os.environ.get("HANDSET_CONTROL_URL")
    if control_url is None:
        with start() as started:
            yield started
    else:
        yield connect(control_url, _token(), ca=_in_file("HANDSET_CA"))


@pytest.fixture
def handset_workspace(handset: Handset, request: pytest.FixtureRequest) -> Iterator[Lease]:
    """The workspace `main`, whose phones go when the test ends, with all that they left."""
    with handset.workspace().lease(request.node.name) as lease:
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


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    outcome = yield
    report = outcome.get_result()
    phone = getattr(item, "funcargs", {}).get("handset_phone")
    if call.when == "call" and report.failed and phone is not None:
        folder = item.config.rootpath / item.config.getini("handset_reports")
        folder.mkdir(parents=True, exist_ok=True)
        name = re.sub(r"[^\w.-]+", "-", item.nodeid)[-150:]
        file, trace = folder / f"{name}.html", folder / f"{name}.handset"
        said = "" if call.excinfo is None else call.excinfo.exconly()
        file.write_text(phone.report(item.nodeid, said), "utf-8")
        trace.write_bytes(phone.trace(item.nodeid))
        report.sections.append(("handset", f"What happened during this test: {file}\nAs a trace: {trace}"))


def _token() -> str:
    kept = _in_file("HANDSET_TOKEN_FILE")
    token = os.environ.get("HANDSET_TOKEN") if kept is None else kept.rstrip("\r\n")
    if not token:
        raise pytest.UsageError("HANDSET_CONTROL_URL needs HANDSET_TOKEN or HANDSET_TOKEN_FILE.")
    return token


def _in_file(variable: str) -> Optional[str]:
    file = os.environ.get(variable)
    if file is None:
        return None
    try:
        return Path(file).read_text("utf-8")
    except OSError as reason:
        raise pytest.UsageError(f"{variable} cannot be read: {reason}") from reason
