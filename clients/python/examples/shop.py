#!/usr/bin/env python3
"""
A shop whose customers sign in with their phones: a relying party in the standard library alone, with a signer of its own.

    BASE_URL=… ACCESS_KEY_ID=… SECRET_KEY=… python3 shop.py [PORT]

POST /register {"user"}            → {"attempt", "code"}
POST /sign-in  {"user", "by"}      → {"attempt", "code"}, by "code" or "push"
GET  /attempts/<attempt>           → {"status", "user"}, status "waiting", "done", "refused" or "expired"
"""
import hashlib, hmac, json, os, sys, time, urllib.error, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

BASE_URL = os.environ["BASE_URL"]
ACCESS_KEY_ID = os.environ["ACCESS_KEY_ID"]
SECRET_KEY = os.environ["SECRET_KEY"]

STATUSES = {"init": "waiting", "bind": "waiting", "success": "done", "fail": "refused", "timeout": "expired"}

# What each attempt is about, and its last word: the service delivers a final result once.
attempts = {}


def call_service(method, path, query="", body=None):
    octets = b"" if body is None else json.dumps(body).encode()
    address = urlsplit(BASE_URL + path)
    date = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    sha256 = lambda data: hashlib.sha256(data).hexdigest()
    lines = [method, address.path, query, f"host:{address.netloc}", f"x-svc-date:{date}", "", "host;x-svc-date", sha256(octets)]
    to_sign = "\n".join(["SVC-HMAC-SHA256", date, "fido-server/", sha256("\n".join(lines).encode())])
    signature = hmac.new(SECRET_KEY.encode(), to_sign.encode(), hashlib.sha256).hexdigest()
    headers = {
        "X-Svc-Date": date,
        "Authorization": f"SVC-HMAC-SHA256 {ACCESS_KEY_ID}/fido-server/,host;x-svc-date,{signature}",
        "Content-Type": "application/json",
    }
    url = f"{BASE_URL}{path}{'?' if query else ''}{query}"
    try:
        answer = urllib.request.urlopen(urllib.request.Request(url, octets or None, headers, method=method), timeout=10)
    except urllib.error.HTTPError as refusal:
        answer = refusal
    with answer:
        return json.load(answer)


def begin(ceremony, user, **more):
    answer = call_service("POST", f"/rp/{ceremony}/options", body={"user_id": user, "username": user, **more})
    if answer["code"] != 0:
        return 409, {"status": "refused", "why": answer["error"]}
    url = answer["data"]["url"]
    attempt = url.partition("#")[2][1:]
    attempts[attempt] = {"ceremony": ceremony, "user": user, "status": "waiting"}
    return 201, {"attempt": attempt, "code": url}


def look(attempt):
    known = attempts.get(attempt)
    if known is None:
        return 404, {"status": "unknown"}
    if known["status"] == "waiting":
        answer = call_service("GET", f"/rp/{known['ceremony']}/result", f"msg_id={attempt}")
        result = answer["data"] if answer["code"] == 0 else {"status": "fail"}
        known["status"] = STATUSES.get(result["status"], "refused")
        # Somebody else's success is none of this user's.
        if known["status"] == "done" and known["ceremony"] == "assertion" and result.get("user_id") != known["user"]:
            known["status"] = "refused"
    return 200, {"status": known["status"], "user": known["user"]}


class Shop(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        if self.path == "/register":
            self.answer(*begin("attestation", asked["user"]))
        elif self.path == "/sign-in":
            self.answer(*begin("assertion", asked["user"], method="push" if asked["by"] == "push" else "qrcode"))
        else:
            self.answer(404, {})

    def do_GET(self):
        self.answer(*look(self.path.rpartition("/")[2]))

    def answer(self, status, document):
        octets = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(octets)))
        self.end_headers()
        self.wfile.write(octets)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    host = os.environ.get("SHOP_HOST", "127.0.0.1")
    server = ThreadingHTTPServer((host, int((sys.argv + ["0"])[1])), Shop)
    print(f"http://{host}:{server.server_port}", flush=True)
    server.serve_forever()
