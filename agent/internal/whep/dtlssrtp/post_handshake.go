package dtlssrtp

import (
	"time"

	"github.com/pion/dtls/v3/pkg/protocol/alert"

	"fullhouse/agent/internal/protocol"
)

const (
	// FlightLifetime is how long the last flight is kept; a peer that has not got it by then has given up its
	// handshake.
	FlightLifetime = 30 * time.Second
	// repeatInterval bounds what a peer can make us send.
	repeatInterval = 100 * time.Millisecond
	maxRepeats     = 32
	// mtu is the library's: a flight is cut where the library cut it.
	mtu = 1200
)

// flight are the records of one flight of ours.
type flight struct {
	records      []byte
	firstMessage byte // its first message, which distinguishes a repetition and the next flight from its continuation
}

// note records a sent datagram. A flight starts with a message that only starts flights: a Hello, or the client's
// certificate or keys after its ClientHello, or the server's ChangeCipherSpec after its ServerHello. So a retransmitted
// flight replaces itself.
func (f *flight) note(datagram []byte) {
	first := true
	whole := records(datagram, func(r record) {
		if !first {
			return
		}
		first = false
		firstMessage := r.message()
		if r.kind == recordChangeCipherSpec {
			firstMessage = recordChangeCipherSpec
		}
		switch {
		case firstMessage == clientHello, firstMessage == serverHello, firstMessage == helloVerify,
			firstMessage != 0 && firstMessage == f.firstMessage,
			f.firstMessage == clientHello && (firstMessage == certificateMessage || firstMessage == clientKeyExchange),
			f.firstMessage == serverHello && firstMessage == recordChangeCipherSpec:
			f.records, f.firstMessage = f.records[:0], firstMessage
		}
	})
	if whole {
		f.records = append(f.records, datagram...)
	}
}

// datagrams cuts the flight between records.
func (f *flight) datagrams() [][]byte {
	var list [][]byte
	start, end := 0, 0
	records(f.records, func(r record) {
		if end > start && end-start+len(r.whole) > mtu {
			list = append(list, f.records[start:end])
			start = end
		}
		end += len(r.whole)
	})
	if end > start {
		list = append(list, f.records[start:end])
	}
	return list
}

// PostHandshake handles DTLS records after the keys are derived and the connection is dropped. Its owner locks it.
type PostHandshake struct {
	role       Role
	last       flight
	until      int64
	repeatedAt int64
	// Repeats counts retransmissions of the last flight, when the peer had lost it.
	Repeats uint64
	// Refused counts renegotiation requests: they are ignored, as RFC 5246 allows.
	Refused uint64
}

// Start sets the time from which the last flight lingers.
func (a *PostHandshake) Start(at int64) { a.until = at + int64(FlightLifetime) }

// DropFlight frees the last flight.
func (a *PostHandshake) DropFlight() { a.last = flight{} }

// End is how a peer ended the session.
type End struct {
	// Cause is `alert`, or `alert-` and the alert's name if known.
	Cause protocol.Cause
	// Name is empty for an encrypted alert.
	Name string
}

// Reason is the alert's name, if known, for a sentence.
func (e End) Reason() string {
	if e.Name == "" {
		return "encrypted, so its reason is unknown"
	}
	return e.Name
}

// Record handles a datagram after the handshake, and reports whether the peer ended the session. If the peer repeats
// its handshake, send retransmits our last flight.
func (a *PostHandshake) Record(data []byte, at int64, send func([]byte) error) (end End, ended bool) {
	repeated, renewed, finished := false, false, false
	records(data, func(r record) {
		if ended {
			return
		}
		switch {
		case r.kind == RecordAlert && r.epoch > 0:
			end, ended = End{Cause: protocol.CauseAlert}, true
		case r.kind == RecordAlert:
			var description alert.Description
			if description, ended = r.alert(); ended {
				end = End{Cause: protocol.AlertCause(int(description)), Name: description.String()}
			}
		case r.kind == recordChangeCipherSpec:
			finished = true
		case r.kind == recordHandshake && r.epoch > 0:
			// After a ChangeCipherSpec it is a repeated Finished; otherwise a renegotiation request.
			renewed = renewed || !finished
		case r.kind == recordHandshake:
			repeated = repeated || a.role.repeats(r.message())
			renewed = renewed || r.message() == clientHello || len(r.body) > 0 && r.body[0] == 0
		}
	})
	switch {
	case ended:
	case repeated:
		a.repeat(at, send)
	case renewed:
		a.Refused++
	}
	return end, ended
}

// repeats reports whether a message belongs to the flight that our last one responds to.
func (r Role) repeats(message byte) bool {
	if r == Server {
		return message == certificateMessage || message == clientKeyExchange || message == certificateVerify
	}
	return message == serverHello || message == certificateMessage || message == serverKeyExchange || message == certificateRequest || message == serverHelloDone
}

func (a *PostHandshake) repeat(at int64, send func([]byte) error) {
	if len(a.last.records) == 0 || at > a.until || at-a.repeatedAt < int64(repeatInterval) || a.Repeats >= maxRepeats {
		return
	}
	a.repeatedAt = at
	a.Repeats++
	for _, datagram := range a.last.datagrams() {
		_ = send(datagram) // like a lost datagram: the peer repeats
	}
}
