package ice

import (
	"encoding/binary"
	"net/netip"
	"testing"
	"time"

	"github.com/pion/stun/v3"
)

// ask builds a check of the server.
func ask(t testing.TB, username, password string, more ...stun.Setter) []byte {
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

func TestTheServersChecksAreAnswered(t *testing.T) {
	const password = "viewer-password-of-some-length"
	good := ask(t, "viewer:server", password, role(stun.AttrICEControlled, 1))
	damaged := append([]byte(nil), good...)
	damaged[len(damaged)-1] ^= 1 // the fingerprint
	for _, test := range []struct {
		name  string
		data  []byte
		kind  stun.MessageType // of the first answer; 0 for none
		code  stun.ErrorCode
		check bool // is followed by a check of ours
	}{
		{"a good one", good, stun.BindingSuccess, 0, true},
		{"of an agent that we do not know", ask(t, "viewer:somebody", password), stun.BindingSuccess, 0, true},
		{"to somebody else", ask(t, "nobody:server", password), stun.MessageType{}, 0, false},
		{"with another password", ask(t, "viewer:server", "wrong"), stun.MessageType{}, 0, false},
		{"without integrity", ask(t, "viewer:server", ""), stun.MessageType{}, 0, false},
		{"with a damaged fingerprint", damaged, stun.MessageType{}, 0, false},
		{"with an attribute that must be understood", ask(t, "viewer:server", password, attribute{0x7ff0, []byte("1234")}), stun.BindingError, stun.CodeUnknownAttribute, false},
		{"with one that need not", ask(t, "viewer:server", password, attribute{0xc057, []byte("1234")}), stun.BindingSuccess, 0, true},
		{"that would choose too, and may not", ask(t, "viewer:server", password, role(stun.AttrICEControlling, 99)), stun.BindingError, stun.CodeRoleConflict, false},
		{"that would choose too, and may", ask(t, "viewer:server", password, role(stun.AttrICEControlling, 101)), stun.BindingSuccess, 0, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			n, viewer, server := pairUp(t)
			viewer.Begin(server.LocalUfrag, server.LocalPassword, nil)
			viewer.Message(test.data, otherAt, n.now)
			if test.kind == (stun.MessageType{}) {
				if len(n.log) != 0 || viewer.Dropped != 1 || viewer.Candidates() != 0 {
					t.Errorf("%d answers, %d dropped", len(n.log), viewer.Dropped)
				}
				return
			}
			if len(n.log) == 0 {
				t.Fatal("no answer")
			}
			answer := &stun.Message{Raw: n.log[0].data}
			if err := answer.Decode(); err != nil {
				t.Fatal(err)
			}
			if answer.Type != test.kind || !authentic(answer, password) || n.log[0].to != otherAt {
				t.Errorf("answered %v to %s", answer, n.log[0].to)
			}
			var code stun.ErrorCodeAttribute
			if test.code != 0 && (code.GetFrom(answer) != nil || code.Code != test.code) {
				t.Errorf("answered %v", answer)
			}
			var mapped stun.XORMappedAddress
			if test.code == 0 && (mapped.GetFrom(answer) != nil || mapped.Port != int(otherAt.Port())) {
				t.Errorf("the server is said to be at %v", mapped)
			}
			if (len(n.log) > 1) != test.check {
				t.Errorf("%d messages", len(n.log))
			}
		})
	}
}

// conflict makes both agents believe in the same role.
func TestRoleConflictsAreSettled(t *testing.T) {
	for _, test := range []struct {
		name             string
		viewer, server   uint64
		controlled       bool // both are, at the start
		viewerControlled bool // at the end
	}{
		{"both choose, ours is the greater number", 100, 50, false, false},
		{"both choose, theirs is the greater number", 50, 100, false, true},
		{"nobody chooses, ours is the greater number", 100, 50, true, false},
		{"nobody chooses, theirs is the greater number", 50, 100, true, true},
	} {
		for _, first := range []string{"viewer", "server"} {
			t.Run(test.name+", first is the "+first, func(t *testing.T) {
				n, viewer, server := pairUp(t)
				viewer.TieBreaker, server.TieBreaker = test.viewer, test.server
				viewer.Controlled, server.Controlled = test.controlled, test.controlled
				introduce(viewer, server, serverAt)
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

// TestAServerThatChoosesMayChooseAgain has a server that insists on choosing, and moves.
func TestAServerThatChoosesMayChooseAgain(t *testing.T) {
	n := newNetwork(t)
	viewer, server := n.agent("viewer", 50, viewerAt), n.agent("server", 100, serverAt)
	introduce(viewer, server, serverAt, otherAt)
	n.run(2*time.Second, viewer, server)
	selected(t, viewer, serverAt)
	if !viewer.Controlled {
		t.Fatal("the viewer still chooses")
	}
	n.agents[otherAt] = server
	server.Send = func(data []byte, to netip.AddrPort) error {
		n.queue = append(n.queue, datagram{append([]byte(nil), data...), otherAt, to})
		return nil
	}
	for _, use := range []bool{false, true} {
		server.NoteSend(server.request(viewerAt, use, n.now))
		n.run(100 * time.Millisecond)
		want := serverAt
		if use {
			want = otherAt
		}
		selected(t, viewer, want)
	}
	viewer.KeepConsent(n.now + 20*second)
	if last := n.log[len(n.log)-1]; last.to != otherAt {
		t.Errorf("consent is asked of %s", last.to)
	}
}

func TestAnAuthenticErrorOnlyChangesTheRole(t *testing.T) {
	n, viewer, server := pairUp(t)
	introduce(viewer, server, serverAt)
	viewer.pulse(n.now)
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
