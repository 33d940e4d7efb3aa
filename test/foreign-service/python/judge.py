"""Judges what a phone answers, by the steps of WebAuthn 7.1 (registration) and 7.2 (authentication)."""

import base64
import datetime
import hashlib
import hmac
import json
import re

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from cryptography.x509.oid import ExtensionOID, NameOID


class Failed(Exception):
    """An answer of a phone that does not hold: the machine word and a sentence."""

    def __init__(self, word, detail=""):
        super().__init__(word)
        self.word = word
        self.error = f"{word}: {detail or word.replace('_', ' ')}."

USER_PRESENT, USER_VERIFIED, BACKUP_ELIGIBLE, BACKED_UP, ATTESTED, EXTENDED = 0x01, 0x04, 0x08, 0x10, 0x40, 0x80
RESERVED = 0x22

# COSE algorithm -> key type, curve, hash. In the order in which the options list them.
ALGORITHMS = {
    -7: (2, 1, hashes.SHA256()),
    -8: (1, 6, None),
    -35: (2, 2, hashes.SHA384()),
    -36: (2, 3, hashes.SHA512()),
    -47: (2, 8, hashes.SHA256()),
    -53: (1, 7, None),
    -257: (3, None, hashes.SHA256()),
    -258: (3, None, hashes.SHA384()),
    -259: (3, None, hashes.SHA512()),
    -37: (3, None, hashes.SHA256()),
    -38: (3, None, hashes.SHA384()),
    -39: (3, None, hashes.SHA512()),
    -65535: (3, None, hashes.SHA1()),
}
CURVES = {1: ec.SECP256R1(), 2: ec.SECP384R1(), 3: ec.SECP521R1(), 8: ec.SECP256K1()}


def ensure(holds, word, detail=""):
    if not holds:
        raise Failed(word, detail)


# Encodings

def to_base64url(octets):
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def from_base64url(text, word="not_base64url"):
    """Octets of unpadded base64url, which there is one way to write."""
    ensure(isinstance(text, str) and re.fullmatch(r"[A-Za-z0-9_-]*", text) and len(text) % 4 != 1, word)
    octets = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    ensure(to_base64url(octets) == text, word)
    return octets


class Tail(Exception):
    """CBOR that ends too early or cannot be read."""


def read_cbor(octets, at=0, depth=0):
    """One value in CTAP2's canonical form, and where it ends."""
    if at >= len(octets) or depth > 4:
        raise Tail
    kind, short = octets[at] >> 5, octets[at] & 31
    at += 1
    if kind == 7:
        if short in (20, 21, 22):
            return {20: False, 21: True, 22: None}[short], at
        raise Tail
    ensure(kind != 6, "cbor_tag_present")
    if short > 27:
        ensure(short != 31, "cbor_indefinite_length")
        raise Tail
    size = 0 if short < 24 else 1 << (short - 24)
    number = int.from_bytes(octets[at:at + size], "big") if size else short
    if at + size > len(octets):
        raise Tail
    ensure(not size or number >= (24 if size == 1 else 1 << (4 * size)), "cbor_not_minimal")
    at += size
    if kind == 0:
        return number, at
    if kind == 1:
        return -1 - number, at
    if kind in (2, 3):
        value = octets[at:at + number]
        if len(value) < number:
            raise Tail
        if kind == 2:
            return value, at + number
        try:
            return value.decode(), at + number
        except UnicodeDecodeError:
            raise Tail from None
    if kind == 4:
        values = []
        for _ in range(number):
            value, at = read_cbor(octets, at, depth + 1)
            values.append(value)
        return values, at
    members, last = {}, None
    for _ in range(number):
        start = at
        name, at = read_cbor(octets, at, depth + 1)
        if not isinstance(name, (int, str, bytes)):
            raise Tail
        order = (octets[start] >> 5, at - start, octets[start:at])
        ensure(order != last, "cbor_duplicate_key")
        ensure(last is None or order > last, "cbor_keys_unordered")
        last = order
        members[name], at = read_cbor(octets, at, depth + 1)
    return members, at


# Public keys

class PublicKey:
    """A COSE key, or one from a certificate, with its algorithm."""

    def __init__(self, algorithm, key):
        self.algorithm, self.key = algorithm, key

    def spki(self):
        return self.key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def read_key(members):
    ensure(isinstance(members, dict) and isinstance(members.get(1), int) and isinstance(members.get(3), int), "malformed_public_key")
    kind, algorithm = members[1], members[3]
    ensure(kind in (1, 2, 3), "public_key_type_unsupported")
    ensure(algorithm in ALGORITHMS, "unsupported_algorithm")
    wanted_kind, wanted_curve, _ = ALGORITHMS[algorithm]
    ensure(kind == wanted_kind, "public_key_type_mismatch")
    wanted = {1: {1, 3, -1, -2}, 2: {1, 3, -1, -2, -3}, 3: {1, 3, -1, -2}}[kind]
    ensure(not (set(members) & ({-4} if kind != 3 else {-3, -4, -5, -6, -7, -8, -9, -10, -11, -12})), "public_key_private_part")
    ensure(wanted <= set(members), "malformed_public_key")
    ensure(set(members) <= wanted, "public_key_extra_member")
    first, second = members[-1], members[-2]
    if kind == 3:
        ensure(isinstance(first, bytes) and isinstance(second, bytes), "malformed_public_key")
        modulus, exponent = int.from_bytes(first, "big"), int.from_bytes(second, "big")
        ensure(modulus.bit_length() >= 2048, "public_key_length")
        try:
            return PublicKey(algorithm, rsa.RSAPublicNumbers(exponent, modulus).public_key())
        except ValueError:
            raise Failed("malformed_public_key") from None
    ensure(first == wanted_curve, "public_key_curve_mismatch")
    if kind == 1:
        ensure(isinstance(second, bytes), "malformed_public_key")
        ensure(len(second) == (32 if first == 6 else 57), "public_key_length")
        maker = ed25519.Ed25519PublicKey if first == 6 else ed448.Ed448PublicKey
        return PublicKey(algorithm, maker.from_public_bytes(second))
    third, curve = members[-3], CURVES[first]
    ensure(not isinstance(third, bool), "public_key_point_compressed")
    ensure(isinstance(second, bytes) and isinstance(third, bytes), "malformed_public_key")
    length = (curve.key_size + 7) // 8
    ensure(len(second) == length and len(third) == length, "public_key_length")
    try:
        return PublicKey(algorithm, ec.EllipticCurvePublicNumbers(int.from_bytes(second, "big"), int.from_bytes(third, "big"), curve).public_key())
    except ValueError:
        raise Failed("public_key_not_on_curve") from None


def verify(key, algorithm, signature, octets, malformed="malformed_signature", invalid="signature_invalid"):
    """Whether the signature of this COSE algorithm holds. A key of another kind is one that does not."""
    kind, curve, digest = ALGORITHMS[algorithm]
    try:
        if kind == 2 and isinstance(key, ec.EllipticCurvePublicKey) and curve_of(key) == curve:
            try:
                ensure(encode_dss_signature(*decode_dss_signature(signature)) == signature, malformed)
            except ValueError:
                raise Failed(malformed) from None
            key.verify(signature, octets, ec.ECDSA(digest))
        elif kind == 1 and isinstance(key, (ed25519.Ed25519PublicKey, ed448.Ed448PublicKey)):
            ensure(len(signature) == (64 if curve == 6 else 114), malformed)
            key.verify(signature, octets)
        elif kind == 3 and isinstance(key, rsa.RSAPublicKey):
            ensure(len(signature) == (key.key_size + 7) // 8, malformed)
            pss = padding.PSS(padding.MGF1(digest), digest.digest_size) if algorithm in (-37, -38, -39) else padding.PKCS1v15()
            key.verify(signature, octets, pss, digest)
        else:
            raise Failed("attestation_algorithm_mismatch")
    except InvalidSignature:
        raise Failed(invalid) from None


def curve_of(key):
    return next((number for number, curve in CURVES.items() if curve.name == key.curve.name), None)


# Authenticator data

class AuthenticatorData:
    def __init__(self, octets):
        ensure(len(octets) >= 37, "authenticator_data_too_short")
        self.octets, self.rp_id_hash, self.flags = octets, octets[:32], octets[32]
        self.counter = int.from_bytes(octets[33:37], "big")
        self.credential_id = self.aaguid = self.public_key = self.cose = None
        at = 37
        if self.flags & ATTESTED:
            at = self.read_credential(at)
        if self.flags & EXTENDED:
            ensure(at < len(octets), "extensions_missing")
            try:
                extensions, at = read_cbor(octets, at)
            except Tail:
                raise Failed("extensions_malformed") from None
            ensure(isinstance(extensions, dict) and all(isinstance(name, str) for name in extensions), "extensions_malformed")
        ensure(at == len(octets), "trailing_bytes")

    def read_credential(self, at):
        octets = self.octets
        ensure(len(octets) >= at + 18, "attested_credential_data_truncated")
        self.aaguid, length = octets[at:at + 16], int.from_bytes(octets[at + 16:at + 18], "big")
        at += 18
        ensure(len(octets) > at + length, "attested_credential_data_truncated")
        ensure(length > 0, "credential_id_empty")
        ensure(length <= 1023, "credential_id_too_long")
        self.credential_id, at = octets[at:at + length], at + length
        try:
            self.cose, at = read_cbor(octets, at)
        except Tail:
            raise Failed("malformed_public_key") from None
        self.public_key = read_key(self.cose)
        return at

    def check_flags(self):
        ensure(self.flags & USER_PRESENT, "user_presence_missing")
        ensure(self.flags & BACKUP_ELIGIBLE or not self.flags & BACKED_UP, "backup_state_invalid")
        ensure(not self.flags & RESERVED, "flags_reserved_set")


# The JSON around them

def read_answer(answer, members, others):
    """The octets of the named members of an answer, and its credential ID."""
    ensure(isinstance(answer, dict), "malformed_response")
    ensure(answer.get("id") is not None, "credential_id_missing")
    credential_id = from_base64url(answer["id"], "credential_id_malformed")
    ensure(answer.get("rawId") == answer["id"], "raw_id_mismatch")
    ensure(answer.get("type") == "public-key", "credential_type_mismatch")
    ensure(isinstance(answer.get("clientExtensionResults"), dict), "client_extension_results_malformed")
    inner = answer.get("response")
    ensure(inner is not None, "response_member_missing")
    ensure(isinstance(inner, dict), "response_member_malformed")
    ensure(any(name in inner for name in members[1:]) or not any(name in inner for name in others), "response_kind_mismatch")
    octets = []
    for name in members:
        ensure(inner.get(name) is not None, "response_member_missing", f"{name} is missing")
        ensure(isinstance(inner[name], str), "response_member_malformed", f"{name} is not text")
        octets.append(from_base64url(inner[name]))
    return credential_id, inner, octets


def only_once(pairs):
    members = dict(pairs)
    ensure(len(members) == len(pairs), "client_data_duplicate_member")
    return members


def check_client_data(octets, kind, challenge, origins):
    try:
        text = octets.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Failed("client_data_not_utf8") from None
    try:
        data = json.loads(text, object_pairs_hook=only_once)
    except (ValueError, RecursionError):
        raise Failed("malformed_client_data") from None
    ensure(isinstance(data, dict), "malformed_client_data")
    ensure(isinstance(data.get("type"), str), "type_missing")
    ensure(data["type"] == kind, "type_mismatch")
    ensure(isinstance(data.get("challenge"), str), "challenge_missing")
    ensure(re.fullmatch(r"[A-Za-z0-9_-]*", data["challenge"]), "challenge_encoding")
    ensure(data["challenge"] == challenge, "challenge_mismatch")
    ensure(isinstance(data.get("origin"), str), "origin_missing")
    ensure(data["origin"] in origins, "origin_mismatch")
    crossed, top = data.get("crossOrigin", False), data.get("topOrigin")
    ensure(isinstance(crossed, bool), "cross_origin_malformed")
    if "topOrigin" in data:
        ensure(isinstance(top, str), "top_origin_malformed")
        ensure(crossed, "top_origin_without_cross_origin")
        raise Failed("top_origin_mismatch")
    ensure(not crossed, "cross_origin_not_allowed")
    binding = data.get("tokenBinding")
    if binding is not None:
        ensure(isinstance(binding, dict) and binding.get("status") in ("present", "supported"), "token_binding_malformed")


# The two ceremonies

class Registered:
    """What a registration leaves behind."""

    def __init__(self, data, transports):
        self.id, self.public_key, self.counter = data.credential_id, data.public_key, data.counter
        self.backup_eligible, self.transports = bool(data.flags & BACKUP_ELIGIBLE), transports


def judge_registration(answer, challenge, rp, now):
    credential_id, inner, (client_data, attestation_object) = read_answer(
        answer, ["clientDataJSON", "attestationObject"], ["authenticatorData", "signature"])
    transports = inner.get("transports")
    ensure(transports is None or isinstance(transports, list) and all(isinstance(text, str) for text in transports), "response_member_malformed")
    check_client_data(client_data, "webauthn.create", challenge, rp.origins)
    try:
        attestation, end = read_cbor(attestation_object)
    except Tail:
        raise Failed("malformed_attestation_object") from None
    ensure(isinstance(attestation, dict), "malformed_attestation_object")
    ensure(end == len(attestation_object), "trailing_bytes")
    kind, statement, octets = (attestation.get(name) for name in ("fmt", "attStmt", "authData"))
    ensure(isinstance(kind, str) and isinstance(octets, bytes), "malformed_attestation_object")
    ensure(isinstance(statement, list if kind == "compound" else dict), "malformed_attestation_object")
    ensure(len(attestation) == 3, "attestation_object_extra_member")
    data = AuthenticatorData(octets)
    check_rp(data, rp)
    data.check_flags()
    ensure(data.credential_id is not None, "attested_credential_data_missing")
    ensure(data.credential_id == credential_id, "credential_id_mismatch")
    check_copies(inner, data)
    check_attestation(kind, statement, data, hashlib.sha256(client_data).digest(), now)
    return Registered(data, transports or [])


def check_copies(inner, data):
    """The members that say once more what the attestation object says."""
    for name, octets, word in [
        ("authenticatorData", data.octets, "authenticator_data_mismatch"),
        ("publicKey", data.public_key.spki(), "public_key_mismatch"),
    ]:
        if inner.get(name) is not None:
            ensure(isinstance(inner[name], str), "response_member_malformed")
            ensure(from_base64url(inner[name]) == octets, word)
    if inner.get("publicKeyAlgorithm") is not None:
        ensure(inner["publicKeyAlgorithm"] == data.public_key.algorithm, "public_key_algorithm_mismatch")


def check_rp(data, rp):
    ensure(data.rp_id_hash == hashlib.sha256(rp.id.encode()).digest(), "rp_id_hash_mismatch")


def judge_authentication(answer, challenge, rp, user_handle, credentials):
    """The credential that signed, and its new counter."""
    credential_id, inner, (client_data, octets, signature) = read_answer(
        answer, ["clientDataJSON", "authenticatorData", "signature"], ["attestationObject"])
    credential = next((credential for credential in credentials if credential.key.id == credential_id), None)
    ensure(credential is not None, "credential_not_allowed")
    handle = inner.get("userHandle")
    if handle is not None:
        ensure(isinstance(handle, str), "response_member_malformed")
        ensure(hmac.compare_digest(from_base64url(handle), user_handle), "user_handle_mismatch")
    check_client_data(client_data, "webauthn.get", challenge, rp.origins)
    data = AuthenticatorData(octets)
    check_rp(data, rp)
    data.check_flags()
    ensure(data.credential_id is None, "attested_credential_data_unexpected")
    ensure(bool(data.flags & BACKUP_ELIGIBLE) == credential.key.backup_eligible, "backup_eligibility_changed")
    key = credential.key.public_key
    verify(key.key, key.algorithm, signature, octets + hashlib.sha256(client_data).digest())
    ensure(data.counter > credential.key.counter or data.counter == credential.key.counter == 0, "counter_regression")
    return credential, data.counter


# Attestation statements

class Malformed(Exception):
    """DER or a structure of a TPM that cannot be read."""


def read_der(octets, at=0):
    """Tag number, content and end of one value."""
    try:
        tag, at = octets[at], at + 1
        number = tag & 31
        if number == 31:
            number = 0
            while True:
                octet, at = octets[at], at + 1
                number = number << 7 | octet & 127
                if not octet & 128:
                    break
        length, at = octets[at], at + 1
        if length & 128:
            size = length & 127
            length, at = int.from_bytes(octets[at:at + size], "big"), at + size
    except IndexError:
        raise Malformed from None
    if at + length > len(octets):
        raise Malformed
    return (tag & 0xE0, number), octets[at:at + length], at + length


def read_sequence(octets):
    """The values inside a SEQUENCE or SET, as tag and content."""
    values, at = [], 0
    while at < len(octets):
        tag, content, at = read_der(octets, at)
        values.append((tag, content))
    return values


AAGUID, NONCE, KEY_DESCRIPTION = (x509.ObjectIdentifier(oid) for oid in (
    "1.3.6.1.4.1.45724.1.1.4", "1.2.840.113635.100.8.2", "1.3.6.1.4.1.11129.2.1.17"))
TCG_MANUFACTURER, TCG_MODEL, TCG_VERSION, TCG_AIK = (x509.ObjectIdentifier(oid) for oid in (
    "2.23.133.2.1", "2.23.133.2.2", "2.23.133.2.3", "2.23.133.8.3"))
TPM_MAKERS = """414D4400 414E5400 41544D4C 4252434D 4353434F 464C5953 524F4343 474F4F47 48504900 48504500 48495349 49424D00
    49465800 494E5443 4C454E00 4D534654 4E534D20 4E545A00 4E534700 4E544300 51434F4D 534D534E 53454345 534E5300 534D5343 53544D20
    54584E00 57454300 5345414C""".split()


class Certificate:
    def __init__(self, octets):
        ensure(isinstance(octets, bytes), "malformed_attestation_statement")
        try:
            self.octets, self.x509 = octets, x509.load_der_x509_certificate(octets)
            self.version, self.subject, self.issuer = self.x509.version, self.x509.subject, self.x509.issuer
            self.key, self.extensions = self.x509.public_key(), self.x509.extensions
            self.check_unused_bits()
        except (ValueError, TypeError, UnsupportedAlgorithm, x509.InvalidVersion, x509.DuplicateExtension, Malformed):
            raise Failed("attestation_certificate_malformed") from None

    def check_unused_bits(self):
        _, content, end = read_der(self.octets)
        signature = read_sequence(content)[-1][1]
        if end != len(self.octets) or signature[:1] != b"\0":
            raise Malformed

    def extension(self, oid):
        return next((extension for extension in self.extensions if extension.oid == oid), None)

    def constraints(self):
        found = self.extension(ExtensionOID.BASIC_CONSTRAINTS)
        return found and found.value

    def names(self, oid):
        return [attribute.value for attribute in self.subject.get_attributes_for_oid(oid)]

    def is_valid_at(self, now, subject):
        moment = datetime.datetime.fromtimestamp(now, datetime.timezone.utc).replace(tzinfo=None)
        ensure(self.x509.not_valid_before <= moment, f"attestation_{subject}_not_yet_valid")
        ensure(moment <= self.x509.not_valid_after, f"attestation_{subject}_expired")

    def is_signed_by(self, key):
        signature, octets, digest = self.x509.signature, self.x509.tbs_certificate_bytes, self.x509.signature_hash_algorithm
        try:
            if isinstance(key, rsa.RSAPublicKey):
                key.verify(signature, octets, padding.PKCS1v15(), digest)
            elif isinstance(key, ec.EllipticCurvePublicKey):
                key.verify(signature, octets, ec.ECDSA(digest))
            else:
                key.verify(signature, octets)
            return True
        except (InvalidSignature, TypeError, ValueError, AttributeError, UnsupportedAlgorithm):
            return False


def read_chain(octets):
    ensure(isinstance(octets, list), "malformed_attestation_statement")
    ensure(octets, "attestation_chain_empty")
    return [Certificate(certificate) for certificate in octets]


def check_chain(chain, now):
    """Dates, order and signatures. Where it ends is not asked (profile: attestation accept-any)."""
    chain[0].is_valid_at(now, "certificate")
    ensure(len({certificate.octets for certificate in chain}) == len(chain), "attestation_chain_repeated")
    for below, above in zip(chain, chain[1:]):
        if below.issuer != above.subject:
            ordered = any(below.issuer == other.subject for other in chain if other is not below)
            raise Failed("attestation_chain_misordered" if ordered else "attestation_chain_broken")
        above.is_valid_at(now, "issuer")
        ensure(above.constraints() and above.constraints().ca, "attestation_issuer_not_ca")
        usage = above.extension(ExtensionOID.KEY_USAGE)
        ensure(usage is None or usage.value.key_cert_sign, "attestation_issuer_may_not_certify")
        ensure(below.is_signed_by(above.key), "attestation_chain_signature_invalid")


def check_aaguid(leaf, aaguid):
    found = leaf.extension(AAGUID)
    if found is None:
        return
    ensure(not found.critical, "attestation_certificate_aaguid_critical")
    try:
        tag, content, end = read_der(found.value.value)
    except Malformed:
        raise Failed("attestation_certificate_aaguid_malformed") from None
    ensure(tag == (0, 4) and len(content) == 16 and end == len(found.value.value), "attestation_certificate_aaguid_malformed")
    ensure(content == aaguid, "attestation_certificate_aaguid_mismatch")


def check_leaf(leaf):
    ensure(leaf.version == x509.Version.v3, "attestation_certificate_version")
    ensure(leaf.constraints() is not None, "attestation_certificate_constraints_missing")
    ensure(not leaf.constraints().ca, "attestation_certificate_is_ca")


def members_of(statement, types):
    """The named members of a statement, each of its type, and no other."""
    for name, kind in types.items():
        ensure(name in statement, "attestation_statement_member_missing", f"{name} is missing")
        ensure(isinstance(statement[name], kind), "malformed_attestation_statement", f"{name} is of another type")
    ensure(set(statement) == set(types), "attestation_statement_extra_member")
    if "alg" in types:
        ensure(statement["alg"] in ALGORITHMS, "attestation_algorithm_unsupported")
    return [statement[name] for name in types]


def verify_statement(key, algorithm, signature, octets):
    verify(key, algorithm, signature, octets, "attestation_signature_malformed", "attestation_signature_invalid")


def check_attestation(kind, statement, data, client_hash, now):
    ensure(kind in FORMATS, "attestation_format_unsupported")
    FORMATS[kind](statement, data, client_hash, now)


def check_none(statement, data, client_hash, now):
    ensure(not statement, "attestation_statement_not_empty")


def check_packed(statement, data, client_hash, now):
    signed = data.octets + client_hash
    if "x5c" not in statement:
        algorithm, signature = members_of(statement, {"alg": int, "sig": bytes})
        ensure(algorithm == data.public_key.algorithm, "attestation_algorithm_mismatch")
        verify_statement(data.public_key.key, algorithm, signature, signed)
        return
    algorithm, signature, octets = members_of(statement, {"alg": int, "sig": bytes, "x5c": list})
    chain = read_chain(octets)
    leaf = chain[0]
    verify_statement(leaf.key, algorithm, signature, signed)
    check_leaf(leaf)
    country, name = leaf.names(NameOID.COUNTRY_NAME), leaf.names(NameOID.COMMON_NAME)
    ensure(country and len(country[0]) == 2, "attestation_certificate_country")
    ensure(any(leaf.names(NameOID.ORGANIZATION_NAME)), "attestation_certificate_organization")
    ensure(leaf.names(NameOID.ORGANIZATIONAL_UNIT_NAME) == ["Authenticator Attestation"], "attestation_certificate_unit")
    ensure(any(name), "attestation_certificate_common_name")
    check_aaguid(leaf, data.aaguid)
    check_chain(chain, now)


def check_u2f(statement, data, client_hash, now):
    signature, octets = members_of(statement, {"sig": bytes, "x5c": list})
    ensure(len(octets) == 1, "u2f_certificate_count")
    chain = read_chain(octets)
    key = chain[0].key
    ensure(isinstance(key, ec.EllipticCurvePublicKey) and curve_of(key) == 1, "u2f_certificate_key")
    ensure(data.public_key.algorithm == -7, "attestation_algorithm_mismatch")
    point = b"\x04" + data.cose[-2] + data.cose[-3]
    verify_statement(key, -7, signature, b"\0" + data.rp_id_hash + client_hash + data.credential_id + point)
    ensure(data.aaguid == bytes(16), "u2f_aaguid_not_zero")
    check_chain(chain, now)


def check_apple(statement, data, client_hash, now):
    (octets,) = members_of(statement, {"x5c": list})
    chain = read_chain(octets)
    found = chain[0].extension(NONCE)
    ensure(found is not None, "apple_nonce_missing")
    try:
        (_, outer), = read_sequence(found.value.value)
        (_, inner), = read_sequence(outer)
        (tag, nonce), = read_sequence(inner)
    except (Malformed, ValueError):
        raise Failed("apple_nonce_malformed") from None
    ensure(tag == (0, 4), "apple_nonce_malformed")
    ensure(nonce == hashlib.sha256(data.octets + client_hash).digest(), "apple_nonce_mismatch")
    ensure(same_key(chain[0].key, data), "apple_key_mismatch")
    check_chain(chain, now)


def same_key(key, data):
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo) == data.public_key.spki()


def check_android_key(statement, data, client_hash, now):
    algorithm, signature, octets = members_of(statement, {"alg": int, "sig": bytes, "x5c": list})
    chain = read_chain(octets)
    leaf = chain[0]
    verify_statement(leaf.key, algorithm, signature, data.octets + client_hash)
    ensure(same_key(leaf.key, data), "android_key_mismatch")
    found = leaf.extension(KEY_DESCRIPTION)
    ensure(found is not None, "android_extension_missing")
    try:
        (tag, content), = read_sequence(found.value.value)
        fields = read_sequence(content)
        challenge, software, hardware = fields[4], fields[6], fields[7]
        lists = [{number: inner for (_, number), inner in read_sequence(content)} for _, content in (software, hardware)]
        purposes = [value for members in lists if 1 in members for _, found in read_sequence(members[1]) for _, value in read_sequence(found)]
        origins = [value for members in lists if 702 in members for _, value in read_sequence(members[702])]
    except (Malformed, ValueError, IndexError):
        raise Failed("android_extension_malformed") from None
    ensure(tag == (0x20, 16) and challenge[0] == (0, 4), "android_extension_malformed")
    ensure(challenge[1] == client_hash, "android_challenge_mismatch")
    ensure(not any(600 in members for members in lists), "android_all_applications")
    ensure(origins == [b"\0"], "android_origin_not_generated")
    ensure(purposes == [b"\2"], "android_purpose_not_sign")
    check_chain(chain, now)


def check_safetynet(statement, data, client_hash, now):
    ensure(statement.get("ver") != "" and "ver" in statement, "safetynet_version_missing")
    _, response = members_of(statement, {"ver": str, "response": bytes})
    try:
        head, payload, signature = response.decode("ascii").split(".")
        header, said = json.loads(from_base64url(head)), json.loads(from_base64url(payload))
        octets, algorithm = [base64.b64decode(text, validate=True) for text in header["x5c"]], header["alg"]
        signed, signature, nonce, stamp = f"{head}.{payload}".encode(), from_base64url(signature), said["nonce"], said["timestampMs"]
        stamp, now_ms = int(stamp), now * 1000
    except (ValueError, TypeError, KeyError, Failed):
        raise Failed("safetynet_response_malformed") from None
    chain = read_chain(octets)
    leaf = chain[0]
    if algorithm == "ES256":
        signature = encode_dss_signature(int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
    ensure(algorithm in ("RS256", "ES256"), "safetynet_response_malformed")
    verify_statement(leaf.key, -7 if algorithm == "ES256" else -257, signature, signed)
    ensure(nonce == base64.b64encode(hashlib.sha256(data.octets + client_hash).digest()).decode(), "safetynet_nonce_mismatch")
    found = leaf.extension(ExtensionOID.SUBJECT_ALTERNATIVE_NAME)
    hosts = found.value.get_values_for_type(x509.DNSName) if found else leaf.names(NameOID.COMMON_NAME)
    ensure("attest.android.com" in hosts, "safetynet_host_mismatch")
    ensure(said.get("ctsProfileMatch") is True, "safetynet_integrity_failed")
    ensure(abs(now_ms - stamp) <= 60_000, "safetynet_timestamp_stale")
    check_chain(chain, now)


class TpmReader:
    def __init__(self, octets):
        self.octets, self.at = octets, 0

    def take(self, count):
        octets = self.octets[self.at:self.at + count]
        if len(octets) < count:
            raise Malformed
        self.at += count
        return octets

    def number(self, count):
        return int.from_bytes(self.take(count), "big")

    def sized(self):
        return self.take(self.number(2))

    def end(self):
        if self.at != len(self.octets):
            raise Malformed


TPM_NULL, TPM_HASHES = 0x10, {0x0B: hashlib.sha256, 0x0C: hashlib.sha384, 0x0D: hashlib.sha512}


def read_public_area(octets):
    """The name's hash and the key of a TPMT_PUBLIC."""
    reader = TpmReader(octets)
    kind, name_hash = reader.number(2), reader.number(2)
    reader.take(4)
    reader.sized()
    if reader.number(2) != TPM_NULL:
        reader.take(4)
    if reader.number(2) != TPM_NULL:
        reader.take(2)
    if kind == 1:
        reader.take(2)
        exponent, modulus = reader.number(4) or 65537, int.from_bytes(reader.sized(), "big")
        reader.end()
        return name_hash, (exponent, modulus)
    if kind != 0x23:
        raise Malformed
    curve = reader.number(2)
    if reader.number(2) != TPM_NULL:
        reader.take(2)
    x, y = (int.from_bytes(reader.sized(), "big") for _ in range(2))
    reader.end()
    return name_hash, ({3: 1, 4: 2, 5: 3}.get(curve), x, y)


def check_tpm(statement, data, client_hash, now):
    version, algorithm, octets, signature, info, area = members_of(
        statement, {"ver": str, "alg": int, "x5c": list, "sig": bytes, "certInfo": bytes, "pubArea": bytes})
    ensure(version == "2.0", "tpm_version_unsupported")
    chain = read_chain(octets)
    leaf = chain[0]
    try:
        name_hash, public = read_public_area(area)
    except Malformed:
        raise Failed("tpm_pub_area_malformed") from None
    key = data.public_key.key
    numbers = key.public_numbers() if isinstance(key, (rsa.RSAPublicKey, ec.EllipticCurvePublicKey)) else None
    attested = (numbers.e, numbers.n) if isinstance(key, rsa.RSAPublicKey) else numbers and (curve_of(key), numbers.x, numbers.y)
    ensure(attested == public, "tpm_pub_area_key_mismatch")
    try:
        reader = TpmReader(info)
        magic, kind, _, extra = reader.number(4), reader.number(2), reader.sized(), reader.sized()
        ensure(magic == 0xFF544347, "tpm_magic_mismatch")
        ensure(kind == 0x8017, "tpm_type_mismatch")
        reader.take(25)
        name, _ = reader.sized(), reader.sized()
        reader.end()
    except Malformed:
        raise Failed("tpm_cert_info_malformed") from None
    digest = ALGORITHMS[algorithm][2]
    ensure(digest is not None, "attestation_algorithm_mismatch")
    ensure(extra == hashlib.new(digest.name, data.octets + client_hash).digest(), "tpm_extra_data_mismatch")
    ensure(name_hash in TPM_HASHES, "tpm_name_algorithm_unsupported")
    ensure(name == name_hash.to_bytes(2, "big") + TPM_HASHES[name_hash](area).digest(), "tpm_name_mismatch")
    verify_statement(leaf.key, algorithm, signature, info)
    check_leaf(leaf)
    ensure(not list(leaf.subject), "tpm_subject_not_empty")
    check_tpm_names(leaf)
    usage = leaf.extension(ExtensionOID.EXTENDED_KEY_USAGE)
    ensure(usage is not None and TCG_AIK in usage.value, "tpm_key_purpose_missing")
    check_aaguid(leaf, data.aaguid)
    check_chain(chain, now)


def check_tpm_names(leaf):
    found = leaf.extension(ExtensionOID.SUBJECT_ALTERNATIVE_NAME)
    names = found.value.get_values_for_type(x509.DirectoryName) if found else []
    said = {attribute.oid: attribute.value for name in names for attribute in name}
    ensure({TCG_MANUFACTURER, TCG_MODEL, TCG_VERSION} <= set(said), "tpm_alternative_name_missing")
    ensure(said[TCG_MANUFACTURER][:3] == "id:" and said[TCG_MANUFACTURER][3:].upper() in TPM_MAKERS, "tpm_manufacturer_unknown")


def check_compound(statements, data, client_hash, now):
    ensure(len(statements) >= 2, "malformed_attestation_statement")
    for inner in statements:
        ensure(isinstance(inner, dict) and set(inner) == {"fmt", "attStmt"}, "malformed_attestation_statement")
        ensure(isinstance(inner["fmt"], str) and isinstance(inner["attStmt"], dict) and inner["fmt"] != "compound", "malformed_attestation_statement")
        check_attestation(inner["fmt"], inner["attStmt"], data, client_hash, now)


FORMATS = {
    "none": check_none,
    "packed": check_packed,
    "fido-u2f": check_u2f,
    "apple": check_apple,
    "android-key": check_android_key,
    "android-safetynet": check_safetynet,
    "tpm": check_tpm,
    "compound": check_compound,
}
