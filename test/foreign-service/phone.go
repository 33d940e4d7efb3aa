package main

import (
	"crypto/subtle"
	"mime"
	"net/http"
	"regexp"
	"strings"
)

// account is somebody who has signed a phone in.
type account struct {
	name  string
	phone string // digits only
	proof string // empty: the account is open, and has no vault
	vault []*sealed
	all   []*device
}

// svcUser says who has scanned: Li Wei (138****5678).
func (a *account) svcUser() string {
	n := len(a.phone)
	head, tail := 3, 4
	if n < 8 { // a short number shows less
		head, tail = 1, 1
	}
	return a.name + " (" + a.phone[:head] + "****" + a.phone[n-tail:] + ")"
}

// device is a phone that is signed in.
type device struct {
	id      string
	token   string
	account *account
	dead    bool
	inbox   []*pushed
	changed chan struct{} // closed and made anew whenever there is news
}

// appCall is a request of a phone; device is nil in the first call only.
type appCall struct {
	device *device
	name   string // the variable part of the path
	body   []byte
	header http.Header
}

type appHandler func(*server, *appCall) (any, *problem)

// appRoute finds the methods of an address; `{}` in a pattern is the variable part.
func appRoute(path string) (methods map[string]appHandler, name string) {
	for pattern, m := range appRoutes {
		before, after, variable := strings.Cut(pattern, "{}")
		if !variable {
			if path == pattern {
				return m, ""
			}
			continue
		}
		if !strings.HasPrefix(path, before) || !strings.HasSuffix(path, after) || len(path) <= len(before)+len(after) {
			continue
		}
		name = path[len(before) : len(path)-len(after)]
		if !strings.Contains(name, "/") {
			return m, name
		}
	}
	return nil, ""
}

var appRoutes map[string]map[string]appHandler

func init() {
	appRoutes = map[string]map[string]appHandler{
		"/devices":                 {"POST": (*server).signIn},
		"/devices/self":            {"DELETE": (*server).signOut},
		"/messages/{}/bind":        {"POST": (*server).bind},
		"/messages/{}/attestation": {"POST": (*server).answerAttestation},
		"/messages/{}/assertion":   {"POST": (*server).answerAssertion},
		"/messages/{}/reject":      {"POST": (*server).reject},
		"/inbox":                   {"GET": nil}, // a stream, see inbox.go
		"/vault":                   {"GET": (*server).listVault},
		"/vault/{}":                {"GET": (*server).getSealed, "PUT": (*server).putSealed, "DELETE": (*server).deleteSealed},
	}
}

// serveApp judges where the call comes from, then the address, the token, and the body.
func (s *server) serveApp(w http.ResponseWriter, r *http.Request, path string) {
	if !contains(s.hosts, strings.ToLower(r.Host)) {
		sendProblem(w, refuse(40302, ""))
		return
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		if !s.allowsOrigin(origin) {
			sendProblem(w, refuse(40303, ""))
			return
		}
		allowPage(w.Header(), origin)
	}
	methods, name := appRoute(strings.TrimPrefix(path, s.appPath))
	if methods == nil {
		sendProblem(w, refuse(40401, ""))
		return
	}
	if r.Method == "OPTIONS" && r.Header.Get("Origin") != "" {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	method := r.Method
	if method == "HEAD" && !strings.HasSuffix(path, "/inbox") {
		method = "GET"
	}
	handler, ok := methods[method]
	if !ok {
		sendNotAllowed(w, methods)
		return
	}
	c := &appCall{name: name, header: r.Header}
	if !strings.HasSuffix(path, "/devices") { // all calls but the first carry a token
		if c.device = s.deviceOf(r.Header.Get("Authorization")); c.device == nil {
			sendProblem(w, refuse(40110, ""))
			return
		}
	}
	if handler == nil {
		s.stream(w, r, c.device)
		return
	}
	limit := maxBodyBytes
	if method == "PUT" {
		limit = maxVaultBody
	}
	var p *problem
	if c.body, p = readBody(w, r, limit); p == nil && (method == "POST" || method == "PUT") && !isJSON(r.Header.Get("Content-Type")) {
		p = refuse(41501, "")
	}
	var data any
	if p == nil {
		data, p = handler(s, c)
	}
	if p != nil {
		sendProblem(w, p)
		return
	}
	send(w, http.StatusOK, envelope{Data: data})
}

// allowsOrigin: where an Origin is present, one that is this service's or an RP's.
func (s *server) allowsOrigin(origin string) bool {
	for _, rp := range s.rps {
		if contains(rp.origins, origin) {
			return true
		}
	}
	return contains(s.ownOrigins, origin)
}

// allowPage sets the CORS headers, without which a page may not read the answer.
func allowPage(h http.Header, origin string) {
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, DELETE")
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, If-Match, If-None-Match, Last-Event-ID")
	h.Set("Access-Control-Expose-Headers", "ETag")
	h.Set("Access-Control-Max-Age", "600")
	h.Add("Vary", "Origin")
}

func isJSON(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && kind == "application/json"
}

// deviceOf finds the phone of `Authorization: Bearer <device_token>`.
func (s *server) deviceOf(header string) *device {
	kind, token, _ := strings.Cut(header, " ")
	if !strings.EqualFold(kind, "Bearer") {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.devices[token]
}

var grouping = regexp.MustCompile(`[ .()-]`)
var phoneForm = regexp.MustCompile(`^\+?[0-9]{3,20}$`)

// signIn signs a phone in and makes the account on first use.
func (s *server) signIn(c *appCall) (any, *problem) {
	f, p := parseObject(c.body)
	if p != nil {
		return nil, p
	}
	raw, there := f["account"]
	if !there {
		return nil, refuse(40003, "account is missing.")
	}
	a, ok := objectOf(raw)
	if !ok {
		return nil, refuse(40002, "account is not an object.")
	}
	name, p := a.required("name", maxUserText)
	if p != nil {
		return nil, p
	}
	phone, p := a.required("phone", maxUserText)
	if p != nil {
		return nil, p
	}
	phone = grouping.ReplaceAllString(phone, "")
	if !phoneForm.MatchString(phone) {
		return nil, refuse(40002, "phone has 3 to 20 digits, with or without +.")
	}
	proof, p := a.optional("proof", 1024)
	if p != nil {
		return nil, p
	}
	if _, p = f.required("device_name", maxUserText); p != nil {
		return nil, p
	}
	digits := strings.TrimPrefix(phone, "+")
	s.mu.Lock()
	defer s.mu.Unlock()
	owner := s.accounts[digits]
	if owner == nil {
		owner = &account{name: name, phone: digits, proof: proof}
		s.accounts[digits] = owner
	} else if owner.proof != "" && subtle.ConstantTimeCompare([]byte(owner.proof), []byte(proof)) != 1 {
		return nil, refuse(40110, "The account has another proof.")
	}
	d := &device{
		id:      "dev_" + base64url(randomBytes(9)),
		token:   base64url(randomBytes(32)),
		account: owner,
		changed: make(chan struct{}),
	}
	owner.all = append(owner.all, d)
	s.devices[d.token] = d
	return map[string]any{"device_id": d.id, "device_token": d.token}, nil
}

// signOut kills the token, and ends the streams that it opened.
func (s *server) signOut(c *appCall) (any, *problem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.devices, c.device.token)
	c.device.dead = true
	c.device.news()
	for i, d := range c.device.account.all {
		if d == c.device {
			c.device.account.all = append(c.device.account.all[:i:i], c.device.account.all[i+1:]...)
			break
		}
	}
	return nil, nil
}

// news wakes the streams of a device; s.mu is held.
func (d *device) news() {
	close(d.changed)
	d.changed = make(chan struct{})
}
