"""A scan-and-push FIDO2 service, written from the documents, without the code of Handset. Everything is in memory.

service.py --access-key ID:SECRET [--access-key ID:SECRET]... [--port N] [--message-ttl SECONDS]
Each access key is one relying party's. The first line of the output says where the service is, as JSON."""

import argparse
import datetime
import hashlib
import hmac
import json
import random
import re
import secrets
import threading
import time
import unicodedata

from judge import ALGORITHMS, Failed, from_base64url, judge_authentication, judge_registration, to_base64url
from server import MOST_BODY_OCTETS, Answer, Connection, Refusal, Server, refuse
from signing import Key, authenticate, decode, split_query

MOST_NAME, MOST_CREDENTIAL_NAME, MOST_CREDENTIALS, MOST_DELETED = 128, 64, 20, 100
MOST_SEALED, MOST_VAULT_ID = 72 * 1024, 1023
KEPT_AFTER_EXPIRY_S, ALIVE_S = 600, 15
KINDS = {"attestation": "registration", "assertion": "authentication"}


class RelyingParty:
    def __init__(self, number, origins):
        self.name_in_service, self.id, self.name = f"rp_{number}", "localhost", f"Relying party {number}"
        self.origins, self.handle_key, self.credentials = origins, secrets.token_bytes(32), []

    def of_user(self, user_id):
        return [credential for credential in self.credentials if credential.user_id == user_id]

    def user_handle(self, user_id):
        return hmac.new(self.handle_key, user_id.encode(), hashlib.sha256).digest()

    def shown(self):
        return {"id": self.id, "name": self.name, "origins": self.origins}


class Credential:
    def __init__(self, key, name, user_id, device, storage):
        self.key, self.name, self.user_id, self.device, self.storage = key, name, user_id, device, storage
        self.id, self.created_at = to_base64url(key.id), now_text()
        self.updated_at = self.created_at

    def descriptor(self):
        return {"type": "public-key", "id": self.id, "transports": self.key.transports}

    def holders(self):
        """The devices that can sign with it."""
        return self.device.account.devices if self.storage == "cloud" else [self.device]


class Message:
    def __init__(self, kind, rp, user, expires_at):
        self.kind, self.rp, self.user, self.expires_at = kind, rp, user, expires_at
        self.id, self.challenge = secrets.token_urlsafe(16), to_base64url(secrets.token_bytes(32))
        self.state, self.error, self.device, self.answer, self.was_read = "init", "", None, None, False

    def status(self):
        if self.state in ("init", "bind") and time.time() >= self.expires_at:
            return "timeout"
        return self.state

    def is_gone(self):
        return time.time() >= self.expires_at + KEPT_AFTER_EXPIRY_S

    def svc_user(self):
        return self.device.account.shown() if self.device else ""


class Account:
    def __init__(self, name, phone, proof):
        self.name, self.phone, self.proof, self.devices, self.vault = name, phone, proof, [], {}

    def shown(self):
        start, end = (self.phone[:3], self.phone[-4:]) if len(self.phone) > 7 else ("", self.phone[-2:])
        return f"{self.name} ({start}****{end})"


class Device:
    def __init__(self, account, name):
        self.account, self.name = account, name
        self.id, self.token = "dev_" + secrets.token_hex(8), secrets.token_urlsafe(24)
        self.pushes, self.is_signed_in = [], True


class Service:
    """All state, and what each call does to it. One lock, since a call is short."""

    def __init__(self, keys, message_ttl, base, hosts):
        self.keys, self.message_ttl, self.base, self.hosts = keys, message_ttl, base, hosts
        self.origins = {f"http://{host}" for host in hosts}.union(*(key.rp.origins for key in keys))
        self.messages, self.accounts, self.devices, self.push_count = {}, {}, {}, 0
        self.lock = threading.Condition()
        self.rp_routes = {
            "/rp/attestation/options": {"POST": self.begin_registration},
            "/rp/assertion/options": {"POST": self.begin_authentication},
            "/rp/attestation/result": {"GET": self.registration_result},
            "/rp/assertion/result": {"GET": self.authentication_result},
            "/rp/credentials": {"GET": self.list_credentials, "DELETE": self.delete_credentials},
        }
        self.app_routes = [
            (r"/devices", {"POST": self.sign_in}),
            (r"/devices/self", {"DELETE": self.sign_out}),
            (r"/messages/([^/]+)/bind", {"POST": self.bind}),
            (r"/messages/([^/]+)/attestation", {"POST": self.take_attestation}),
            (r"/messages/([^/]+)/assertion", {"POST": self.take_assertion}),
            (r"/messages/([^/]+)/reject", {"POST": self.reject}),
            (r"/openapi\.json", {"GET": self.app_openapi}),
            (r"/inbox", {"GET": self.open_inbox}),
            (r"/vault", {"GET": self.list_vault}),
            (r"/vault/([^/]+)", {"GET": self.read_vault, "PUT": self.write_vault, "DELETE": self.delete_from_vault}),
        ]

    # Where a request goes

    def body_limit(self, request):
        return 2 * MOST_SEALED if request.path.startswith(b"/app/vault/") else MOST_BODY_OCTETS

    def answer(self, request):
        path, method = request.path.decode(), request.method.decode()
        try:
            if path == "/fido/openapi.json" and method in ("GET", "HEAD"):
                return Answer(raw=self.openapi(self.rp_routes.items()))
            if path.startswith("/fido/"):
                return self.answer_rp(request, path[len("/fido"):], method)
            if path.startswith("/app/"):
                return self.answer_app(request, path[len("/app"):], method)
            raise Refusal(40401)
        except Refusal as refusal:
            return refuse(refusal)

    def openapi(self, routes):
        answers = {"200": {"description": "code, data and error"}}
        paths = {path.replace("([^/]+)", "{id}"): {method.lower(): {"responses": answers} for method in methods} for path, methods in routes}
        return {"openapi": "3.1.0", "info": {"title": "A service of another maker", "version": "1"}, "paths": paths}

    def app_openapi(self, *_):
        return Answer(raw=self.openapi(self.app_routes))

    def answer_rp(self, request, path, method):
        if path not in self.rp_routes:
            raise Refusal(40401)
        call = choose(self.rp_routes[path], method)
        rp = authenticate(request, self.keys).rp
        with self.lock:
            return Answer(call(rp, request, method == "HEAD"))

    def answer_app(self, request, path, method):
        found = next(((match, methods) for pattern, methods in self.app_routes if (match := re.fullmatch(pattern, path))), None)
        if found is None:
            raise Refusal(40401)
        match, methods = found
        if request.value(b"host") not in self.hosts:
            raise Refusal(40302)
        cors = self.check_origin(request)
        try:
            if method == "OPTIONS" and cors:
                return Answer(status=204, headers=[*cors, *preflight(methods)])
            call = choose(methods, method)
            device = None if call in (self.sign_in, self.app_openapi) else self.device_of(request)
            media_type = (request.value(b"content-type") or "").split(";")[0].strip().lower()
            if (request.body or method in ("POST", "PUT")) and media_type != "application/json":
                raise Refusal(41501)
            with self.lock:
                answer = call(device, request, *(decode(part.encode()).decode("utf-8", "replace") for part in match.groups()))
        except Refusal as refusal:
            answer = refuse(refusal)
        answer = answer if isinstance(answer, Answer) else Answer(answer)
        answer.headers += cors
        return answer

    def check_origin(self, request):
        """The headers for a page that may read the answer."""
        origin = request.value(b"origin")
        if origin is None:
            return []
        if origin not in self.origins:
            raise Refusal(40303)
        return [("Access-Control-Allow-Origin", origin), ("Vary", "Origin"), ("Access-Control-Expose-Headers", "ETag")]

    def device_of(self, request):
        scheme, _, token = (request.value(b"authorization") or "").partition(" ")
        device = self.devices.get(token)
        if scheme.lower() != "bearer" or device is None:
            raise Refusal(40110)
        return device

    # The relying party's calls

    def begin_registration(self, rp, request, _):
        body = read_json(request)
        user = read_user(body)
        user["credential_name"] = read_optional(body, "credential_name", MOST_CREDENTIAL_NAME) or make_name()
        user["display_name"] = read_optional(body, "display_name", MOST_NAME) or user["username"]
        if len(rp.of_user(user["user_id"])) >= MOST_CREDENTIALS:
            raise Refusal(40901)
        return self.begin("registration", rp, user)

    def begin_authentication(self, rp, request, _):
        body = read_json(request)
        user = read_user(body)
        method = read_text(body, "method", MOST_NAME)
        if method not in ("qrcode", "push"):
            raise Refusal(40002, "method is qrcode or push")
        credentials = rp.of_user(user["user_id"])
        if not credentials:
            raise Refusal(40403)
        answer = self.begin("authentication", rp, {**user, "display_name": user["username"], "credential_name": ""})
        if method == "push":
            self.push(self.messages[answer["url"].split("#")[1][1:]], answer["url"], credentials)
        return answer

    def begin(self, kind, rp, user):
        message = Message(kind, rp, user, int(time.time()) + self.message_ttl)
        self.messages[message.id] = message
        return {"url": f"{self.base}/fido/m#{kind[0]}{message.id}", "expires_at": message.expires_at}

    def push(self, message, url, credentials):
        for device in dict.fromkeys(device for credential in credentials for device in credential.holders()):
            self.push_count += 1
            event = {"msg_id": message.id, "url": url, "rp": message.rp.shown(), "expires_at": message.expires_at}
            device.pushes.append((self.push_count, message, event))
        self.lock.notify_all()

    def registration_result(self, rp, request, head_only):
        return self.result("registration", rp, request, head_only)

    def authentication_result(self, rp, request, head_only):
        return self.result("authentication", rp, request, head_only)

    def result(self, kind, rp, request, head_only):
        message = self.messages.get(one_of(request, "msg_id", "id"))
        if message is None or message.rp is not rp or message.kind != kind or message.is_gone():
            raise Refusal(40402)
        status = message.status()
        if message.was_read:
            raise Refusal(41001)
        if status in ("success", "fail") and not head_only:
            message.was_read = True
        result = {"svc_user": message.svc_user(), "status": status, "error": message.error}
        if kind == "authentication":
            result["user_id"] = message.user["user_id"] if status == "success" else ""
        return result

    def list_credentials(self, rp, request, _):
        user_id = check_text("user_id", one_of(request, "user_id"), MOST_NAME)
        listed = [{"credential_id": credential.id, "credential_name": credential.name, "user_id": user_id,
                   "created_at": credential.created_at, "updated_at": credential.updated_at} for credential in rp.of_user(user_id)]
        return {"total": len(listed), "list": listed}

    def delete_credentials(self, rp, request, _):
        body, query = read_json(request), read_query(request, "user_id")
        if body.get("user_id") in (None, ""):
            body.pop("user_id", None)
        if "user_id" in body and query is not None and body["user_id"] != query:
            raise Refusal(40004, "user_id differs in body and query")
        user_id = read_text({"user_id": query, **body} if query is not None else body, "user_id", MOST_NAME)
        ids = body.get("credential_ids")
        if "credential_ids" not in body:
            raise Refusal(40003, "credential_ids is missing")
        if not isinstance(ids, list) or len(ids) > MOST_DELETED or not all(isinstance(text, str) for text in ids):
            raise Refusal(40002, f"credential_ids is a list of at most {MOST_DELETED} texts")
        deleted = [credential for credential in rp.of_user(user_id) if credential.id in ids]
        rp.credentials = [credential for credential in rp.credentials if credential not in deleted]
        return {"total": len(deleted)}

    # The phone's calls

    def sign_in(self, _, request):
        body = read_json(request)
        if "account" not in body:
            raise Refusal(40003, "account is missing")
        if not isinstance(body["account"], dict):
            raise Refusal(40002, "account is an object")
        name, phone = (read_text(body["account"], field, MOST_NAME) for field in ("name", "phone"))
        proof, device_name = read_optional(body["account"], "proof", 1024), read_text(body, "device_name", MOST_NAME)
        phone = re.sub("[ .()-]", "", phone)
        if not re.fullmatch(r"\+?[0-9]{3,20}", phone):
            raise Refusal(40002, "phone has 3 to 20 digits, with or without +")
        phone = phone.lstrip("+")
        account = self.accounts.setdefault(phone, Account(name, phone, proof))
        if account.proof is not None and (proof is None or not hmac.compare_digest(proof.encode(), account.proof.encode())):
            raise Refusal(40110)
        device = Device(account, device_name)
        account.devices.append(device)
        self.devices[device.token] = device
        return {"device_id": device.id, "device_token": device.token}

    def sign_out(self, device, _):
        del self.devices[device.token]
        device.account.devices.remove(device)
        device.is_signed_in = False
        self.lock.notify_all()
        return {}

    def bind(self, device, request, msg_id):
        read_json(request)
        message = self.open_message(msg_id)
        if message.device not in (None, device):
            raise Refusal(40301)
        if message.status() == "timeout":
            raise Refusal(41002)
        if message.answer:
            raise Refusal(40902)
        message.device, message.state = device, "bind"
        user = message.user
        return {
            "kind": message.kind, "rp": message.rp.shown(), "user": {"username": user["username"], "display_name": user["display_name"]},
            "credential_name": user["credential_name"], "expires_at": message.expires_at, "public_key": self.options(message),
        }

    def options(self, message):
        """WebAuthn's options as JSON."""
        rp, user = message.rp, message.user
        known = [credential.descriptor() for credential in rp.of_user(user["user_id"])]
        common = {"challenge": message.challenge, "timeout": self.message_ttl * 1000}
        if message.kind == "authentication":
            return {**common, "rpId": rp.id, "allowCredentials": known, "userVerification": "preferred"}
        return {
            **common, "rp": {"id": rp.id, "name": rp.name},
            "user": {"id": to_base64url(rp.user_handle(user["user_id"])), "name": user["username"], "displayName": user["display_name"]},
            "pubKeyCredParams": [{"type": "public-key", "alg": algorithm} for algorithm in ALGORITHMS],
            "excludeCredentials": known, "attestation": "direct",
            "authenticatorSelection": {"residentKey": "preferred", "requireResidentKey": False, "userVerification": "preferred"},
        }

    def open_message(self, msg_id, kind=None):
        message = self.messages.get(msg_id)
        if message is None or message.is_gone() or kind not in (None, message.kind):
            raise Refusal(40402)
        return message

    def take_attestation(self, device, request, msg_id):
        message, body = self.open_message(msg_id, "registration"), read_json(request)
        storage = read_optional(body, "storage", MOST_NAME) or "chip"
        if storage not in ("chip", "cloud"):
            raise Refusal(40002, "storage is chip or cloud")

        def judge(response):
            rp, user = message.rp, message.user
            key = judge_registration(response, message.challenge, rp, time.time())
            if any(credential.key.id == key.id for credential in rp.credentials):
                raise Failed("credential_id_in_use")
            if len(rp.of_user(user["user_id"])) >= MOST_CREDENTIALS:
                raise Failed("credential_limit")
            rp.credentials.append(Credential(key, user["credential_name"], user["user_id"], device, storage))

        return self.finish(device, message, read_response(body), storage, judge)

    def take_assertion(self, device, request, msg_id):
        message, body = self.open_message(msg_id, "authentication"), read_json(request)

        def judge(response):
            rp, user_id = message.rp, message.user["user_id"]
            credential, counter = judge_authentication(response, message.challenge, rp, rp.user_handle(user_id), rp.of_user(user_id))
            credential.key.counter, credential.updated_at = counter, now_text()

        return self.finish(device, message, read_response(body), None, judge)

    def reject(self, device, request, msg_id):
        message, reason = self.open_message(msg_id), read_reason(read_json(request))

        def judge(_):
            if re.fullmatch(r"[a-z][a-z0-9_]*", reason):
                raise Failed(reason)
            raise Failed("user_rejected", reason)

        return {"status": self.finish(device, message, reason, "reject", judge)["status"]}

    def finish(self, device, message, response, storage, judge):
        """The verdict about the first answer of the bound device, which is final."""
        if message.status() == "timeout":
            raise Refusal(41002)
        if message.device is None:
            raise Refusal(40902)
        if message.device is not device:
            raise Refusal(40301)
        answer = json.dumps([response, storage], sort_keys=True)
        if message.answer is None:
            try:
                judge(response)
                message.state = "success"
            except Failed as failed:
                message.state, message.error = "fail", failed.error
            message.answer = answer
        elif message.answer != answer:
            raise Refusal(40903)
        return {"status": message.state, "error": message.error}

    def open_inbox(self, device, request):
        last = request.value(b"last-event-id") or "0"
        return Answer(stream=self.inbox(device, int(last) if re.fullmatch(r"[0-9]{1,15}", last) else 0))

    def inbox(self, device, last):
        yield b": open\n\n"
        while device.is_signed_in:
            with self.lock:
                missed = [push for push in device.pushes if push[0] > last and push[1].status() in ("init", "bind")]
                is_quiet = not missed and not self.lock.wait(ALIVE_S)
            if is_quiet:
                yield b": alive\n\n"
            for number, _, event in missed:
                last = number
                yield f"id: {number}\nevent: message\ndata: {json.dumps(event)}\n\n".encode()

    def vault_of(self, device):
        if device.account.proof is None:
            raise Refusal(40404, "an account without a proof has no vault")
        return device.account.vault

    def list_vault(self, device, _):
        vault = self.vault_of(device)
        return {"total": len(vault), "list": [sealed_credential(vault, name) for name in vault]}

    def read_vault(self, device, _, name):
        vault = self.vault_of(device)
        check_vault_id(name)
        if name not in vault:
            raise Refusal(40404)
        return Answer(sealed_credential(vault, name), headers=[("ETag", vault[name][0])])

    def write_vault(self, device, request, name):
        vault = self.vault_of(device)
        check_vault_id(name)
        if request.value(b"if-match") is None and request.value(b"if-none-match") is None:
            raise Refusal(42801)
        sealed = read_text(read_json(request), "sealed", MOST_SEALED)
        check_base64url("sealed", sealed)
        check_conditions(request, vault.get(name))
        vault[name] = (f'"{secrets.token_hex(8)}"', sealed)
        return Answer({"credential_id": name, "etag": vault[name][0]}, headers=[("ETag", vault[name][0])])

    def delete_from_vault(self, device, request, name):
        vault = self.vault_of(device)
        check_vault_id(name)
        if name not in vault:
            raise Refusal(40404)
        check_conditions(request, vault[name])
        del vault[name]
        return {"deleted": True}


# Parameters

def choose(methods, method):
    allowed = [*methods, *(["HEAD"] if "GET" in methods else [])]
    if method not in allowed:
        raise Refusal(40501, headers=[("Allow", ", ".join(allowed))])
    return methods["GET" if method == "HEAD" else method]


def preflight(methods):
    return [("Access-Control-Allow-Methods", ", ".join(methods)), ("Access-Control-Max-Age", "600"),
            ("Access-Control-Allow-Headers", "authorization, content-type, if-match, if-none-match, last-event-id")]


def read_json(request):
    try:
        body = json.loads(request.body.decode(), object_pairs_hook=only_once)
    except (ValueError, RecursionError):
        raise Refusal(40001) from None
    if not isinstance(body, dict):
        raise Refusal(40001)
    return body


def only_once(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member is named twice")
    return members


def read_query(request, name):
    """The value of a parameter, or nothing. Values that differ contradict each other."""
    try:
        values = {value.decode() for sent, value in split_query(request.query) if sent == name.encode()}
    except UnicodeDecodeError:
        raise Refusal(40002, f"{name} is not UTF-8") from None
    if len(values) > 1:
        raise Refusal(40004, f"{name} has two values")
    return values.pop() if values else None


def one_of(request, *names):
    """The value of a required parameter that has several names."""
    values = {value for name in names if (value := read_query(request, name)) is not None}
    values -= {""} if len(names) > 1 else set()
    if len(values) > 1:
        raise Refusal(40004, f"{' and '.join(names)} differ")
    if not values:
        raise Refusal(40003, f"{names[0]} is missing")
    return values.pop()


def check_text(name, value, most):
    if not isinstance(value, str) or not 1 <= len(value) <= most:
        raise Refusal(40002, f"{name} is text of 1 to {most} characters")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in value):
        raise Refusal(40002, f"{name} has a character that is not allowed")
    return value


def read_text(body, name, most):
    if name not in body:
        raise Refusal(40003, f"{name} is missing")
    return check_text(name, body[name], most)


def read_optional(body, name, most):
    return None if body.get(name) in (None, "") else check_text(name, body[name], most)


def read_user(body):
    return {"user_id": read_text(body, "user_id", MOST_NAME), "username": read_text(body, "username", MOST_NAME)}


def read_response(body):
    if "response" not in body:
        raise Refusal(40003, "response is missing")
    return body["response"]


def read_reason(body):
    reason = body.get("reason")
    if reason is not None and not isinstance(reason, str):
        raise Refusal(40002, "reason is text")
    return reason or ""


def check_base64url(name, text):
    try:
        return from_base64url(text)
    except Failed:
        raise Refusal(40002, f"{name} is base64url without padding") from None


def check_vault_id(name):
    if not 1 <= len(check_base64url("credential_id", name)) <= MOST_VAULT_ID:
        raise Refusal(40002, f"a credential ID has 1 to {MOST_VAULT_ID} octets")


def check_conditions(request, stored):
    etag = stored and stored[0]
    wanted, unwanted = request.value(b"if-match"), request.value(b"if-none-match")
    if wanted is not None and wanted != "*" and not re.fullmatch(r'"[^"]+"', wanted):
        raise Refusal(40002, "If-Match is an etag with its quotes")
    if wanted is not None and etag not in etags(wanted) and not (wanted == "*" and stored):
        raise Refusal(41201)
    if unwanted is not None and stored and (unwanted == "*" or etag in etags(unwanted)):
        raise Refusal(41201)


def etags(text):
    return [part.strip() for part in text.split(",")]


def sealed_credential(vault, name):
    return {"credential_id": name, "etag": vault[name][0], "sealed": vault[name][1]}


def make_name():
    adjective, noun = random.choice(["Quiet", "Bright", "Early", "Green"]), random.choice(["Otter", "Heron", "Maple", "River"])
    return f"{adjective} {noun} {random.randrange(10, 100)}"


def now_text():
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--port", type=int, default=0)
    options.add_argument("--access-key", action="append", required=True)
    options.add_argument("--message-ttl", type=int, default=180)
    given = options.parse_args()
    server = Server(("127.0.0.1", given.port), Connection)
    port = server.server_address[1]
    hosts = [f"localhost:{port}", f"127.0.0.1:{port}"]
    origins = [f"http://localhost:{port}"]
    keys = [Key(*text.split(":", 1), RelyingParty(number, origins)) for number, text in enumerate(given.access_key, 1)]
    base = f"http://127.0.0.1:{port}"
    server.service = Service(keys, given.message_ttl, base, hosts)
    print(json.dumps({"ready": True, "base_url": f"{base}/fido", "app_url": f"{base}/app"}), flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
