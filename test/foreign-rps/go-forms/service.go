package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	answerTime = 3 * time.Second // the longest wait for one response
	answerSize = 256 << 10       // the largest body that is read
	longestRun = time.Hour       // an expires_at further away is not believed
)

type kind string

const (
	registration kind = "attestation"
	signIn       kind = "assertion"
)

var errUnusable = errors.New("the service gave no usable answer")

// refused is a code of the service other than 0.
type refused string

func (r refused) Error() string { return "the service answers " + string(r) }

// service speaks to the FIDO service.
type service struct {
	base          *url.URL
	origin        string
	keyID, secret string
	client        *http.Client
}

func newService(base, keyID, secret string) (*service, error) {
	parsed, err := url.Parse(strings.TrimRight(base, "/"))
	if err != nil || parsed.Hostname() == "" || parsed.RawQuery != "" || parsed.Fragment != "" || parsed.User != nil ||
		parsed.Scheme != "http" && parsed.Scheme != "https" {
		return nil, errors.New("FIDO_URL is not an http address")
	}
	return &service{
		base: parsed, keyID: keyID, secret: secret, origin: originOf(parsed),
		client: &http.Client{
			// The signature is for this host only.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
			// net/http sends a GET again on its own when a kept connection breaks. A result is delivered once, so no
			// connection is kept.
			Transport: &http.Transport{
				DisableKeepAlives:      true,
				DisableCompression:     true,
				MaxResponseHeaderBytes: 32 << 10,
				DialContext:            (&net.Dialer{Timeout: answerTime}).DialContext,
			},
		},
	}, nil
}

// originOf is scheme, host and port, the port always written.
func originOf(address *url.URL) string {
	port := address.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[address.Scheme]
	}
	return address.Scheme + "://" + strings.ToLower(address.Hostname()) + ":" + port
}

// reply is a response whose body is one well-formed JSON object.
type reply struct {
	status int
	body   map[string]any
}

func (s *service) call(ctx context.Context, method, path, query string, body map[string]any) (reply, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	var octets []byte
	if body != nil {
		var err error
		if octets, err = json.Marshal(body); err != nil {
			return reply{}, err
		}
	}
	address := *s.base
	address.Path += path
	if address.RawPath != "" {
		address.RawPath += path
	}
	address.RawQuery = query
	request, err := http.NewRequestWithContext(ctx, method, address.String(), bytes.NewReader(octets))
	if err != nil {
		return reply{}, err
	}
	request.Header.Set("Accept", "application/json")
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	s.sign(request, octets)

	response, err := s.client.Do(request)
	if err != nil {
		return reply{}, errUnusable
	}
	defer response.Body.Close()
	if response.StatusCode < 200 || response.Header.Get("Content-Encoding") != "" {
		return reply{}, errUnusable
	}
	read, err := io.ReadAll(io.LimitReader(response.Body, answerSize+1))
	if err != nil || len(read) > answerSize {
		return reply{}, errUnusable
	}
	object, err := strictObject(read)
	if err != nil {
		return reply{}, errUnusable
	}
	return reply{response.StatusCode, object}, nil
}

// sign adds the date and the signature. Every query of this site is one parameter of unreserved characters, which is its own
// canonical form.
func (s *service) sign(request *http.Request, body []byte) {
	date := time.Now().UTC().Format("20060102T150405Z")
	request.Header.Set("X-Svc-Date", date)
	names, lines := "host;x-svc-date", "host:"+request.URL.Host+"\nx-svc-date:"+date+"\n"
	if contentType := request.Header.Get("Content-Type"); contentType != "" {
		names, lines = "content-type;"+names, "content-type:"+contentType+"\n"+lines
	}
	const scope = "fido-server/"
	canonical := strings.Join([]string{request.Method, request.URL.EscapedPath(), request.URL.RawQuery, lines, names, sha256Hex(body)}, "\n")
	mac := hmac.New(sha256.New, []byte(s.secret))
	io.WriteString(mac, strings.Join([]string{"SVC-HMAC-SHA256", date, scope, sha256Hex([]byte(canonical))}, "\n"))
	request.Header.Set("Authorization", fmt.Sprintf("SVC-HMAC-SHA256 %s/%s,%s,%x", s.keyID, scope, names, mac.Sum(nil)))
}

func sha256Hex(octets []byte) string {
	sum := sha256.Sum256(octets)
	return hex.EncodeToString(sum[:])
}

// code is the literal of the number, or nothing. Only the literal 0 is success.
func (r reply) code() string {
	number, _ := r.body["code"].(json.Number)
	return number.String()
}

// data is what a response without any sign of trouble carries.
func (r reply) data() (map[string]any, error) {
	if r.code() != "0" {
		if r.code() != "" {
			return nil, refused(r.code())
		}
		return nil, errUnusable
	}
	if r.status != http.StatusOK {
		return nil, errUnusable
	}
	if !emptyOrMissing(r.body, "error") {
		return nil, errUnusable
	}
	data, ok := r.body["data"].(map[string]any)
	if !ok {
		return nil, errUnusable
	}
	return data, nil
}

func emptyOrMissing(object map[string]any, name string) bool {
	value, there := object[name]
	return !there || value == ""
}

// begun is a request that the service has taken.
type begun struct {
	url, msgID string
	expires    time.Time
}

func (s *service) begin(ctx context.Context, what kind, fields map[string]any) (begun, error) {
	answer, err := s.call(ctx, http.MethodPost, "/rp/"+string(what)+"/options", "", fields)
	if err != nil {
		return begun{}, err
	}
	data, err := answer.data()
	if err != nil {
		return begun{}, err
	}
	number, _ := data["expires_at"].(json.Number)
	seconds, err := strconv.ParseInt(number.String(), 10, 64)
	now := time.Now()
	if err != nil || seconds <= now.Unix() || seconds > now.Add(longestRun).Unix() {
		return begun{}, errUnusable
	}
	text, _ := data["url"].(string)
	msgID, err := s.msgID(text, what)
	return begun{text, msgID, time.Unix(seconds, 0)}, err
}

// A code leads a phone somewhere: no user name, no query, nothing that two readers could read in two ways.
var codeURL = regexp.MustCompile(`^https?://[A-Za-z0-9.:\[\]-]+/[A-Za-z0-9._~%/-]*#([ar])([A-Za-z0-9_-]{16,128})$`)

func (s *service) msgID(text string, what kind) (string, error) {
	parts := codeURL.FindStringSubmatch(text)
	letter := map[kind]string{registration: "r", signIn: "a"}[what]
	if parts == nil || parts[1] != letter || len(text) > qrCapacity {
		return "", errUnusable
	}
	address, err := url.Parse(text)
	if err != nil || originOf(address) != s.origin {
		return "", errUnusable
	}
	return parts[2], nil
}

type state int

const (
	unusable state = iota // no result: another poll may bring one
	waiting
	succeeded
	failed
)

// result is what one poll tells.
type result struct {
	state   state
	svcUser string // who has scanned
	reason  string // why it has failed
	problem string // the service's own text about a failure
}

// result reads the result once. userID is the one that was asked for.
func (s *service) result(ctx context.Context, what kind, msgID, userID string) result {
	answer, err := s.call(ctx, http.MethodGet, "/rp/"+string(what)+"/result", "msg_id="+msgID, nil)
	if err != nil {
		return result{}
	}
	switch answer.code() {
	case "41001", "40402":
		return result{state: failed, reason: "The service has no result for it any more."}
	}
	data, err := answer.data()
	if err != nil {
		return result{}
	}
	svcUser, _ := data["svc_user"].(string)
	problem, _ := data["error"].(string)
	status, _ := data["status"].(string)
	switch status {
	case "init":
		return result{state: waiting}
	case "bind":
		return result{state: waiting, svcUser: svcUser}
	case "success":
		if strings.TrimSpace(svcUser) == "" {
			return contradiction
		}
		if !emptyOrMissing(data, "error") {
			return contradiction
		}
		if what == signIn && data["user_id"] != userID {
			return contradiction
		}
		return result{state: succeeded, svcUser: svcUser}
	case "fail":
		return result{state: failed, reason: "The phone or the service refused it.", problem: problem}
	case "timeout":
		return result{state: failed, reason: timeIsOver}
	}
	return result{}
}

const timeIsOver = "The time for it is over."

var contradiction = result{state: failed, reason: "The answer of the service contradicts itself."}

// credentials lists the IDs of the user's own credentials, each once.
func (s *service) credentials(ctx context.Context, userID string) (map[string]bool, error) {
	answer, err := s.call(ctx, http.MethodGet, "/rp/credentials", "user_id="+userID, nil)
	if err != nil {
		return nil, err
	}
	data, err := answer.data()
	if err != nil {
		return nil, err
	}
	list, ok := data["list"].([]any)
	if !ok {
		return nil, errUnusable
	}
	own := map[string]bool{}
	for _, entry := range list {
		fields, ok := entry.(map[string]any)
		if !ok {
			return nil, errUnusable
		}
		id, ok := fields["credential_id"].(string)
		if !ok || id == "" {
			return nil, errUnusable
		}
		if fields["user_id"] == userID {
			own[id] = true
		}
	}
	return own, nil
}

func (s *service) deleteCredentials(ctx context.Context, userID string, ids []string) error {
	answer, err := s.call(ctx, http.MethodDelete, "/rp/credentials", "", map[string]any{"user_id": userID, "credential_ids": ids})
	if err == nil {
		_, err = answer.data()
	}
	return err
}
