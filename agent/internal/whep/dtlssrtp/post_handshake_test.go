package dtlssrtp

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/pion/dtls/v3/pkg/protocol/alert"

	"fullhouse/agent/internal/protocol"
)

func contextFor(timeout time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), timeout)
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func TestRecordsAfterTheHandshake(t *testing.T) {
	for _, test := range []struct {
		name             string
		role             Role
		data             []byte
		end              End
		repeats, refused uint64
	}{
		{"nothing", Client, nil, End{}, 0, 0},
		{"garbage", Client, []byte("\x16 no record"), End{}, 0, 0},
		{"an encrypted alert", Client, encrypted(RecordAlert, 1, 2, 3, 4), End{Cause: protocol.CauseAlert}, 0, 0},
		{"a plain fatal alert", Client, plain(RecordAlert, byte(alert.Fatal), byte(alert.DecryptError)), End{protocol.AlertCause(int(alert.DecryptError)), "DecryptError"}, 0, 0},
		{"a plain warning", Client, plain(RecordAlert, byte(alert.Warning), byte(alert.NoRenegotiation)), End{}, 0, 0},
		{"a truncated alert", Client, plain(RecordAlert, 2), End{}, 0, 0},
		{"the server's hello repeated", Client, hello(serverHello), End{}, 1, 0},
		{"the end of the server's flight repeated", Client, hello(serverHelloDone), End{}, 1, 0},
		{"the server's Finished repeated", Client, join(plain(recordChangeCipherSpec, 1), encrypted(recordHandshake, 9, 9)), End{}, 0, 0},
		{"a renegotiation request, encrypted", Client, encrypted(recordHandshake, 9, 9, 9), End{}, 0, 1},
		{"a renegotiation request, plain", Client, hello(0), End{}, 0, 1},
		{"a client's flight repeated", Server, join(hello(certificateMessage), plain(recordChangeCipherSpec, 1), encrypted(recordHandshake, 9)), End{}, 1, 0},
		{"the keys of a client repeated", Server, hello(clientKeyExchange), End{}, 1, 0},
		{"another ClientHello", Server, hello(clientHello), End{}, 0, 1},
		{"a ClientHello from a server", Client, hello(clientHello), End{}, 0, 1},
		{"application data", Client, encrypted(23, 1, 2, 3), End{}, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := PostHandshake{role: test.role}
			a.last.note(hello(clientHello))
			a.last.note(hello(certificateMessage))
			a.Start(1)
			var sent [][]byte
			send := func(data []byte) error { sent = append(sent, data); return nil }
			end, ended := a.Record(test.data, int64(time.Second), send)
			if end != test.end || ended != (test.end != End{}) || a.Repeats != test.repeats || a.Refused != test.refused || len(sent) != int(test.repeats) {
				t.Errorf("%+v, %v, %d repeats, %d refused, %d sent", end, ended, a.Repeats, a.Refused, len(sent))
			}
		})
	}
}

func TestRepeatsAreBoundedInRateNumberAndTime(t *testing.T) {
	a := PostHandshake{}
	a.last.note(hello(certificateMessage))
	a.Start(0)
	count := 0
	send := func([]byte) error { count++; return nil }
	at := int64(time.Second)
	for range 10 {
		a.Record(hello(serverHello), at, send)
	}
	if count != 1 {
		t.Errorf("%d at once", count)
	}
	for range 100 {
		at += int64(repeatInterval)
		a.Record(hello(serverHello), at, send)
	}
	if count != maxRepeats {
		t.Errorf("%d in total", count)
	}
	late := PostHandshake{last: a.last}
	late.Start(0)
	late.Record(hello(serverHello), int64(FlightLifetime)+1, send)
	late.DropFlight()
	late.Record(hello(serverHello), int64(time.Second), send)
	if count != maxRepeats {
		t.Error("repeated after the end of lingering")
	}
}

func TestTheLastFlightIsKeptCompletely(t *testing.T) {
	big := func(message byte) []byte {
		return plain(recordHandshake, append(hello(message)[recordHeader:], make([]byte, 200)...)...)
	}
	for _, test := range []struct {
		name string
		sent [][]byte
		want [][]byte
	}{
		{"a client's", [][]byte{hello(clientHello), hello(clientHello), join(hello(certificateMessage), encrypted(recordHandshake, 1))}, [][]byte{join(hello(certificateMessage), encrypted(recordHandshake, 1))}},
		{"a client's without certificate", [][]byte{hello(clientHello), hello(clientKeyExchange)}, [][]byte{hello(clientKeyExchange)}},
		{"sent again", [][]byte{hello(clientHello), hello(certificateMessage), plain(recordChangeCipherSpec, 1), hello(certificateMessage), plain(recordChangeCipherSpec, 1)}, [][]byte{join(hello(certificateMessage), plain(recordChangeCipherSpec, 1))}},
		{"a server's", [][]byte{hello(serverHello), hello(certificateMessage), join(plain(recordChangeCipherSpec, 1), encrypted(recordHandshake, 1))}, [][]byte{join(plain(recordChangeCipherSpec, 1), encrypted(recordHandshake, 1))}},
		{"larger than a datagram", [][]byte{hello(clientHello), join(big(certificateMessage), big(0), big(0)), join(big(0), big(0), big(0))},
			[][]byte{join(big(certificateMessage), big(0), big(0), big(0), big(0)), big(0)}},
	} {
		var f flight
		for _, datagram := range test.sent {
			f.note(datagram)
		}
		got := f.datagrams()
		if len(got) != len(test.want) {
			t.Errorf("%s: %d datagrams", test.name, len(got))
			continue
		}
		for i := range got {
			if !bytes.Equal(got[i], test.want[i]) {
				t.Errorf("%s: datagram %d is %x, want %x", test.name, i, got[i], test.want[i])
			}
		}
	}
}

func FuzzDeliver(f *testing.F) {
	f.Add(plain(RecordAlert, 2, 40))
	f.Add(join(plain(recordChangeCipherSpec, 1), encrypted(recordHandshake, 1, 2, 3)))
	f.Add(hello(serverHello))
	f.Fuzz(func(t *testing.T, data []byte) {
		p := NewPipe(func([]byte) error { return nil }, nowhere)
		p.Deliver(data)
		if len(p.incoming)+int(p.garbage.Load()) != 1 {
			t.Errorf("%d queued, %d dropped", len(p.incoming), p.garbage.Load())
		}
	})
}

func FuzzPostHandshake(f *testing.F) {
	f.Add(plain(RecordAlert, 2, 40), true)
	f.Add(join(hello(certificateMessage), plain(recordChangeCipherSpec, 1), encrypted(recordHandshake, 1)), true)
	f.Add(hello(serverHelloDone), false)
	f.Fuzz(func(t *testing.T, data []byte, server bool) {
		a := PostHandshake{}
		if server {
			a.role = Server
		}
		a.last.note(data)
		a.last.note(hello(certificateMessage))
		a.Start(0)
		sent := 0
		a.Record(data, int64(time.Second), func(datagram []byte) error {
			if sent += len(datagram); len(datagram) == 0 {
				t.Error("an empty datagram")
			}
			return nil
		})
		if sent > len(data)+len(hello(certificateMessage)) {
			t.Errorf("%d bytes retransmitted", sent)
		}
	})
}
