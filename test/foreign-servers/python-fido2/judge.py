"""bench:judges over python-fido2: as server.py calls it, without the server; loop.py is on PYTHONPATH."""
from fido2.attestation.base import Attestation
from fido2.client import ClientData
from fido2.ctap2 import AttestationObject, AuthenticatorData
from fido2.server import Fido2Server
from fido2.utils import websafe_decode
from fido2.webauthn import PublicKeyCredentialRpEntity
from loop import judge_lines, origin, rp_id


def verify_attestation(attestation_object, client_data_hash):
    verifier = Attestation.for_type(attestation_object.fmt)()
    verifier.verify(attestation_object.att_statement, attestation_object.auth_data, client_data_hash)


rp = PublicKeyCredentialRpEntity(rp_id, "bench")
server = Fido2Server(rp, "direct", lambda sent: sent == origin, verify_attestation)


def state(line):
    return {"challenge": line["challenge"], "user_verification": "required"}


def register(line, body):
    client_data = ClientData(websafe_decode(body["response"]["clientDataJSON"]))
    attested = AttestationObject(websafe_decode(body["response"]["attestationObject"]))
    return server.register_complete(state(line), client_data, attested).credential_data


def sign_in(line, body, credential):
    response = body["response"]
    client_data = ClientData(websafe_decode(response["clientDataJSON"]))
    data = AuthenticatorData(websafe_decode(response["authenticatorData"]))
    signature = websafe_decode(response["signature"])
    server.authenticate_complete(state(line), [credential], websafe_decode(body["id"]), client_data, data, signature)


judge_lines(register, sign_in)
