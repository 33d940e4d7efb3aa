package main

import (
	"bytes"
	"crypto"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"encoding/json"
)

// verdict is why a ceremony failed: a stable machine word and a sentence. Nil is success.
type verdict struct{ word, sentence string }

func failed(word, sentence string) *verdict { return &verdict{word, sentence} }

// Bits of the authenticator data's flags.
const (
	flagUP       = 0x01
	flagUV       = 0x04
	flagBE       = 0x08
	flagBS       = 0x10
	flagAT       = 0x40
	flagED       = 0x80
	flagReserved = 0x02 | 0x20
)

// authData is the authenticator data, taken apart.
type authData struct {
	raw          []byte
	rpIDHash     []byte
	flags        byte
	counter      uint32
	aaguid       []byte
	credentialID []byte
	cose         map[any]any
}

// parseAuthData takes every byte; what is left over is a mistake.
func parseAuthData(raw []byte) (*authData, *verdict) {
	bad := failed("authenticator_data_malformed", "the authenticator data cannot be read")
	if len(raw) < 37 {
		return nil, bad
	}
	a := &authData{raw: raw, rpIDHash: raw[:32], flags: raw[32], counter: binary.BigEndian.Uint32(raw[33:37])}
	rest := raw[37:]
	if a.flags&flagAT != 0 {
		if len(rest) < 18 {
			return nil, bad
		}
		size := int(binary.BigEndian.Uint16(rest[16:18]))
		if len(rest) < 18+size {
			return nil, bad
		}
		a.aaguid, a.credentialID = rest[:16], rest[18:18+size]
		key, behind, err := decodeCBOR(rest[18+size:])
		cose, ok := key.(map[any]any)
		if err != nil || !ok {
			return nil, bad
		}
		a.cose, rest = cose, behind
	}
	if a.flags&flagED != 0 {
		extensions, behind, err := decodeCBOR(rest)
		if _, ok := extensions.(map[any]any); err != nil || !ok {
			return nil, bad
		}
		rest = behind
	}
	if len(rest) > 0 {
		return nil, bad
	}
	return a, nil
}

// binary reads a member that is base64url.
func (f fields) binary(name string) ([]byte, bool) {
	text, isString, valid := textOf(f[name])
	if !isString || !valid {
		return nil, false
	}
	return fromBase64url(text)
}

// frame reads what both kinds of response share: id, rawId, type and the inner response.
func frame(f fields) (id []byte, inner fields, v *verdict) {
	id, ok := f.binary("rawId")
	name, _, _ := textOf(f["id"])
	if !ok || len(id) == 0 || len(id) > maxCredentialID || name != base64url(id) {
		return nil, nil, failed("response_malformed", "id and rawId are not the same base64url")
	}
	if kind, _, _ := textOf(f["type"]); kind != "public-key" {
		return nil, nil, failed("response_malformed", "type is not public-key")
	}
	inner, ok = objectOf(f["response"])
	if !ok {
		return nil, nil, failed("response_malformed", "response holds no response")
	}
	return id, inner, nil
}

// judgeClientData holds what the browser saw against what was asked, and gives the hash that is signed.
func judgeClientData(m *message, inner fields, kind string) ([]byte, *verdict) {
	raw, ok := inner.binary("clientDataJSON")
	data, isObject := objectOf(bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")))
	if !ok || !isObject {
		return nil, failed("client_data_malformed", "clientDataJSON is not base64url of a JSON object")
	}
	if got, _, _ := textOf(data["type"]); got != kind {
		return nil, failed("type_mismatch", "the client data is for another ceremony")
	}
	if got, _, _ := textOf(data["challenge"]); subtle.ConstantTimeCompare([]byte(got), []byte(m.challenge)) != 1 {
		return nil, failed("challenge_mismatch", "the challenge is not the one that was given")
	}
	if got, _, _ := textOf(data["origin"]); !contains(m.rp.origins, got) {
		return nil, failed("origin_mismatch", "the origin is not one of the RP's")
	}
	// No page may embed the RP: cross-origin ceremonies are refused.
	if cross, there := data["crossOrigin"]; there && string(cross) != "false" {
		return nil, failed("cross_origin", "the ceremony was cross-origin")
	}
	if _, there := data["topOrigin"]; there {
		return nil, failed("cross_origin", "the ceremony names a top origin")
	}
	if raw, there := data["tokenBinding"]; there {
		binding, _ := objectOf(raw)
		if status, _, _ := textOf(binding["status"]); status != "supported" {
			return nil, failed("token_binding", "the client data is bound to a token")
		}
	}
	hash := sha256.Sum256(raw)
	return hash[:], nil
}

// judgeAuthData keeps the rules for authenticator data that both ceremonies share.
func (s *server) judgeAuthData(m *message, a *authData) *verdict {
	want := sha256.Sum256([]byte(m.rp.rpID))
	if !bytes.Equal(a.rpIDHash, want[:]) {
		return failed("rp_id_mismatch", "the authenticator answered for another RP ID")
	}
	if a.flags&flagUP == 0 {
		return failed("user_not_present", "the user was not present")
	}
	if s.userVerification == "required" && a.flags&flagUV == 0 {
		return failed("user_not_verified", "the user was not verified")
	}
	if a.flags&flagReserved != 0 {
		return failed("reserved_flags", "reserved flag bits are set")
	}
	if a.flags&flagBS != 0 && a.flags&flagBE == 0 {
		return failed("backup_flags", "backed up, but not eligible for it")
	}
	return nil
}

// judgeRegistration judges a RegistrationResponseJSON; s.mu is held.
func (s *server) judgeRegistration(m *message, response fields) (*credential, *verdict) {
	id, inner, v := frame(response)
	if v != nil {
		return nil, v
	}
	hash, v := judgeClientData(m, inner, "webauthn.create")
	if v != nil {
		return nil, v
	}
	object, v := parseAttestation(inner)
	if v != nil {
		return nil, v
	}
	a, v := parseAuthData(object.authData)
	if v != nil {
		return nil, v
	}
	if v = s.judgeAuthData(m, a); v != nil {
		return nil, v
	}
	if a.flags&flagAT == 0 {
		return nil, failed("authenticator_data_malformed", "there is no credential in the authenticator data")
	}
	if !bytes.Equal(a.credentialID, id) {
		return nil, failed("credential_id_mismatch", "the id is not the one in the authenticator data")
	}
	alg, key, v := publicKeyOf(a.cose)
	if v != nil {
		return nil, v
	}
	if v = judgeStatement(object, a, alg, key, hash); v != nil {
		return nil, v
	}
	if m.rp.credential(id) != nil {
		return nil, failed("credential_exists", "this credential is registered already")
	}
	made := &credential{id: append([]byte(nil), id...), alg: alg, key: key, counter: a.counter, backupEligible: a.flags&flagBE != 0}
	json.Unmarshal(inner["transports"], &made.transports) // a hint; anything else is no hint
	return made, nil
}

// judgeAssertion judges an AuthenticationResponseJSON; s.mu is held.
func (s *server) judgeAssertion(m *message, response fields) (*credential, uint32, *verdict) {
	fail := func(word, sentence string) (*credential, uint32, *verdict) { return nil, 0, failed(word, sentence) }
	id, inner, v := frame(response)
	if v != nil {
		return nil, 0, v
	}
	used := m.rp.credential(id)
	if used == nil || used.userID != m.userID {
		return fail("unknown_credential", "the user has no such credential")
	}
	if raw, there := inner["userHandle"]; there && string(raw) != "null" {
		handle, ok := inner.binary("userHandle")
		if !ok || !bytes.Equal(handle, m.rp.userHandle(m.userID)) {
			return fail("user_handle_mismatch", "the user handle is another user's")
		}
	}
	hash, v := judgeClientData(m, inner, "webauthn.get")
	if v != nil {
		return nil, 0, v
	}
	raw, ok := inner.binary("authenticatorData")
	if !ok {
		return fail("authenticator_data_malformed", "authenticatorData is not base64url")
	}
	a, v := parseAuthData(raw)
	if v != nil {
		return nil, 0, v
	}
	if v = s.judgeAuthData(m, a); v != nil {
		return nil, 0, v
	}
	if used.backupEligible != (a.flags&flagBE != 0) {
		return fail("backup_flags", "the eligibility for a backup has changed")
	}
	signature, ok := inner.binary("signature")
	if !ok || !signedBy(used.alg, used.key, a.raw, hash, signature) {
		return fail("signature_invalid", "the signature is not the credential's")
	}
	// A counter that counts must grow; one that is always zero does not count.
	if (a.counter != 0 || used.counter != 0) && a.counter <= used.counter {
		return fail("counter_regression", "the signature counter did not grow")
	}
	return used, a.counter, nil
}

// signedBy: what is signed is the authenticator data and the hash of the client data.
func signedBy(alg int64, key crypto.PublicKey, authData, hash, signature []byte) bool {
	return verifies(alg, key, append(append([]byte(nil), authData...), hash...), signature)
}
