package main

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/x509"
	"encoding/asn1"
)

// attestation is the attestation object, taken apart.
type attestation struct {
	format    string
	statement map[any]any
	authData  []byte
}

func parseAttestation(inner fields) (*attestation, *verdict) {
	bad := failed("attestation_malformed", "the attestation object cannot be read")
	raw, ok := inner.binary("attestationObject")
	if !ok {
		return nil, bad
	}
	item, rest, err := decodeCBOR(raw)
	object, isMap := item.(map[any]any)
	if err != nil || len(rest) > 0 || !isMap {
		return nil, bad
	}
	a := &attestation{}
	var hasFormat, hasStatement, hasData bool
	a.format, hasFormat = object["fmt"].(string)
	a.statement, hasStatement = object["attStmt"].(map[any]any)
	a.authData, hasData = object["authData"].([]byte)
	if !hasFormat || !hasStatement || !hasData {
		return nil, bad
	}
	return a, nil
}

// judgeStatement verifies the signatures and format rules of the formats it knows. Any root is accepted.
func judgeStatement(o *attestation, a *authData, alg int64, key crypto.PublicKey, hash []byte) *verdict {
	switch o.format {
	case "none":
		if len(o.statement) != 0 {
			return failed("attestation_invalid", "attestation none has no statement")
		}
		return nil
	case "packed":
		return judgePacked(o.statement, a, alg, key, hash)
	case "fido-u2f":
		return judgeU2F(o.statement, a, key, hash)
	}
	return failed("attestation_format_unknown", "this service cannot verify attestations of this format")
}

func judgePacked(statement map[any]any, a *authData, alg int64, key crypto.PublicKey, hash []byte) *verdict {
	stated, okAlg := statement["alg"].(int64)
	signature, okSig := statement["sig"].([]byte)
	if !okAlg || !okSig {
		return failed("attestation_malformed", "a packed statement has alg and sig")
	}
	invalid := failed("attestation_signature_invalid", "the attestation is not signed by its key")
	chain, withChain := statement["x5c"]
	if !withChain { // self attestation: the credential's own key
		if stated != alg {
			return failed("attestation_invalid", "self attestation is of another algorithm than its key")
		}
		if !signedBy(alg, key, a.raw, hash, signature) {
			return invalid
		}
		return nil
	}
	leaf, v := leafOf(chain)
	if v != nil {
		return v
	}
	if !signedBy(stated, leaf.PublicKey, a.raw, hash, signature) {
		return invalid
	}
	return judgePackedCertificate(leaf, a.aaguid)
}

// leafOf reads a chain: every link must be a certificate, the first is the one that signed.
func leafOf(chain any) (*x509.Certificate, *verdict) {
	bad := failed("attestation_certificate_invalid", "x5c is not a list of certificates")
	items, _ := chain.([]any)
	var leaf *x509.Certificate
	for i, item := range items {
		der, _ := item.([]byte)
		certificate, err := x509.ParseCertificate(der)
		if err != nil {
			return nil, bad
		}
		if i == 0 {
			leaf = certificate
		}
	}
	if leaf == nil {
		return nil, bad
	}
	return leaf, nil
}

var (
	oidAAGUID   = asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 45724, 1, 1, 4}
	packedUnit  = "Authenticator Attestation"
	uncertified = "the attestation certificate does not keep the rules of packed attestation"
)

// judgePackedCertificate keeps WebAuthn's requirements for packed attestation certificates.
func judgePackedCertificate(c *x509.Certificate, aaguid []byte) *verdict {
	bad := failed("attestation_certificate_invalid", uncertified)
	subject := c.Subject
	if c.Version != 3 || len(subject.Country) != 1 || len(subject.Organization) != 1 || subject.CommonName == "" {
		return bad
	}
	if len(subject.OrganizationalUnit) != 1 || subject.OrganizationalUnit[0] != packedUnit {
		return bad
	}
	if !c.BasicConstraintsValid || c.IsCA {
		return bad
	}
	for _, e := range c.Extensions {
		if !e.Id.Equal(oidAAGUID) {
			continue
		}
		var value []byte
		if rest, err := asn1.Unmarshal(e.Value, &value); err != nil || len(rest) > 0 || e.Critical {
			return bad
		}
		if !bytes.Equal(value, aaguid) {
			return failed("attestation_certificate_invalid", "the certificate is for another AAGUID")
		}
	}
	return nil
}

// judgeU2F keeps the rules of fido-u2f, whose AAGUID is zero and whose key is ES256.
func judgeU2F(statement map[any]any, a *authData, key crypto.PublicKey, hash []byte) *verdict {
	signature, okSig := statement["sig"].([]byte)
	chain, _ := statement["x5c"].([]any)
	point, isEC := key.(*ecdsa.PublicKey)
	if !okSig || len(chain) != 1 || !isEC || !bytes.Equal(a.aaguid, make([]byte, 16)) {
		return failed("attestation_malformed", "the statement does not keep the rules of fido-u2f")
	}
	leaf, v := leafOf(chain)
	if v != nil {
		return v
	}
	certified, isEC := leaf.PublicKey.(*ecdsa.PublicKey)
	if !isEC || certified.Curve != algorithms[0].curve || point.Curve != algorithms[0].curve {
		return failed("attestation_certificate_invalid", "fido-u2f is signed with P-256")
	}
	data := append([]byte{0}, a.rpIDHash...)
	data = append(append(data, hash...), a.credentialID...)
	data = append(data, 4)
	data = append(data, point.X.FillBytes(make([]byte, 32))...)
	data = append(data, point.Y.FillBytes(make([]byte, 32))...)
	if !verifies(algES256, leaf.PublicKey, data, signature) {
		return failed("attestation_signature_invalid", "the attestation is not signed by its key")
	}
	return nil
}
