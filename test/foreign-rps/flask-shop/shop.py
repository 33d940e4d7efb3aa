"""A web shop whose customers sign in with a passkey on their phone."""
import json
import os
import re
import secrets
import sys
import threading
import time
from dataclasses import dataclass, field

from flask import Flask, jsonify, request, send_from_directory, session
from qrcode import QRCode
from werkzeug.exceptions import HTTPException
from werkzeug.serving import WSGIRequestHandler, make_server

from fido import PATIENCE, Service, judge

PORT = int(os.environ["PORT"])
service = Service(os.environ["FIDO_URL"], os.environ["FIDO_KEY"], os.environ["FIDO_SECRET"])

BETWEEN_POLLS = 0.15
MISSES = 8
MOST_ATTEMPTS = 300  # under way at the same time; each one has a thread
KEEP_ENDED = 600  # seconds that an ended attempt can still be read
KEEP_IDLE = 12 * 3600  # seconds until a visitor who does nothing is forgotten


@dataclass
class Account:
    customer_id: str
    nickname: str
    passkeys: set


@dataclass
class Attempt:
    kind: str  # attestation or assertion
    sid: str
    nickname: str
    user_id: str
    account: Account  # None while the account does not exist yet
    known: set  # credentials that the account had before
    code: dict  # the drawing for the page
    msg_id: str
    expires_at: float
    id: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    state: str = "waiting"
    message: str = ""
    ended_at: float = 0.0
    over: threading.Event = field(default_factory=threading.Event)


@dataclass
class Visitor:
    account: Account = None
    attempt: Attempt = None
    seen: float = field(default_factory=time.time)


# All of these are read and changed under the lock only.
lock = threading.RLock()
accounts = {}  # by the nickname in lower case
visitors = {}  # by the random id in the session cookie
attempts = {}  # by id
used_ids = set()  # customer IDs that were ever given out
used_messages = {}  # msg_id -> expires_at: no two requests may share one

app = Flask(__name__, static_folder="static", static_url_path="/static")
app.config.update(
    SECRET_KEY=secrets.token_bytes(32),
    # Cookies do not tell ports apart, so two shops on one host need two names.
    SESSION_COOKIE_NAME=f"shop_{PORT}",
    SESSION_COOKIE_HTTPONLY=True,
    SESSION_COOKIE_SAMESITE="Lax",
    MAX_CONTENT_LENGTH=4096,
)


class Refusal(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


# Customers

def new_customer_id():
    """C, seven random digits and their check digit by Luhn's rule."""
    with lock:
        while True:
            digits = f"{secrets.randbelow(10**7):07d}"
            total = 0
            for place, digit in enumerate(map(int, reversed(digits))):
                doubled = digit * 2 if place % 2 == 0 else digit
                total += doubled - 9 if doubled > 9 else doubled
            customer_id = f"C{digits}{-total % 10}"
            if customer_id not in used_ids:
                used_ids.add(customer_id)
                return customer_id


def unused_customer_id():
    """The service may remember customers of an earlier run: nobody gets an ID that has passkeys there."""
    for _ in range(3):
        customer_id = new_customer_id()
        there = service.credentials(customer_id)
        if there is None:
            raise Refusal(502, "The passkey service gives no usable answer at the moment. Try again later.")
        if not there:
            return customer_id
    raise Refusal(502, "The passkey service gave an answer that the shop cannot use.")


# Attempts

def begin(kind, sid, nickname, account):
    if kind == "assertion":
        user_id, known = account.customer_id, set()
    elif account is None:
        user_id, known = unused_customer_id(), set()
    else:
        user_id, known = account.customer_id, service.credentials(account.customer_id)
        if known is None:
            raise Refusal(502, "The passkey service gives no usable answer at the moment. Try again later.")
    refusal, url, msg_id, expires_at = service.begin(kind, user_id, nickname)
    if refusal:
        raise Refusal(502, refusal)
    attempt = Attempt(kind, sid, nickname, user_id, account, known, drawing(url), msg_id, expires_at)
    with lock:
        if msg_id in used_messages:
            raise Refusal(502, "The passkey service gave an answer that the shop cannot use.")
        used_messages[msg_id] = expires_at
        visitor = visitors.setdefault(sid, Visitor())
        if kind == "attestation" and account is not None and visitor.account is not account:
            raise Refusal(403, "You are not signed in to this account any more.")
        tidy()
        if sum(not other.ended_at for other in attempts.values()) >= MOST_ATTEMPTS:
            raise Refusal(503, "Too many people are signing in at the moment. Try again later.")
        # A browser has one attempt under way: the new one takes the place of the old one.
        end(visitor.attempt, "failed", "Another attempt was begun in this browser.")
        visitor.seen, visitor.attempt, attempts[attempt.id] = time.time(), attempt, attempt
    try:
        threading.Thread(target=watch, args=[attempt], daemon=True).start()
    except RuntimeError:
        end(attempt, "failed", "The shop is too busy.")
        raise Refusal(503, "Too many people are signing in at the moment. Try again later.") from None
    return attempt


def end(attempt, state, message):
    with lock:
        if attempt is not None and not attempt.ended_at:
            attempt.state, attempt.message, attempt.ended_at = state, message, time.time()
            attempt.over.set()


def tidy():
    now = time.time()
    for gone in [a.id for a in attempts.values() if a.ended_at and a.ended_at < now - KEEP_ENDED]:
        del attempts[gone]
    for gone in [sid for sid, v in visitors.items() if v.seen < now - KEEP_IDLE]:
        del visitors[gone]
    for gone in [msg_id for msg_id, until in used_messages.items() if until < now - KEEP_IDLE]:
        del used_messages[gone]


def watch(attempt):
    """The thread of an attempt. Whatever happens, the attempt has an end."""
    try:
        poll(attempt)
    finally:
        end(attempt, "failed", "Something went wrong in the shop.")


def poll(attempt):
    misses = 0
    while not attempt.over.wait(min(BETWEEN_POLLS, max(attempt.expires_at - time.time(), 0))):
        left = attempt.expires_at - time.time()
        if left <= 0:
            return end(attempt, "failed", "The time for it is over.")
        answer = service.result(attempt.kind, attempt.msg_id, left)
        word, detail = judge(answer, attempt.user_id if attempt.kind == "assertion" else None)
        if time.time() >= attempt.expires_at or word == "timeout":
            return end(attempt, "failed", "The time for it is over.")
        if word == "none":
            misses += 1
            if misses >= MISSES:
                return end(attempt, "failed", "The passkey service gives no usable answer.")
            continue
        misses = 0
        if word == "bind":
            with lock:
                if not attempt.ended_at:
                    attempt.state = "scanned"
                    attempt.message = f"{detail or 'Somebody'} has scanned the code."
        elif word == "success":
            return sign_in(attempt) if attempt.kind == "assertion" else register(attempt)
        elif word == "fail":
            return end(attempt, "failed", because(detail))
        elif word == "gone":
            return end(attempt, "failed", "The result is no longer there.")
        elif word == "broken":
            return end(attempt, "failed", "The passkey service gave an answer that the shop cannot use.")


def because(word):
    if word == "user_rejected":
        return "It was refused on the phone."
    if word == "no_matching_credential":
        return "The phone has no passkey of this account."
    return f"The passkey service did not accept it ({word})." if word else "The passkey service did not accept it."


def sign_in(attempt):
    with lock:
        visitor = visitors.get(attempt.sid)
        if attempt.ended_at or visitor is None or visitor.attempt is not attempt:
            return
        visitor.account, visitor.seen = attempt.account, time.time()
        end(attempt, "signed-in", f"Welcome, {attempt.account.nickname}.")


def register(attempt):
    """Counts the registration when the service lists the new passkey; it has 3 seconds for that."""
    until = min(time.time() + PATIENCE, attempt.expires_at)
    while (left := until - time.time()) > 0:
        listed = service.credentials(attempt.user_id, left)
        with lock:
            taken = {passkey for account in accounts.values() for passkey in account.passkeys}
            new = (listed or set()) - attempt.known - taken
            if new and time.time() < attempt.expires_at:
                return keep(attempt, new)
        if attempt.over.wait(BETWEEN_POLLS):
            return
    end(attempt, "failed", "The passkey service does not list a new passkey.")


def keep(attempt, new):
    if attempt.ended_at:
        return
    visitor, account = visitors.get(attempt.sid), attempt.account
    if account is None:
        key = attempt.nickname.lower()
        if key in accounts:
            return end(attempt, "failed", "Somebody else has taken this nickname in the meantime.")
        accounts[key] = Account(attempt.user_id, attempt.nickname, new)
        end(attempt, "registered", f"{attempt.nickname} is customer {attempt.user_id} now and can sign in.")
    elif visitor is None or visitor.account is not account:
        end(attempt, "failed", "You are not signed in to this account any more.")
    else:
        account.passkeys |= new
        end(attempt, "registered", f"{account.nickname} has one more passkey.")


# HTTP

def visitor_id():
    sid = session.get("sid")
    if not isinstance(sid, str):
        sid = session["sid"] = secrets.token_urlsafe(24)
    return sid


def own_account(sid):
    with lock:
        visitor = visitors.get(sid)
        if visitor is not None:
            visitor.seen = time.time()
        return visitor.account if visitor else None


def body():
    # A page of another origin cannot send this type without being asked, and it is never allowed to.
    if request.mimetype != "application/json" or request.content_length is None:
        raise Refusal(415, "The body must be JSON.")
    try:
        members = json.loads(request.get_data())
    except (ValueError, RecursionError):
        members = None
    if not isinstance(members, dict):
        raise Refusal(400, "The body must be a JSON object.")
    return members


def nickname_of(members):
    nickname = members.get("nickname")
    if not isinstance(nickname, str) or not re.fullmatch(r"[A-Za-z0-9-]{3,20}", nickname):
        raise Refusal(400, "A nickname has 3 to 20 letters, digits and dashes.")
    return nickname


def as_json(attempt):
    with lock:
        answer = {
            "id": attempt.id,
            "kind": "register" if attempt.kind == "attestation" else "signin",
            "nickname": attempt.nickname,
            "state": attempt.state,
            "message": attempt.message,
        }
        ended = attempt.ended_at
    if not ended:
        answer["code"] = attempt.code
    return answer


def drawing(text):
    """The code as an SVG path, one unit per module, with the quiet zone of 4 modules around it."""
    code = QRCode(border=4)
    code.add_data(text)
    rows = code.get_matrix()
    path = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark)
    return {"size": len(rows), "path": path}


@app.get("/")
def page():
    visitor_id()
    return send_from_directory(app.static_folder, "index.html")


@app.get("/api/me")
def me():
    sid = visitor_id()
    with lock:
        account, visitor = own_account(sid), visitors.get(sid)
        under_way = visitor and visitor.attempt and not visitor.attempt.ended_at
        return jsonify(
            signed_in=account is not None,
            nickname=account.nickname if account else None,
            customer_id=account.customer_id if account else None,
            passkeys=len(account.passkeys) if account else 0,
            attempt=visitor.attempt.id if under_way else None,
        )


@app.post("/api/register")
def api_register():
    sid, nickname = visitor_id(), nickname_of(body())
    with lock:
        account = accounts.get(nickname.lower())
        if account is not None and own_account(sid) is not account:
            raise Refusal(409, "This nickname is taken. Its owner must sign in to add a passkey.")
    return as_json(begin("attestation", sid, account.nickname if account else nickname, account)), 201


@app.post("/api/signin")
def api_signin():
    sid, nickname = visitor_id(), nickname_of(body())
    with lock:
        account = accounts.get(nickname.lower())
    if account is None:
        raise Refusal(404, "There is no account with this nickname.")
    return as_json(begin("assertion", sid, account.nickname, account)), 201


def own_attempt(attempt_id):
    with lock:
        attempt = attempts.get(attempt_id)
    # Knowing the id is not enough: the attempt belongs to the browser that began it.
    if attempt is None or attempt.sid != visitor_id():
        raise Refusal(404, "There is no such attempt in this browser.")
    return attempt


@app.get("/api/attempt/<attempt_id>")
def api_attempt(attempt_id):
    return as_json(own_attempt(attempt_id))


@app.post("/api/attempt/<attempt_id>/cancel")
def api_cancel(attempt_id):
    body()
    attempt = own_attempt(attempt_id)
    end(attempt, "failed", "You cancelled it.")
    return as_json(attempt)


@app.post("/api/signout")
def api_signout():
    body()
    with lock:
        visitor = visitors.pop(visitor_id(), None)
        if visitor is not None:
            end(visitor.attempt, "failed", "You signed out.")
    # The next visitor of this browser begins with an id that nobody has seen.
    session.clear()
    visitor_id()
    return jsonify(signed_in=False)


@app.errorhandler(Refusal)
def refused(refusal):
    return jsonify(error=str(refusal)), refusal.status


@app.errorhandler(HTTPException)
def http_error(error):
    if not request.path.startswith("/api/"):
        return error
    return jsonify(error=f"{error.name}."), error.code or 400


@app.after_request
def headers(response):
    response.headers["Content-Security-Policy"] = "default-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "no-store"
    return response


class Quiet(WSGIRequestHandler):
    def log_request(self, *_):
        pass  # the browser asks several times a second


if __name__ == "__main__":
    server = make_server("127.0.0.1", PORT, app, threaded=True, request_handler=Quiet)
    print(f"The shop listens on http://127.0.0.1:{PORT}", file=sys.stderr, flush=True)
    server.serve_forever()
