#!/usr/bin/env python3
"""A small relying party on the standard library: users register and sign in with their phones.

Settings: FIDO_URL, ACCESS_KEY_ID, SECRET_KEY; TIMEOUT_S, how long the service may take to answer. Argument: the port;
a free one when absent or 0.
"""
import hashlib, hmac, http.client, json, os, re, secrets, sys, threading, time
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote, urlsplit

from qr import png

FIDO_URL, ACCESS_KEY_ID, SECRET_KEY = (os.environ[name] for name in ("FIDO_URL", "ACCESS_KEY_ID", "SECRET_KEY"))
PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page.html")
TIMEOUT_S = float(os.environ.get("TIMEOUT_S", "5"))


class ServiceError(Exception):
    """The service refused, or did not answer as it should."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


def sha256(octets):
    return hashlib.sha256(octets).hexdigest()


def call_service(method, path, query="", body=None):
    """One signed call: docs/interface/signing.md."""
    url = urlsplit(FIDO_URL + path)
    octets = b"" if body is None else json.dumps(body).encode()
    date = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    headers = f"host:{url.netloc}\nx-svc-date:{date}\n"
    canonical = "\n".join([method, url.path, query, headers, "host;x-svc-date", sha256(octets)])
    scope = "fido-server/"
    to_sign = "\n".join(["SVC-HMAC-SHA256", date, scope, sha256(canonical.encode())])
    signature = hmac.new(SECRET_KEY.encode(), to_sign.encode(), hashlib.sha256).hexdigest()
    connection = http.client.HTTPConnection(url.netloc, timeout=TIMEOUT_S)
    try:
        connection.request(method, url.path + (query and "?" + query), octets or None, {
            "X-Svc-Date": date,
            "Authorization": f"SVC-HMAC-SHA256 {ACCESS_KEY_ID}/{scope},host;x-svc-date,{signature}",
            "Content-Type": "application/json",
        })
        answer = json.loads(connection.getresponse().read())
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise ServiceError(0, f"The service does not answer: {error}") from error
    finally:
        connection.close()
    if not isinstance(answer, dict) or answer.get("code") != 0 or not isinstance(answer.get("data"), dict):
        raise ServiceError(answer.get("code", 0) if isinstance(answer, dict) else 0, "The service refused.")
    return answer["data"]


class Session:
    """What the RP knows of one browser."""

    def __init__(self):
        self.lock = threading.Lock()
        self.user = None
        self.attempt = None

    def begin(self, kind, user, method):
        body = {"user_id": user, "username": user}
        if kind == "assertion":
            body["method"] = method
        url = call_service("POST", f"/rp/{kind}/options", body=body).get("url")
        if not isinstance(url, str) or not re.fullmatch(re.escape(FIDO_URL) + r"/m#[ar][\w-]{22}", url):
            raise ServiceError(0, "The service gave an address that is none of its own.")
        self.attempt = {"kind": kind, "user": user, "url": url, "state": "waiting", "error": "", "who": ""}
        return self.attempt

    def look(self):
        """Asks for the result, unless it is known. Whoever asks twice gets the same answer."""
        attempt = self.attempt
        if attempt is None or attempt["state"] not in ("waiting", "scanned"):
            return attempt
        msg_id = re.sub(r".*#.", "", attempt["url"])
        try:
            data = call_service("GET", f"/rp/{attempt['kind']}/result", f"msg_id={quote(msg_id, safe='-._~')}")
        except ServiceError as error:
            if error.code in (40402, 41001):
                attempt.update(state="failed", error="gone")
            return attempt
        attempt["who"] = data.get("svc_user", "")
        status = data.get("status")
        if status == "success" and (data.get("svc_user", "") == "" or data.get("error", "") != ""):
            attempt.update(state="failed", error="contradiction")
        elif status == "bind":
            attempt["state"] = "scanned"
        elif status == "timeout":
            attempt["state"] = "expired"
        elif status == "fail":
            attempt.update(state="failed", error=str(data.get("error", "")).partition(":")[0])
        elif status == "success" and attempt["kind"] == "attestation":
            attempt["state"] = "registered"
            OWNERS.add(attempt["user"])
        elif status == "success" and data.get("user_id") == attempt["user"]:
            attempt["state"] = "signed-in"
            self.user = attempt["user"]
        elif status == "success":
            attempt.update(state="failed", error="other_user")
        return attempt


SESSIONS = {}
# Who has a passkey: only they may add another one.
OWNERS = set()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def session(self):
        cookie = SimpleCookie(self.headers.get("cookie", "")).get("session")
        found = SESSIONS.get(cookie.value) if cookie else None
        if found is None:
            self.new_cookie = secrets.token_urlsafe(24)
            found = SESSIONS[self.new_cookie] = Session()
        return found

    def answer(self, status, body, kind="application/json"):
        octets = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(octets)))
        if self.new_cookie:
            self.send_header("set-cookie", f"session={self.new_cookie}; Path=/; HttpOnly; SameSite=Lax")
        self.end_headers()
        self.wfile.write(octets)

    def shown(self, attempt):
        if attempt is None:
            return {"state": "none"}
        return {key: attempt[key] for key in ("state", "user", "url", "who", "error")}

    def do_GET(self):
        self.new_cookie = None
        session = self.session()
        with session.lock:
            if self.path == "/":
                with open(PAGE, "rb") as page:
                    return self.answer(200, page.read(), "text/html; charset=utf-8")
            if self.path == "/api/me":
                return self.answer(200 if session.user else 401, {"user": session.user})
            if self.path == "/api/attempt":
                return self.answer(200, self.shown(session.look()))
            if self.path.partition("?")[0] == "/api/code.png" and session.attempt:
                return self.answer(200, png(session.attempt["url"]), "image/png")
        return self.answer(404, {"error": "not_found"})

    def do_POST(self):
        self.new_cookie = None
        session = self.session()
        length = min(int(self.headers.get("content-length") or 0), 10_000)
        try:
            body = json.loads(self.rfile.read(length) or b"{}")
        except ValueError:
            return self.answer(400, {"error": "not_json"})
        user = body.get("user") if isinstance(body, dict) else None
        with session.lock:
            if self.path == "/api/sign-out":
                session.user = session.attempt = None
                return self.answer(200, {})
            if not isinstance(user, str) or not user:
                return self.answer(400, {"error": "no_user"})
            try:
                if self.path == "/api/register" and user in OWNERS and session.user != user:
                    return self.answer(403, {"error": "sign_in_first"})
                if self.path == "/api/register":
                    return self.answer(200, self.shown(session.begin("attestation", user, None)))
                if self.path == "/api/sign-in":
                    return self.answer(200, self.shown(session.begin("assertion", user, body.get("method", "qrcode"))))
            except ServiceError as error:
                if error.code == 40403:
                    return self.answer(404, {"error": "unknown_user"})
                return self.answer(502, {"error": "service"})
        return self.answer(404, {"error": "not_found"})

    def log_message(self, format, *args):
        print(format % args, flush=True)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0), Handler)
    server.daemon_threads = True
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
