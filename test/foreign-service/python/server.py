"""HTTP/1.1, read octet by octet, since what is signed is octets. Answers are in the envelope."""

import email.utils
import json
import re
import socketserver
import sys
import traceback

MOST_HEADER_OCTETS = 16 * 1024
MOST_BODY_OCTETS = 64 * 1024
TOKEN = re.compile(rb"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
PHRASES = {200: "OK", 204: "No Content", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found"}


# The codes of docs/errors.md that this service uses.
SENTENCES = {
    40001: "The body is not a JSON object",
    40002: "A parameter has a value that is not allowed",
    40003: "A required parameter is missing",
    40004: "Two parameters contradict each other",
    40005: "This is not a well-formed HTTP request",
    40101: "The Authorization header is missing",
    40102: "The Authorization header is malformed",
    40103: "There is no such access key",
    40104: "The signature does not match",
    40105: "X-Svc-Date is missing, repeated or malformed",
    40106: "X-Svc-Date is too far from the time here",
    40107: "The Host header is not signed",
    40108: "The scope is not one of this service",
    40110: "The device token or the account proof is missing or wrong",
    40301: "Another device has scanned this message",
    40302: "The Host header does not name this service",
    40303: "Pages of this origin may not call this interface",
    40401: "There is no such address",
    40402: "There is no such message",
    40403: "The user has no credential",
    40404: "There is nothing of this name",
    40501: "The address does not answer to this method",
    40801: "The request did not arrive in time",
    40901: "The user has as many credentials as are allowed",
    40902: "This cannot be done in the present state",
    40903: "The message was answered differently before",
    41001: "The result was already read",
    41002: "The message has expired",
    41201: "The stored version is another one",
    41301: "The body is too large",
    41401: "The request target is too long",
    41501: "The body must be sent as application/json",
    42801: "If-Match or If-None-Match is needed",
    43101: "The headers are too large",
    50001: "Something went wrong in the service",
    50101: "The Transfer-Encoding is not known here",
}


class Refusal(Exception):
    """A request that is refused with a code."""

    def __init__(self, code, detail="", data=None, headers=()):
        super().__init__(code)
        self.code, self.data, self.headers = code, data or {}, list(headers)
        self.sentence = SENTENCES[code] + (f": {detail}." if detail else ".")


class Request:
    def __init__(self, method, target, headers):
        self.method, self.headers, self.body = method, headers, b""
        self.path, _, self.query = target.partition(b"?")

    def values(self, name):
        return [value for sent, value in self.headers if sent == name]

    def value(self, name):
        values = self.values(name)
        return values[0].decode("latin-1") if values else None


class Answer:
    """What is sent back. `stream` is a generator of octets, for server-sent events."""

    def __init__(self, data=None, status=200, headers=(), stream=None, code=0, error="", raw=None):
        self.status, self.headers, self.stream = status, list(headers), stream
        envelope = {"code": code, "data": data if data is not None else {}, "error": error}
        self.body = b"" if status == 204 else json.dumps(raw or envelope).encode()


class Connection(socketserver.StreamRequestHandler):
    timeout = 60
    disable_nagle_algorithm = True

    def handle(self):
        try:
            while self.answer_one():
                pass
        except (OSError, TimeoutError):
            pass

    def answer_one(self):
        """Reads a request and answers it; false when the connection ends."""
        request = Request(b"GET", b"", [])
        try:
            request = self.read_head()
            if request is None:
                return False
            service = self.server.service
            request.body = self.read_body(request, service.body_limit(request))
            answer, stays = service.answer(request), request.value(b"connection") != "close"
        except Refusal as refusal:
            answer, stays = refuse(refusal), False
        except TimeoutError:
            answer, stays = refuse(Refusal(40801)), False
        except OSError:
            raise
        except Exception:
            traceback.print_exc(file=sys.stderr)
            answer, stays = refuse(Refusal(50001)), False
        self.send(answer, stays, request.method == b"HEAD")
        return stays and answer.stream is None

    def read_head(self):
        """The request line and the headers, or nothing when the peer is gone."""
        line = self.read_line(41401, first=True)
        if line is None:
            return None
        found = re.fullmatch(rb"([A-Za-z!#$%&'*+.^_`|~-]+) (\S+) HTTP/1\.1", line)
        if not found or re.search(rb"%(?![0-9A-Fa-f]{2})", found[2]) or re.search(rb"[^\x21-\x7e]", found[2]):
            raise Refusal(40005)
        headers, octets = [], 0
        while line := self.read_line(43101):
            octets += len(line)
            name, colon, value = line.partition(b":")
            value = value.strip(b" \t")
            if not colon or not TOKEN.fullmatch(name) or re.search(rb"[\x00-\x08\x0a-\x1f\x7f]", value):
                raise Refusal(40005, "a header is malformed")
            if octets > MOST_HEADER_OCTETS:
                raise Refusal(43101)
            headers.append((name.lower(), value))
        request = Request(found[1], found[2], headers)
        if len(request.values(b"host")) != 1:
            raise Refusal(40005, "one Host header is expected")
        return request

    def read_line(self, too_long, first=False):
        try:
            line = self.rfile.readline(MOST_HEADER_OCTETS + 1)
        except TimeoutError:
            if first:
                return None
            raise
        if first and line == b"\r\n":
            line = self.rfile.readline(MOST_HEADER_OCTETS + 1)
        if not line and first:
            return None
        if not line.endswith(b"\n"):
            if len(line) > MOST_HEADER_OCTETS:
                raise Refusal(too_long)
            raise ConnectionError("cut off")
        return line[:-2] if line.endswith(b"\r\n") else line[:-1]

    def read_body(self, request, most):
        codings, lengths = request.values(b"transfer-encoding"), request.values(b"content-length")
        if request.value(b"expect") == "100-continue":
            self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        if codings and lengths:
            raise Refusal(40005, "Content-Length and Transfer-Encoding exclude each other")
        if codings:
            if [coding.lower() for coding in codings] != [b"chunked"]:
                raise Refusal(50101)
            return self.read_chunks(most)
        if not lengths:
            return b""
        if len(lengths) > 1 or not re.fullmatch(rb"[0-9]{1,15}", lengths[0]):
            raise Refusal(40005, "Content-Length is malformed")
        return self.read_octets(int(lengths[0]), most)

    def read_chunks(self, most):
        body = b""
        while True:
            size = re.fullmatch(rb"([0-9A-Fa-f]{1,8})[ \t]*(;.*)?", self.read_line(40005) or b"")
            if not size:
                raise Refusal(40005, "a chunk is malformed")
            if int(size[1], 16) == 0:
                break
            body += self.read_octets(int(size[1], 16), most - len(body))
            if self.read_line(40005) != b"":
                raise Refusal(40005, "a chunk is malformed")
        while self.read_line(43101):
            pass
        return body

    def read_octets(self, count, most):
        if count > most:
            self.discard(count)
            raise Refusal(41301)
        octets = self.rfile.read(count)
        if len(octets) < count:
            raise ConnectionError("cut off")
        return octets

    def discard(self, count):
        """Reads what is too large, within reason, so that the peer can read the refusal."""
        left = min(count, 4 * 1024 * 1024)
        while left > 0 and (piece := self.rfile.read(min(left, 65536))):
            left -= len(piece)

    def send(self, answer, stays, head_only):
        headers = [("Date", email.utils.formatdate(usegmt=True)), ("Cache-Control", "no-store"), *answer.headers]
        if answer.stream is not None:
            headers += [("Content-Type", "text/event-stream"), ("Connection", "close")]
        elif answer.status != 204:
            headers += [("Content-Type", "application/json"), ("Content-Length", str(len(answer.body)))]
        if answer.stream is None and not stays:
            headers.append(("Connection", "close"))
        lines = [f"HTTP/1.1 {answer.status} {PHRASES.get(answer.status, 'Other')}", *(f"{name}: {value}" for name, value in headers)]
        self.wfile.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
        if head_only:
            return
        if answer.stream is None:
            self.wfile.write(answer.body)
            return
        for octets in answer.stream:
            self.wfile.write(octets)


def refuse(refusal):
    return Answer(refusal.data, refusal.code // 100, refusal.headers, code=refusal.code, error=refusal.sentence)


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        pass
