package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"time"
)

const (
	kindRegistration   = "registration"
	kindAuthentication = "authentication"

	statusInit    = "init"
	statusBind    = "bind"
	statusSuccess = "success"
	statusFail    = "fail"
	statusTimeout = "timeout"
)

const (
	maxUserText        = 128
	maxCredentialName  = 64
	credentialsPerUser = 20
)

// message is a registration or a sign-in under way.
type message struct {
	id             string
	kind           string
	rp             *relyingParty
	userID         string
	username       string
	displayName    string
	credentialName string
	challenge      string
	expires        time.Time

	status    string
	device    *device // the first that scanned, or opened the push
	answer    string  // what the phone answered, to know the identical answer again
	failure   string  // a stable machine word, a colon and a sentence
	delivered bool    // success and fail are reported once
}

// newMessage keeps a new message; s.mu is held.
func (s *server) newMessage(m *message) *message {
	now := s.now()
	s.throwAway(now)
	m.id = base64url(randomBytes(16)) // 128 random bits
	m.challenge = base64url(randomBytes(32))
	m.status = statusInit
	m.expires = now.Truncate(time.Second).Add(s.ttl)
	s.messages[m.id] = m
	return m
}

// throwAway forgets the messages that nobody can ask for any more.
func (s *server) throwAway(now time.Time) {
	if now.Before(s.sweep) {
		return
	}
	for id, m := range s.messages {
		if s.gone(m, now) {
			delete(s.messages, id)
		}
	}
	s.sweep = now.Add(10 * time.Second)
}

// state is the status at a time: init and bind become timeout when the clock passes the expiry.
func (m *message) state(now time.Time) string {
	if m.expired(now) && !m.final() {
		return statusTimeout
	}
	return m.status
}

func (m *message) expired(now time.Time) bool { return !now.Before(m.expires) }

func (m *message) final() bool { return m.status == statusSuccess || m.status == statusFail }

// gone: what was not read stays for ten minutes past the expiry.
func (s *server) gone(m *message, now time.Time) bool {
	return now.After(m.expires.Add(s.kept))
}

// url is {base_url}/m# followed by one character and the msg_id.
func (s *server) url(m *message) string {
	letter := "r"
	if m.kind == kindAuthentication {
		letter = "a"
	}
	return s.baseURL + "/m#" + letter + m.id
}

func (s *server) begun(m *message) any {
	return map[string]any{"url": s.url(m), "expires_at": m.expires.Unix()}
}

func (s *server) attestationOptions(c *rpCall) (any, *problem) {
	f, p := parseObject(c.body)
	if p != nil {
		return nil, p
	}
	m := &message{kind: kindRegistration, rp: c.rp}
	if m.userID, p = f.required("user_id", maxUserText); p != nil {
		return nil, p
	}
	if m.username, p = f.required("username", maxUserText); p != nil {
		return nil, p
	}
	if m.credentialName, p = f.optional("credential_name", maxCredentialName); p != nil {
		return nil, p
	}
	if m.displayName, p = f.optional("display_name", maxUserText); p != nil {
		return nil, p
	}
	if m.displayName == "" {
		m.displayName = m.username
	}
	if m.credentialName == "" {
		m.credentialName = inventName()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(c.rp.credentialsOf(m.userID)); n >= credentialsPerUser {
		return nil, refuse(40901, "There are %d.", n)
	}
	return s.begun(s.newMessage(m)), nil
}

func (s *server) assertionOptions(c *rpCall) (any, *problem) {
	f, p := parseObject(c.body)
	if p != nil {
		return nil, p
	}
	m := &message{kind: kindAuthentication, rp: c.rp}
	if m.userID, p = f.required("user_id", maxUserText); p != nil {
		return nil, p
	}
	if m.username, p = f.required("username", maxUserText); p != nil {
		return nil, p
	}
	m.displayName = m.username
	method, p := f.required("method", maxUserText)
	if p != nil {
		return nil, p
	}
	if method != "qrcode" && method != "push" {
		return nil, refuse(40002, "method is qrcode or push.")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	holders := c.rp.credentialsOf(m.userID)
	if len(holders) == 0 {
		return nil, refuse(40403, "")
	}
	s.newMessage(m)
	if method == "push" {
		s.push(m, holders)
	}
	return s.begun(m), nil
}

// messageID takes msg_id or id; both, and different, contradict each other.
func messageID(query string) (string, *problem) {
	long, hasLong, p := queryValue(query, "msg_id")
	if p != nil {
		return "", p
	}
	short, hasShort, p := queryValue(query, "id")
	if p != nil {
		return "", p
	}
	hasLong, hasShort = hasLong && long != "", hasShort && short != ""
	switch {
	case !hasLong && !hasShort:
		return "", refuse(40003, "msg_id is missing.")
	case hasLong && hasShort && long != short:
		return "", refuse(40004, "msg_id and id differ.")
	case hasLong:
		return long, nil
	}
	return short, nil
}

// result answers how a message stands. What is final is told once, and HEAD never consumes it.
func (s *server) result(c *rpCall, kind string) (map[string]any, *message, *problem) {
	id, p := messageID(c.query)
	if p != nil {
		return nil, nil, p
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	m := s.messages[id]
	// The other ceremony's endpoint answers like one that has no such message, and so for another RP's message.
	if m == nil || m.rp != c.rp || m.kind != kind || s.gone(m, now) {
		return nil, nil, refuse(40402, "")
	}
	if m.final() && m.delivered {
		return nil, nil, refuse(41001, "")
	}
	if m.final() && !c.head {
		m.delivered = true
	}
	svcUser := ""
	if m.device != nil {
		svcUser = m.device.account.svcUser()
	}
	return map[string]any{"svc_user": svcUser, "status": m.state(now), "error": m.failure}, m, nil
}

func (s *server) attestationResult(c *rpCall) (any, *problem) {
	data, _, p := s.result(c, kindRegistration)
	return data, p
}

func (s *server) assertionResult(c *rpCall) (any, *problem) {
	data, m, p := s.result(c, kindAuthentication)
	if p == nil {
		data["user_id"] = ""
		if data["status"] == statusSuccess {
			data["user_id"] = m.userID
		}
	}
	return data, p
}

// userHandle is an HMAC over the user_id under a key of the RP: it tells nobody who the user is.
func (rp *relyingParty) userHandle(userID string) []byte {
	mac := hmac.New(sha256.New, rp.handleKey)
	mac.Write([]byte(userID))
	return mac.Sum(nil)
}

// publicKey is WebAuthn's creation or request options as JSON.
func (s *server) publicKey(m *message, now time.Time) any {
	var known []any
	for _, c := range m.rp.credentialsOf(m.userID) {
		descriptor := map[string]any{"type": "public-key", "id": base64url(c.id)}
		if len(c.transports) > 0 {
			descriptor["transports"] = c.transports
		}
		known = append(known, descriptor)
	}
	if known == nil {
		known = []any{}
	}
	timeout := m.expires.Sub(now).Milliseconds()
	if m.kind == kindAuthentication {
		return map[string]any{
			"challenge":        m.challenge,
			"timeout":          timeout,
			"rpId":             m.rp.rpID,
			"allowCredentials": known,
			"userVerification": s.userVerification,
		}
	}
	var params []any
	for _, a := range algorithms {
		params = append(params, map[string]any{"type": "public-key", "alg": a.id})
	}
	return map[string]any{
		"rp":                 map[string]any{"id": m.rp.rpID, "name": m.rp.name},
		"user":               map[string]any{"id": base64url(m.rp.userHandle(m.userID)), "name": m.username, "displayName": m.displayName},
		"challenge":          m.challenge,
		"pubKeyCredParams":   params,
		"timeout":            timeout,
		"excludeCredentials": known,
		"authenticatorSelection": map[string]any{
			"residentKey":        "preferred",
			"requireResidentKey": false,
			"userVerification":   s.userVerification,
		},
		"attestation": "direct",
	}
}

// forPhone finds a message that a device may still do something with: "After the expiry: 41002."
func (s *server) forPhone(id string, now time.Time) (*message, *problem) {
	m := s.messages[id]
	if m == nil || s.gone(m, now) {
		return nil, refuse(40402, "")
	}
	if m.expired(now) {
		return nil, refuse(41002, "")
	}
	return m, nil
}

// bind binds the first device that scans. The same device again is harmless, another one changes nothing.
func (s *server) bind(c *appCall) (any, *problem) {
	if _, p := parseObject(c.body); p != nil {
		return nil, p
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	m, p := s.forPhone(c.name, now)
	if p != nil {
		return nil, p
	}
	if m.device != nil && m.device != c.device {
		return nil, refuse(40301, "")
	}
	if m.final() {
		return nil, refuse(40902, "The message has been answered.")
	}
	m.device = c.device
	m.status = statusBind
	return map[string]any{
		"kind":            m.kind,
		"rp":              m.rp.public(),
		"user":            map[string]any{"username": m.username, "display_name": m.displayName},
		"credential_name": m.credentialName,
		"expires_at":      m.expires.Unix(),
		"public_key":      s.publicKey(m, now),
	}, nil
}

// answer is the frame of everything that ends a message: only the bound device may, the identical answer gets
// the first verdict again, and a different one is refused. s.mu is held.
func (s *server) answer(c *appCall, kind string, what any, judge func(*message) *verdict) (*message, *problem) {
	m, p := s.forPhone(c.name, s.now())
	if p != nil {
		return nil, p
	}
	if kind != "" && m.kind != kind {
		return nil, refuse(40402, "This message is of the other kind.")
	}
	if m.device != nil && c.device != m.device {
		return nil, refuse(40301, "")
	}
	if m.device == nil {
		return nil, refuse(40902, "The message has not been scanned.")
	}
	given, _ := json.Marshal(what)
	if m.final() {
		if m.answer != string(given) {
			return nil, refuse(40903, "")
		}
		return m, nil
	}
	m.answer = string(given)
	if v := judge(m); v != nil {
		m.status, m.failure = statusFail, v.word+": "+v.sentence
	} else {
		m.status = statusSuccess
	}
	return m, nil
}

// responseOf takes `response` out of a body; what is inside it is judged, and is no matter of parameters.
func responseOf(f fields) (fields, any, *problem) {
	raw, there := f["response"]
	if !there {
		return nil, nil, refuse(40003, "response is missing.")
	}
	response, ok := objectOf(raw)
	if !ok {
		return nil, nil, refuse(40002, "response is not an object.")
	}
	var plain any
	json.Unmarshal(raw, &plain) // numbers and the order of members do not make another answer
	return response, plain, nil
}

func (s *server) answerAttestation(c *appCall) (any, *problem) {
	f, p := parseObject(c.body)
	if p != nil {
		return nil, p
	}
	response, plain, p := responseOf(f)
	if p != nil {
		return nil, p
	}
	storage, p := f.optional("storage", maxUserText)
	if p != nil {
		return nil, p
	}
	if storage == "" {
		storage = "chip"
	}
	if storage != "chip" && storage != "cloud" {
		return nil, refuse(40002, "storage is chip or cloud.")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	m, p := s.answer(c, kindRegistration, []any{"attestation", storage, plain}, func(m *message) *verdict {
		made, v := s.judgeRegistration(m, response)
		if v != nil {
			return v
		}
		if len(m.rp.credentialsOf(m.userID)) >= credentialsPerUser {
			return failed("too_many_credentials", "the user has as many credentials as are allowed")
		}
		made.userID, made.name, made.cloud, made.device = m.userID, m.credentialName, storage == "cloud", c.device
		made.created, made.updated = s.now(), s.now()
		m.rp.credentials = append(m.rp.credentials, made)
		return nil
	})
	if p != nil {
		return nil, p
	}
	return map[string]any{"status": m.status, "error": m.failure}, nil
}

func (s *server) answerAssertion(c *appCall) (any, *problem) {
	f, p := parseObject(c.body)
	if p != nil {
		return nil, p
	}
	response, plain, p := responseOf(f)
	if p != nil {
		return nil, p
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	m, p := s.answer(c, kindAuthentication, []any{"assertion", plain}, func(m *message) *verdict {
		used, counter, v := s.judgeAssertion(m, response)
		if v != nil {
			return v
		}
		used.counter = counter
		used.updated = s.now()
		return nil
	})
	if p != nil {
		return nil, p
	}
	return map[string]any{"status": m.status, "error": m.failure}, nil
}

// rejections are the reasons that a phone can give; each becomes the machine word of the failure.
var rejections = map[string]string{
	"user_rejected":          "the user said no on the phone",
	"no_matching_credential": "the phone has no credential for this request",
}

func (s *server) reject(c *appCall) (any, *problem) {
	f, p := parseObject(c.body)
	if p != nil {
		return nil, p
	}
	reason, p := f.optional("reason", maxUserText)
	if p != nil {
		return nil, p
	}
	if reason == "" {
		reason = "user_rejected"
	}
	word, sentence := reason, rejections[reason]
	if sentence == "" { // any other text stands behind user_rejected
		word, sentence = "user_rejected", reason
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	m, p := s.answer(c, "", []any{"reject", reason}, func(*message) *verdict {
		return failed(word, sentence)
	})
	if p != nil {
		return nil, p
	}
	return map[string]any{"status": m.status}, nil
}
