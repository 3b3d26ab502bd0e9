package ice

import (
	"encoding/binary"
	"net/netip"
	"testing"
	"time"

	"github.com/pion/stun/v3"
)

// serverCheck builds a check of the server.
func serverCheck(t testing.TB, username, password string, more ...stun.Setter) []byte {
	t.Helper()
	setters := append([]stun.Setter{stun.TransactionID, stun.BindingRequest, stun.NewUsername(username)}, more...)
	if password != "" {
		setters = append(setters, stun.NewShortTermIntegrity(password))
	}
	message, err := stun.Build(append(setters, stun.Fingerprint)...)
	if err != nil {
		t.Fatal(err)
	}
	return message.Raw
}

func role(kind stun.AttrType, tieBreaker uint64) stun.Setter {
	return attribute{kind, binary.BigEndian.AppendUint64(nil, tieBreaker)}
}

func TestChecksOfTheServerGetAResponse(t *testing.T) {
	const password = "viewer-password-of-some-length"
	good := serverCheck(t, "viewer:server", password, role(stun.AttrICEControlled, 1))
	damaged := append([]byte(nil), good...)
	damaged[len(damaged)-1] ^= 1 // the fingerprint
	for _, test := range []struct {
		name  string
		data  []byte
		kind  stun.MessageType // of the first response; 0 for none
		code  stun.ErrorCode
		check bool // is followed by a check of ours
	}{
		{"valid", good, stun.BindingSuccess, 0, true},
		{"of an unknown agent", serverCheck(t, "viewer:somebody", password), stun.BindingSuccess, 0, true},
		{"to another agent", serverCheck(t, "nobody:server", password), stun.MessageType{}, 0, false},
		{"with another password", serverCheck(t, "viewer:server", "wrong"), stun.MessageType{}, 0, false},
		{"without integrity", serverCheck(t, "viewer:server", ""), stun.MessageType{}, 0, false},
		{"with a damaged fingerprint", damaged, stun.MessageType{}, 0, false},
		{"with an unknown comprehension-required attribute", serverCheck(t, "viewer:server", password, attribute{0x7ff0, []byte("1234")}), stun.BindingError, stun.CodeUnknownAttribute, false},
		{"with an unknown optional attribute", serverCheck(t, "viewer:server", password, attribute{0xc057, []byte("1234")}), stun.BindingSuccess, 0, true},
		{"of a controlling agent with the lower tie breaker", serverCheck(t, "viewer:server", password, role(stun.AttrICEControlling, 99)), stun.BindingError, stun.CodeRoleConflict, false},
		{"of a controlling agent with the higher tie breaker", serverCheck(t, "viewer:server", password, role(stun.AttrICEControlling, 101)), stun.BindingSuccess, 0, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			n, viewer, server := pairUp(t)
			viewer.Start(server.LocalUfrag, server.LocalPassword, nil)
			viewer.Message(test.data, otherAt, n.now)
			if test.kind == (stun.MessageType{}) {
				if len(n.log) != 0 || viewer.Dropped != 1 || viewer.Candidates() != 0 {
					t.Errorf("%d responses, %d dropped", len(n.log), viewer.Dropped)
				}
				return
			}
			if len(n.log) == 0 {
				t.Fatal("no response")
			}
			answer := &stun.Message{Raw: n.log[0].data}
			if err := answer.Decode(); err != nil {
				t.Fatal(err)
			}
			if answer.Type != test.kind || !authentic(answer, password) || n.log[0].to != otherAt {
				t.Errorf("responded %v to %s", answer, n.log[0].to)
			}
			var code stun.ErrorCodeAttribute
			if test.code != 0 && (code.GetFrom(answer) != nil || code.Code != test.code) {
				t.Errorf("responded %v", answer)
			}
			var mapped stun.XORMappedAddress
			if test.code == 0 && (mapped.GetFrom(answer) != nil || mapped.Port != int(otherAt.Port())) {
				t.Errorf("the mapped address of the server is %v", mapped)
			}
			if (len(n.log) > 1) != test.check {
				t.Errorf("%d messages", len(n.log))
			}
		})
	}
}

// conflict gives both agents the same role.
func TestRoleConflictsAreSettled(t *testing.T) {
	for _, test := range []struct {
		name             string
		viewer, server   uint64
		controlled       bool // both are, at the start
		viewerControlled bool // at the end
	}{
		{"both controlling, our tie breaker is higher", 100, 50, false, false},
		{"both controlling, their tie breaker is higher", 50, 100, false, true},
		{"both controlled, our tie breaker is higher", 100, 50, true, false},
		{"both controlled, their tie breaker is higher", 50, 100, true, true},
	} {
		for _, first := range []string{"viewer", "server"} {
			t.Run(test.name+", first is the "+first, func(t *testing.T) {
				n, viewer, server := pairUp(t)
				viewer.TieBreaker, server.TieBreaker = test.viewer, test.server
				viewer.Controlled, server.Controlled = test.controlled, test.controlled
				exchangeCandidates(viewer, server, serverAt)
				if first == "viewer" {
					n.run(20*time.Millisecond, viewer)
				} else {
					n.run(20*time.Millisecond, server)
				}
				n.run(2*time.Second, viewer, server)
				if viewer.Controlled != test.viewerControlled || server.Controlled == test.viewerControlled {
					t.Errorf("the viewer is controlled: %v, the server: %v", viewer.Controlled, server.Controlled)
				}
				selected(t, viewer, serverAt)
				selected(t, server, viewerAt)
			})
		}
	}
}

// TestAControllingServerMaySelectAnotherPair has a controlling server that changes its address.
func TestAControllingServerMaySelectAnotherPair(t *testing.T) {
	n := newNetwork(t)
	viewer, server := n.agent("viewer", 50, viewerAt), n.agent("server", 100, serverAt)
	exchangeCandidates(viewer, server, serverAt, otherAt)
	n.run(2*time.Second, viewer, server)
	selected(t, viewer, serverAt)
	if !viewer.Controlled {
		t.Fatal("the viewer is still controlling")
	}
	n.agents[otherAt] = server
	server.Send = func(data []byte, to netip.AddrPort) error {
		n.queue = append(n.queue, datagram{append([]byte(nil), data...), otherAt, to})
		return nil
	}
	for _, use := range []bool{false, true} {
		server.RecordSendError(server.request(viewerAt, use, n.now))
		n.run(100 * time.Millisecond)
		want := serverAt
		if use {
			want = otherAt
		}
		selected(t, viewer, want)
	}
	viewer.KeepConsent(n.now + 20*second)
	if last := n.log[len(n.log)-1]; last.to != otherAt {
		t.Errorf("consent is checked with %s", last.to)
	}
}

func TestAnAuthenticErrorOnlyChangesTheRole(t *testing.T) {
	n, viewer, server := pairUp(t)
	exchangeCandidates(viewer, server, serverAt)
	viewer.sendDue(n.now)
	request := &stun.Message{Raw: n.log[0].data}
	if err := request.Decode(); err != nil {
		t.Fatal(err)
	}
	forged, err := stun.Build(stun.NewTransactionIDSetter(request.TransactionID), stun.BindingError, stun.CodeRoleConflict, stun.NewShortTermIntegrity("wrong"), stun.Fingerprint)
	if err != nil {
		t.Fatal(err)
	}
	viewer.Message(forged.Raw, serverAt, n.now)
	if viewer.Controlled {
		t.Error("a forged error changed the role")
	}
	server.respond(request, viewerAt, stun.BindingError, stun.CodeRoleConflict)
	viewer.Message(n.queue[len(n.queue)-1].data, serverAt, n.now)
	if !viewer.Controlled {
		t.Error("the role was not changed")
	}
}
