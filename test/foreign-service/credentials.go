package main

import (
	"crypto"
	"encoding/json"
	"fmt"
	"math/rand"
	"time"
)

const (
	maxDeleted = 100
	timeForm   = "2006-01-02T15:04:05.000Z07:00" // RFC 3339
)

// credential is a public key that a user of a relying party has registered.
type credential struct {
	id             []byte
	userID         string
	name           string
	alg            int64
	key            crypto.PublicKey
	counter        uint32
	backupEligible bool
	transports     []string
	cloud          bool    // held by the account, not by one device
	device         *device // that registered it
	created        time.Time
	updated        time.Time // latest use
}

// credentialsOf are a user's credentials, oldest first; s.mu is held.
func (rp *relyingParty) credentialsOf(userID string) []*credential {
	var own []*credential
	for _, c := range rp.credentials {
		if c.userID == userID {
			own = append(own, c)
		}
	}
	return own
}

func (rp *relyingParty) credential(id []byte) *credential {
	for _, c := range rp.credentials {
		if string(c.id) == string(id) {
			return c
		}
	}
	return nil
}

func (s *server) listCredentials(c *rpCall) (any, *problem) {
	userID, there, p := queryValue(c.query, "user_id")
	if p != nil {
		return nil, p
	}
	if !there {
		return nil, refuse(40003, "user_id is missing.")
	}
	if p = checkText("user_id", userID, maxUserText); p != nil {
		return nil, p
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	rows := []any{}
	for _, own := range c.rp.credentialsOf(userID) {
		rows = append(rows, map[string]any{
			"credential_id":   base64url(own.id),
			"credential_name": own.name,
			"user_id":         own.userID,
			"created_at":      own.created.UTC().Format(timeForm),
			"updated_at":      own.updated.UTC().Format(timeForm),
		})
	}
	return map[string]any{"total": len(rows), "list": rows}, nil
}

// deleteCredentials does not count ids that are unknown, another user's or named twice; none of these is an error.
func (s *server) deleteCredentials(c *rpCall) (any, *problem) {
	f, p := parseObject(c.body)
	if p != nil {
		return nil, p
	}
	userID, p := userIDOf(f, c.query)
	if p != nil {
		return nil, p
	}
	raw, there := f["credential_ids"]
	if !there {
		return nil, refuse(40003, "credential_ids is missing.")
	}
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil || items == nil {
		return nil, refuse(40002, "credential_ids is not a list.")
	}
	if len(items) > maxDeleted {
		return nil, refuse(40002, "credential_ids has %d ids; at most %d are allowed.", len(items), maxDeleted)
	}
	named := map[string]bool{}
	for _, item := range items {
		id, isString, _ := textOf(item)
		if !isString {
			return nil, refuse(40002, "credential_ids holds something that is not a string.")
		}
		named[id] = true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var left []*credential
	for _, held := range c.rp.credentials {
		if held.userID != userID || !named[base64url(held.id)] {
			left = append(left, held)
		}
	}
	total := len(c.rp.credentials) - len(left)
	c.rp.credentials = left
	return map[string]any{"total": total}, nil
}

// userIDOf reads user_id from the body, else from the query; both, and different, is a contradiction.
func userIDOf(f fields, query string) (string, *problem) {
	asked, inQuery, p := queryValue(query, "user_id")
	if p != nil {
		return "", p
	}
	if sent := string(f["user_id"]); sent == "null" || sent == `""` {
		delete(f, "user_id")
	}
	if _, inBody := f["user_id"]; !inBody && inQuery {
		return asked, checkText("user_id", asked, maxUserText)
	}
	userID, p := f.required("user_id", maxUserText)
	if p == nil && inQuery && asked != userID {
		return "", refuse(40004, "user_id differs between body and query.")
	}
	return userID, p
}

var (
	adjectives = []string{"Quiet", "Brave", "Calm", "Gentle", "Happy", "Lucky", "Merry", "Nimble", "Proud", "Swift"}
	animals    = []string{"Otter", "Badger", "Crane", "Dolphin", "Falcon", "Heron", "Lynx", "Marten", "Panda", "Wren"}
)

// inventName makes up a name for a credential that was given none.
func inventName() string {
	return fmt.Sprintf("%s %s %d", adjectives[rand.Intn(len(adjectives))], animals[rand.Intn(len(animals))], 10+rand.Intn(90))
}

func init() { rand.Seed(time.Now().UnixNano()) }
