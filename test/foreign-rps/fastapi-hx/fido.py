"""The FIDO service as the tool library uses it: signed requests, and responses that count only when they are sound."""
import asyncio
import hashlib
import hmac
import json
import re
import ssl
import time
from dataclasses import dataclass

import httpx

REGISTER, SIGN_IN = "attestation", "assertion"
LETTER = {REGISTER: "r", SIGN_IN: "a"}
# The service has no result for this message, and will never have one again.
GONE = (41001, 40402)
ANSWER_LIMIT = 4.0
MOST_OCTETS = 256 * 1024
FARTHEST_EXPIRY = 3600


class Unusable(Exception):
    """A request cannot begin. The text is for the user."""


@dataclass(frozen=True)
class Answer:
    code: object = None
    # None unless the response is HTTP 200 with code 0 and no error.
    data: object = None


@dataclass(frozen=True)
class Message:
    kind: str
    user_id: str
    msg_id: str
    url: str
    expires_at: float


def clean(value, most=200):
    """A text of the service as it may be stored and shown."""
    if not isinstance(value, str):
        return ""
    readable = "".join(sign if sign.isprintable() else " " for sign in value[:most])
    return readable.encode("utf-8", "replace").decode().strip()


def unique_members(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member is given twice")
    return members


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def parse_answer(status, body):
    try:
        envelope = json.loads(body.decode("utf-8"), object_pairs_hook=unique_members, parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        return Answer()
    if not isinstance(envelope, dict) or type(envelope.get("code")) is not int:
        return Answer()
    code, data = envelope["code"], envelope.get("data")
    if status != 200 or code != 0 or envelope.get("error", "") != "" or not isinstance(data, dict):
        return Answer(code)
    return Answer(code, data)


class Service:
    def __init__(self, base_url, key_id, secret):
        self.base_url = base_url.rstrip("/")
        self.key_id = key_id
        self.secret = secret.encode()
        self.tls = ssl.create_default_context()

    def sign(self, request):
        date = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        path, _, query = request.url.raw_path.decode().partition("?")
        lines = f"host:{request.headers['host']}\nx-svc-date:{date}\n"
        digest = hashlib.sha256(request.content).hexdigest()
        canonical = "\n".join([request.method, path, query, lines, "host;x-svc-date", digest])
        scope = "fido-server/"
        to_sign = "\n".join(["SVC-HMAC-SHA256", date, scope, hashlib.sha256(canonical.encode()).hexdigest()])
        signature = hmac.new(self.secret, to_sign.encode(), hashlib.sha256).hexdigest()
        request.headers["X-Svc-Date"] = date
        request.headers["Authorization"] = f"SVC-HMAC-SHA256 {self.key_id}/{scope},host;x-svc-date,{signature}"

    async def fetch(self, method, path, query, body):
        # A connection for each call: nothing that was left on an old one can pass for a response.
        async with httpx.AsyncClient(verify=self.tls, trust_env=False, follow_redirects=False) as client:
            request = client.build_request(
                method, self.base_url + path, params=query, json=body, headers={"Accept-Encoding": "identity"}
            )
            self.sign(request)
            response = await client.send(request, stream=True)
            octets = b""
            async for part in response.aiter_raw():
                octets += part
                if len(octets) > MOST_OCTETS:
                    return Answer()
            return parse_answer(response.status_code, octets)

    async def call(self, method, path, query=None, body=None, limit=ANSWER_LIMIT):
        try:
            return await asyncio.wait_for(self.fetch(method, path, query, body), limit)
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, OSError, asyncio.TimeoutError):
            return Answer()

    async def begin(self, kind, user_id, username, method=None):
        body = {"user_id": user_id, "username": username}
        if method is not None:
            body["method"] = method
        answer = await self.call("POST", f"/rp/{kind}/options", body=body)
        if answer.code == 40403:
            raise Unusable("There is no passkey for this account.")
        if answer.data is None:
            raise Unusable("The FIDO service does not accept it at the moment.")
        url, expires_at = answer.data.get("url"), answer.data.get("expires_at")
        expected = re.escape(f"{self.base_url}/m#{LETTER[kind]}") + "([A-Za-z0-9_-]{22})"
        match = re.fullmatch(expected, url) if isinstance(url, str) else None
        if match is None:
            raise Unusable("The FIDO service gave an address that is not its own.")
        if type(expires_at) not in (int, float) or not 0 < expires_at - time.time() <= FARTHEST_EXPIRY:
            raise Unusable("The FIDO service gave no usable expiry.")
        return Message(kind, user_id, match[1], url, expires_at)

    async def poll(self, message, limit):
        """(state, text): 'waiting' with who has scanned, 'succeeded', 'failed' with the reason, or 'unusable'."""
        answer = await self.call("GET", f"/rp/{message.kind}/result", {"msg_id": message.msg_id}, limit=limit)
        if answer.code in GONE:
            return "failed", "The FIDO service has no result for this request any more."
        if answer.data is None:
            return "unusable", ""
        status, error = answer.data.get("status"), answer.data.get("error", "")
        svc_user = clean(answer.data.get("svc_user"))
        if status in ("init", "bind"):
            return "waiting", svc_user
        if status == "timeout":
            return "failed", "No phone answered in time."
        if status == "fail":
            return "failed", clean(error) or "The phone did not approve."
        if status != "success":
            return "unusable", ""
        if error != "" or svc_user == "":
            return "failed", "The FIDO service contradicts itself."
        if message.kind == SIGN_IN and answer.data.get("user_id") != message.user_id:
            return "failed", "The FIDO service answered for another user."
        return "succeeded", svc_user

    async def passkeys(self, user_id):
        """The user's own passkeys, names by ID; None where the service does not say."""
        answer = await self.call("GET", "/rp/credentials", {"user_id": user_id})
        rows = answer.data.get("list") if answer.data is not None else None
        if not isinstance(rows, list):
            return None
        own = {}
        for row in rows:
            credential_id = row.get("credential_id") if isinstance(row, dict) and row.get("user_id") == user_id else None
            if isinstance(credential_id, str) and re.fullmatch("[A-Za-z0-9_-]+", credential_id):
                own.setdefault(credential_id, clean(row.get("credential_name")) or "Passkey without a name")
        return own

    async def remove(self, user_id, credential_ids):
        body = {"user_id": user_id, "credential_ids": list(credential_ids)}
        return (await self.call("DELETE", "/rp/credentials", body=body)).data is not None
