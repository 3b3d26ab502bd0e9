package ice

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"

	"github.com/pion/stun/v3"

	"fullhouse/agent/internal/testing/crafted"
)

func FuzzMessage(f *testing.F) {
	n := &network{agents: map[netip.AddrPort]*Agent{}}
	seed := n.agent("server", 1, serverAt)
	seed.Start("viewer", "viewer-password-of-some-length", []netip.AddrPort{viewerAt})
	seed.sendDue(second)
	f.Add(n.log[0].data)
	request := &stun.Message{Raw: n.log[0].data}
	if err := request.Decode(); err != nil {
		f.Fatal(err)
	}
	seed.respond(request, viewerAt, stun.BindingError, stun.CodeRoleConflict)
	f.Add(n.log[1].data)
	f.Add([]byte(fmt.Sprintf("\x00\x01\x00\x00\x21\x12\xa4\x42%012d", 7)))
	f.Fuzz(func(t *testing.T, data []byte) {
		defer crafted.Watch(t)(len(data))
		sent := 0
		a := New("viewer", "viewer-password-of-some-length", 5, func([]byte, netip.AddrPort) error { sent++; return nil })
		a.Start("server", "server-password-of-some-length", []netip.AddrPort{serverAt})
		a.sendDue(second)
		before := sent
		a.Message(data, otherAt, 2*second)
		if sent > before+2 {
			t.Errorf("%d messages for one", sent-before)
		}
	})
}

// FuzzAuthentic signs its messages, so that they pass the integrity check.
func FuzzAuthentic(f *testing.F) {
	f.Add(byte(0), false, []byte{0, 0x25, 0})
	f.Add(byte(0), true, []byte{0x80, 0x2a, 8, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0x25, 0})
	f.Add(byte(1), false, []byte{0, 0x20, 8, 0, 1, 2, 3, 4, 5, 6, 7})
	f.Add(byte(2), false, []byte{0, 9, 4, 0, 0, 4, 87})
	f.Add(byte(0), true, []byte{0x7f, 0xf0, 1, 1})
	kinds := []stun.MessageType{stun.BindingRequest, stun.BindingSuccess, stun.BindingError, stun.NewType(stun.MethodBinding, stun.ClassIndication)}
	f.Fuzz(func(t *testing.T, kind byte, controlled bool, attributes []byte) {
		var sent []datagram
		a := New("viewer", "viewer-password-of-some-length", 5, func(data []byte, to netip.AddrPort) error {
			sent = append(sent, datagram{data: slices.Clone(data), to: to})
			return nil
		})
		a.Controlled = controlled
		a.Start("server", "server-password-of-some-length", []netip.AddrPort{serverAt})
		a.sendDue(second)
		check := &stun.Message{Raw: sent[0].data}
		if err := check.Decode(); err != nil {
			t.Fatal(err)
		}
		setters := []stun.Setter{stun.NewTransactionIDSetter(check.TransactionID), kinds[int(kind)%len(kinds)]}
		password := a.RemotePassword
		if int(kind)%len(kinds) == 0 {
			setters, password = append(setters, stun.NewUsername("viewer:server")), a.LocalPassword
		}
		for len(attributes) >= 3 && len(setters) < 50 {
			size := min(int(attributes[2]), len(attributes)-3)
			setters = append(setters, attribute{stun.AttrType(uint16(attributes[0])<<8 | uint16(attributes[1])), attributes[3 : 3+size]})
			attributes = attributes[3+size:]
		}
		message, err := stun.Build(append(setters, stun.NewShortTermIntegrity(password), stun.Fingerprint)...)
		if err != nil {
			return // such a message can't be encoded
		}
		for range 3 {
			a.Message(message.Raw, serverAt, 2*second)
			a.Message(message.Raw, otherAt, 2*second)
		}
		a.sendDue(3 * second)
		a.KeepConsent(10 * second)
		_ = a.ConsentLost(10 * second)
		if len(sent) > 40 || len(a.pairs) > 2 {
			t.Errorf("%d messages sent, %d pairs", len(sent), len(a.pairs))
		}
	})
}
