#!/usr/bin/python3
"""The test API of FIDO's conformance program over libfido2 (Debian's libfido2-1, called by ctypes), from its manual pages
fido_cred_new(3), fido_cred_set_authdata(3), fido_cred_verify(3), fido_assert_set_authdata(3), fido_assert_verify(3).

libfido2 verifies what an authenticator signed: the client data's hash, the RP ID's hash, presence and verification of the
user, the extensions and the key's type as asked for, the signature. It verifies no chain of trust, and has no trust anchors.
All else is the glue of this file: options, challenges, client data (type, challenge, origin, crossOrigin), a credential's
id, rawId, type and owner, the user handle, credential IDs that are known already, and to take the attestation object apart.
As the library verifies no statement of the format "none", this file then compares the RP ID's hash and the flags UP and UV.
Neither compares counters or looks at the flags of backup and at client extension results.
"""
import base64, ctypes, hashlib, io, json, os, re, secrets, threading, urllib.parse
from contextlib import ExitStack
from ctypes import byref, c_char_p, c_size_t, c_void_p, string_at
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cbor2

KEYS = {-7: "es256", -35: "es384", -8: "eddsa", -257: "rs256"}
PROTECTIONS = {"userVerificationOptional": 1, "userVerificationOptionalWithCredentialIDList": 2, "userVerificationRequired": 3}
FIDO_OPT_TRUE, FIDO_EXT_HMAC_SECRET, UP, UV = 2, 1, 0x01, 0x04

users, sessions, lock = {}, {}, threading.Lock()
lib = ctypes.CDLL("libfido2.so.1")
for name in ["fido_cred_new", "fido_assert_new", *(f"{kind}_pk_new" for kind in KEYS.values())]:
    getattr(lib, name).restype = c_void_p


def call(name, *values):
    """Calls a function that answers FIDO_OK or an error code; bytes are passed with their length."""
    code = getattr(lib, name)(*(a for v in values for a in ([v, c_size_t(len(v))] if isinstance(v, bytes) else [v])))
    if code != 0:
        raise ValueError(f"{name}: error {code}")


def new(kind, stack):
    this = c_void_p(getattr(lib, f"fido_{kind}_new")())
    stack.callback(getattr(lib, f"fido_{kind}_free"), byref(this))
    return this


def bytes_of(cred, part):
    pointer, size = getattr(lib, f"fido_cred_{part}_ptr"), getattr(lib, f"fido_cred_{part}_len")
    pointer.restype, size.restype = c_void_p, c_size_t
    return string_at(pointer(cred), size(cred)) if pointer(cred) else None


def unbase64url(value):
    if not isinstance(value, str) or not re.fullmatch("[A-Za-z0-9_-]+", value):
        raise ValueError("not base64url")
    return base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))


def client_data_of(body, ceremony, challenge):
    raw = unbase64url(body["response"]["clientDataJSON"])
    data = json.loads(raw.decode("utf-8-sig"))
    if (data["type"], data["challenge"], data["origin"]) != (ceremony, challenge, origin) or data.get("crossOrigin"):
        raise ValueError("the client data are not those of this ceremony")
    if body["type"] != "public-key" or body["id"] != body["rawId"]:
        raise ValueError("not a credential")
    return raw


def parts_of(attestation):
    file, parts = io.BytesIO(attestation), {}
    decode, size = cbor2.CBORDecoder(file).decode, file.read(1)[0] - 0xA0
    for _ in range(size):
        key, start = decode(), file.tell()
        parts[key] = decode(), attestation[start : file.tell()]
    if size != 3 or file.read(1):
        raise ValueError("not an attestation object")
    return parts["fmt"][0], parts["authData"][0], parts["attStmt"][1]


def register(body, user, options):
    client_data = client_data_of(body, "webauthn.create", options["challenge"])
    fmt, auth_data, statement = parts_of(unbase64url(body["response"]["attestationObject"]))
    alg = cbor2.load(io.BytesIO(auth_data[55 + int.from_bytes(auth_data[53:55], "big") :]))[3]  # the library wants to be told, and refuses others
    uv = options["authenticatorSelection"].get("userVerification") == "required"
    with ExitStack() as stack:
        cred = new("cred", stack)
        call("fido_cred_set_type", cred, alg)
        call("fido_cred_set_clientdata", cred, client_data)
        call("fido_cred_set_rp", cred, c_char_p(rp_id.encode()), None)
        call("fido_cred_set_authdata_raw", cred, auth_data)
        call("fido_cred_set_extensions", cred, FIDO_EXT_HMAC_SECRET if options["extensions"].get("hmacCreateSecret") else 0)
        call("fido_cred_set_prot", cred, PROTECTIONS.get(options["extensions"].get("credentialProtectionPolicy"), 0))
        call("fido_cred_set_uv", cred, FIDO_OPT_TRUE if uv else 0)
        call("fido_cred_set_fmt", cred, c_char_p(fmt.encode()))
        if fmt != "none":
            call("fido_cred_set_attstmt", cred, statement)
            call("fido_cred_verify" if bytes_of(cred, "x5c") else "fido_cred_verify_self", cred)
        elif auth_data[:32] != hashlib.sha256(rp_id.encode()).digest() or ~auth_data[32] & (UP | UV * uv):
            raise ValueError("another RP ID, or no user")
        id, key = bytes_of(cred, "id"), c_void_p(getattr(lib, f"{KEYS[alg]}_pk_new")())
        call(f"{KEYS[alg]}_pk_from_ptr", key, bytes_of(cred, "pubkey"))
    if any(id in known["credentials"] for known in users.values()):
        raise ValueError("this credential is known")
    user["credentials"][id] = alg, key


def sign_in(body, user, options):
    client_data = client_data_of(body, "webauthn.get", options["challenge"])
    response = body["response"]
    if response.get("userHandle") and response["userHandle"] != user["handle"]:
        raise ValueError("the user handle is somebody else's")
    alg, key = user["credentials"][unbase64url(body["id"])]
    with ExitStack() as stack:
        signed = new("assert", stack)
        call("fido_assert_set_clientdata", signed, client_data)
        call("fido_assert_set_rp", signed, c_char_p(rp_id.encode()))
        call("fido_assert_set_up", signed, FIDO_OPT_TRUE)
        call("fido_assert_set_uv", signed, FIDO_OPT_TRUE if options["userVerification"] == "required" else 0)
        call("fido_assert_set_count", signed, c_size_t(1))
        call("fido_assert_set_authdata_raw", signed, c_size_t(0), unbase64url(response["authenticatorData"]))
        call("fido_assert_set_sig", signed, c_size_t(0), unbase64url(response["signature"]))
        call("fido_assert_verify", signed, c_size_t(0), alg, key)


def answer(path, body, session):
    _, ceremony, step = path.split("/")
    if step == "result":
        (register if ceremony == "attestation" else sign_in)(body, *session.pop(ceremony))
        return {}
    if ceremony == "attestation" and body["username"]:
        users.setdefault(body["username"], {"handle": secrets.token_urlsafe(32), "credentials": {}})
    user = users[body["username"]]
    listed = [{"type": "public-key", "id": base64.urlsafe_b64encode(id).decode().rstrip("=")} for id in user["credentials"]]
    options = {"challenge": secrets.token_urlsafe(32), "timeout": 60000, "extensions": body.get("extensions") or {}}
    if ceremony == "assertion":
        options |= {"rpId": rp_id, "allowCredentials": listed, "userVerification": body.get("userVerification") or "preferred"}
    else:
        options |= {"rp": {"id": rp_id, "name": "libfido2"}, "excludeCredentials": listed}
        options |= {"user": {"id": user["handle"], "name": body["username"], "displayName": body.get("displayName", "")}}
        options |= {"pubKeyCredParams": [{"type": "public-key", "alg": alg} for alg in KEYS]}
        options |= {name: body.get(name) or or_else for name, or_else in (("authenticatorSelection", {}), ("attestation", "none"))}
    session[ceremony] = user, options
    return options


class Handler(BaseHTTPRequestHandler):
    protocol_version, wbufsize = "HTTP/1.1", -1
    log_message = lambda *_: None

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        sid = SimpleCookie(self.headers["Cookie"]).get("sid")
        sid = sid.value if sid else secrets.token_hex(16)
        try:
            with lock:
                result = answer(self.path, json.loads(body), sessions.setdefault(sid, {}))
            status, result = 200, {**result, "status": "ok", "errorMessage": ""}
        except Exception as error:  # an error code of the library, or what this file cannot read
            status, result = 400, {"status": "failed", "errorMessage": repr(error)}
        text = json.dumps(result).encode()
        self.send_response(status)
        for header in ("Content-Type", "application/json"), ("Content-Length", len(text)), ("Set-Cookie", f"sid={sid}; HttpOnly; Path=/"):
            self.send_header(*header)
        self.end_headers()
        self.wfile.write(text)


lib.fido_init(0)
if __name__ == "__main__":  # judge.py has the two verifications alone
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 0))), Handler)
    here = f"http://localhost:{server.server_port}"
    origin = os.environ.get("ORIGIN", here)
    rp_id = urllib.parse.urlsplit(origin).hostname
    print(json.dumps({"url": here}), flush=True)
    server.serve_forever()
