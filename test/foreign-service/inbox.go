package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// keepAlive: a comment every 15 s keeps a stream alive.
const keepAlive = 15 * time.Second

// pushed is a message in a device's inbox.
type pushed struct {
	number  int
	message *message
}

// push reaches the device that holds a device-bound credential, and all devices of the account for a cloud
// credential; s.mu is held.
func (s *server) push(m *message, credentials []*credential) {
	reached := map[*device]bool{}
	for _, c := range credentials {
		if c.cloud {
			for _, d := range c.device.account.all {
				reached[d] = true
			}
		} else if !c.device.dead {
			reached[c.device] = true
		}
	}
	s.pushes++
	for d := range reached {
		d.inbox = append(d.inbox, &pushed{s.pushes, m})
		d.news()
	}
}

// missed are the pushes behind a number that the device can still answer; s.mu is held.
func (d *device) missed(last int, now time.Time) []*pushed {
	var waiting, fresh []*pushed
	for _, p := range d.inbox {
		m := p.message
		if m.expired(now) || m.final() || m.device != nil && m.device != d {
			continue
		}
		waiting = append(waiting, p)
		if p.number > last {
			fresh = append(fresh, p)
		}
	}
	d.inbox = waiting
	return fresh
}

// stream is GET /inbox: server-sent events. What was missed comes first, Last-Event-ID resumes.
func (s *server) stream(w http.ResponseWriter, r *http.Request, d *device) {
	flusher, ok := w.(http.Flusher)
	if !ok {
		sendProblem(w, refuse(50001, ""))
		return
	}
	last, err := strconv.Atoi(r.Header.Get("Last-Event-ID"))
	if err != nil {
		last = 0
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusOK)
	fmt.Fprint(w, ": open\n\n")
	tick := time.NewTicker(keepAlive)
	defer tick.Stop()
	for {
		s.mu.Lock()
		fresh, changed, dead := d.missed(last, s.now()), d.changed, d.dead
		s.mu.Unlock()
		if dead {
			return
		}
		for _, p := range fresh {
			m := p.message
			event, _ := json.Marshal(map[string]any{"msg_id": m.id, "url": s.url(m), "rp": m.rp.public(), "expires_at": m.expires.Unix()})
			fmt.Fprintf(w, "id: %d\nevent: message\ndata: %s\n\n", p.number, event)
			last = p.number
		}
		flusher.Flush()
		select {
		case <-r.Context().Done():
			return
		case <-changed:
		case <-tick.C:
			fmt.Fprint(w, ": still here\n\n")
		}
	}
}
