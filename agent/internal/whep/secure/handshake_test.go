package secure

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/pion/dtls/v3"
	"github.com/pion/dtls/v3/pkg/protocol/alert"
)

var roles = map[Role]string{Client: "as client", Server: "as server"}

// TestOneDatagramLostAnywhere loses the first, the second … datagram of either direction, until there is none to lose any more.
func TestOneDatagramLostAnywhere(t *testing.T) {
	for role, name := range roles {
		for _, size := range []int{1200, 250} { // the peer's flights in few datagrams, and in many
			for _, direction := range []string{"up", "down"} {
				t.Run(fmt.Sprintf("%s, MTU %d, %s", name, size, direction), func(t *testing.T) {
					t.Parallel()
					clean := meet(t, role, dtls.WithMTU(size))
					session, f := clean.handshake(role, clean.promised(), patience)
					if f != nil {
						t.Fatal(f)
					}
					clean.agree(role, session)
					count := clean.up.sent()
					if direction == "down" {
						count = clean.down.sent()
					}
					if count < 2 || size < 300 && direction == "down" && count < 4 {
						t.Fatalf("only %d datagrams in a handshake", count)
					}
					for lost := 1; lost <= count; lost++ {
						t.Run(fmt.Sprintf("datagram %d of %d", lost, count), func(t *testing.T) {
							t.Parallel()
							e := meet(t, role, dtls.WithMTU(size))
							way := &e.up
							if direction == "down" {
								way = &e.down
							}
							way.lose = func(n int, _ []byte) bool { return n == lost }
							session, f := e.handshake(role, e.promised(), patience)
							if f != nil {
								t.Fatal(f)
							}
							e.agree(role, session)
						})
					}
				})
			}
		}
	}
}

func TestHalfOfTheDatagramsLost(t *testing.T) {
	for role, name := range roles {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := meet(t, role)
			e.up.lose = func(n int, _ []byte) bool { return n%2 == 1 }
			e.down.lose = func(n int, _ []byte) bool { return n%4 < 2 }
			session, f := e.handshake(role, e.promised(), patience)
			if f != nil {
				t.Fatal(f)
			}
			e.agree(role, session)
		})
	}
}

// TestOurLastFlightIsSentAgain loses the flight that ends the handshake for us: only Afterwards can mend that.
func TestOurLastFlightIsSentAgain(t *testing.T) {
	e := meet(t, Server)
	lost := 0
	e.up.lose = func(_ int, data []byte) bool {
		if data[0] == recordChangeCipherSpec && lost < 3 {
			lost++
			return true
		}
		return false
	}
	session, f := e.handshake(Server, e.promised(), patience)
	if f != nil {
		t.Fatal(f)
	}
	e.agree(Server, session)
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.afterwards.Repeats == 0 {
		t.Error("the last flight was not repeated")
	}
}

func TestTheFarewellIsAGoodbye(t *testing.T) {
	for role, name := range roles {
		t.Run(name, func(t *testing.T) {
			e := meet(t, role)
			session, f := e.handshake(role, e.promised(), patience)
			if f != nil {
				t.Fatal(f)
			}
			e.agree(role, session)
			if err := e.up.send(session.Farewell); err != nil {
				t.Fatal(err)
			}
			if err := e.connection.SetReadDeadline(time.Now().Add(patience)); err != nil {
				t.Fatal(err)
			}
			if _, err := e.connection.Read(make([]byte, 10)); !errors.Is(err, io.EOF) {
				t.Errorf("the server reads %v, not the end", err)
			}
			// The library answers with its own, which must be known for the end.
			for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
				e.mutex.Lock()
				ends := e.ends
				e.mutex.Unlock()
				if len(ends) > 0 {
					if ends[0] != (End{Cause: "alert"}) {
						t.Errorf("%+v", ends)
					}
					return
				}
				if time.Now().After(deadline) {
					t.Fatal("the server's end was not noticed")
				}
			}
		})
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
		name, hash, promised, cause, detail string
		arrives                             [][]byte
		timeout                             time.Duration
	}{
		{name: "silence", cause: "timeout", detail: "0 datagrams", timeout: 200 * time.Millisecond},
		{name: "garbage", cause: "timeout", detail: "3 that are no DTLS", timeout: 200 * time.Millisecond,
			arrives: [][]byte{{22}, []byte("\x16\xfe\xfd garbage of some length"), plain(23, 1, 2, 3)}},
		{name: "a fatal alert", cause: "alert-handshake-failure", detail: "HandshakeFailure", arrives: [][]byte{plain(RecordAlert, byte(alert.Fatal), byte(alert.HandshakeFailure))}},
		{name: "a fatal alert behind other records", cause: "alert-internal-error", detail: "InternalError",
			arrives: [][]byte{append(plain(recordChangeCipherSpec, 1), plain(RecordAlert, byte(alert.Fatal), byte(alert.InternalError))...)}},
		{name: "closed", cause: "alert-close-notify", detail: "CloseNotify", arrives: [][]byte{plain(RecordAlert, byte(alert.Warning), byte(alert.CloseNotify))}},
		{name: "a warning", cause: "timeout", detail: "1 datagrams", timeout: 200 * time.Millisecond, arrives: [][]byte{plain(RecordAlert, byte(alert.Warning), byte(alert.NoRenegotiation))}},
		{name: "a hash that nobody knows", hash: "md4", cause: "fingerprint", detail: "md4"},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := meet(t, Client)
			e.up.to = nil // nobody is there but who sends what the table says
			for _, datagram := range test.arrives {
				e.viewer.Deliver(datagram)
			}
			timeout := test.timeout
			if timeout == 0 {
				timeout = patience
			}
			hash := test.hash
			if hash == "" {
				hash = "sha-256"
			}
			ctx, cancel := contextFor(timeout)
			defer cancel()
			_, f := Handshake(ctx, e.viewer, Client, e.certificate, hash, e.promised())
			if f == nil || f.Cause != test.cause || !strings.Contains(f.Detail, test.detail) {
				t.Errorf("%v, want %s and %q", f, test.cause, test.detail)
			}
		})
	}
}

func TestAnotherCertificateThanPromised(t *testing.T) {
	for role, name := range roles {
		t.Run(name, func(t *testing.T) {
			e := meet(t, role)
			if _, f := e.handshake(role, "AA:BB", patience); f == nil || f.Cause != "fingerprint" || !strings.Contains(f.Detail, "promised AA:BB") {
				t.Errorf("%v", f)
			}
		})
	}
}

// TestADatagramDamagedAnywhere flips a bit here and there. The handshake goes on with what is sent again, or fails with a sentence;
// it never hangs or makes other keys.
func TestADatagramDamagedAnywhere(t *testing.T) {
	for role, name := range roles {
		for n := 1; n <= 3; n++ {
			for offset := 0; offset < 500; offset += 97 {
				t.Run(fmt.Sprintf("%s, datagram %d, byte %d", name, n, offset), func(t *testing.T) {
					t.Parallel()
					e := meet(t, role)
					arrive, count := e.down.to, 0
					e.down.to = func(data []byte) {
						if count++; count == n {
							data[offset%len(data)] ^= 0x40
						}
						arrive(data)
					}
					session, f := e.handshake(role, e.promised(), 1500*time.Millisecond)
					switch {
					case f == nil:
						e.agree(role, session)
					case f.Stage != "dtls" || f.Cause == "" || f.Detail == "":
						t.Errorf("%v", f)
					}
				})
			}
		}
	}
}
