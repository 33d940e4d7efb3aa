"""The examples of the README, from its text."""

import re
import subprocess
import sys
from pathlib import Path

README = (Path(__file__).parent.parent / "README.md").read_text("utf-8")
BLOCKS = dict(re.findall(r"^```py (\S+)\n(.*?)^```$", README, re.S | re.M))


def test_the_script_prints_what_the_readme_shows(tmp_path):
    script = tmp_path / "sign_in.py"
    script.write_text(BLOCKS["sign_in.py"], "utf-8")
    (shown,) = re.findall(r"^```text output\n(.*?)^```$", README, re.S | re.M)
    assert subprocess.run([sys.executable, script], stdout=subprocess.PIPE, text=True, timeout=60).stdout == shown


def test_the_tests_of_the_readme_pass(pytester):
    pytester.makepyfile(**{"test_sign_in": BLOCKS["test_sign_in.py"]})
    pytester.runpytest_subprocess().assert_outcomes(passed=3)


def test_a_server_of_ones_own_starts_as_the_readme_says(pytester):
    shop = Path(__file__).parent.parent / "examples" / "shop.py"
    pytester.makeconftest(BLOCKS["conftest.py"])
    pytester.makepyfile(
        shop=shop.read_text("utf-8"),
        test_shop="""
import json, urllib.request

def test_it_asks_the_bench(shop, handset_phone):
    body = json.dumps({"user": "own"}).encode()
    with urllib.request.urlopen(shop + "/register", body, timeout=10) as answer:
        handset_phone.scan(json.load(answer)["code"])
    handset_phone.approve()
""",
    )
    pytester.runpytest_subprocess().assert_outcomes(passed=1)
