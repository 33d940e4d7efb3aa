"""What the client offers, against a real bench; for each assertion the case in which it must fail."""

import base64
import contextlib
import gzip
import json
import os
import re
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import handset as package
import pytest
from handset import ControlError, NoPush, PhoneRefused, RpRefusal, StartError, VersionMismatch

VECTORS = Path(__file__).parents[3] / "docs/interface/signing/vectors.json"


@pytest.mark.parametrize("vector", json.loads(VECTORS.read_text("utf-8"))["vectors"], ids=lambda vector: vector["name"])
def test_signs_every_vector(vector):
    made = package.sign(
        vector["method"],
        vector["url"],
        vector["body"].encode(),
        vector["headers"],
        access_key_id=vector["access_key_id"],
        secret_key=vector["secret_key"],
        identifier=vector["scope_identifier"],
        date=vector["x_svc_date"],
    )
    assert made == {"X-Svc-Date": vector["x_svc_date"], "Authorization": vector["authorization"]}


def test_an_rp_registers_signs_in_lists_and_deletes(handset, handset_phone, user):
    rp = handset.workspace().relying_party()
    message = rp.register(user, user, credential_name="Work")
    handset_phone.scan(message.url)
    handset_phone.approve()
    assert rp.wait_for_result(message)["status"] == "success"
    signed_in = rp.sign_in(user, user, "push")
    handset_phone.wait_for_push()
    handset_phone.approve()
    assert rp.wait_for_result(signed_in)["user_id"] == user
    (credential,) = rp.credentials(user)
    assert credential["credential_name"] == "Work"
    assert rp.delete_credentials(user, [credential["credential_id"], "none"]) == 1
    assert rp.credentials(user) == []


@pytest.mark.parametrize(
    "match",
    [{"kind": "mesage"}, {"to": "sucess"}, {"kind": "message", "too": "success"}, {"kind": "message", "from": "init", "to": "success"}],
)
def test_an_event_that_can_never_be_is_an_error_at_once(handset_workspace, match):
    with pytest.raises(ControlError) as refusal:
        handset_workspace.control.events_wait(match=match, timeout_ms=600_000)
    assert refusal.value.code == 40002


def test_a_result_that_stays_open_is_a_timeout(handset, user):
    rp = handset.workspace().relying_party()
    with pytest.raises(TimeoutError, match="'init'"):
        rp.wait_for_result(rp.register(user, user), interval=0.01, timeout=0.05)


def test_a_wait_can_be_cancelled(handset, user):
    rp = handset.workspace().relying_party()
    cancel = threading.Event()
    cancel.set()
    assert rp.wait_for_result(rp.register(user, user), cancel=cancel)["status"] == "init"


@pytest.mark.parametrize(
    "trouble", [{"fail_next": 2}, {"fail_next": 2, "fail_code": 42901}, {"fail_next": 2, "fail_code": 50001}]
)
def test_polling_passes_over_a_refusal_for_the_moment(handset_workspace, handset_phone, user, trouble):
    rp = handset_workspace.relying_party()
    message = rp.register(user, user)
    handset_phone.scan(message.url)
    handset_phone.approve()
    scope = {"user_id": user}
    handset_workspace.control.conditions_put(rp={**trouble, "only": ["attestation.result"]}, scope=scope, lease=handset_workspace.id)
    assert rp.wait_for_result(message, interval=0.01)["status"] == "success"


def test_polling_passes_over_an_answer_that_is_lost(handset_workspace, user):
    rp = handset_workspace.relying_party()
    message = rp.register(user, user)
    scope = {"user_id": user}
    handset_workspace.control.conditions_put(rp={"lose_next": 1}, scope=scope, lease=handset_workspace.id)
    with pytest.raises(TimeoutError, match="'init'"):
        rp.wait_for_result(message, interval=0.01, timeout=0.5)


def test_polling_ends_at_a_refusal_for_good_and_when_the_time_is_up(handset_workspace, user, monkeypatch):
    rp = handset_workspace.relying_party()
    message = rp.register(user, user)
    scope = {"user_id": user}
    handset_workspace.control.conditions_put(rp={"fail_percent": 100}, scope=scope, lease=handset_workspace.id)
    with pytest.raises(RpRefusal) as refusal:
        rp.wait_for_result(message, interval=0.01, timeout=0.1)
    assert refusal.value.code == 50301
    monkeypatch.setattr("handset.rp._PATIENCE", 0.05)
    with pytest.raises(RpRefusal) as refusal:
        rp.wait_for_result(message, interval=0.01)
    assert refusal.value.code == 50301
    handset_workspace.control.conditions_delete(**scope)
    with pytest.raises(RpRefusal) as refusal:
        rp.wait_for_result(message._replace(url="https://app.example/x#mnobody"))
    assert refusal.value.code // 100 == 404


def test_a_wait_is_cancelled_while_the_service_refuses(handset_workspace, user):
    rp = handset_workspace.relying_party()
    message = rp.register(user, user)
    cancel = threading.Event()
    cancel.set()
    scope = {"user_id": user}
    handset_workspace.control.conditions_put(rp={"fail_percent": 100}, scope=scope, lease=handset_workspace.id)
    with pytest.raises(RpRefusal):
        rp.wait_for_result(message, cancel=cancel)


def test_a_refusal_has_the_code_of_the_service(handset, user):
    rp = handset.workspace().relying_party()
    with pytest.raises(RpRefusal) as refusal:
        rp.sign_in(user, user)
    assert refusal.value.code == 40403
    wrong = package.RelyingParty(handset.base_url, "nobody", "nothing")
    with pytest.raises(RpRefusal) as refusal:
        wrong.credentials(user)
    assert refusal.value.code == 40103


def test_a_service_that_is_not_there_is_named():
    with pytest.raises(RpRefusal, match="http://127.0.0.1:9/fido"):
        package.RelyingParty("http://127.0.0.1:9/fido", "a", "b").credentials("u")


def test_a_phone_starts_registered_and_what_it_registered_outlives_it(handset, user):
    phone = handset.workspace().phone("Registered", passkeys=[{"user_id": user}])
    assert phone.state()["credentials_total"] == 1
    phone.remove()
    assert len(handset.workspace().relying_party().credentials(user)) == 1
    with pytest.raises(ControlError) as gone:
        phone.state()
    assert gone.value.code // 100 == 404


def test_a_phone_that_cannot_be_registered_is_not_left_behind(handset, handset_workspace):
    with pytest.raises(ControlError) as refusal:
        handset_workspace.phone("Nobody's", passkeys=[{"user_id": "u", "rp": "nobody"}])
    assert refusal.value.code // 100 == 404
    assert handset.control.leases_get(id=handset_workspace.id)["phones"] == []


def test_a_lease_takes_everything_of_its_phones_along_and_nothing_else(handset, user):
    workspace = handset.workspace("python-lease")
    other = workspace.phone("Stays", passkeys=[{"user_id": "other"}])
    rp = workspace.relying_party()
    with workspace.lease("A test") as lease:
        phone = lease.phone("Goes", passkeys=[{"user_id": user}])
        bound, mine, others = rp.register(user, user), rp.sign_in(user, user), rp.register("other", "other")
        phone.scan(bound.url)
        assert workspace.control.leases_list()["leases"][0]["name"] == "A test"
    assert [rp.result(each)["status"] for each in (bound, mine, others)] == ["timeout", "timeout", "init"]
    assert rp.credentials(user) == [] and len(rp.credentials("other")) == 1
    assert [each["id"] for each in workspace.control.phones_list()["phones"]] == [other.id]
    lease.end()
    workspace.close()


def test_a_fault_of_the_service_strikes_its_user_and_goes_with_block_and_lease(handset, user):
    workspace = handset.workspace()
    rp = workspace.relying_party()
    with workspace.lease("faults") as lease:
        with lease.service.arm("body-empty", times=5, user_id=user, only=["credentials.list"]) as armed:
            assert [each["id"] for each in workspace.service.armed()] == [armed.id]
            with pytest.raises(RpRefusal):
                rp.credentials(user)
            assert rp.credentials("somebody-else") == []
        armed.disarm()
        assert rp.credentials(user) == []
        lease.service.arm("body-empty", phone=lease.phone(user))
    assert workspace.service.armed() == []


def test_a_lease_disarms_what_was_armed_with_it_alone(handset):
    workspace = handset.workspace("python-disarms")
    with workspace.lease("mine") as mine, workspace.lease("others") as others:
        kept = others.service.arm("body-empty", user_id="u-2")
        used_up = mine.service.arm("body-empty", user_id="u-1")
        mine.service.arm("body-empty", user_id="u-1")
        used_up.disarm()
        mine.service.disarm()
        assert [each["id"] for each in workspace.service.armed()] == [kept.id]
        workspace.service.disarm()
        assert workspace.service.armed() == []
    workspace.close()


def test_a_lease_clears_conditions_that_were_set_with_it_alone(handset):
    workspace = handset.workspace("python-clears")
    bad = {"fail_percent": 100}

    def scopes():
        return [each["scope"] for each in workspace.control.conditions_get().get("scoped", [])]

    with workspace.lease("mine") as mine, workspace.lease("others") as others:
        phone = mine.phone()
        others.conditions.set(rp=bad, user_id="u-2")
        mine.conditions.set(rp=bad, user_id="u-1")
        mine.conditions.set(app=bad, phone=phone)
        assert len(scopes()) == 3
        mine.conditions.clear(user_id="u-1")
        others.conditions.set(rp=bad, user_id="u-1")
        mine.conditions.clear()
        assert scopes() == [{"user_id": "u-2"}, {"user_id": "u-1"}]
        mine.conditions.set(rp=bad)
        assert workspace.control.conditions_get()["rp"]["fail_percent"] == 100
        mine.conditions.clear()
        assert workspace.control.conditions_get()["rp"]["fail_percent"] == 0 and len(scopes()) == 2
    assert scopes() == []
    with workspace.lease("another") as lease:
        lease.conditions.set(rp=bad, user_id="u-1")
        workspace.conditions.clear()
        assert scopes() == []
    workspace.close()


def test_what_a_killed_process_made_goes(handset, user):
    workspace = handset.workspace("python-killed")
    after = workspace.control.events_list(latest=True, limit=1)["last_seq"]
    script = (
        "import handset, os, signal, sys; url, token, user = sys.argv[1:]\n"
        "lease = handset.connect(url, token).workspace('python-killed').lease('Killed', ttl=0)\n"
        "lease.phone(passkeys=[{'user_id': user}])\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    args = [sys.executable, "-c", script, handset.control.control_url, handset.control.token, user]
    assert subprocess.run(args, timeout=60).returncode == -9
    match = {"kind": "setting", "subject": "lease", "change": "expired"}
    assert workspace.control.events_wait(match=match, after=after)["detail"]["credentials"] == 1
    assert workspace.control.phones_list()["phones"] == workspace.control.accounts_list()["accounts"] == []
    workspace.close()


def test_a_name_of_any_text_is_cut_to_what_the_bench_takes(handset_workspace):
    phone = handset_workspace.phone("\ud800\n\u2028" + "🔑" * 80)
    assert phone.name == "🔑" * 64
    assert "🔑" * 499 + "</pre>" in phone.report("\x00" + "🔑" * 200, "\x1b[31m\ud800" + "🔑" * 900)
    assert handset_workspace.phone("\n").name == "A test"


def test_the_camera_reads_pixels_and_says_when_there_is_no_code(handset_phone):
    # One white pixel.
    white = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=")
    with pytest.raises(PhoneRefused, match="no_code"):
        handset_phone.scan(white)


def test_a_push_that_came_early_is_found_and_the_oldest_is_first(handset, handset_phone, user):
    handset_phone.register(user)
    rp = handset.workspace().relying_party()
    first, second = rp.sign_in(user, user, "push"), rp.sign_in(user, user, "push")
    for message in (first, second):
        assert handset_phone.wait_for_push()["msg_id"] == message.msg_id
        handset_phone.approve()
        assert rp.wait_for_result(message)["status"] == "success"


def test_no_push_is_an_error(handset_phone):
    with pytest.raises(NoPush):
        handset_phone.wait_for_push(timeout=0.1)


def test_nothing_to_approve_is_an_error(handset_phone):
    with pytest.raises(PhoneRefused):
        handset_phone.approve()


def test_workspaces_are_apart(handset, user):
    other = handset.workspace("python-other")
    other.phone("There", passkeys=[{"user_id": user}])
    assert len(other.relying_party().credentials(user)) == 1
    assert handset.workspace().relying_party().credentials(user) == []
    other.close()


def test_a_wrong_token_is_refused(handset):
    with pytest.raises(ControlError) as refusal:
        package.connect(handset.control.control_url, "wrong")
    assert refusal.value.code == 40111


@pytest.fixture
def instead_of_a_bench():
    """Something else that answers, each time the same."""
    servers = []

    def serve(body, *, length=None, wait=None):
        class Other(BaseHTTPRequestHandler):
            def do_GET(self):
                if wait is not None:
                    wait.wait(10)
                self.send_response(200)
                self.send_header("Content-Length", str(len(body) if length is None else length))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = HTTPServer(("127.0.0.1", 0), Other)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


LIES = [
    b"<html>",
    b"",
    b"null",
    b"[]",
    b'{"data":{},"error":""}',
    b'{"code":0,"error":""}',
    b'{"code":"0","error":"","data":{}}',
    b'{"code":0,"error":"","data":{"name":"x"}}',
    b'{"code":0,"error":"","data":null}',
    b"\xff\xfe",
]


@pytest.mark.parametrize("lie", LIES)
def test_what_is_no_bench_is_told_apart_from_one(instead_of_a_bench, lie):
    origin = instead_of_a_bench(lie)
    with pytest.raises(ControlError, match=f"{origin}.* is no bench") as refusal:
        package.connect(origin + "/control/v1", "any")
    assert refusal.value.code == 0
    with pytest.raises(RpRefusal) as refusal:
        package.RelyingParty(origin + "/fido", "a", "b").credentials("u")
    assert refusal.value.code == 0


def test_an_answer_that_breaks_off_is_none(instead_of_a_bench):
    origin = instead_of_a_bench(b'{"code":', length=1000)
    with pytest.raises(ControlError, match=origin):
        package.connect(origin + "/control/v1", "any")
    with pytest.raises(RpRefusal, match=origin):
        package.RelyingParty(origin + "/fido", "a", "b").credentials("u")


def test_an_answer_that_never_comes_is_given_up(instead_of_a_bench):
    never = threading.Event()
    origin = instead_of_a_bench(b"", wait=never)
    with pytest.raises(RpRefusal, match="timed out"):
        package.RelyingParty(origin + "/fido", "a", "b", timeout=0.5).credentials("u")
    never.set()


def test_an_answer_that_goes_on_and_on_is_given_up():
    server = socket.create_server(("127.0.0.1", 0))
    over = threading.Event()

    def drip():
        line, _ = server.accept()
        # The client leaves in the middle.
        with line, contextlib.suppress(OSError):
            line.recv(65536)
            line.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
            while not over.wait(0.01):
                line.sendall(b" ")

    dripping = threading.Thread(target=drip)
    dripping.start()
    origin = f"http://127.0.0.1:{server.getsockname()[1]}"
    with pytest.raises(RpRefusal, match="not whole in time"):
        package.RelyingParty(origin + "/fido", "a", "b", timeout=2).credentials("u")
    over.set()
    dripping.join()
    server.close()


def signs_in(workspace, rp):
    with workspace.lease("https") as lease:
        phone = lease.phone(passkeys=[{"user_id": "u-tls"}])
        message = rp.sign_in("u-tls", "alice")
        phone.scan(message.url)
        phone.approve()
        assert rp.wait_for_result(message)["status"] == "success"


@pytest.fixture(scope="module")
def secure(tmp_path_factory):
    """A bench that speaks https, and the file with the CA that it made."""
    file = tmp_path_factory.mktemp("tls") / "ca.pem"
    with package.start("--tls", "--tls-ca-out", str(file)) as bench:
        yield bench, file


def test_https_is_spoken_with_a_ca_that_is_given_and_else_refused(secure):
    bench, file = secure
    assert bench.base_url.startswith("https://")
    signs_in(bench.workspace(), bench.workspace().relying_party())
    other = bench.workspace("other")
    signs_in(other, other.relying_party())
    control, ca = bench.control, file.read_text()
    signs_in(package.connect(control.control_url, control.token, ca=ca).workspace(), bench.workspace().relying_party())
    with pytest.raises(ControlError, match="CERTIFICATE_VERIFY_FAILED"):
        package.connect(control.control_url, control.token)
    key = control.keys_create(rp=control.rps_list()["rps"][0]["id"])
    named = (bench.base_url, key["key"]["id"], key["secret"])
    assert package.RelyingParty(*named, ca=ca).credentials("nobody") == []
    with pytest.raises(RpRefusal, match="CERTIFICATE_VERIFY_FAILED"):
        package.RelyingParty(*named).credentials("nobody")


def test_the_fixture_trusts_the_ca_of_a_file(pytester, secure, monkeypatch):
    bench, file = secure
    monkeypatch.setenv("HANDSET_CONTROL_URL", bench.control.control_url)
    monkeypatch.setenv("HANDSET_TOKEN", bench.control.token)
    monkeypatch.setenv("HANDSET_CA", str(file))
    pytester.makepyfile("def test_it(handset_phone):\n    handset_phone.register('u-1')")
    pytester.runpytest_subprocess().assert_outcomes(passed=1)
    monkeypatch.setenv("HANDSET_CA", str(file) + ".not-there")
    pytester.runpytest_subprocess().stdout.fnmatch_lines(["*HANDSET_CA cannot be read*"])


@pytest.mark.parametrize("ca", ["", "no certificate"])
def test_a_ca_that_is_no_certificate_is_named(ca):
    with pytest.raises(ValueError, match="ca must be certificates as PEM"):
        package.connect("https://127.0.0.1:9/control/v1", "any", ca=ca)
    with pytest.raises(ValueError, match="ca must be certificates as PEM"):
        package.RelyingParty("https://127.0.0.1:9/fido", "a", "b", ca=ca)


def test_a_certificate_of_its_own_is_trusted(tmp_path):
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=x"]
    more = ["-addext", "subjectAltName=DNS:localhost", "-days", "2", "-out", str(cert), "-keyout", str(key)]
    subprocess.run([*made, *more], check=True, stderr=subprocess.DEVNULL)
    with package.start("--tls-cert", str(cert), f"--tls-key={key}") as bench:
        signs_in(bench.workspace(), bench.workspace().relying_party())


def test_a_bench_that_ends_in_the_middle_of_a_test_is_named():
    bench = package.start()
    lease = bench.workspace().lease("A test")
    phone, rp = lease.phone(), bench.workspace().relying_party()
    bench.close()
    for call in (phone.state, phone.wait_for_push, lease.end, bench.workspace().phone):
        with pytest.raises(ControlError, match=bench.control.control_url) as refusal:
            call()
        assert refusal.value.code == 0
    with pytest.raises(RpRefusal, match=bench.base_url):
        rp.credentials("u")


def test_another_version_of_the_contract_is_named_with_ours():
    class Other(BaseHTTPRequestHandler):
        def do_GET(self):
            info = {"control_version": 2, "version": "9.9.9", "base_url": "", "app_url": ""}
            octets = json.dumps({"code": 0, "data": info, "error": ""}).encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(octets)

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Other)
    threading.Thread(target=server.handle_request, daemon=True).start()
    with pytest.raises(VersionMismatch, match=r"version 1 .* 9\.9\.9\) speaks version 2") as refusal:
        package.connect(f"http://127.0.0.1:{server.server_port}/control/v1", "any")
    assert refusal.value.code == "version_mismatch"
    server.server_close()


def test_what_cannot_be_started_says_why():
    with pytest.raises(StartError, match="no-such-program"):
        package.start(command=["no-such-program"])
    with pytest.raises(StartError, match="exit code 2.*--nonsense"):
        package.start("--nonsense")
    silent = [sys.executable, "-c", "import time; time.sleep(60)"]
    with pytest.raises(StartError, match="not ready within 0.2 s"):
        package.start(command=silent, timeout=0.2)


@pytest.fixture
def stand_in(monkeypatch):
    """A program in the place of Docker, which checks how it is called."""
    monkeypatch.setenv("STAND_IN_PROGRAM", os.environ["HANDSET_COMMAND"])
    monkeypatch.setenv("PATH", f"{Path(__file__).parent / 'stand-in'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv("HANDSET_COMMAND")
    # One that is empty counts as one that is not set.
    for name in ("HANDSET_CONTROL_URL", "HANDSET_TOKEN_FILE", "HANDSET_CA"):
        monkeypatch.setenv(name, "")


def test_an_image_is_a_bench_until_it_is_closed(stand_in):
    with package.start(image="handset:stand-in") as bench:
        signs_in(bench.workspace(), bench.workspace().relying_party())
        assert bench.base_url.startswith("http://localhost:")
    with pytest.raises(ControlError) as refusal:
        bench.control.bench_info()
    assert refusal.value.code == 0
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        port = asked.getsockname()[1]
    for options in (["--port", str(port), "--memory"], [f"--port={port}", "--tls"]):
        with package.start(*options, image="handset:stand-in") as bench:
            assert f":{port}/" in bench.base_url


def test_the_fixture_starts_the_image_that_is_named(pytester, stand_in, monkeypatch):
    monkeypatch.setenv("HANDSET_IMAGE", "handset:stand-in")
    pytester.makepyfile("def test_it(handset, handset_phone):\n    handset_phone.register('u-1')\n    print('at', handset.base_url)")
    result = pytester.runpytest_subprocess("-s")
    result.assert_outcomes(passed=1)
    (base_url,) = re.findall(r"at (http\S+)", result.stdout.str())
    with pytest.raises(RpRefusal, match="No answer"):
        package.RelyingParty(base_url, "a", "b").credentials("u")


def test_an_image_that_is_not_there_says_so(stand_in):
    with pytest.raises(StartError, match="exit code 125.*no such image: handset:other"):
        package.start(image="handset:other")


@pytest.mark.parametrize("how", ["", "image='handset:stand-in'"])
def test_a_bench_ends_with_the_process_that_started_it(how, stand_in, monkeypatch):
    monkeypatch.setenv("HANDSET_COMMAND", os.environ["STAND_IN_PROGRAM"])
    script = f"import handset, os, signal; h = handset.start({how}); print(h._process.ready['pid'], h.base_url, flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, timeout=60)
    _, base_url = done.stdout.split()
    rp = package.RelyingParty(base_url, "a", "b")
    for _ in range(100):
        with pytest.raises(RpRefusal) as refusal:
            rp.credentials("u")
        if refusal.value.code == 0:
            return
        threading.Event().wait(0.1)
    pytest.fail("it still answers")


@pytest.fixture
def run_tests(pytester, handset, monkeypatch):
    """Runs the tests of a text at our bench; what they left, by name."""
    monkeypatch.setenv("HANDSET_CONTROL_URL", handset.control.control_url)
    monkeypatch.setenv("HANDSET_TOKEN", handset.control.token)

    def run(text):
        pytester.makepyfile(test_theirs=text)
        result = pytester.runpytest_subprocess()
        folder = pytester.path / "handset-reports"
        return result, {file.name: file for file in sorted(folder.iterdir())} if folder.exists() else {}

    return run


def test_a_failure_leaves_a_report_and_removes_the_phone(run_tests, handset):
    before = len(handset.control.phones_list()["phones"])
    result, kept = run_tests("def test_it(handset_phone):\n    handset_phone.register('u-failing')\n    assert False")
    result.assert_outcomes(failed=1)
    told, trace, file = kept.values()
    assert told.name == file.stem + ".agent-report.md" and told.read_text("utf-8").startswith("# test_theirs.py::test_it\n")
    assert re.fullmatch(r"test_theirs.py-test_it-[0-9a-f]{8}\.html", file.name)
    result.stdout.fnmatch_lines(["*handset*", f"*{file}", f"*{trace}"])
    header, *events = gzip.decompress(trace.read_bytes()).decode().splitlines()
    assert trace.suffix == ".handset" and json.loads(header)["format"] == "handset-trace"
    assert any("u-failing" in event for event in events)
    page = file.read_text("utf-8")
    assert "u-failing" in page and "/rp/attestation/options" in page and "test_theirs.py::test_it" in page
    assert len(handset.control.phones_list()["phones"]) == before


def test_a_failure_leaves_a_report_of_each_phone_of_its_workspace(run_tests):
    result, kept = run_tests(
        "def test_it(handset_workspace):\n"
        "    for user in ('u-first', 'u-second'):\n"
        "        handset_workspace.phone(passkeys=[{'user_id': user}])\n"
        "    assert False"
    )
    result.assert_outcomes(failed=1)
    second, first = (file.read_text("utf-8") for name, file in kept.items() if name.endswith(".html"))
    assert len(kept) == 6 and "u-first" in first and "u-second" in second and "u-second" not in first


@pytest.mark.parametrize(
    "phase, before, after", [("setup", "raise ValueError('as expected')", ""), ("teardown", "", "raise ValueError('as expected')")]
)
def test_a_fixture_that_fails_leaves_a_report_of_the_workspace(run_tests, handset, phase, before, after):
    user = f"u-in-{phase}"
    result, kept = run_tests(
        "import pytest\n"
        "@pytest.fixture\n"
        "def mine(handset_workspace):\n"
        f"    handset_workspace.relying_party().register('{user}', 'alice')\n"
        f"    {before}\n"
        "    yield\n"
        f"    {after}\n"
        "def test_it(mine):\n"
        "    pass"
    )
    result.assert_outcomes(errors=1, passed=0 if phase == "setup" else 1)
    page = kept.popitem()[1].read_text("utf-8")
    assert user in page and "as expected" in page and len(kept) == 2


def test_a_failure_says_what_went_wrong(run_tests):
    result, _ = run_tests(
        "def test_it(handset_phone):\n    handset_phone.arm('challenge-wrong')\n    handset_phone.register('u-wrong')"
    )
    result.stdout.fnmatch_lines(["*handset*", "*hallenge*", "What happened during this test: *"])


def test_tests_of_one_name_leave_a_report_each(run_tests):
    result, kept = run_tests(
        "import pytest\n"
        "@pytest.mark.parametrize('kind', ['a b', 'a/b', 'A/b', '\u4e2d' * 300])\n"
        "def test_it(handset_phone, kind):\n"
        "    assert False"
    )
    result.assert_outcomes(failed=4)
    assert len({name.lower() for name in kept}) == 12


def test_a_failure_that_is_expected_leaves_nothing(run_tests):
    result, kept = run_tests("import pytest\n@pytest.mark.xfail\ndef test_it(handset_phone):\n    assert False")
    result.assert_outcomes(xfailed=1)
    assert kept == {}


def test_a_bench_that_is_gone_hides_no_failure_and_ends_no_run(run_tests, monkeypatch):
    monkeypatch.delenv("HANDSET_CONTROL_URL")
    result, _ = run_tests(
        "def test_first(handset, handset_phone):\n    handset.close()\n    assert 'this' == 'that'\ndef test_second():\n    pass"
    )
    result.assert_outcomes(failed=1, passed=1, errors=1)
    result.stdout.fnmatch_lines(["*assert 'this' == 'that'*", "There is no report of this test: Nothing answers at *"])


def test_a_token_that_is_missing_is_named(pytester, monkeypatch):
    monkeypatch.setenv("HANDSET_CONTROL_URL", "http://127.0.0.1:9/control/v1")
    monkeypatch.delenv("HANDSET_TOKEN", raising=False)
    monkeypatch.delenv("HANDSET_TOKEN_FILE", raising=False)
    pytester.makepyfile("def test_it(handset):\n    pass")
    result = pytester.runpytest_subprocess()
    result.stdout.fnmatch_lines(["*HANDSET_CONTROL_URL needs HANDSET_TOKEN*"])
    assert not re.search("passed", result.stdout.str())
