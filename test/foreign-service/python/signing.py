"""Who signed a request: docs/interface/signing.md, step by step, in octets."""

import calendar
import hashlib
import hmac
import re
import time

from server import Refusal

ALGORITHM = b"SVC-HMAC-SHA256"
CLOCK_SKEW_S = 300
UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
HEADER_NAME = re.compile(rb"[a-z0-9!#$%&'*+.^_`|~-]+")


class Key:
    """An access key, and the relying party that signs with it."""

    def __init__(self, key_id, secret, rp):
        self.id, self.secret, self.rp = key_id.encode(), secret.encode(), rp


def authenticate(request, keys):
    """The key that signed the request; refuses in the order of "When it is refused"."""
    sent = request.values(b"authorization")
    if not sent:
        raise Refusal(40101)
    key_id, scope, names, signature = parse_authorization(sent)
    if b"host" not in names:
        raise Refusal(40107)
    for name in names:
        if not request.values(name):
            raise Refusal(40102, f"{name.decode()} is said to be signed, and was not sent")
    date = read_date(request)
    if scope is not None:
        check_scope(scope, date)
        key = next((key for key in keys if key.id == key_id), None)
        if key is None:
            raise Refusal(40103)
        candidates = [(key, scope, scope)]
    else:
        candidates = [(key, *scopes) for key in keys for scopes in short_scopes(key, date)]
    canonical = canonical_request(request, names)
    for key, scope, _ in candidates:
        if hmac.compare_digest(sign(key.secret, string_to_sign(date, scope, canonical)), signature):
            return key
    shown = dict.fromkeys(string_to_sign(date, masked, canonical).decode("utf-8", "replace") for _, _, masked in candidates)
    raise Refusal(40104, data={"canonical_request": canonical.decode("utf-8", "replace"), "strings_to_sign": list(shown)})


def parse_authorization(values):
    """Key ID, scope, names of signed headers and signature. The short form has neither key ID nor scope."""
    if len(values) != 1:
        raise Refusal(40102, "Authorization was sent more than once")
    algorithm, space, rest = values[0].partition(b" ")
    parts = rest.rsplit(b",", 2)
    if algorithm != ALGORITHM or not space or len(parts) < 2:
        raise Refusal(40102)
    *first, joined, signature = parts
    names = joined.split(b";")
    if names != sorted(set(names)) or not all(HEADER_NAME.fullmatch(name) for name in names):
        raise Refusal(40102, "the signed headers are lower-case names, ascending, each once")
    if not re.fullmatch(rb"[0-9a-f]{64}", signature):
        raise Refusal(40102, "a signature has 64 lower-case hex digits")
    if not first:
        return None, None, names, signature
    key_id, slash, scope = first[0].partition(b"/")
    if not key_id or not slash:
        raise Refusal(40102, "an access key ID and a scope are expected")
    return key_id, scope, names, signature


def read_date(request):
    values = request.values(b"x-svc-date")
    if len(values) != 1 or not re.fullmatch(rb"\d{8}T\d{6}Z", values[0]):
        raise Refusal(40105)
    try:
        moment = calendar.timegm(time.strptime(values[0].decode(), "%Y%m%dT%H%M%SZ"))
    except ValueError:
        raise Refusal(40105, "there is no such date") from None
    if values[0][13:15] > b"59":
        raise Refusal(40105, "there is no such second")
    if abs(moment - time.time()) > CLOCK_SKEW_S:
        raise Refusal(40106)
    return values[0]


def check_scope(scope, date):
    module, slash, identifier = scope.partition(b"/")
    if module != b"fido-server" or not slash:
        raise Refusal(40108, "a scope is fido-server/<identifier>")
    try:
        identifier.decode()
    except UnicodeDecodeError:
        raise Refusal(40108, "a scope is UTF-8") from None
    day = identifier.split(b"/")[0]
    if re.fullmatch(rb"[0-9]{8}", day) and day != date[:8]:
        raise Refusal(40108, "the day of the scope is not that of X-Svc-Date")


def short_scopes(key, date):
    """The scopes that the short form is tried with, each as it is and as it may be shown."""
    rp = key.rp
    identifiers = [(b"", b""), (key.id, b"<access_key_id>"), (date[:8], date[:8])]
    identifiers += [(rp.name_in_service.encode(), b"<rp>"), (rp.id.encode(), b"<rp_id>")]
    return [(b"fido-server/" + identifier, b"fido-server/" + shown) for identifier, shown in identifiers]


def canonical_request(request, names):
    headers = b"".join(name + b":" + b",".join(map(trim, request.values(name))) + b"\n" for name in names)
    body_hash = hashlib.sha256(request.body).hexdigest().encode()
    parts = [request.method, request.path or b"/", canonical_query(request.query), headers, b";".join(names), body_hash]
    return b"\n".join(parts)


def trim(value):
    return re.sub(rb" +", b" ", value).strip(b" ")


def canonical_query(query):
    return b"&".join(name + b"=" + value for name, value in sorted(
        (encode(name), encode(value)) for name, value in split_query(query)))


def split_query(query):
    """Names and values, percent-decoded once. A plus stays a plus."""
    pairs = (piece.partition(b"=") for piece in query.split(b"&") if piece)
    return [(decode(name), decode(value)) for name, _, value in pairs]


def decode(text):
    return re.sub(rb"%([0-9A-Fa-f]{2})", lambda found: bytes([int(found[1], 16)]), text)


def encode(octets):
    return b"".join(bytes([octet]) if octet in UNRESERVED else b"%%%02X" % octet for octet in octets)


def string_to_sign(date, scope, canonical):
    return b"\n".join([ALGORITHM, date, scope, hashlib.sha256(canonical).hexdigest().encode()])


def sign(secret, text):
    return hmac.new(secret, text, hashlib.sha256).hexdigest().encode()
