"""A staff portal: employees enrol a phone with a one-time word and sign in with it."""
import hashlib
import hmac
import http.client
import json
import math
import os
import re
import secrets
import socket
import string
import sys
import threading
import time
import unicodedata
from urllib.parse import quote, urlsplit

import qrcode
from django.conf import settings

try:
    PORT = int(os.environ["PORT"])
    FIDO_URL = os.environ["FIDO_URL"].rstrip("/")
    FIDO_KEY = os.environ["FIDO_KEY"]
    FIDO_SECRET = os.environ["FIDO_SECRET"]
except (KeyError, ValueError) as problem:
    sys.exit(f"PORT, FIDO_URL, FIDO_KEY and FIDO_SECRET must be set: {problem}")

settings.configure(
    ALLOWED_HOSTS=["localhost", "127.0.0.1"],
    APPEND_SLASH=False,
    # Cookies do not tell ports apart: names of its own keep other local sites out.
    CSRF_COOKIE_NAME="staff_csrf",
    LOGGING={"version": 1, "disable_existing_loggers": False, "loggers": {"django": {"level": "ERROR"}}},
    MIDDLEWARE=[
        __name__ + ".forms_are_utf8",
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
    ],
    ROOT_URLCONF=__name__,
    SECRET_KEY=secrets.token_urlsafe(50),
    SESSION_COOKIE_NAME="staff_session",
    SESSION_ENGINE="django.contrib.sessions.backends.signed_cookies",
    SESSION_EXPIRE_AT_BROWSER_CLOSE=True,
    TEMPLATES=[{
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")],
    }],
    USE_I18N=False,
    USE_TZ=True,
)

from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.http import HttpResponseNotFound  # noqa: E402
from django.shortcuts import redirect, render  # noqa: E402
from django.urls import path  # noqa: E402
from django.views.decorators.cache import never_cache  # noqa: E402
from django.views.decorators.http import require_http_methods, require_POST, require_safe  # noqa: E402

ONE_RESPONSE = 3.0       # seconds for one response of the service, all in all
PAUSE = 0.15             # seconds between two polls
BAD_POLLS = 8            # so many unusable answers in a row end an attempt
LONGEST_ATTEMPT = 3600   # a later expires_at is not believed
BODY_LIMIT = 256 * 1024
GONE = (41001, 40402)    # already read, no such message: nothing more will come


# ---- The service -------------------------------------------------------------------------------

class Unusable(Exception):
    """The service gave no answer, or one that cannot be used."""


def sign(method, target, query, body):
    """The headers of a request; `query` is already encoded and has one parameter at most."""
    host = urlsplit(FIDO_URL).netloc
    date = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    names = "host;x-svc-date"
    digest = hashlib.sha256(body).hexdigest()
    canonical = "\n".join([method, target, query, f"host:{host}", f"x-svc-date:{date}", "", names, digest])
    scope = "fido-server/"
    to_sign = "\n".join(["SVC-HMAC-SHA256", date, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    signature = hmac.new(FIDO_SECRET.encode(), to_sign.encode(), hashlib.sha256).hexdigest()
    return {
        "Host": host,
        "X-Svc-Date": date,
        "Authorization": f"SVC-HMAC-SHA256 {FIDO_KEY}/{scope},{names},{signature}",
        "Content-Type": "application/json",
    }


def exchange(method, endpoint, query, body, limit):
    """One request; (HTTP status, body). http.client follows no redirect."""
    base = urlsplit(FIDO_URL)
    target = base.path + endpoint
    payload = b"" if body is None else json.dumps(body).encode()
    headers = sign(method, target, query, payload)
    connect = http.client.HTTPSConnection if base.scheme == "https" else http.client.HTTPConnection
    end = time.monotonic() + limit
    connection = connect(base.hostname, base.port, timeout=limit)
    timer = None
    try:
        connection.connect()
        # A timeout of the socket starts anew with each octet; the timer ends a response that drips.
        timer = threading.Timer(max(0, end - time.monotonic()), cut, [connection.sock])
        timer.daemon = True
        timer.start()
        connection.request(method, target + ("?" + query if query else ""), payload or None, headers)
        response = connection.getresponse()
        if response.getheader("Content-Encoding", "identity") != "identity":
            raise Unusable("an encoding that nobody asked for")
        octets = response.read(BODY_LIMIT + 1)
        # `length` is what a cut connection left unread.
        if len(octets) > BODY_LIMIT or response.length or time.monotonic() >= end:
            raise Unusable("too long, too slow or cut off")
        return response.status, octets
    finally:
        if timer:
            timer.cancel()
        connection.close()


def cut(sock):
    try:
        socket.socket.shutdown(sock, socket.SHUT_RDWR)
    except OSError:
        pass


def no_member_twice(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member is given twice")
    return members


def no_constant(name):
    raise ValueError(f"{name} is not JSON")


def call(method, endpoint, query="", body=None, until=math.inf):
    """(code, data) of a usable envelope; data only with HTTP 200 and code 0, else None."""
    limit = min(ONE_RESPONSE, until - time.time())
    if limit <= 0:
        raise Unusable("the time is up")
    try:
        http_status, octets = exchange(method, endpoint, query, body, limit)
        envelope = json.loads(octets.decode("utf-8"), object_pairs_hook=no_member_twice, parse_constant=no_constant)
    except Exception as problem:  # whatever the other side does, it is no answer
        raise Unusable(str(problem)) from None
    if not isinstance(envelope, dict) or type(envelope.get("code")) is not int:
        raise Unusable("not an envelope")
    code, data = envelope["code"], envelope.get("data")
    if http_status != 200:
        data = None
    if code != 0 or envelope.get("error", "") != "":
        data = None
    return code, data if isinstance(data, dict) else None


def credentials_of(user_id, until=math.inf):
    """The IDs of the user's own credentials, each once."""
    _, data = call("GET", "/rp/credentials", "user_id=" + quote(user_id, safe=""), until=until)
    if data is None or not isinstance(data.get("list"), list):
        raise Unusable("no list")
    return {
        entry["credential_id"] for entry in data["list"]
        if isinstance(entry, dict) and entry.get("user_id") == user_id
        and isinstance(entry.get("credential_id"), str) and entry["credential_id"]
    }


def delete_credentials(user_id, ids):
    try:
        call("DELETE", "/rp/credentials", body={"user_id": user_id, "credential_ids": sorted(ids)[:100]})
    except Unusable:
        pass  # what stays there is listed, and deleted, before the next registration


def begin(kind, body):
    """(url, msg_id, expires_at) of a new message, all of them checked."""
    ceremony = "attestation" if kind == "r" else "assertion"
    code, data = call("POST", f"/rp/{ceremony}/options", body=body)
    if data is None:
        raise Unusable("the service refused" if code else "no data")
    url, expires_at = data.get("url"), data.get("expires_at")
    if type(expires_at) not in (int, float) or not 0 < expires_at - time.time() <= LONGEST_ATTEMPT:
        raise Unusable("no usable expiry")
    if not isinstance(url, str) or not re.fullmatch(r"[!-~]{1,1000}", url):
        raise Unusable("no address")
    token = re.fullmatch(kind + r"([A-Za-z0-9_-]{1,200})", url.partition("#")[2])
    if not token or place(url) != place(FIDO_URL):
        raise Unusable("an address of another place, or without its token")
    return url, token[1], expires_at


def place(url):
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return None
    return None if "@" in parts.netloc or "\\" in url else (parts.scheme, parts.hostname, port)


# ---- Employees, attempts, and who is signed in ---------------------------------------------------

USER_KEY = secrets.token_bytes(32)
lock = threading.RLock()
staff = {}         # name -> Employee
attempts = {}      # ID -> Attempt
known_ids = set()  # every msg_id that was ever given: a service that repeats one is not believed
signed_in = {}     # ID of a browser -> Employee


class Employee:
    def __init__(self, name):
        self.name = name
        self.user_id = hmac.new(USER_KEY, name.encode(), hashlib.sha256).hexdigest()[:32]
        letters = "".join(secrets.choice(string.ascii_lowercase) for _ in range(4))
        self.word = f"{letters}-{secrets.randbelow(10000):04d}"
        self.enrolled = False
        self.passkeys = set()
        self.enrolling = threading.Lock()  # one registration of a name is judged at a time


class Attempt:
    def __init__(self, kind, employee, browser, method, url, msg_id, expires_at, before=()):
        self.id = secrets.token_urlsafe(18)
        self.kind, self.employee, self.browser, self.method = kind, employee, browser, method
        self.msg_id, self.expires_at, self.before = msg_id, expires_at, before
        self.code = drawing(url) if method == "qrcode" else None
        self.state, self.scanned_by, self.reason = "waiting", "", ""
        self.over = threading.Event()

    def end(self, state, reason=""):
        """The first end counts; nothing changes it later."""
        with lock:
            if self.over.is_set():
                return
            self.state, self.reason = state, reason
            if state == "succeeded" and self.kind == "r":
                self.employee.enrolled = True
                self.employee.word = None
            elif state == "succeeded":
                signed_in[self.browser] = self.employee
            self.over.set()


def start(kind, employee, browser, method, body, before=()):
    """Begins a registration or a sign-in and has a thread wait for its end."""
    url, msg_id, expires_at = begin(kind, body)
    with lock:
        if msg_id in known_ids:
            raise Unusable("a message that was given before")
        known_ids.add(msg_id)
        for old in [old for old in attempts.values() if old.expires_at < time.time() - 600]:
            del attempts[old.id]
        attempt = Attempt(kind, employee, browser, method, url, msg_id, expires_at, before)
        attempts[attempt.id] = attempt
    threading.Thread(target=watch, args=[attempt], daemon=True).start()
    return attempt


def start_registration(employee, browser):
    user_id = employee.user_id
    before = credentials_of(user_id)
    if before:
        # Nobody has enrolled under this name yet: these are left over from attempts that failed here,
        # and a phone that holds one of them could not be enrolled again.
        delete_credentials(user_id, before)
    return start("r", employee, browser, "qrcode", {"user_id": user_id, "username": employee.name}, before)


def start_sign_in(employee, browser, method):
    body = {"user_id": employee.user_id, "username": employee.name, "method": method}
    return start("a", employee, browser, method, body)


def watch(attempt):
    try:
        poll(attempt)
    except Exception as problem:  # an attempt always ends in front of its user
        print("An attempt broke off:", repr(problem), file=sys.stderr)
        attempt.end("failed", "Something went wrong here.")


def poll(attempt):
    ceremony = "attestation" if attempt.kind == "r" else "assertion"
    bad = 0
    while not attempt.over.wait(PAUSE):
        code, data = None, None
        try:
            code, data = call("GET", f"/rp/{ceremony}/result", "msg_id=" + attempt.msg_id, until=attempt.expires_at)
        except Unusable:
            pass
        status = data.get("status") if data else None
        if time.time() >= attempt.expires_at:
            attempt.end("failed", "The time is up.")
        elif code in GONE:
            attempt.end("failed", "The service has no result for this attempt any more.")
        elif status == "success":
            settle(attempt, data)
        elif status == "fail":
            attempt.end("failed", shown(data.get("error")) or "The phone did not confirm.")
        elif status == "timeout":
            attempt.end("failed", "The time is up.")
        elif status in ("init", "bind"):
            bad = 0
            attempt.scanned_by = shown(data.get("svc_user"))
        else:
            bad += 1
            if bad >= BAD_POLLS:
                attempt.end("failed", "The service gives no usable answer.")


def settle(attempt, data):
    """Judges a success; it is read once, so one that cannot be believed ends the attempt."""
    if not shown(data.get("svc_user")).strip():
        return attempt.end("failed", "The service does not say whose phone it was.")
    if data.get("error", "") != "":
        return attempt.end("failed", shown(data["error"]) or "The service reports an error.")
    if attempt.kind == "a":
        if data.get("user_id") != attempt.employee.user_id:
            return attempt.end("failed", "The answer is for somebody else.")
        return attempt.end("succeeded")
    with attempt.employee.enrolling:
        settle_registration(attempt)


def settle_registration(attempt):
    employee = attempt.employee
    for _ in range(3):
        try:
            new = credentials_of(employee.user_id, attempt.expires_at) - attempt.before
            break
        except Unusable:
            time.sleep(PAUSE)
    else:
        return attempt.end("failed", "The service does not list the new passkey.")
    if employee.enrolled:
        # Another browser with the same word was first. Its passkey stays, this one goes.
        delete_credentials(employee.user_id, new - employee.passkeys)
        return attempt.end("failed", "This name has a phone already.")
    if len(new) != 1:
        # With several it cannot be told which one belongs to this attempt.
        if new:
            delete_credentials(employee.user_id, new)
        return attempt.end("failed", "The service does not list the new passkey.")
    employee.passkeys = new
    attempt.end("succeeded")


def drawing(url):
    """The code as (side in modules, path of the black modules), with its quiet zone."""
    code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_M, border=4)
    code.add_data(url)
    code.make(fit=True)
    rows = code.get_matrix()
    black = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark)
    return {"side": len(rows), "pixels": len(rows) * 6, "black": black}


def shown(text):
    """Text of the service as a page can carry it; a lone surrogate cannot be sent."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text[:300]) if isinstance(text, str) else ""


# ---- Pages ---------------------------------------------------------------------------------------

def browser_of(request):
    if "browser" not in request.session:
        request.session["browser"] = secrets.token_urlsafe(24)
    return request.session["browser"]


def page(request, template, status=200, **context):
    context["who"] = signed_in.get(request.session.get("browser"))
    return render(request, template, context, status=status)


def forms_are_utf8(get_response):
    """The charset of a request is a stranger's word: Django breaks on some, such as `hex`."""
    def handle(request):
        request.encoding = "utf-8"
        return get_response(request)
    return handle


def field(request, name):
    return request.POST.get(name, "").strip()


@never_cache
@require_safe
def home(request):
    return page(request, "home.html")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def admin_staff(request):
    made, refusal = None, ""
    if request.method == "POST":
        name = field(request, "name")
        with lock:
            if not 1 <= len(name) <= 128 or any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in name):
                refusal = "A name has 1 to 128 letters and no control characters."
            elif name in staff:
                refusal = "This name exists already."
            else:
                made = staff[name] = Employee(name)
    return page(request, "staff.html", 400 if refusal else 200, made=made, refusal=refusal, staff=list(staff.values()))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def enrol(request):
    if request.method != "POST":
        return page(request, "enrol.html")
    name, word = field(request, "name"), field(request, "word").lower()
    employee = staff.get(name)
    refusal = "The name and the word do not belong together, or the word is used up."
    if employee is None or employee.enrolled or not fits(employee.word, word):
        return page(request, "enrol.html", 403, name=name, refusal=refusal)
    try:
        attempt = start_registration(employee, browser_of(request))
    except Unusable:
        refusal = "The enrolment could not begin: the service gave no usable answer. Please try again."
        return page(request, "enrol.html", 409, name=name, refusal=refusal)
    return redirect("attempt", attempt.id)


def fits(word, given):
    return word is not None and hmac.compare_digest(word.encode(), given.encode("utf-8", "replace"))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request):
    name = field(request, "name")
    if request.method != "POST" or not name:
        return page(request, "sign_in.html", 400 if request.method == "POST" else 200)
    return page(request, "method.html", name=name)


@never_cache
@require_POST
def sign_in_begin(request):
    name, method = field(request, "name"), field(request, "method")
    employee = staff.get(name)
    if employee is None or not employee.enrolled:
        return page(request, "sign_in.html", 403, name=name, refusal="No phone is enrolled under this name.")
    if method not in ("qrcode", "push"):
        return page(request, "method.html", 400, name=name, refusal="Choose one of the two ways.")
    try:
        attempt = start_sign_in(employee, browser_of(request), method)
    except Unusable:
        refusal = "The sign-in could not begin: the service gave no usable answer. Please try again."
        return page(request, "method.html", 409, name=name, refusal=refusal)
    return redirect("attempt", attempt.id)


@never_cache
@require_safe
def show_attempt(request, attempt_id):
    attempt = attempts.get(attempt_id)
    if attempt is None or attempt.browser != request.session.get("browser"):
        return HttpResponseNotFound("This browser has no such attempt.", content_type="text/plain")
    if attempt.kind == "a" and attempt.state == "succeeded":
        return redirect("home")
    return page(request, "attempt.html", attempt=attempt)


@never_cache
@require_POST
def sign_out(request):
    browser = request.session.get("browser")
    with lock:
        signed_in.pop(browser, None)
        # Whoever signs out does not want to be signed in by what is still under way.
        for attempt in [attempt for attempt in attempts.values() if attempt.browser == browser]:
            attempt.end("failed", "The browser signed out.")
    request.session.flush()
    return redirect("home")


urlpatterns = [
    path("", home, name="home"),
    path("admin/staff", admin_staff, name="staff"),
    path("enrol", enrol, name="enrol"),
    path("sign-in", sign_in, name="sign-in"),
    path("sign-in/begin", sign_in_begin, name="sign-in-begin"),
    path("attempts/<str:attempt_id>", show_attempt, name="attempt"),
    path("sign-out", sign_out, name="sign-out"),
]

if __name__ == "__main__":
    server = ThreadedWSGIServer(("127.0.0.1", PORT), WSGIRequestHandler)
    server.set_app(get_wsgi_application())
    server.serve_forever()
