package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"
)

const (
	maxHeaderBytes = 16 << 10
	maxTargetBytes = 8 << 10
	maxBodyBytes   = 64 << 10 // "Bodies are at most 64 KiB"
	maxVaultBody   = 80 << 10 // a sealed credential of 72 KiB and the JSON around it
	drainBytes     = 4 << 20  // how much of a refused body is still taken, so that the answer arrives
	bodyTimeout    = 30 * time.Second
)

// envelope is the form of every response of every interface.
type envelope struct {
	Code  int    `json:"code"`
	Data  any    `json:"data"`
	Error string `json:"error"`
}

func encode(e envelope) []byte {
	if e.Data == nil {
		e.Data = struct{}{}
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return encode(envelope{Code: 50001, Error: sentences[50001]})
	}
	return out.Bytes()
}

func send(w http.ResponseWriter, status int, e envelope) {
	body := encode(e)
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(body)
}

func sendProblem(w http.ResponseWriter, p *problem) {
	send(w, p.status(), envelope{Code: p.code, Data: p.data, Error: p.text()})
}

type connKey struct{}

func rememberConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// readBody reads the whole body, within a time and up to a size.
func readBody(w http.ResponseWriter, r *http.Request, limit int) ([]byte, *problem) {
	if conn, ok := r.Context().Value(connKey{}).(net.Conn); ok {
		conn.SetReadDeadline(time.Now().Add(bodyTimeout))
		defer conn.SetReadDeadline(time.Time{})
	}
	if r.ContentLength > drainBytes {
		w.Header().Set("Connection", "close")
		return nil, refuse(41301, "It has %d bytes; at most %d are taken.", r.ContentLength, limit)
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, int64(limit)+1))
	if err == nil && len(body) > limit {
		io.CopyN(io.Discard, r.Body, drainBytes)
		return nil, refuse(41301, "At most %d bytes are taken.", limit)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		w.Header().Set("Connection", "close")
		return nil, refuse(40801, "")
	}
	if err != nil {
		w.Header().Set("Connection", "close")
		return nil, refuse(40005, "The body could not be read.")
	}
	return body, nil
}

// envelopeListener and envelopeConn turn the plain-text answers that net/http itself writes to requests
// which never reach a handler into the envelope: "every response of every interface".
type envelopeListener struct{ net.Listener }

func (l envelopeListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return envelopeConn{c}, nil
}

type envelopeConn struct{ net.Conn }

var plainAnswer = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")

func (c envelopeConn) Write(p []byte) (int, error) {
	first := bytes.Index(p, []byte("\r\n"))
	if !bytes.HasPrefix(p, []byte("HTTP/1.1 ")) || first < 12 || !bytes.HasPrefix(p[first:], plainAnswer) {
		return c.Conn.Write(p)
	}
	code := 40005
	switch string(p[9:12]) {
	case "431":
		code = 43101
	case "501":
		code = 50101
	}
	body := encode(envelope{Code: code, Error: sentences[code]})
	_, err := fmt.Fprintf(c.Conn, "HTTP/1.1 %d %s\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: %d\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n%s",
		code/100, http.StatusText(code/100), len(body), body)
	return len(p), err
}
