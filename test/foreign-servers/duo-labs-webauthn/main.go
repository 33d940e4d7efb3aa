// The test API of FIDO's conformance program over github.com/duo-labs/webauthn (Debian's golang-github-duo-labs-webauthn-dev),
// from that library's README and the comments of its packages webauthn and protocol (its Go documentation).
//
// The library makes the options, parses and verifies the answers, compares the user handle and the credential's owner.
// The glue of this file: bytes, which the library writes in standard base64, are written again in base64url; a challenge is
// used once; a credential ID that is known already is refused; so is a sign-in for which the library sets CloneWarning, as
// it leaves that to its caller. It verifies attestation statements but no chain of trust, and neither does this file.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"

	"github.com/duo-labs/webauthn/protocol"
	"github.com/duo-labs/webauthn/webauthn"
)

type object = map[string]interface{}
type asked struct {
	Username, DisplayName  string
	Attestation            protocol.ConveyancePreference
	AuthenticatorSelection protocol.AuthenticatorSelection
	UserVerification       protocol.UserVerificationRequirement
	Extensions             protocol.AuthenticationExtensions
}

type user struct {
	id                []byte
	name, displayName string
	credentials       []webauthn.Credential
}

func (u *user) WebAuthnID() []byte                         { return u.id }
func (u *user) WebAuthnName() string                       { return u.name }
func (u *user) WebAuthnDisplayName() string                { return u.displayName }
func (u *user) WebAuthnIcon() string                       { return "" }
func (u *user) WebAuthnCredentials() []webauthn.Credential { return u.credentials }

type ceremony struct {
	user *user
	data *webauthn.SessionData
}

var (
	web   *webauthn.WebAuthn
	mutex sync.Mutex // guards the three maps and all that they hold
	users = map[string]*user{}
	known = map[string]bool{}     // by credential ID
	begun = map[string]ceremony{} // by session and the path of the call that ends it
)

func run(r *http.Request, session string) (object, error) {
	var body asked
	this := begun[session+r.URL.Path]
	delete(begun, session+r.URL.Path)
	if strings.HasSuffix(r.URL.Path, "/options") {
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body.Username == "" {
			return nil, errors.New("username is missing")
		}
	} else if this.data == nil {
		return nil, errors.New("nothing was begun")
	}
	u := users[body.Username]
	if u == nil && body.Username != "" { // one without credentials, for whom the library begins no sign-in
		id, _ := protocol.CreateChallenge() // 32 random bytes
		u = &user{id: id, name: body.Username, displayName: body.DisplayName}
		users[u.name] = u
	}
	switch r.URL.Path {
	case "/attestation/options":
		exclude := []protocol.CredentialDescriptor{}
		for _, c := range u.credentials {
			exclude = append(exclude, protocol.CredentialDescriptor{Type: protocol.PublicKeyCredentialType, CredentialID: c.ID})
		}
		options, data, err := web.BeginRegistration(u, webauthn.WithAuthenticatorSelection(body.AuthenticatorSelection),
			webauthn.WithConveyancePreference(body.Attestation), webauthn.WithExclusions(exclude), webauthn.WithExtensions(body.Extensions))
		begun[session+"/attestation/result"] = ceremony{u, data}
		return inBase64url(options, err)
	case "/attestation/result":
		credential, err := web.FinishRegistration(this.user, *this.data, r)
		if err == nil && known[string(credential.ID)] {
			err = errors.New("this credential is known")
		} else if err == nil {
			known[string(credential.ID)] = true
			this.user.credentials = append(this.user.credentials, *credential)
		}
		return object{}, err
	case "/assertion/options":
		options, data, err := web.BeginLogin(u, webauthn.WithUserVerification(body.UserVerification), webauthn.WithAssertionExtensions(body.Extensions))
		begun[session+"/assertion/result"] = ceremony{u, data}
		return inBase64url(options, err)
	case "/assertion/result":
		credential, err := web.FinishLogin(this.user, *this.data, r)
		if err == nil && credential.Authenticator.CloneWarning {
			err = errors.New("the counter did not rise")
		}
		for i, c := range this.user.credentials {
			if err == nil && string(c.ID) == string(credential.ID) {
				this.user.credentials[i] = *credential
			}
		}
		return object{}, err
	}
	return nil, errors.New("no such route")
}

// bytesIn finds the members that the library writes in standard base64; an RP ID holds none of the signs that differ.
var bytesIn = regexp.MustCompile(`"(challenge|id)":"[^"]*"`)

func inBase64url(options interface{}, err error) (object, error) {
	text, _ := json.Marshal(options)
	text = bytesIn.ReplaceAllFunc(text, func(member []byte) []byte {
		return []byte(strings.NewReplacer("+", "-", "/", "_", "=", "").Replace(string(member)))
	})
	var fields struct{ PublicKey object }
	_ = json.Unmarshal(text, &fields)
	return fields.PublicKey, err
}

func answer(w http.ResponseWriter, r *http.Request) {
	mutex.Lock()
	defer mutex.Unlock()
	status, body := http.StatusOK, object{}
	defer func() {
		if crash := recover(); crash != nil {
			status, body = http.StatusInternalServerError, object{"status": "failed", "errorMessage": fmt.Sprint(crash)}
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body)
	}()
	cookie, err := r.Cookie("sid")
	if err != nil {
		sid, _ := protocol.CreateChallenge()
		cookie = &http.Cookie{Name: "sid", Value: fmt.Sprintf("%x", []byte(sid)), Path: "/", HttpOnly: true}
		http.SetCookie(w, cookie)
	}
	if body, err = run(r, cookie.Value); err != nil {
		status, body = http.StatusBadRequest, object{"status": "failed", "errorMessage": err.Error()}
	} else {
		body["status"], body["errorMessage"] = "ok", ""
	}
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		log.Fatal(err)
	}
	here := fmt.Sprintf("http://localhost:%d", listener.Addr().(*net.TCPAddr).Port)
	origin := os.Getenv("ORIGIN")
	if origin == "" {
		origin = here
	}
	at, _ := url.Parse(origin)
	if web, err = webauthn.New(&webauthn.Config{RPDisplayName: "duo-labs", RPID: at.Hostname(), RPOrigin: origin}); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("{\"url\":%q}\n", here)
	log.Fatal(http.Serve(listener, http.HandlerFunc(answer)))
}
