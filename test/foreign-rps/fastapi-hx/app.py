"""The tool library: members register a passkey and sign in with their phone. Every answer is a fragment of the one page."""
import asyncio
import os
import tempfile
import time
import unicodedata
import uuid
from dataclasses import dataclass

import qrcode
from fastapi import FastAPI, Form, Request
from fastapi.responses import PlainTextResponse, Response
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates
from qrcode.image.svg import SvgPathFillImage

from fido import ANSWER_LIMIT, REGISTER, SIGN_IN, Message, Service, Unusable
from store import SESSION_SECONDS, Store

POLL_PAUSE = 0.3
BAD_POLLS = 8
LIST_TRIES = 4
COOKIE = "toolshed"

service = Service(os.environ["FIDO_URL"], os.environ["FIDO_KEY"], os.environ["FIDO_SECRET"])
store = Store(os.path.join(os.environ.get("RP_BUILD") or tempfile.mkdtemp(), "toolshed.sqlite3"))
templates = Jinja2Templates("templates")
site = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
site.mount("/static", StaticFiles(directory="static"))


@dataclass
class Attempt:
    id: str
    session: str
    name: str
    message: Message
    push: bool
    before: frozenset = frozenset()
    state: str = "waiting"
    text: str = ""
    # Grows with every change, so that the page fetches only what is new.
    version: int = 0

    def change(self, state, text=""):
        if self.state == "waiting" and (state, text) != (self.state, self.text):
            self.state, self.text = state, text
            self.version += 1

    @property
    def code(self):
        """The QR code, which is drawn only while a phone can still scan it."""
        if self.push or self.state != "waiting":
            return None
        return qrcode.make(self.message.url, image_factory=SvgPathFillImage).to_string(encoding="unicode")


attempts = {}
used_messages = set()
watchers = set()


# The watch over an attempt

async def watch(attempt):
    unusable = 0
    while True:
        await asyncio.sleep(POLL_PAUSE)
        left = attempt.message.expires_at - time.time()
        if attempt.state != "waiting":
            return
        if left <= 0:
            return attempt.change("failed", "The time is up.")
        state, text = await service.poll(attempt.message, min(ANSWER_LIMIT, left))
        if state == "unusable":
            unusable += 1
            if unusable == BAD_POLLS:
                return attempt.change("failed", "The FIDO service gives no usable answer.")
            continue
        unusable = 0
        if state == "succeeded" and attempt.message.kind == REGISTER:
            return await finish_registration(attempt)
        attempt.change(state, text)


async def finish_registration(attempt):
    """The service's word is not enough: a passkey counts when it is in the user's list."""
    account, listed = attempt.message.user_id, None
    for _ in range(LIST_TRIES):
        listed = await service.passkeys(account)
        if listed is not None:
            break
        await asyncio.sleep(POLL_PAUSE)
    new = set(listed or ()) - attempt.before
    if attempt.state != "waiting":
        return
    if not new:
        return attempt.change("failed", "The FIDO service does not list a new passkey.")
    owner = store.account(attempt.name)
    if owner is None:
        store.add_account(account, attempt.name)
    elif owner["id"] != account:
        attempt.change("failed", "The name was taken meanwhile.")
        return await service.remove(account, new)
    elif not is_signed_in(attempt.session, account):
        attempt.change("failed", "You are not signed in any more.")
        return await service.remove(account, new)
    store.add_passkeys(account, new)
    attempt.change("succeeded")


def is_signed_in(token, account):
    session = store.session(token)
    return session is not None and session["account"] == account


# What the browser gets

def session_of(request):
    return store.session(request.cookies.get(COOKIE, ""))


def panel(request, token=None, attempt=None, problem=None, passkeys=None, status=200):
    token = token or request.cookies.get(COOKIE, "")
    session = store.session(token)
    context = {"request": request, "attempt": attempt, "problem": problem, "passkeys": passkeys,
               "member": session["name"] if session else None}
    template = "panel.html" if "x-fragment" in request.headers else "page.html"
    response = templates.TemplateResponse(template, context, status_code=status, headers={"Cache-Control": "no-store"})
    if session and token != request.cookies.get(COOKIE):
        response.set_cookie(COOKIE, token, max_age=SESSION_SECONDS, httponly=True, samesite="lax")
    return response


def current_attempt(token):
    return next((each for each in reversed(attempts.values()) if each.session == token), None)


def show_attempt(request, attempt):
    """A finished attempt is shown once. A sign-in gives the browser a new session, and ends the old one."""
    if attempt.state == "waiting":
        return panel(request, attempt=attempt)
    attempts.pop(attempt.id, None)
    token = attempt.session
    if attempt.state == "succeeded" and attempt.message.kind == SIGN_IN:
        token = store.open_session(attempt.message.user_id)
        store.close_session(attempt.session)
    return panel(request, token, attempt=attempt)


def drop_attempts(token, reason):
    for attempt in [each for each in attempts.values() if each.session == token]:
        attempt.change("failed", reason)
    # A result nobody has fetched is of no use once the request is long over.
    for attempt in [each for each in attempts.values() if each.message.expires_at + 60 < time.time()]:
        del attempts[attempt.id]


async def begin(request, kind, name, push=False):
    session = session_of(request)
    name = unicodedata.normalize("NFC", name).strip()
    if not 1 <= len(name) <= 64 or not name.isprintable():
        return panel(request, problem="A name has 1 to 64 characters.", status=400)
    account, before = store.account(name), frozenset()
    if kind == SIGN_IN and account is None:
        return panel(request, problem="There is no account with this name.", status=404)
    if kind == REGISTER and account is not None and (session is None or session["account"] != account["id"]):
        return panel(request, problem="This name has an account. Sign in to add a passkey to it.", status=403)
    user_id = account["id"] if account else str(uuid.uuid4())
    try:
        if kind == REGISTER:
            listed = await service.passkeys(user_id)
            if listed is None:
                raise Unusable("The FIDO service does not say which passkeys there are.")
            before = frozenset(listed) | store.passkeys_of(user_id)
            message = await service.begin(kind, user_id, name)
        else:
            message = await service.begin(kind, user_id, name, "push" if push else "qrcode")
        if message.msg_id in used_messages:
            raise Unusable("The FIDO service gave a request that is not new.")
    except Unusable as refusal:
        return panel(request, problem=str(refusal), status=502)
    used_messages.add(message.msg_id)
    token = session["token"] if session else store.open_session()
    drop_attempts(token, "You began another request.")
    attempt = Attempt(str(uuid.uuid4()), token, name, message, push, before)
    attempts[attempt.id] = attempt
    watcher = asyncio.create_task(watch(attempt))
    watchers.add(watcher)
    watcher.add_done_callback(watchers.discard)
    return panel(request, token, attempt=attempt)


@site.middleware("http")
async def own_pages_only(request: Request, call_next):
    if request.method == "POST" and request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
        return PlainTextResponse("Use the buttons of this site.", 403)
    response = await call_next(request)
    response.headers["Content-Security-Policy"] = "default-src 'self'; frame-ancestors 'none'"
    return response


@site.get("/")
async def home(request: Request):
    attempt = current_attempt(request.cookies.get(COOKIE))
    return show_attempt(request, attempt) if attempt else panel(request)


@site.post("/register")
async def register(request: Request, name: str = Form("")):
    return await begin(request, REGISTER, name)


@site.post("/sign-in")
async def sign_in(request: Request, name: str = Form("")):
    return await begin(request, SIGN_IN, name)


@site.post("/push")
async def push(request: Request, name: str = Form("")):
    return await begin(request, SIGN_IN, name, push=True)


@site.get("/attempts/{attempt_id}")
async def state(request: Request, attempt_id: str, seen: int = -1):
    attempt = attempts.get(attempt_id)
    if attempt is None or attempt.session != request.cookies.get(COOKIE):
        return panel(request, problem="This browser has no such request.", status=404)
    if attempt.state == "waiting" and attempt.version == seen:
        return Response(status_code=204)
    return show_attempt(request, attempt)


@site.post("/attempts/{attempt_id}/cancel")
async def cancel(request: Request, attempt_id: str):
    attempt = attempts.get(attempt_id)
    if attempt is None or attempt.session != request.cookies.get(COOKIE):
        return panel(request, problem="This browser has no such request.", status=404)
    attempt.change("failed", "You stopped it.")
    return show_attempt(request, attempt)


async def show_passkeys(request, session, problem=None, status=200):
    listed = await service.passkeys(session["account"])
    if listed is None:
        return panel(request, problem="The FIDO service does not say which passkeys there are.", status=502)
    return panel(request, passkeys=listed, problem=problem, status=status)


@site.get("/passkeys")
async def passkeys(request: Request):
    session = session_of(request)
    if session is None or session["account"] is None:
        return panel(request, problem="Sign in first.", status=401)
    return await show_passkeys(request, session)


@site.post("/passkeys")
async def add_passkey(request: Request):
    session = session_of(request)
    if session is None or session["account"] is None:
        return panel(request, problem="Sign in first.", status=401)
    return await begin(request, REGISTER, session["name"])


@site.post("/passkeys/remove")
async def remove_passkey(request: Request, passkey: str = Form("")):
    session = session_of(request)
    if session is None or session["account"] is None:
        return panel(request, problem="Sign in first.", status=401)
    own = store.passkeys_of(session["account"])
    if passkey not in own or len(own) == 1:
        return await show_passkeys(request, session, "Your last passkey stays, or you could not sign in.", 409)
    if not await service.remove(session["account"], [passkey]):
        return await show_passkeys(request, session, "The FIDO service did not remove it.", 502)
    store.forget_passkey(session["account"], passkey)
    return await show_passkeys(request, session)


@site.post("/sign-out")
async def sign_out(request: Request):
    token = request.cookies.get(COOKIE, "")
    drop_attempts(token, "You signed out.")
    store.close_session(token)
    response = panel(request)
    response.delete_cookie(COOKIE)
    return response
