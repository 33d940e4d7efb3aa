// bench:judges over github.com/duo-labs/webauthn: as ../main.go calls it, without the server. Arguments: FILE ORIGIN RP-ID.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"syscall"

	"github.com/duo-labs/webauthn/protocol"
	"github.com/duo-labs/webauthn/webauthn"
)

type line struct {
	Group, Challenge, User, ID, Body string
	Warm                             bool
}
type group struct {
	Verified int     `json:"verified"`
	Refused  int     `json:"refused"`
	Seconds  float64 `json:"seconds"`
	Reason   string  `json:"reason,omitempty"`
}
type user struct {
	id          []byte
	credentials []webauthn.Credential
}

func (u *user) WebAuthnID() []byte                         { return u.id }
func (u *user) WebAuthnName() string                       { return "bench" }
func (u *user) WebAuthnDisplayName() string                { return "Bench" }
func (u *user) WebAuthnIcon() string                       { return "" }
func (u *user) WebAuthnCredentials() []webauthn.Credential { return u.credentials }

var stored = map[string]*user{}

func judge(web *webauthn.WebAuthn, l *line, id []byte) error {
	session := webauthn.SessionData{Challenge: l.Challenge, UserID: id, UserVerification: protocol.VerificationRequired}
	if l.Group == "registration" {
		parsed, err := protocol.ParseCredentialCreationResponseBody(strings.NewReader(l.Body))
		if err != nil {
			return err
		}
		u := &user{id: id}
		credential, err := web.CreateCredential(u, session, parsed)
		if err == nil {
			u.credentials = append(u.credentials, *credential)
			stored[l.ID] = u
		}
		return err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBody(strings.NewReader(l.Body))
	if err == nil {
		_, err = web.ValidateLogin(stored[l.ID], session, parsed)
	}
	return err
}

func processorSeconds() float64 {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

func main() {
	web, err := webauthn.New(&webauthn.Config{RPDisplayName: "bench", RPOrigin: os.Args[2], RPID: os.Args[3]})
	if err != nil {
		panic(err)
	}
	file, _ := os.Open(os.Args[1])
	lines, groups := bufio.NewReaderSize(file, 1<<16), map[string]*group{}
	for text, err := lines.ReadBytes('\n'); err == nil; text, err = lines.ReadBytes('\n') {
		l := line{}
		_ = json.Unmarshal(text, &l)
		id, _ := base64.RawURLEncoding.DecodeString(l.User)
		began := processorSeconds()
		refusal := judge(web, &l, id)
		seconds := processorSeconds() - began
		if l.Warm {
			continue
		}
		if groups[l.Group] == nil {
			groups[l.Group] = &group{}
		}
		g := groups[l.Group]
		g.Seconds += seconds
		if refusal == nil {
			g.Verified++
		} else {
			g.Refused++
			g.Reason = fmt.Sprintf("%#v", refusal)
		}
	}
	status, _ := os.ReadFile("/proc/self/status")
	var kib int
	_, _ = fmt.Sscanf(string(status)[strings.Index(string(status), "VmHWM:"):], "VmHWM: %d", &kib)
	text, _ := json.Marshal(map[string]interface{}{"groups": groups, "rss": kib * 1024})
	fmt.Println(string(text))
}
