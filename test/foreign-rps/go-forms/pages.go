package main

import (
	"bytes"
	"embed"
	"errors"
	"html/template"
	"log"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

//go:embed views
var views embed.FS

var page = template.Must(template.ParseFS(views, "views/page.html"))

// view is what the page shows. Texts of the service are strings here, so that the template escapes them.
type view struct {
	Title   string
	Who     string
	Status  string
	Alert   string
	SvcUser string
	Problem string
	Code    template.HTML
	Forms   bool
}

const cookieName = "__Host-session"

func (s *site) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/", s.home)
	mux.HandleFunc("/register", post(s.postRegister))
	mux.HandleFunc("/sign-in", post(s.postSignIn))
	mux.HandleFunc("/sign-out", post(s.postSignOut))
	mux.HandleFunc("/attempts/", s.showAttempt)
	mux.HandleFunc("/style.css", func(w http.ResponseWriter, r *http.Request) {
		css, _ := views.ReadFile("views/style.css")
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		w.Write(css)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "same-origin")
		header.Set("Cache-Control", "no-store")
		mux.ServeHTTP(w, r)
	})
}

// post lets forms of this site in, and no others.
func post(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			http.Error(w, "This address takes forms only.", http.StatusMethodNotAllowed)
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" && origin != "https://"+r.Host {
			http.Error(w, "This form is not one of this site.", http.StatusForbidden)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, 8<<10)
		if err := r.ParseForm(); err != nil {
			http.Error(w, "The form cannot be read.", http.StatusBadRequest)
			return
		}
		next(w, r)
	}
}

// browser finds the session of the request. Without one it makes a session that the cookie of setCookie starts.
func (s *site) browser(r *http.Request) *session {
	if cookie, err := r.Cookie(cookieName); err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		if found := s.sessions[cookie.Value]; found != nil {
			return found
		}
	}
	return &session{born: time.Now()}
}

// renew gives the session a new token and sets the cookie. The caller holds s.mu.
func (s *site) renew(w http.ResponseWriter, browser *session) {
	delete(s.sessions, browser.token)
	browser.token = randomName()
	s.sessions[browser.token] = browser
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: browser.token, Path: "/", Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode})
}

func (s *site) who(browser *session) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return browser.email
}

func (s *site) home(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/" {
		s.show(w, r, http.StatusNotFound, view{Title: "Not found", Alert: "There is no such page."})
		return
	}
	s.show(w, r, http.StatusOK, view{Title: "Welcome", Forms: true})
}

func (s *site) show(w http.ResponseWriter, r *http.Request, status int, v view) {
	v.Who = s.who(s.browser(r))
	s.write(w, status, v)
}

func (s *site) write(w http.ResponseWriter, status int, v view) {
	var out bytes.Buffer
	if err := page.Execute(&out, v); err != nil {
		log.Printf("The page was not made: %v", err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	w.Write(out.Bytes())
}

func (s *site) postRegister(w http.ResponseWriter, r *http.Request) {
	email, err := normalEmail(r.PostForm.Get("email"))
	if err != nil {
		s.sayNo(w, r, err)
		return
	}
	browser := s.browser(r)
	a, err := s.register(r.Context(), browser, email)
	s.goOn(w, r, browser, a, err)
}

func (s *site) postSignIn(w http.ResponseWriter, r *http.Request) {
	email, err := normalEmail(r.PostForm.Get("email"))
	if err != nil {
		s.sayNo(w, r, err)
		return
	}
	browser := s.browser(r)
	a, err := s.signIn(r.Context(), browser, email, r.PostForm.Get("method") == "push")
	s.goOn(w, r, browser, a, err)
}

// goOn leads the browser to its attempt.
func (s *site) goOn(w http.ResponseWriter, r *http.Request, browser *session, a *attempt, err error) {
	if err != nil {
		s.sayNo(w, r, err)
		return
	}
	s.mu.Lock()
	if browser.token == "" {
		s.renew(w, browser)
	}
	s.mu.Unlock()
	http.Redirect(w, r, "/attempts/"+a.id, http.StatusSeeOther)
}

func (s *site) sayNo(w http.ResponseWriter, r *http.Request, err error) {
	var no sorry
	errors.As(inWords(err), &no)
	s.show(w, r, no.status, view{Title: "That did not work", Alert: no.text, Forms: true})
}

func (s *site) postSignOut(w http.ResponseWriter, r *http.Request) {
	browser := s.browser(r)
	s.mu.Lock()
	browser.email, browser.ended = "", true
	delete(s.sessions, browser.token)
	s.mu.Unlock()
	http.SetCookie(w, &http.Cookie{Name: cookieName, Path: "/", MaxAge: -1, Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode})
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// showAttempt tells the browser that began the attempt how it stands, and signs that browser in when it has succeeded.
func (s *site) showAttempt(w http.ResponseWriter, r *http.Request) {
	browser := s.browser(r)
	s.mu.Lock()
	a := s.attempts[strings.TrimPrefix(r.URL.Path, "/attempts/")]
	if a == nil || a.owner != browser {
		s.mu.Unlock()
		s.show(w, r, http.StatusNotFound, view{Title: "Not found", Alert: "This browser has no such attempt."})
		return
	}
	if a.outcome.state == succeeded && !a.claimed {
		a.claimed = true
		browser.email = a.email
		s.renew(w, browser)
	}
	v, ended := a.view(), a.outcome.state != waiting
	v.Who = browser.email
	s.mu.Unlock()
	if !ended {
		w.Header().Set("Refresh", "1")
	}
	s.write(w, http.StatusOK, v)
}

// view is the attempt in words. The caller holds the site's mu.
func (a *attempt) view() view {
	name := "registration"
	v := view{Title: "Registration"}
	if a.what == signIn {
		name = "sign-in"
		v.Title = "Sign-in"
	}
	v.SvcUser, v.Problem = plain(a.outcome.svcUser), plain(a.outcome.problem)
	switch {
	case a.outcome.state == failed:
		v.Alert = "The " + name + " failed. " + a.outcome.reason
		v.Forms = true
	case a.outcome.state == succeeded:
		v.SvcUser = ""
		v.Status = "The " + name + " succeeded. You are signed in."
		v.Forms = true
	case v.SvcUser != "":
		v.Status = "Please answer on the phone."
	case a.push:
		v.Status = "The request was sent to your phone. Please answer there."
	default:
		v.Status = "Please scan the code with the app on your phone."
		if svg, err := qrSVG(a.begun.url); err == nil {
			v.Code = svg
		}
	}
	return v
}

// plain leaves out what could turn a line of text round or make it endless.
func plain(text string) string {
	shown := []rune{}
	for _, letter := range text {
		if unicode.IsGraphic(letter) && len(shown) < 200 {
			shown = append(shown, letter)
		}
	}
	return string(shown)
}

// normalEmail is the address as the site compares it: without outer spaces, in lower case.
func normalEmail(given string) (string, error) {
	no := sorry{http.StatusUnprocessableEntity, "Please give an e-mail address such as name@example.org."}
	if !utf8.ValidString(given) {
		return "", no
	}
	email := strings.ToLower(strings.TrimSpace(given))
	name, domain, ok := strings.Cut(email, "@")
	if !ok || name == "" || domain == "" || strings.Contains(domain, "@") || utf8.RuneCountInString(email) > 120 {
		return "", no
	}
	for _, letter := range email {
		if unicode.IsSpace(letter) || !unicode.IsGraphic(letter) {
			return "", no
		}
	}
	return email, nil
}
