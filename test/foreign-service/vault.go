package main

import (
	"encoding/hex"
	"net/http"
	"regexp"
)

const (
	maxCredentialID = 1023
	maxSealed       = 72 << 10
)

// sealed is a credential that only the phones of the account can open.
type sealed struct {
	id, etag, text string
}

func (v *sealed) row() map[string]any {
	return map[string]any{"credential_id": v.id, "etag": v.etag, "sealed": v.text}
}

// vaultOf: an account made without a proof is open, and has no vault.
func vaultOf(c *appCall) *problem {
	if c.device.account.proof == "" {
		return refuse(40404, "This account was made without a proof and has no vault.")
	}
	return nil
}

// find is the place of a credential in the vault, or -1.
func (a *account) find(id string) int {
	for i, v := range a.vault {
		if v.id == id {
			return i
		}
	}
	return -1
}

func (s *server) listVault(c *appCall) (any, *problem) {
	if p := vaultOf(c); p != nil {
		return nil, p
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	rows := []any{}
	for _, v := range c.device.account.vault {
		rows = append(rows, v.row())
	}
	return map[string]any{"total": len(rows), "list": rows}, nil
}

func checkID(id string) *problem {
	raw, ok := fromBase64url(id)
	if !ok || len(raw) == 0 || len(raw) > maxCredentialID {
		return refuse(40002, "The id is not base64url of up to %d bytes.", maxCredentialID)
	}
	return nil
}

func (s *server) getSealed(c *appCall) (any, *problem) {
	if p := vaultOf(c); p != nil {
		return nil, p
	}
	if p := checkID(c.name); p != nil {
		return nil, p
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := c.device.account.find(c.name); i >= 0 {
		return c.device.account.vault[i].row(), nil
	}
	return nil, refuse(40404, "")
}

// ifMatch is the version that a request expects, with its quotes.
func ifMatch(h http.Header) (string, *problem) {
	expected := h.Get("If-Match")
	if expected != "" && !quoted.MatchString(expected) {
		return "", refuse(40002, "If-Match is an etag with its quotes.")
	}
	return expected, nil
}

var quoted = regexp.MustCompile(`^"[^"]+"$`)

// putSealed needs `If-None-Match: *` for a new one or `If-Match` for one that is replaced.
func (s *server) putSealed(c *appCall) (any, *problem) {
	if p := vaultOf(c); p != nil {
		return nil, p
	}
	if p := checkID(c.name); p != nil {
		return nil, p
	}
	f, p := parseObject(c.body)
	if p != nil {
		return nil, p
	}
	text, p := f.required("sealed", maxSealed)
	if p != nil {
		return nil, p
	}
	if _, ok := fromBase64url(text); !ok {
		return nil, refuse(40002, "sealed is not base64url without padding.")
	}
	expected, p := ifMatch(c.header)
	if p != nil {
		return nil, p
	}
	isNew := c.header.Get("If-None-Match") == "*"
	if isNew == (expected != "") {
		return nil, refuse(42801, "It needs one of them: If-None-Match: * or If-Match with an etag.")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	owner := c.device.account
	i := owner.find(c.name)
	if isNew && i >= 0 || !isNew && (i < 0 || owner.vault[i].etag != expected) {
		return nil, refuse(41201, "")
	}
	v := &sealed{id: c.name, etag: `"` + hex.EncodeToString(randomBytes(8)) + `"`, text: text}
	if isNew {
		owner.vault = append(owner.vault, v)
	} else {
		owner.vault[i] = v
	}
	return map[string]any{"credential_id": v.id, "etag": v.etag}, nil
}

func (s *server) deleteSealed(c *appCall) (any, *problem) {
	if p := vaultOf(c); p != nil {
		return nil, p
	}
	if p := checkID(c.name); p != nil {
		return nil, p
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	expected, p := ifMatch(c.header)
	if p != nil {
		return nil, p
	}
	owner := c.device.account
	i := owner.find(c.name)
	if i < 0 {
		return nil, refuse(40404, "")
	}
	if expected != "" && expected != owner.vault[i].etag {
		return nil, refuse(41201, "")
	}
	owner.vault = append(owner.vault[:i:i], owner.vault[i+1:]...)
	return map[string]any{"deleted": true}, nil
}
