package whep

import (
	"context"
	"slices"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/icetcp"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/whep/sdp"
)

// Signaller is one viewer's signaller at a server without WHEP: it exchanges offer and answer.
type Signaller interface {
	// Exchange sends the offer to the server and returns its answer. Later messages of the server are passed to the
	// handler. Disconnect must be called whatever it returns.
	Exchange(ctx context.Context, offer string, handler SessionHandler) (answer string, f *failure.Failure)
	// Disconnect ends the session; with force without closing it at the server.
	Disconnect(ctx context.Context, force bool) error
}

// layeredSignaller is a Signaller that knows whether its video has several layers (simulcast or SVC).
type layeredSignaller interface {
	Signaller
	// HasLayers is called after a successful Exchange.
	HasLayers() bool
}

// SessionHandler is the viewer, as its signaller sees it. Its calls may be made from any goroutine at any time.
type SessionHandler interface {
	// OnCandidate adds a candidate of the server, "candidate:…" as in SDP.
	OnCandidate(value string)
	// OnICEServers takes the STUN and TURN servers that the server lists.
	OnICEServers(listed []signalling.ICEServer)
	// OnClosed reports that the server ended the session.
	OnClosed(f *failure.Failure)
}

// ParticipantHandler is the SessionHandler of a viewer that sends media and receives all tracks of a room.
type ParticipantHandler interface {
	SessionHandler
	// OnSections adds sections for tracks that the server is about to send, and returns the offer that has them.
	OnSections(audios, videos int) (offer string)
	// OnAnswer takes each answer to such an offer, and may be called for the first one.
	OnAnswer(answer string)
	// OnWatched takes which layers of the sent video anyone subscribes to, the smallest first.
	OnWatched(layers []bool)
	// OnPublished takes the names of the videos that other participants publish, whenever they change.
	OnPublished(names []string)
}

type viewerSession Viewer

func (s *viewerSession) OnCandidate(value string) {
	v := (*Viewer)(s)
	candidates, _ := sdp.ParseFragment("a="+value, "", v.transport())
	for _, one := range candidates {
		v.visit.Ask(one.Address.Addr(), func(may bool) {
			if may {
				v.addTrickled([]sdp.Candidate{one})
			}
		})
	}
}

// addTrickled adds candidates to which the viewer may send.
func (v *Viewer) addTrickled(candidates []sdp.Candidate) {
	v.locked(func() {
		if socket, ok := v.socket.(*icetcp.Socket); ok {
			v.addOtherCandidates(candidates)
			socket.Dial(sdp.Addresses(candidates))
			return
		}
		// The server was reached over the socket's family, so media can be too.
		candidates = slices.DeleteFunc(candidates, func(one sdp.Candidate) bool { return v.socket != nil && one.Address.Addr().Is6() != v.socket.IPv6() })
		v.addOtherCandidates(candidates)
		v.ice.Add(sdp.Addresses(candidates))
	})
}

func (s *viewerSession) OnICEServers(listed []signalling.ICEServer) {
	v := (*Viewer)(s)
	v.locked(func() {
		if v.relay != nil {
			v.relay.listed = listed
		}
	})
}

func (s *viewerSession) OnClosed(f *failure.Failure) {
	v := (*Viewer)(s)
	v.locked(func() { v.fail(f) })
}
