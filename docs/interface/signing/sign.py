#!/usr/bin/env python3
"""sign.py METHOD URL [NAME:VALUE]... < body   prints the two headers that the request needs."""
import hashlib, hmac, os, re, sys, time
from urllib.parse import quote, unquote_to_bytes


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


if __name__ == "__main__":
    method, url, *more = sys.argv[1:]
    headers = sign(
        method, url, sys.stdin.buffer.read(), [text.split(":", 1) for text in more],
        access_key_id=os.environ["ACCESS_KEY_ID"], secret_key=os.environ["SECRET_KEY"],
        identifier=os.environ.get("SCOPE_IDENTIFIER", ""), date=os.environ.get("SVC_DATE"),
    )
    sys.stdout.buffer.write("".join(f"{name}: {value}\n" for name, value in headers.items()).encode())
