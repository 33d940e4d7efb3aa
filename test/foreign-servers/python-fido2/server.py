"""The test API of FIDO's conformance program over Yubico's python-fido2, from its docstrings and examples alone.

PORT and ORIGIN come from the environment; it prints its address as JSON, and forgets all when it ends.

What this file decides, and not the library:
- the origin must be ORIGIN: the library's own check takes https alone, and has a parameter for another one;
- an attestation that was asked for is verified by the library's class for its format, whoever made the authenticator:
  the library has no roots of trust, and ignores every attestation unless it is handed a function that verifies;
- a user handle that is sent must be the user's, a credential must be one of the user's, a registration must bring a
  credential, and a credential ID that is known is refused;
- options become JSON here, base64url becomes bytes, and extensions are asked for as they came.
The library compares no counter and neither does this file, which stores it. Neither looks at a credential's type, at
id beside rawId or beside the ID in the attestation, at the algorithms offered, at backup flags, or at crossOrigin.
What the library raises is a refusal if it is a ValueError or an InvalidAttestation, and else answered 500.
"""
import json
import os
import secrets
import threading
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from fido2.attestation.base import Attestation, InvalidAttestation
from fido2.client import ClientData
from fido2.ctap2 import AttestationObject, AuthenticatorData
from fido2.server import Fido2Server
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import PublicKeyCredentialRpEntity

users = {}
sessions = {}
lock = threading.Lock()


class Refusal(Exception):
    pass


def verify_attestation(attestation_object, client_data_hash):
    verifier = Attestation.for_type(attestation_object.fmt)()
    verifier.verify(attestation_object.att_statement, attestation_object.auth_data, client_data_hash)


def relying_party(attestation=None):
    rp = PublicKeyCredentialRpEntity(urlsplit(origin).hostname, "python-fido2")
    return Fido2Server(rp, attestation, lambda sent: sent == origin, verify_attestation)


def text(body, name):
    value = body.get(name) if isinstance(body, dict) else None
    if not isinstance(value, str) or value == "":
        raise Refusal(f"{name} is missing")
    return value


def begin(session, ceremony, user, begun, extensions, attestation=None):
    options, state = begun
    session["begun"] = {"ceremony": ceremony, "user": user, "state": state, "attestation": attestation}
    return {**options["publicKey"], **({"extensions": extensions} if extensions else {})}


def take(session, ceremony):
    begun = session.pop("begun", None)
    if begun is None or begun["ceremony"] != ceremony:
        raise Refusal(f"no {ceremony} was begun")
    return begun


def registration_options(body, session):
    name = text(body, "username")
    with lock:
        user = users.setdefault(name, {"id": secrets.token_bytes(32), "name": name, "credentials": {}})
    selection = body.get("authenticatorSelection") or {}
    attestation = body.get("attestation", "none")
    begun = relying_party(attestation).register_begin(
        {"id": user["id"], "name": name, "displayName": body.get("displayName") or name},
        [data for data, _ in user["credentials"].values()],
        resident_key=selection.get("requireResidentKey", selection.get("residentKey") == "required"),
        user_verification=selection.get("userVerification"),
        authenticator_attachment=selection.get("authenticatorAttachment"),
    )
    return begin(session, "registration", user, begun, body.get("extensions"), attestation)


def registration_result(body, session):
    begun = take(session, "registration")
    response = body.get("response")
    auth_data = relying_party(begun["attestation"]).register_complete(
        begun["state"],
        ClientData(websafe_decode(text(response, "clientDataJSON"))),
        AttestationObject(websafe_decode(text(response, "attestationObject"))),
    )
    if auth_data.credential_data is None:
        raise Refusal("no credential came")
    credential_id = auth_data.credential_data.credential_id
    with lock:
        if any(credential_id in user["credentials"] for user in users.values()):
            raise Refusal("this credential is known")
        begun["user"]["credentials"][credential_id] = (auth_data.credential_data, auth_data.counter)
    return {}


def sign_in_options(body, session):
    user = users.get(text(body, "username"))
    if user is None:
        raise Refusal("no such user")
    credentials = [data for data, _ in user["credentials"].values()]
    begun = relying_party().authenticate_begin(credentials, user_verification=body.get("userVerification"))
    return begin(session, "sign-in", user, begun, body.get("extensions"))


def sign_in_result(body, session):
    begun = take(session, "sign-in")
    user, response = begun["user"], body.get("response")
    auth_data = AuthenticatorData(websafe_decode(text(response, "authenticatorData")))
    if response.get("userHandle") is not None and websafe_decode(text(response, "userHandle")) != user["id"]:
        raise Refusal("the user handle is somebody else's")
    used = relying_party().authenticate_complete(
        begun["state"],
        [data for data, _ in user["credentials"].values()],
        websafe_decode(text(body, "id")),
        ClientData(websafe_decode(text(response, "clientDataJSON"))),
        auth_data,
        websafe_decode(text(response, "signature")),
    )
    user["credentials"][used.credential_id] = (used, auth_data.counter)
    return {}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    routes = {
        "/attestation/options": registration_options,
        "/attestation/result": registration_result,
        "/assertion/options": sign_in_options,
        "/assertion/result": sign_in_result,
    }
    log_message = lambda *_: None

    def do_POST(self):
        if self.path not in self.routes:
            return self.send_error(404)
        cookie = SimpleCookie(self.headers.get("Cookie", "")).get("sid")
        sid = cookie.value if cookie and cookie.value in sessions else secrets.token_hex(16)
        try:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            if not isinstance(body, dict):
                raise Refusal("the body is no object")
            answer = self.routes[self.path](body, sessions.setdefault(sid, {}))
            self.answer(200, sid, {"status": "ok", "errorMessage": "", **answer})
        except (Refusal, ValueError, InvalidAttestation) as refusal:
            self.answer(400, sid, {"status": "failed", "errorMessage": str(refusal) or type(refusal).__name__})
        except Exception as crash:
            self.answer(500, sid, {"status": "failed", "errorMessage": repr(crash)})

    def answer(self, status, sid, body):
        payload = json.dumps(body, default=websafe_encode).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.send_header("Set-Cookie", f"sid={sid}; HttpOnly; Path=/")
        self.end_headers()
        self.wfile.write(payload)


http = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "0"))), Handler)
origin = os.environ.get("ORIGIN", f"http://localhost:{http.server_port}")
print(f'{{"url":"http://localhost:{http.server_port}"}}', flush=True)
http.serve_forever()
