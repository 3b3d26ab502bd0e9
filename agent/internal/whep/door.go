package whep

import (
	"context"
	"slices"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/whep/sdp"
)

// Door is one viewer's way to its session at a server that does not speak WHEP: who exchanges offer and answer.
type Door interface {
	// Enter gives the offer to the server and returns its answer. What the server says from then on goes to the guest. Whatever it
	// returns, Leave must be called.
	Enter(ctx context.Context, offer string, guest Guest) (answer string, f *failure.Failure)
	// Leave ends the session, with force without a word to the server.
	Leave(ctx context.Context, force bool) error
}

// Guest is the viewer, as its door knows it. Its calls may come from anywhere at any time.
type Guest interface {
	// Candidate adds one of the server's, "candidate:…" as in SDP.
	Candidate(value string)
	// ShownOut tells that the server ended the session.
	ShownOut(f *failure.Failure)
}

type guest Viewer

func (g *guest) Candidate(value string) {
	v := (*Viewer)(g)
	found := sdp.ParseFragment("a="+value, "")
	v.locked(func() {
		// The server was reached by the socket's family, so it can be by the media's.
		found = slices.DeleteFunc(found, func(one sdp.Candidate) bool { return one.Address.Addr().Is6() != v.socket.IPv6() })
		v.hear(found)
		v.ice.Add(sdp.Addresses(found))
	})
}

func (g *guest) ShownOut(f *failure.Failure) {
	v := (*Viewer)(g)
	v.locked(func() { v.fail(f) })
}
