"""Signed calls to the FIDO service, and the judgement of its answers.

Nothing here raises because of what the service sends: an answer that cannot be used is None.
"""
import hashlib
import hmac
import http.client
import json
import math
import re
import socket
import threading
import time
from urllib.parse import quote, urlsplit

PATIENCE = 3.0  # seconds for one response
MOST = 256 * 1024  # octets of one body; twenty credentials need far less
FINAL = ("success", "fail", "timeout")


class Service:
    def __init__(self, base_url, key, secret):
        self.base = base_url.rstrip("/")
        self.parts = urlsplit(self.base)
        self.key = key
        self.secret = secret.encode()

    # The calls

    def begin(self, kind, user_id, username):
        """Returns (refusal, url, msg_id, expires_at); refusal is None when the request has begun."""
        body = {"user_id": user_id, "username": username}
        if kind == "assertion":
            body["method"] = "qrcode"
        answer = self._call("POST", f"/rp/{kind}/options", body=body)
        data = _data(answer)
        if data is None:
            return _refusal(answer), None, None, None
        url, expires_at = data.get("url"), data.get("expires_at")
        # The code may lead to nowhere but the service that this shop knows.
        letter = "r" if kind == "attestation" else "a"
        pattern = re.escape(f"{self.base}/m#{letter}") + "([A-Za-z0-9_-]{22})"
        match = re.fullmatch(pattern, url) if isinstance(url, str) else None
        if match is None or not _number(expires_at) or not 0 < expires_at - time.time() <= 3600:
            return "The passkey service gave an answer that the shop cannot use.", None, None, None
        return None, url, match[1], expires_at

    def result(self, kind, msg_id, patience):
        return self._call("GET", f"/rp/{kind}/result", query=f"msg_id={quote(msg_id, safe='')}", patience=patience)

    def credentials(self, user_id, patience=PATIENCE):
        """The ids of the user's own credentials, or None when the answer cannot be used."""
        data = _data(self._call("GET", "/rp/credentials", query=f"user_id={quote(user_id, safe='')}", patience=patience))
        if data is None or not isinstance(data.get("list"), list):
            return None
        ids = set()
        for entry in data["list"]:
            if isinstance(entry, dict) and entry.get("user_id") == user_id:
                credential_id = entry.get("credential_id")
                if isinstance(credential_id, str) and credential_id:
                    ids.add(credential_id)
        return ids

    # The wire

    def _call(self, method, path, query="", body=None, patience=PATIENCE):
        """Returns (HTTP status, JSON object), or None when there is no such thing within the time."""
        patience = min(patience, PATIENCE)
        deadline = time.monotonic() + patience
        octets = b"" if body is None else json.dumps(body).encode()
        target = self.parts.path + path
        headers = self._sign(method, target, query, octets)
        if body is not None:
            headers["Content-Type"] = "application/json"
        make = http.client.HTTPSConnection if self.parts.scheme == "https" else http.client.HTTPConnection
        # A name can have two addresses, and each of them gets this time to connect.
        connection = make(self.parts.hostname, self.parts.port, timeout=max(patience / 2, 0.05))
        watchdog = None
        try:
            connection.connect()
            # The timeout of a socket counts from octet to octet: a response that drips needs a watchdog.
            watchdog = threading.Timer(max(deadline - time.monotonic(), 0), _cut, [connection.sock])
            watchdog.daemon = True
            watchdog.start()
            connection.sock.settimeout(patience)
            connection.request(method, target + (f"?{query}" if query else ""), octets or None, headers)
            response = connection.getresponse()
            received = bytearray()
            while len(received) <= MOST and (part := response.read1(65536)):
                received += part
            if len(received) > MOST or response.length or response.msg.defects or time.monotonic() >= deadline:
                return None
            if response.getheader("Content-Encoding", "identity").strip().lower() != "identity":
                return None
            document = _parse(received)
            return (response.status, document) if isinstance(document, dict) else None
        except (OSError, http.client.HTTPException, ValueError, RecursionError, RuntimeError):
            return None
        finally:
            if watchdog is not None:
                watchdog.cancel()
            connection.close()

    def _sign(self, method, path, query, octets):
        # Every query here is one parameter that is encoded already, so it is canonical as it stands.
        host, date = self.parts.netloc, time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        names, scope = "host;x-svc-date", "fido-server/"
        canonical = "\n".join([method, path, query, f"host:{host}", f"x-svc-date:{date}", "", names, _sha256(octets)])
        to_sign = "\n".join(["SVC-HMAC-SHA256", date, scope, _sha256(canonical.encode())])
        signature = hmac.new(self.secret, to_sign.encode(), hashlib.sha256).hexdigest()
        return {
            "Host": host,
            "X-Svc-Date": date,
            "Authorization": f"SVC-HMAC-SHA256 {self.key}/{scope},{names},{signature}",
        }


def judge(answer, user_id=None):
    """Says in one word how a request stands, and what goes with the word.

    init, bind (who), success (who), fail (why), timeout; gone: there is nothing more to read;
    broken: a final word that cannot be trusted; none: no result. A sign-in is judged with its user_id.
    """
    if answer is None:
        return "none", ""
    status, document = answer
    code, data = document.get("code"), document.get("data")
    if _number(code) and code in (41001, 40402):
        return "gone", ""
    word = data.get("status") if isinstance(data, dict) else None
    if not isinstance(word, str):
        return "none", ""
    in_order = status == 200 and _number(code) and code == 0
    if word in FINAL and not in_order:
        return "broken", ""
    if not in_order or word not in ("init", "bind", *FINAL):
        return "none", ""
    who = plain(data.get("svc_user"))
    if word == "success":
        clean = document.get("error", "") == "" and data.get("error", "") == ""
        right = user_id is None or (isinstance(data.get("user_id"), str) and data["user_id"] == user_id)
        return ("success", who) if clean and who and right else ("broken", "")
    if word == "fail":
        error = data.get("error")
        match = re.match(r"([a-z][a-z0-9_]{0,39}):", error) if isinstance(error, str) else None
        return "fail", match[1] if match else ""
    return word, who


def plain(text):
    """Text of the service for a person to read: one line, not endless, nothing but characters."""
    if not isinstance(text, str):
        return ""
    return "".join(c if c.isprintable() else " " for c in text[:128]).strip()


def _cut(sock):
    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # it is closed already


def _sha256(octets):
    return hashlib.sha256(octets).hexdigest()


def _number(value):
    return type(value) in (int, float) and math.isfinite(value)


def _once(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member is given twice")
    return members


def _refuse(word):
    raise ValueError(f"{word} is not JSON")


def _parse(octets):
    return json.loads(octets.decode("utf-8"), object_pairs_hook=_once, parse_constant=_refuse)


def _data(answer):
    if answer is None:
        return None
    status, document = answer
    code = document.get("code")
    if status != 200 or not _number(code) or code != 0 or document.get("error", "") != "":
        return None
    return document["data"] if isinstance(document.get("data"), dict) else None


def _refusal(answer):
    code = answer[1].get("code") if answer else None
    if _number(code) and code == 40403:
        return "The passkey service knows no passkey of this account."
    if _number(code) and code == 40901:
        return "This account has as many passkeys as are allowed."
    if _number(code) and code in (40907, 42901):
        return "The passkey service takes no more requests at the moment. Try again later."
    return "The passkey service gives no usable answer at the moment. Try again later."
