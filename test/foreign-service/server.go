package main

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"log"
	"net/http"
	"strings"
	"sync"
	"time"
)

// relyingParty is a customer of the service. Nothing of one is visible to another.
type relyingParty struct {
	id          string // of this service, rp_…
	rpID        string // of WebAuthn, a domain
	name        string
	origins     []string
	handleKey   []byte        // makes user handles of user IDs
	credentials []*credential // oldest first
}

// public is what a phone is shown of a relying party.
func (rp *relyingParty) public() map[string]any {
	return map[string]any{"id": rp.rpID, "name": rp.name, "origins": rp.origins}
}

// server holds everything; one lock guards what changes.
type server struct {
	baseURL, basePath, appPath string
	hosts                      []string // what a Host header may say to the phone's interface
	ownOrigins                 []string
	skew, ttl, kept            time.Duration
	userVerification           string
	now                        func() time.Time // the clock of the messages
	wall                       func() time.Time // the clock of the signatures
	keys                       map[string]*accessKey
	keyOrder                   []*accessKey
	rps                        []*relyingParty

	mu       sync.Mutex
	messages map[string]*message
	accounts map[string]*account // by the digits of the phone number
	devices  map[string]*device  // by token
	pushes   int                 // the number of the last push
	sweep    time.Time           // when old messages are next thrown away
}

func newServer(cfg config, now func() time.Time) (*server, error) {
	seconds := func(n int) time.Duration { return time.Duration(n) * time.Second }
	s := &server{
		basePath:         cfg.basePath,
		appPath:          cfg.basePath[:strings.LastIndex(cfg.basePath, "/")] + "/app",
		skew:             seconds(cfg.clockSkew),
		ttl:              seconds(cfg.messageTTL),
		kept:             seconds(cfg.unreadKept),
		userVerification: cfg.userVerification,
		now:              now,
		wall:             time.Now,
		keys:             map[string]*accessKey{},
		messages:         map[string]*message{},
		accounts:         map[string]*account{},
		devices:          map[string]*device{},
	}
	for _, name := range []string{"127.0.0.1", "localhost", "[::1]"} {
		host := fmt.Sprintf("%s:%d", name, cfg.port)
		s.hosts = append(s.hosts, host)
		s.ownOrigins = append(s.ownOrigins, "http://"+host)
	}
	s.baseURL = "http://" + s.hosts[0] + s.basePath
	configured := cfg.origins
	if len(configured) == 0 {
		configured = list{fmt.Sprintf("http://localhost:%d", cfg.port)}
	}
	var origins []string
	var rpID string
	for _, text := range configured {
		origin, host, err := originOf(text)
		if err != nil {
			return nil, err
		}
		if rpID == "" {
			rpID = host
		}
		origins = append(origins, origin)
	}
	for i, text := range cfg.accessKeys {
		id, secret, ok := strings.Cut(text, ":")
		if !ok || id == "" || secret == "" || strings.ContainsAny(id, "/, ") || s.keys[id] != nil {
			return nil, fmt.Errorf("--access-key number %d is not ID:SECRET, or its ID is taken", i+1)
		}
		rp := &relyingParty{id: fmt.Sprintf("rp_%d", i+1), rpID: rpID, name: rpID, origins: origins, handleKey: randomBytes(32)}
		key := &accessKey{id: id, secret: []byte(secret), rp: rp}
		s.rps = append(s.rps, rp)
		s.keys[id] = key
		s.keyOrder = append(s.keyOrder, key)
	}
	return s, nil
}

func randomBytes(n int) []byte {
	b := make([]byte, n)
	if _, err := rand.Read(b); err != nil {
		panic(err)
	}
	return b
}

func base64url(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// fromBase64url takes the one encoding of some bytes: no padding, no stray bits.
func fromBase64url(text string) ([]byte, bool) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	return b, err == nil && !strings.ContainsAny(text, "\r\n")
}

// splitTarget takes path and query off the request line, neither decoded nor normalised.
func splitTarget(target string) (path, query string) {
	if i := strings.Index(target, "://"); i > 0 && !strings.HasPrefix(target, "/") {
		target = target[i+3:]
		if i = strings.IndexAny(target, "/?"); i < 0 {
			target = "/"
		} else {
			target = target[i:]
		}
	}
	path, query, _ = strings.Cut(target, "?")
	return path, query
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		if e := recover(); e != nil && e != http.ErrAbortHandler {
			log.Printf("%s %s: %v", r.Method, r.URL.Path, e)
			sendProblem(w, refuse(50001, ""))
		}
	}()
	if len(r.RequestURI) > maxTargetBytes {
		sendProblem(w, refuse(41401, "At most %d bytes are taken.", maxTargetBytes))
		return
	}
	path, query := splitTarget(r.RequestURI)
	switch {
	case strings.HasPrefix(path, s.basePath+"/"):
		s.serveRP(w, r, path, query)
	case strings.HasPrefix(path, s.appPath+"/"):
		s.serveApp(w, r, path)
	default:
		sendProblem(w, refuse(40401, ""))
	}
}

// rpCall is a request whose signature has been verified.
type rpCall struct {
	rp    *relyingParty
	head  bool
	query string
	body  []byte
}

type rpHandler func(*server, *rpCall) (any, *problem)

var rpRoutes = map[string]map[string]rpHandler{
	"/rp/attestation/options": {"POST": (*server).attestationOptions},
	"/rp/attestation/result":  {"GET": (*server).attestationResult},
	"/rp/assertion/options":   {"POST": (*server).assertionOptions},
	"/rp/assertion/result":    {"GET": (*server).assertionResult},
	"/rp/credentials":         {"GET": (*server).listCredentials, "DELETE": (*server).deleteCredentials},
}

// serveRP keeps the order of judgement: route, then signature, then parameters.
func (s *server) serveRP(w http.ResponseWriter, r *http.Request, path, query string) {
	methods, ok := rpRoutes[strings.TrimPrefix(path, s.basePath)]
	if !ok {
		sendProblem(w, refuse(40401, ""))
		return
	}
	method := r.Method
	if method == "HEAD" {
		method = "GET"
	}
	handler := methods[method]
	if handler == nil {
		sendNotAllowed(w, methods)
		return
	}
	body, p := readBody(w, r, maxBodyBytes)
	if p != nil {
		sendProblem(w, p)
		return
	}
	rp, p := s.authenticate(r, path, query, body)
	if p != nil {
		sendProblem(w, p)
		return
	}
	data, p := handler(s, &rpCall{rp: rp, head: r.Method == "HEAD", query: query, body: body})
	if p != nil {
		sendProblem(w, p)
		return
	}
	send(w, http.StatusOK, envelope{Data: data})
}

func sendNotAllowed[H any](w http.ResponseWriter, methods map[string]H) {
	var allowed []string
	for _, m := range []string{"GET", "HEAD", "POST", "PUT", "DELETE"} {
		if _, ok := methods[m]; ok || m == "HEAD" && contains(allowed, "GET") {
			allowed = append(allowed, m)
		}
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	sendProblem(w, refuse(40501, "It answers to %s.", strings.Join(allowed, ", ")))
}
