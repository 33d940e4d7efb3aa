import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

SHOP = Path(__file__).parent.parent / "examples" / "shop.py"


class ShopClient:
    """A customer's browser, as far as these tests need one."""

    def __init__(self, address):
        self.address = address

    def post(self, path, **document):
        return self._call(urllib.request.Request(self.address + path, json.dumps(document).encode()))

    def status(self, attempt):
        return self._call(urllib.request.Request(f"{self.address}/attempts/{attempt['attempt']}"))["status"]

    def _call(self, request):
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)


@pytest.fixture(scope="session")
def shop(handset):
    key = handset.workspace().access_key()
    env = {**os.environ, "BASE_URL": handset.base_url, "ACCESS_KEY_ID": key.id, "SECRET_KEY": key.secret}
    with subprocess.Popen([sys.executable, str(SHOP)], env=env, stdout=subprocess.PIPE, text=True) as server:
        yield ShopClient(server.stdout.readline().strip())
        server.terminate()


@pytest.fixture
def user(request):
    """Each test has a user of its own."""
    return request.node.name
