package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"regexp"
	"sort"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	scheme      = "SVC-HMAC-SHA256"
	scopePrefix = "fido-server/"
	dateLayout  = "20060102T150405Z"
)

type accessKey struct {
	id     string
	secret []byte
	rp     *relyingParty
}

// authorization is the header, taken apart. The short form has no key and no scope.
type authorization struct {
	short         bool
	keyID, scope  string
	signedHeaders []string
	signature     string
}

var (
	signatureForm = regexp.MustCompile(`^[0-9a-f]{64}$`)
	headerName    = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9a-z-]+$")
	dateForm      = regexp.MustCompile(`^[0-9]{8}T[0-9]{6}Z$`)
	eightDigits   = regexp.MustCompile(`^[0-9]{8}(/|$)`)
)

func parseAuthorization(values []string) (*authorization, *problem) {
	if len(values) == 0 || values[0] == "" {
		return nil, refuse(40101, "")
	}
	if len(values) > 1 {
		return nil, refuse(40102, "It is given more than once.")
	}
	rest := strings.TrimPrefix(values[0], scheme+" ")
	if rest == values[0] {
		return nil, refuse(40102, "It does not begin with %s and a space.", scheme)
	}
	// The identifier of a scope is free and may hold commas: the fields are found from the right.
	a := &authorization{}
	comma := strings.LastIndex(rest, ",")
	if comma < 0 {
		return nil, refuse(40102, "It has no signature.")
	}
	rest, a.signature = rest[:comma], rest[comma+1:]
	names := rest
	if comma = strings.LastIndex(rest, ","); comma < 0 {
		a.short = true
	} else {
		names = rest[comma+1:]
		var slash bool
		if a.keyID, a.scope, slash = strings.Cut(rest[:comma], "/"); !slash || a.keyID == "" {
			return nil, refuse(40102, "It names no access key and scope.")
		}
	}
	if !signatureForm.MatchString(a.signature) {
		return nil, refuse(40102, "The signature is not 64 lower-case hexadecimal digits.")
	}
	// Lower-case names, ascending, joined by semicolons.
	a.signedHeaders = strings.Split(names, ";")
	for i, name := range a.signedHeaders {
		if !headerName.MatchString(name) || i > 0 && name <= a.signedHeaders[i-1] {
			return nil, refuse(40102, "The signed headers are not lower-case names in ascending order.")
		}
	}
	return a, nil
}

// signedValues are the values of a header as they were sent; net/http keeps some elsewhere.
func signedValues(r *http.Request, name string) []string {
	switch {
	case name == "host":
		return []string{r.Host}
	case name == "transfer-encoding" && len(r.TransferEncoding) > 0:
		return r.TransferEncoding
	}
	return r.Header.Values(name)
}

var spaces = regexp.MustCompile(` {2,}`)

// canonicalRequest is the six parts, joined by newlines.
func canonicalRequest(r *http.Request, path, query string, signed []string, body []byte) string {
	var headers strings.Builder
	for _, name := range signed {
		values := append([]string(nil), signedValues(r, name)...)
		for i, v := range values {
			values[i] = spaces.ReplaceAllString(strings.Trim(v, " "), " ")
		}
		headers.WriteString(name + ":" + strings.Join(values, ",") + "\n")
	}
	parts := []string{
		strings.ToUpper(r.Method),
		path,
		canonicalQuery(query),
		headers.String(),
		strings.Join(signed, ";"),
		sha256Hex(body),
	}
	return strings.Join(parts, "\n")
}

func canonicalQuery(query string) string {
	var pairs [][2]string
	for _, piece := range strings.Split(query, "&") {
		if piece == "" {
			continue
		}
		name, value, _ := strings.Cut(piece, "=")
		pairs = append(pairs, [2]string{percentEncode(percentDecode(name)), percentEncode(percentDecode(value))})
	}
	sort.SliceStable(pairs, func(i, j int) bool {
		if pairs[i][0] != pairs[j][0] {
			return pairs[i][0] < pairs[j][0]
		}
		return pairs[i][1] < pairs[j][1]
	})
	out := make([]string, len(pairs))
	for i, p := range pairs {
		out[i] = p[0] + "=" + p[1]
	}
	return strings.Join(out, "&")
}

// percentEncode keeps the unreserved characters; the hexadecimal digits are upper case.
func percentEncode(s string) string {
	const digits = "0123456789ABCDEF"
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			out.WriteByte(c)
		} else {
			out.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	return out.String()
}

func sha256Hex(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func stringToSign(date, scope, canonical string) string {
	return strings.Join([]string{scheme, date, scope, sha256Hex([]byte(canonical))}, "\n")
}

func signatureOf(secret []byte, toSign string) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(toSign))
	return hex.EncodeToString(mac.Sum(nil))
}

func matches(secret []byte, toSign, signature string) bool {
	return hmac.Equal([]byte(signatureOf(secret, toSign)), []byte(signature))
}

// authenticate finds the relying party that signed the request. Each cause of a refusal has its own code.
func (s *server) authenticate(r *http.Request, path, query string, body []byte) (*relyingParty, *problem) {
	auth, p := parseAuthorization(r.Header.Values("Authorization"))
	if p != nil {
		return nil, p
	}
	if !contains(auth.signedHeaders, "host") {
		return nil, refuse(40107, "")
	}
	for _, name := range auth.signedHeaders {
		if len(signedValues(r, name)) == 0 {
			return nil, refuse(40102, "It names a header that was not sent: %s.", name)
		}
	}
	date := strings.Join(r.Header.Values("X-Svc-Date"), ",")
	at, err := time.Parse(dateLayout, date)
	if err != nil || !dateForm.MatchString(date) {
		return nil, refuse(40105, "")
	}
	// Within 300 s of real time, before and after.
	if skew := s.wall().Truncate(time.Second).Sub(at); skew > s.skew || -skew > s.skew {
		return nil, refuse(40106, "It is %v away; %v are allowed.", skew, s.skew)
	}
	canonical := canonicalRequest(r, path, query, auth.signedHeaders, body)
	if auth.short {
		return s.authenticateShort(auth, date, canonical)
	}
	if !utf8.ValidString(auth.scope) {
		return nil, refuse(40108, "It is not UTF-8.")
	}
	if !strings.HasPrefix(auth.scope, scopePrefix) {
		return nil, refuse(40108, "It begins with %s.", scopePrefix)
	}
	identifier := strings.TrimPrefix(auth.scope, scopePrefix)
	if eightDigits.MatchString(identifier) && identifier[:8] != date[:8] {
		return nil, refuse(40108, "Its date is not the day of X-Svc-Date.")
	}
	key := s.keys[auth.keyID]
	if key == nil {
		return nil, refuse(40103, "")
	}
	toSign := stringToSign(date, auth.scope, canonical)
	if !matches(key.secret, toSign, auth.signature) {
		return nil, mismatch(canonical, toSign)
	}
	return key.rp, nil
}

// authenticateShort tries every active key with the scopes it may have; the first that verifies is the caller.
func (s *server) authenticateShort(auth *authorization, date, canonical string) (*relyingParty, *problem) {
	day := date[:8]
	for _, key := range s.keyOrder {
		for _, identifier := range []string{"", key.id, day, key.rp.id, key.rp.rpID} {
			if matches(key.secret, stringToSign(date, scopePrefix+identifier, canonical), auth.signature) {
				return key.rp, nil
			}
		}
	}
	// Placeholders stand for what the caller's own key and RP have there.
	var tried []string
	for _, identifier := range []string{"", "<access_key_id>", day, "<rp>", "<rp_id>"} {
		tried = append(tried, stringToSign(date, scopePrefix+identifier, canonical))
	}
	return nil, mismatch(canonical, tried...)
}

// mismatch carries the texts as the service computed them; they never hold the secret.
func mismatch(canonical string, toSign ...string) *problem {
	p := refuse(40104, "")
	p.data = map[string]any{"canonical_request": canonical, "strings_to_sign": toSign}
	return p
}

func contains(all []string, one string) bool {
	for _, v := range all {
		if v == one {
			return true
		}
	}
	return false
}
