"""bench:judges over libfido2: the two verifications of server.py, without the server; loop.py is on PYTHONPATH.

Client data, JSON and CBOR are read in Python, and the library is called by ctypes: their time counts, too.
"""
import server
from loop import judge_lines, origin, rp_id

server.origin, server.rp_id = origin, rp_id


def options(line):
    selection = {"userVerification": "required"}
    return {"challenge": line["challenge"], "authenticatorSelection": selection, "extensions": {}, **selection}


def register(line, body):
    user = {"handle": line["user"], "credentials": {}}
    server.register(body, user, options(line))
    return user


def sign_in(line, body, user):
    server.sign_in(body, user, options(line))


judge_lines(register, sign_in)
