#!/usr/bin/env python3
"""sign.py   registers alice with a phone, and signs her in.
sign.py METHOD URL [NAME:VALUE]... < body   prints the two headers that the request needs."""
import hashlib, hmac, json, os, re, sys, time
from urllib.error import HTTPError
from urllib.parse import quote, unquote_to_bytes
from urllib.request import ProxyHandler, Request, build_opener


def sign(method, url, body=b"", headers=(), *, access_key_id, secret_key, identifier="", date=None):
    date = date or time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    host, path, _, query = re.fullmatch(r"https?://([^/?]+)([^?]*)(\?(.*))?", url).groups()

    def encode(text):
        return quote(unquote_to_bytes(text), safe="-._~")

    pairs = sorted([encode(part) for part in pair.partition("=")[::2]] for pair in (query or "").split("&") if pair)
    signed = {}
    for name, value in [("host", host), ("x-svc-date", date), *headers]:
        signed.setdefault(name.lower(), []).append(re.sub(" +", " ", value).strip(" "))
    names = ";".join(sorted(signed))
    lines = "".join(f"{name}:{','.join(signed[name])}\n" for name in sorted(signed))
    canonical = "\n".join([method.upper(), path or "/", "&".join(map("=".join, pairs)), lines, names, sha256(body)])
    scope = f"fido-server/{identifier}"
    to_sign = "\n".join(["SVC-HMAC-SHA256", date, scope, sha256(canonical.encode())])
    signature = hmac.new(secret_key.encode(), to_sign.encode(), hashlib.sha256).hexdigest()
    return {"X-Svc-Date": date, "Authorization": f"SVC-HMAC-SHA256 {access_key_id}/{scope},{names},{signature}"}


def sha256(octets):
    return hashlib.sha256(octets).hexdigest()


def call(method, path, body=None):
    """One signed request. What the service refuses ends the program."""
    url, octets = os.environ["BASE_URL"] + path, b"" if body is None else json.dumps(body).encode()
    headers = sign(method, url, octets, access_key_id=os.environ["ACCESS_KEY_ID"], secret_key=os.environ["SECRET_KEY"])
    request = Request(url, octets or None, {**headers, "Content-Type": "application/json"}, method=method)
    try:
        answer = json.load(build_opener(ProxyHandler({})).open(request, timeout=10))
    except HTTPError as refused:
        answer = json.load(refused)
    if answer["code"] != 0:
        sys.exit(f"{answer['code']} {answer['error']} ({method} {path})")
    return answer["data"]


def ceremony(kind, request):
    """Shows a code, and waits for what becomes of it."""
    url = call("POST", f"/rp/{kind}/options", request)["url"]
    print("Scan with a phone:", url, flush=True)
    status = "init"
    while status in ("init", "bind"):
        time.sleep(1)
        result = call("GET", f"/rp/{kind}/result?msg_id={url.split('#')[1][1:]}")
        status = result["status"]
    if status != "success":
        sys.exit(f"{status} {result['error']}")
    return result


def first_sign_in():
    if "BASE_URL" not in os.environ:
        sys.exit("Set BASE_URL, ACCESS_KEY_ID and SECRET_KEY first.")
    user = {"user_id": "alice", "username": "alice"}
    if call("GET", "/rp/credentials?user_id=alice")["total"] == 0:
        ceremony("attestation", user)
        print("Registered.")
    result = ceremony("assertion", {**user, "method": "qrcode"})
    if result["user_id"] != "alice":
        sys.exit("The answer was for somebody else.")
    print("Signed in: alice", flush=True)


if __name__ == "__main__":
    if len(sys.argv) == 1:
        sys.exit(first_sign_in())
    method, url, *more = sys.argv[1:]
    headers = sign(
        method, url, sys.stdin.buffer.read(), [text.split(":", 1) for text in more],
        access_key_id=os.environ["ACCESS_KEY_ID"], secret_key=os.environ["SECRET_KEY"],
        identifier=os.environ.get("SCOPE_IDENTIFIER", ""), date=os.environ.get("SVC_DATE"),
    )
    sys.stdout.buffer.write("".join(f"{name}: {value}\n" for name, value in headers.items()).encode())
