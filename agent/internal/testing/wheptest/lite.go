package wheptest

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"fullhouse/agent/internal/whep/dtlssrtp"
)

// Faults are deviations of a Lite; the zero value is a correct server.
type Faults struct {
	// HTTP handles a request in its place when it returns true.
	HTTP func(w http.ResponseWriter, r *http.Request) bool
	// Created writes the response in its place; location is of the session.
	Created func(w http.ResponseWriter, location, answer string)
	// Answer changes the SDP answer.
	Answer func(sdp string) string
	// STUN and DTLS handle a datagram in its place when they return true; reply sends one back.
	STUN func(datagram []byte, reply func([]byte)) bool
	DTLS func(datagram []byte, reply func([]byte)) bool
	// Active makes it start DTLS.
	Active bool
	// Media changes the packet number n, encrypted, into those that are sent.
	Media func(n uint32, packet []byte) [][]byte
	// PayloadType is that of the media, 0 for the answer's.
	PayloadType uint8
	// WrongKeys encrypts with random keys.
	WrongKeys bool
	// Mute sends no media, as SRS does for a stream that is not published.
	Mute bool
	// IPv6 is where media is, next to HTTP.
	IPv6 bool
	// Host is where media is instead of the host of HTTP; nil for the same.
	Host net.IP
}

// Lite is a handwritten ICE-lite server with one candidate, like SRS.
type Lite struct {
	*httptest.Server
	faults      Faults
	certificate dtlssrtp.Certificate
	mutex       sync.Mutex
	sessions    map[string]*session
	Posts       atomic.Int64
	Deletes     atomic.Int64
	running     sync.WaitGroup
}

// NewLite starts a Lite at a loopback address.
func NewLite(t testing.TB, faults Faults) *Lite {
	t.Helper()
	certificate, err := dtlssrtp.NewCertificate()
	if err != nil {
		t.Fatal(err)
	}
	o := &Lite{faults: faults, certificate: certificate, sessions: map[string]*session{}}
	o.Server = httptest.NewServer(http.HandlerFunc(o.serve))
	t.Cleanup(func() {
		o.mutex.Lock()
		for _, one := range o.sessions {
			one.close()
		}
		o.mutex.Unlock()
		o.CloseClientConnections()
		o.Server.Close()
		o.running.Wait()
	})
	return o
}

// Present is how many sessions were not ended by DELETE.
func (o *Lite) Present() int {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return len(o.sessions)
}

func (o *Lite) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodDelete {
		o.Deletes.Add(1)
		o.mutex.Lock()
		defer o.mutex.Unlock()
		if one := o.sessions[r.URL.Query().Get("session")]; one != nil {
			one.close()
			delete(o.sessions, one.name)
		}
		return
	}
	if o.faults.HTTP != nil && o.faults.HTTP(w, r) {
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client gave up
	}
	one, err := o.startSession(fmt.Sprintf("s%d", o.Posts.Add(1)), string(body))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	location, answer := "/rtc/v1/whip/?action=delete&token=5086532l0&session="+one.name, one.answer()
	if o.faults.Answer != nil {
		answer = o.faults.Answer(answer)
	}
	if o.faults.Created != nil {
		o.faults.Created(w, location, answer)
		return
	}
	w.Header().Set("Location", location)
	w.Header().Set("Content-Type", "application/sdp")
	w.WriteHeader(http.StatusCreated)
	_, _ = io.WriteString(w, answer)
}
