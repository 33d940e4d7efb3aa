package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"log"
	"sync"
	"time"
)

const (
	pollPause   = 150 * time.Millisecond
	pollMisses  = 8                // polls in a row without a usable result
	confirmTime = 4 * time.Second  // for the proof that a registration has left a credential
	attemptLife = 10 * time.Minute // an ended attempt can be looked at so long
	sessionLife = 12 * time.Hour
	manyPending = 1000
)

// account exists from the first registration that succeeded. passkeys is the site's own record.
type account struct{ passkeys map[string]bool }

// session is one browser. Its token changes when somebody signs in; attempts therefore keep the session, not the token.
type session struct {
	token string
	email string // empty: nobody is signed in
	ended bool
	born  time.Time
}

type attempt struct {
	id      string
	what    kind
	push    bool
	owner   *session
	email   string
	userID  string
	begun   begun
	before  map[string]bool // the credentials that a registration found
	outcome result
	claimed bool // the owner has been signed in by it
	over    time.Time
}

type site struct {
	service *service

	mu       sync.Mutex // for everything below
	accounts map[string]*account
	sessions map[string]*session
	attempts map[string]*attempt
	messages map[string]time.Time // msg_ids that have been used

	// One registration of an account at a time looks at its credentials and changes them.
	enrolling [256]sync.Mutex
}

func newSite(service *service) *site {
	return &site{
		service:  service,
		accounts: map[string]*account{},
		sessions: map[string]*session{},
		attempts: map[string]*attempt{},
		messages: map[string]time.Time{},
	}
}

// userID names an account at the service.
func userID(email string) string {
	return sha256Hex([]byte(email))
}

func (s *site) enrolment(email string) *sync.Mutex {
	return &s.enrolling[sha256.Sum256([]byte(email))[0]]
}

func randomName() string {
	var octets [24]byte
	if _, err := rand.Read(octets[:]); err != nil {
		log.Fatal(err) // Without secrets that nobody can guess there is no site.
	}
	return base64.RawURLEncoding.EncodeToString(octets[:])
}

// sorry is an error in words for the user.
type sorry struct {
	status int
	text   string
}

func (e sorry) Error() string { return e.text }

var (
	errStranger = sorry{403, "This account has a passkey already. Sign in first, then add another one."}
	errNobody   = sorry{404, "There is no account of this e-mail address."}
	errService  = sorry{424, "The sign-in service gave no usable answer. Please try again."}
	errBusy     = sorry{424, "There are too many attempts under way. Please try again later."}
)

// inWords says what the user can know about a begin that was refused.
func inWords(err error) error {
	var known sorry
	var code refused
	switch {
	case errors.As(err, &known):
		return known
	case !errors.As(err, &code):
		return errService
	case code == "40403":
		return sorry{424, "The sign-in service knows no passkey of this account."}
	case code == "40901":
		return sorry{424, "This account has as many passkeys as are allowed."}
	case code == "40907" || code == "42901":
		return errBusy
	}
	return errService
}

// mayEnrol tells whether this browser may add a passkey to the account. The caller holds s.mu.
func (s *site) mayEnrol(owner *session, email string) bool {
	if s.accounts[email] == nil {
		return true
	}
	return !owner.ended && owner.email == email
}

// register begins a registration.
func (s *site) register(ctx context.Context, owner *session, email string) (*attempt, error) {
	a := &attempt{what: registration, owner: owner, email: email, userID: userID(email)}
	lock := s.enrolment(email)
	lock.Lock()
	defer lock.Unlock()
	if !s.enrolAllowed(a) {
		return nil, errStranger
	}
	before, err := s.service.credentials(ctx, a.userID)
	if err != nil {
		return nil, err
	}
	if s.accountOf(email) == nil && len(before) > 0 {
		// An earlier registration went wrong after the phone's part. Nobody proved to own these; a phone that holds one
		// could not register again.
		if err := s.deleteStrays(ctx, a, before); err != nil {
			return nil, err
		}
	}
	a.before = before
	a.begun, err = s.service.begin(ctx, registration, map[string]any{"user_id": a.userID, "username": email})
	if err != nil {
		return nil, err
	}
	return a, s.start(a)
}

// signIn begins a sign-in.
func (s *site) signIn(ctx context.Context, owner *session, email string, push bool) (*attempt, error) {
	if s.accountOf(email) == nil {
		return nil, errNobody
	}
	a := &attempt{what: signIn, push: push, owner: owner, email: email, userID: userID(email)}
	method := "qrcode"
	if push {
		method = "push"
	}
	var err error
	a.begun, err = s.service.begin(ctx, signIn, map[string]any{"user_id": a.userID, "username": email, "method": method})
	if err != nil {
		return nil, err
	}
	return a, s.start(a)
}

func (s *site) accountOf(email string) *account {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.accounts[email]
}

func (s *site) enrolAllowed(a *attempt) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mayEnrol(a.owner, a.email)
}

func (s *site) start(a *attempt) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, used := s.messages[a.begun.msgID]; used {
		return errService // One message must not answer for two attempts.
	}
	pending := 0
	for _, other := range s.attempts {
		if other.outcome.state == waiting {
			pending++
		}
	}
	if pending >= manyPending {
		return errBusy
	}
	s.messages[a.begun.msgID] = time.Now()
	a.id, a.outcome.state = randomName(), waiting
	s.attempts[a.id] = a
	go s.watch(a)
	return nil
}

// watch polls until the attempt ends.
func (s *site) watch(a *attempt) {
	ctx, cancel := context.WithDeadline(context.Background(), a.begun.expires)
	defer cancel()
	for misses := 0; misses < pollMisses; {
		select {
		case <-ctx.Done():
			s.end(a, result{state: failed, reason: timeIsOver})
			return
		case <-time.After(pollPause):
		}
		answer := s.service.result(ctx, a.what, a.begun.msgID, a.userID)
		switch answer.state {
		case unusable:
			misses++
		case waiting:
			misses = 0
			s.note(a, answer)
		case succeeded:
			if a.what == registration {
				answer = s.enrol(a, answer)
			}
			s.end(a, answer)
			return
		case failed:
			s.end(a, answer)
			return
		}
	}
	s.end(a, result{state: failed, reason: "The sign-in service gave no usable answer."})
}

func (s *site) note(a *attempt, answer result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.outcome.state == waiting {
		a.outcome = answer
	}
}

// end gives the attempt its outcome. An attempt that has ended stays as it is.
func (s *site) end(a *attempt, outcome result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.outcome.state == waiting {
		a.outcome, a.over = outcome, time.Now()
	}
}

// enrol makes the account, or adds to it, when the service lists a credential that was not there before.
func (s *site) enrol(a *attempt, success result) result {
	ctx, cancel := context.WithTimeout(context.Background(), confirmTime)
	defer cancel()
	lock := s.enrolment(a.email)
	lock.Lock()
	defer lock.Unlock()

	now, err := s.service.credentials(ctx, a.userID)
	for tries := 1; err != nil && ctx.Err() == nil && tries < pollMisses; tries++ {
		time.Sleep(pollPause)
		now, err = s.service.credentials(ctx, a.userID)
	}
	if err != nil {
		return result{state: failed, reason: "The sign-in service did not confirm the passkey."}
	}
	if reason := s.record(a, now); reason != "" {
		// Somebody has made the account meanwhile, or another phone has answered as well. A passkey that the site has
		// not recorded must not open the account.
		if err := s.deleteStrays(ctx, a, now); err != nil {
			log.Printf("A stray passkey was not deleted: %v", err)
		}
		return result{state: failed, reason: reason}
	}
	return success
}

// record keeps the one new passkey of the list, or says why not. The result does not name the passkey: of two new ones nobody
// knows which belongs to this browser.
func (s *site) record(a *attempt, listed map[string]bool) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.mayEnrol(a.owner, a.email) {
		return errStranger.text
	}
	holder := s.accounts[a.email]
	if holder == nil {
		holder = &account{passkeys: map[string]bool{}}
	}
	fresh := []string{}
	for id := range listed {
		if !a.before[id] && !holder.passkeys[id] {
			fresh = append(fresh, id)
		}
	}
	switch len(fresh) {
	case 0:
		return "The sign-in service lists no new passkey."
	case 1:
		holder.passkeys[fresh[0]] = true
		s.accounts[a.email] = holder
		return ""
	}
	return "Several phones answered at the same time. Please try again."
}

// deleteStrays deletes the listed credentials that are new and that the site has not recorded.
func (s *site) deleteStrays(ctx context.Context, a *attempt, listed map[string]bool) error {
	strays := []string{}
	s.mu.Lock()
	holder := s.accounts[a.email]
	for id := range listed {
		if !a.before[id] && (holder == nil || !holder.passkeys[id]) {
			strays = append(strays, id)
		}
	}
	s.mu.Unlock()
	if len(strays) == 0 {
		return nil
	}
	return s.service.deleteCredentials(ctx, a.userID, strays)
}

func (s *site) forgetOldThings() {
	for range time.Tick(time.Minute) {
		s.mu.Lock()
		for id, a := range s.attempts {
			if a.outcome.state != waiting && time.Since(a.over) > attemptLife {
				delete(s.attempts, id)
			}
		}
		for token, browser := range s.sessions {
			if time.Since(browser.born) > sessionLife {
				browser.ended = true
				delete(s.sessions, token)
			}
		}
		for id, used := range s.messages {
			if time.Since(used) > 2*longestRun {
				delete(s.messages, id)
			}
		}
		s.mu.Unlock()
	}
}
