package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	_ "crypto/sha256"
	_ "crypto/sha512"
	"math/big"
)

const (
	algES256 = -7
	algEdDSA = -8
)

// algorithm is a signature algorithm that the options list and the judge accepts.
type algorithm struct {
	id    int64
	kind  int64 // COSE key type: 1 OKP, 2 EC2, 3 RSA
	hash  crypto.Hash
	curve elliptic.Curve // of EC2
	crv   int64          // its number in COSE
	pss   bool
}

var algorithms = []algorithm{
	{id: algES256, kind: 2, hash: crypto.SHA256, curve: elliptic.P256(), crv: 1},
	{id: algEdDSA, kind: 1, crv: 6},
	{id: -35, kind: 2, hash: crypto.SHA384, curve: elliptic.P384(), crv: 2},
	{id: -36, kind: 2, hash: crypto.SHA512, curve: elliptic.P521(), crv: 3},
	{id: -257, kind: 3, hash: crypto.SHA256},
	{id: -258, kind: 3, hash: crypto.SHA384},
	{id: -259, kind: 3, hash: crypto.SHA512},
	{id: -37, kind: 3, hash: crypto.SHA256, pss: true},
	{id: -38, kind: 3, hash: crypto.SHA384, pss: true},
	{id: -39, kind: 3, hash: crypto.SHA512, pss: true},
}

func algorithmOf(id int64) *algorithm {
	for i := range algorithms {
		if algorithms[i].id == id {
			return &algorithms[i]
		}
	}
	return nil
}

// publicKeyOf reads a COSE key of one of the algorithms that were offered.
func publicKeyOf(cose map[any]any) (int64, crypto.PublicKey, *verdict) {
	id, ok := cose[int64(3)].(int64)
	a := algorithmOf(id)
	if !ok || a == nil {
		return 0, nil, failed("algorithm_not_offered", "the key is for an algorithm that was not asked for")
	}
	bad := failed("public_key_invalid", "the public key is not one of its algorithm")
	if kty, ok := cose[int64(1)].(int64); !ok || kty != a.kind {
		return 0, nil, bad
	}
	if a.kind != 3 {
		if crv, ok := cose[int64(-1)].(int64); !ok || crv != a.crv {
			return 0, nil, bad
		}
	}
	switch a.kind {
	case 1:
		x, _ := cose[int64(-2)].([]byte)
		if len(x) != ed25519.PublicKeySize {
			return 0, nil, bad
		}
		return id, ed25519.PublicKey(x), nil
	case 2:
		x, _ := cose[int64(-2)].([]byte)
		y, _ := cose[int64(-3)].([]byte)
		size := (a.curve.Params().BitSize + 7) / 8
		if len(x) != size || len(y) != size {
			return 0, nil, bad
		}
		key := &ecdsa.PublicKey{Curve: a.curve, X: new(big.Int).SetBytes(x), Y: new(big.Int).SetBytes(y)}
		if !a.curve.IsOnCurve(key.X, key.Y) {
			return 0, nil, bad
		}
		return id, key, nil
	}
	n, _ := cose[int64(-1)].([]byte)
	e, _ := cose[int64(-2)].([]byte)
	if len(n) < 256 || n[0] == 0 || len(n) > 1024 || len(e) == 0 || len(e) > 4 {
		return 0, nil, bad
	}
	exponent := new(big.Int).SetBytes(e).Int64()
	if exponent < 3 || exponent%2 == 0 || exponent > 1<<31-1 {
		return 0, nil, bad
	}
	return id, &rsa.PublicKey{N: new(big.Int).SetBytes(n), E: int(exponent)}, nil
}

// verifies says whether the signature is the key's, over the data, by the algorithm.
func verifies(id int64, key crypto.PublicKey, data, signature []byte) bool {
	a := algorithmOf(id)
	if a == nil {
		return false
	}
	var digest []byte
	if a.hash != 0 {
		h := a.hash.New()
		h.Write(data)
		digest = h.Sum(nil)
	}
	switch k := key.(type) {
	case ed25519.PublicKey:
		return a.kind == 1 && ed25519.Verify(k, data, signature)
	case *ecdsa.PublicKey:
		return a.kind == 2 && ecdsa.VerifyASN1(k, digest, signature)
	case *rsa.PublicKey:
		if a.kind != 3 {
			return false
		}
		if a.pss {
			return rsa.VerifyPSS(k, a.hash, digest, signature, &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash}) == nil
		}
		return rsa.VerifyPKCS1v15(k, a.hash, digest, signature) == nil
	}
	return false
}
