"""pytest's `handset`, `handset_workspace` and `handset_phone`: https://docs.pytest.org/en/stable/reference/fixtures.html"""

from __future__ import annotations

import os
import re
from typing import Iterator

import pytest

from .bench import Handset, connect, start
from .phone import Phone
from .workspace import Lease


@pytest.fixture(scope="session")
def handset() -> Iterator[Handset]:
    """The bench of HANDSET_CONTROL_URL and HANDSET_TOKEN, else one of its own that ends with the tests."""
    control_url = os.environ.get("HANDSET_CONTROL_URL")
    if control_url is None:
        with start() as started:
            yield started
    else:
        yield connect(control_url, _token())


@pytest.fixture
def handset_workspace(handset: Handset, request: pytest.FixtureRequest) -> Iterator[Lease]:
    """The workspace `main`, whose phones go when the test ends, with all that they left."""
    with handset.workspace().lease(request.node.name) as lease:
        yield lease


@pytest.fixture
def handset_phone(handset_workspace: Lease, request: pytest.FixtureRequest) -> Phone:
    """A phone of this test alone."""
    return handset_workspace.phone(request.node.name)


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
        file = folder / (re.sub(r"[^\w.-]+", "-", item.nodeid)[-150:] + ".html")
        file.write_text(phone.report(item.nodeid), "utf-8")
        report.sections.append(("handset", f"What happened during this test: {file}"))


def _token() -> str:
    file = os.environ.get("HANDSET_TOKEN_FILE")
    if file is not None:
        with open(file, encoding="utf-8") as opened:
            return opened.read().rstrip("\r\n")
    token = os.environ.get("HANDSET_TOKEN")
    if not token:
        raise pytest.UsageError("HANDSET_CONTROL_URL needs HANDSET_TOKEN or HANDSET_TOKEN_FILE.")
    return token
