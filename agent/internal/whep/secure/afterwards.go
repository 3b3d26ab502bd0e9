package secure

import (
	"time"

	"github.com/pion/dtls/v3/pkg/protocol/alert"
)

const (
	// Lingering is how long the last flight is kept; a peer that has not got it by then has long given up its handshake.
	Lingering = 30 * time.Second
	// repeatInterval bounds what a peer can make us send.
	repeatInterval = 100 * time.Millisecond
	mostRepeats    = 32
	// mtu is the library's: a flight is cut where it cut it.
	mtu = 1200
)

// flight are the records of one flight of ours, one behind the other.
type flight struct {
	records []byte
	begin   byte // how it began, which tells a repetition and the next flight from its going on
}

// note takes a datagram that is sent. A flight begins with what only begins flights: a Hello, or the client's certificate or keys
// after its ClientHello, or the server's ChangeCipherSpec after its ServerHello. So a flight sent again replaces itself.
func (f *flight) note(datagram []byte) {
	first := true
	whole := records(datagram, func(r record) {
		if !first {
			return
		}
		first = false
		begin := r.message()
		if r.kind == recordChangeCipherSpec {
			begin = recordChangeCipherSpec
		}
		switch {
		case begin == clientHello, begin == serverHello, begin == helloVerify,
			begin != 0 && begin == f.begin,
			f.begin == clientHello && (begin == certificateShown || begin == clientKeyExchange),
			f.begin == serverHello && begin == recordChangeCipherSpec:
			f.records, f.begin = f.records[:0], begin
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

// Afterwards answers what DTLS may still bring once the keys are made and the connection is dropped. Its owner locks it.
type Afterwards struct {
	role       Role
	last       flight
	until      int64
	repeatedAt int64
	// Repeats counts how often the last flight was sent again, because the peer had lost it.
	Repeats uint64
	// Refused counts wishes to negotiate anew: they are passed over, as RFC 5246 allows.
	Refused uint64
}

// Begin keeps the time from which the last flight lingers.
func (a *Afterwards) Begin(at int64) { a.until = at + int64(Lingering) }

// Forget frees the last flight.
func (a *Afterwards) Forget() { a.last = flight{} }

// End is how a peer ended the session.
type End struct {
	// Cause is `alert`, or `alert-` and the alert's name where it could be read.
	Cause string
	// Name is empty for an encrypted alert.
	Name string
}

// Reason is the alert's name, as far as it is known, for a sentence.
func (e End) Reason() string {
	if e.Name == "" {
		return "encrypted, so its reason is not known"
	}
	return e.Name
}

// Record takes a datagram that came after the handshake, and tells whether the peer ended the session. A handshake that the peer
// repeats is answered with our last flight, by send.
func (a *Afterwards) Record(data []byte, at int64, send func([]byte) error) (end End, ended bool) {
	repeated, renewed, finished := false, false, false
	records(data, func(r record) {
		if ended {
			return
		}
		switch {
		case r.kind == RecordAlert && r.epoch > 0:
			end, ended = End{Cause: "alert"}, true
		case r.kind == RecordAlert:
			var description alert.Description
			if description, ended = r.alert(); ended {
				end = End{Cause: "alert-" + kebab(description.String()), Name: description.String()}
			}
		case r.kind == recordChangeCipherSpec:
			finished = true
		case r.kind == recordHandshake && r.epoch > 0:
			// Behind a ChangeCipherSpec it is a Finished, sent again; else a wish for another handshake.
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

// repeats tells whether a message belongs to the flight that our last one answers.
func (r Role) repeats(message byte) bool {
	if r == Server {
		return message == certificateShown || message == clientKeyExchange || message == certificateVerify
	}
	return message == serverHello || message == certificateShown || message == serverKeyExchange || message == certificateAsked || message == serverHelloDone
}

func (a *Afterwards) repeat(at int64, send func([]byte) error) {
	if len(a.last.records) == 0 || at > a.until || at-a.repeatedAt < int64(repeatInterval) || a.Repeats >= mostRepeats {
		return
	}
	a.repeatedAt = at
	a.Repeats++
	for _, datagram := range a.last.datagrams() {
		_ = send(datagram) // like one lost on the way: the peer repeats itself
	}
}
