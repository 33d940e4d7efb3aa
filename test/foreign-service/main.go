// Command foreign-service is a small scan-and-push FIDO service: a relying party's server asks it for
// registrations and sign-ins, a phone app answers them. Everything is kept in memory.
package main

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// config is what the command line decides.
type config struct {
	port             int
	basePath         string
	accessKeys       list
	origins          list
	clockSkew        int // seconds, around real time
	messageTTL       int // seconds until a message times out
	unreadKept       int // seconds past the expiry until a message is gone
	userVerification string
}

// list is an option that may be given several times.
type list []string

func (l *list) String() string     { return strings.Join(*l, " ") }
func (l *list) Set(v string) error { *l = append(*l, v); return nil }

func defaults() config {
	return config{basePath: "/fido", clockSkew: 300, messageTTL: 180, unreadKept: 600, userVerification: "preferred"}
}

func parseFlags(args []string) (config, error) {
	c := defaults()
	f := flag.NewFlagSet("foreign-service", flag.ContinueOnError)
	f.IntVar(&c.port, "port", 0, "port on 127.0.0.1; 0 takes a free one")
	f.StringVar(&c.basePath, "base-path", c.basePath, "path before the relying party's calls; the phone's stand in its sibling `app`")
	f.Var(&c.accessKeys, "access-key", "`ID:SECRET`; each key belongs to a relying party of its own")
	f.Var(&c.origins, "origin", "`URL` of the relying parties' pages; the host of the first is the RP ID")
	f.IntVar(&c.clockSkew, "clock-skew", c.clockSkew, "how far X-Svc-Date may be away, in seconds")
	f.IntVar(&c.messageTTL, "message-ttl", c.messageTTL, "how long a message can be answered, in seconds")
	f.IntVar(&c.unreadKept, "unread-kept", c.unreadKept, "how long past its expiry a message is kept, in seconds")
	f.StringVar(&c.userVerification, "user-verification", c.userVerification, "preferred, required or discouraged")
	if err := f.Parse(args); err != nil {
		return c, err
	}
	if f.NArg() > 0 {
		return c, fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if len(c.accessKeys) == 0 {
		return c, errors.New("at least one --access-key is needed")
	}
	if !strings.HasPrefix(c.basePath, "/") || strings.HasSuffix(c.basePath, "/") {
		return c, errors.New("--base-path begins with a slash and does not end with one")
	}
	return c, nil
}

// originOf brings a configured URL into the form that client data carries.
func originOf(text string) (string, string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return "", "", fmt.Errorf("--origin %q is not an origin", text)
	}
	host := strings.ToLower(u.Host)
	host = strings.TrimSuffix(host, map[string]string{"http": ":80", "https": ":443"}[u.Scheme])
	return u.Scheme + "://" + host, strings.ToLower(u.Hostname()), nil
}

// serve answers on the listener until it is closed.
func serve(listener net.Listener, s *server) *http.Server {
	srv := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: bodyTimeout,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    maxHeaderBytes,
		ConnContext:       rememberConn,
	}
	go srv.Serve(envelopeListener{listener})
	return srv
}

func main() {
	cfg, err := parseFlags(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err == nil {
		err = run(cfg)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "foreign-service:", err)
		os.Exit(2)
	}
}

func run(cfg config) error {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", cfg.port))
	if err != nil {
		return err
	}
	cfg.port = listener.Addr().(*net.TCPAddr).Port
	s, err := newServer(cfg, time.Now)
	if err != nil {
		return err
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, os.Interrupt)
	srv := serve(listener, s)
	fmt.Printf("listening on %s\n", s.baseURL)
	<-stop
	return srv.Close()
}
