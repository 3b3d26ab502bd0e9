package dtlssrtp

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pion/dtls/v3"
	"github.com/pion/dtls/v3/pkg/protocol/alert"

	"fullhouse/agent/internal/protocol"
)

// inVirtualTime is a test in which waits take no time: there is no network, only lines in memory.
func inVirtualTime(test func(*testing.T)) func(*testing.T) {
	return func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, test)
	}
}

var roles = map[Role]string{Client: "as client", Server: "as server"}

// TestOneDatagramLostAnywhere drops the first, the second … datagram of either direction, up to the last.
func TestOneDatagramLostAnywhere(t *testing.T) {
	for role, name := range roles {
		for _, size := range []int{1200, 250} { // the peer's flights in few datagrams, and in many
			for _, direction := range []string{"up", "down"} {
				t.Run(fmt.Sprintf("%s, MTU %d, %s", name, size, direction), func(t *testing.T) {
					t.Parallel()
					count := 0
					synctest.Test(t, func(t *testing.T) {
						clean := newHandshakePair(t, role, dtls.WithMTU(size))
						session, f := clean.handshake(role, clean.expected(), waitTimeout)
						if f != nil {
							t.Fatal(f)
						}
						clean.compareKeys(role, session)
						count = clean.up.sent()
						if direction == "down" {
							count = clean.down.sent()
						}
					})
					if count < 2 || size < 300 && direction == "down" && count < 4 {
						t.Fatalf("only %d datagrams in a handshake", count)
					}
					for lost := 1; lost <= count; lost++ {
						t.Run(fmt.Sprintf("datagram %d of %d", lost, count), inVirtualTime(func(t *testing.T) {
							e := newHandshakePair(t, role, dtls.WithMTU(size))
							lossyLine := &e.up
							if direction == "down" {
								lossyLine = &e.down
							}
							lossyLine.lose = func(n int, _ []byte) bool { return n == lost }
							session, f := e.handshake(role, e.expected(), waitTimeout)
							if f != nil {
								t.Fatal(f)
							}
							e.compareKeys(role, session)
						}))
					}
				})
			}
		}
	}
}

func TestHalfOfTheDatagramsLost(t *testing.T) {
	for role, name := range roles {
		t.Run(name, inVirtualTime(func(t *testing.T) {
			e := newHandshakePair(t, role)
			e.up.lose = func(n int, _ []byte) bool { return n%2 == 1 }
			e.down.lose = func(n int, _ []byte) bool { return n%4 < 2 }
			session, f := e.handshake(role, e.expected(), waitTimeout)
			if f != nil {
				t.Fatal(f)
			}
			e.compareKeys(role, session)
		}))
	}
}

// TestOurLastFlightIsRetransmitted drops the flight that ends the handshake for us: only PostHandshake can repair that.
func TestOurLastFlightIsRetransmitted(t *testing.T) { synctest.Test(t, testOurLastFlight) }

func testOurLastFlight(t *testing.T) {
	e := newHandshakePair(t, Server)
	lost := 0
	e.up.lose = func(_ int, data []byte) bool {
		if data[0] == recordChangeCipherSpec && lost < 3 {
			lost++
			return true
		}
		return false
	}
	session, f := e.handshake(Server, e.expected(), waitTimeout)
	if f != nil {
		t.Fatal(f)
	}
	e.compareKeys(Server, session)
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.postHandshake.Repeats == 0 {
		t.Error("the last flight was not repeated")
	}
}

func TestTheCapturedAlertIsACloseNotify(t *testing.T) {
	for role, name := range roles {
		t.Run(name, inVirtualTime(func(t *testing.T) {
			e := newHandshakePair(t, role)
			session, f := e.handshake(role, e.expected(), waitTimeout)
			if f != nil {
				t.Fatal(f)
			}
			e.compareKeys(role, session)
			if err := e.up.send(session.CloseNotify); err != nil {
				t.Fatal(err)
			}
			if err := e.connection.SetReadDeadline(time.Now().Add(waitTimeout)); err != nil {
				t.Fatal(err)
			}
			if _, err := e.connection.Read(make([]byte, 10)); !errors.Is(err, io.EOF) {
				t.Errorf("the server reads %v, not the end", err)
			}
			// The library responds with its own, which must be recognized as the end.
			for deadline := time.Now().Add(waitTimeout); ; time.Sleep(time.Millisecond) {
				e.mutex.Lock()
				ends := e.ends
				e.mutex.Unlock()
				if len(ends) > 0 {
					if ends[0] != (End{Cause: protocol.CauseAlert}) {
						t.Errorf("%+v", ends)
					}
					return
				}
				if time.Now().After(deadline) {
					t.Fatal("the server's end was not noticed")
				}
			}
		}))
	}
}

func plain(kind byte, body ...byte) []byte {
	return append([]byte{kind, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 1, 0, byte(len(body))}, body...)
}

func encrypted(kind byte, body ...byte) []byte {
	b := plain(kind, body...)
	b[4] = 1
	return b
}

// hello is the head of a handshake message.
func hello(message byte) []byte {
	return plain(recordHandshake, message, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}

func TestHandshakesThatFail(t *testing.T) {
	for _, test := range []struct {
		name, hash, expected, cause, detail string
		arrives                             [][]byte
		timeout                             time.Duration
	}{
		{name: "silence", cause: "timeout", detail: "0 datagrams", timeout: 200 * time.Millisecond},
		{name: "garbage", cause: "timeout", detail: "3 that are not DTLS", timeout: 200 * time.Millisecond,
			arrives: [][]byte{{22}, []byte("\x16\xfe\xfd garbage of some length"), plain(23, 1, 2, 3)}},
		{name: "a fatal alert", cause: "alert-handshake-failure", detail: "HandshakeFailure", arrives: [][]byte{plain(RecordAlert, byte(alert.Fatal), byte(alert.HandshakeFailure))}},
		{name: "a fatal alert behind other records", cause: "alert-internal-error", detail: "InternalError",
			arrives: [][]byte{append(plain(recordChangeCipherSpec, 1), plain(RecordAlert, byte(alert.Fatal), byte(alert.InternalError))...)}},
		{name: "closed", cause: "alert-close-notify", detail: "CloseNotify", arrives: [][]byte{plain(RecordAlert, byte(alert.Warning), byte(alert.CloseNotify))}},
		{name: "a warning", cause: "timeout", detail: "1 datagrams", timeout: 200 * time.Millisecond, arrives: [][]byte{plain(RecordAlert, byte(alert.Warning), byte(alert.NoRenegotiation))}},
		{name: "an unknown hash", hash: "md4", cause: "fingerprint", detail: "md4"},
	} {
		t.Run(test.name, inVirtualTime(func(t *testing.T) {
			e := newHandshakePair(t, Client)
			e.up.to = nil // the only peer is the one of the table
			for _, datagram := range test.arrives {
				e.viewer.Deliver(datagram)
			}
			timeout := test.timeout
			if timeout == 0 {
				timeout = waitTimeout
			}
			hash := test.hash
			if hash == "" {
				hash = "sha-256"
			}
			ctx, cancel := contextFor(timeout)
			defer cancel()
			_, f := Handshake(ctx, e.viewer, Client, e.certificate, hash, e.expected())
			if f == nil || f.Cause.String() != test.cause || !strings.Contains(f.Detail, test.detail) {
				t.Errorf("%v, want %s and %q", f, test.cause, test.detail)
			}
		}))
	}
}

func TestAWrongCertificate(t *testing.T) {
	for role, name := range roles {
		t.Run(name, inVirtualTime(func(t *testing.T) {
			e := newHandshakePair(t, role)
			if _, f := e.handshake(role, "AA:BB", waitTimeout); f == nil || f.Cause.String() != "fingerprint" || !strings.Contains(f.Detail, "its answer has AA:BB") {
				t.Errorf("%v", f)
			}
		}))
	}
}

// TestADatagramDamagedAnywhere flips single bits. The handshake continues with retransmissions, or fails with a
// sentence; it never hangs or derives different keys.
func TestADatagramDamagedAnywhere(t *testing.T) {
	for role, name := range roles {
		for n := 1; n <= 3; n++ {
			for offset := 0; offset < 500; offset += 97 {
				t.Run(fmt.Sprintf("%s, datagram %d, byte %d", name, n, offset), inVirtualTime(func(t *testing.T) {
					e := newHandshakePair(t, role)
					arrive, count := e.down.to, 0
					e.down.to = func(data []byte) {
						if count++; count == n {
							data[offset%len(data)] ^= 0x40
						}
						arrive(data)
					}
					session, f := e.handshake(role, e.expected(), 1500*time.Millisecond)
					switch {
					case f == nil:
						e.compareKeys(role, session)
					case f.Stage != "dtls" || f.Cause.String() == "" || f.Detail == "":
						t.Errorf("%v", f)
					}
				}))
			}
		}
	}
}
