package whep

import (
	"net/netip"

	"fullhouse/agent/internal/icetcp"
	"fullhouse/agent/internal/viewer"
	"fullhouse/agent/internal/whep/sdp"
)

// maxOtherCandidates bounds the candidates that are kept in addition to those of the answer.
const maxOtherCandidates = 16

// addOtherCandidates keeps candidates that were not in the answer, for the type of the selected one. The caller holds
// the mutex.
func (v *Viewer) addOtherCandidates(candidates []sdp.Candidate) {
	v.otherCandidates = append(v.otherCandidates, candidates[:min(len(candidates), maxOtherCandidates-len(v.otherCandidates))]...)
}

// Detail has the times of the steps to media, the candidate pair and the streams.
func (v *Viewer) Detail() viewer.Detail {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	detail := viewer.Detail{
		Times:   v.times(),
		Streams: v.streams(),
		Counters: viewer.NonZero(map[string]uint64{"damagedPackets": v.damaged, "unknownPackets": v.unknown, "droppedHere": v.overflowed,
			"brokenFrames": v.frames.Broken, "unauthenticStun": v.ice.Dropped}),
	}
	if v.ice.Selected.IsValid() {
		detail.Route = viewer.Route{Protocol: "udp", LocalType: "host", Remote: v.ice.Selected, RemoteType: v.candidateType(v.ice.Selected)}
		// Media may use another address family than signalling; only the system knows which local address that is.
		if v.local.Addr().Is6() == v.ice.Selected.Addr().Is6() {
			detail.Route.Local = v.local
		}
		if v.overTCP() {
			detail.Route.Protocol, detail.Route.Local = "tcp", netip.AddrPort{}
			if socket, ok := v.socket.(*icetcp.Socket); ok {
				detail.Route.Local = socket.Local()
			}
		}
		if v.relay != nil {
			detail.Route.LocalType, detail.Route.Relay = "relay", v.relay.allocation.Server().String()
		}
	}
	return detail
}

// Times are those of the steps to media.
func (v *Viewer) Times() viewer.Times {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return v.times()
}

func (v *Viewer) times() viewer.Times {
	times := viewer.Times{Name: v.opened.NameAt, TCP: v.opened.TCPAt, TLS: v.opened.TLSAt, Relay: v.allocatedAt(), Offer: v.offeredAt,
		Answer: v.answeredAt, ICE: v.selectedAt, DTLS: v.establishedAt, FirstPacket: v.firstPacketAt, FirstFrame: v.frames.FirstAt}
	if v.offeredAt != 0 {
		times.Offer = max(v.offeredAt, times.TCP, times.TLS) // it is made before there is a connection to send it over
	}
	if v.room != nil {
		times.FirstPacket, times.FirstFrame = v.room.connectedAt, v.room.playingAt
	}
	return times
}

// allocatedAt is when the TURN server allocated a relayed address; 0 for direct viewers.
func (v *Viewer) allocatedAt() int64 {
	if v.relay == nil {
		return 0
	}
	return v.relay.at
}

// candidateType is the type of a server candidate; an unlisted one was found by its own check (RFC 8445 7.3.1.3).
func (v *Viewer) candidateType(of netip.AddrPort) string {
	for _, list := range [][]sdp.Candidate{v.answer.Candidates, v.otherCandidates} {
		for _, one := range list {
			if one.Address == of {
				return one.Type
			}
		}
	}
	return "prflx"
}

func (v *Viewer) streams() []viewer.Stream {
	if v.room != nil {
		return v.room.streamViews()
	}
	var streams []viewer.Stream
	add := func(kind, codec string, of *mediaStream) *viewer.Stream {
		streams = append(streams, of.view(kind, codec))
		return &streams[len(streams)-1]
	}
	if !v.answer.Video.IsNone() {
		video := add("video", v.answer.Video.Codec.String(), &v.video)
		video.Width, video.Height = int(v.size.Width), int(v.size.Height)
		if v.layers != nil {
			size := v.layers.size()
			video.Width, video.Height = int(size.Width), int(size.Height)
			video.Layers, video.Switches = v.layers.view(v.lastPacketAt), v.layers.switches
		}
	}
	if !v.answer.Audio.IsNone() {
		add("audio", v.answer.Audio.Audio.String(), &v.audio)
	}
	if v.repairs != nil {
		repairs := *v.repairs
		repairs.payloadType = v.answer.Video.RTX
		add("repair", "rtx", &repairs)
	}
	if v.fec != nil {
		fec := *v.fec
		fec.payloadType = v.answer.FEC
		add("fec", "flexfec", &fec)
	}
	return streams
}

func (s *mediaStream) view(kind, codec string) viewer.Stream {
	return viewer.Stream{Kind: kind, Codec: codec, PayloadType: s.payloadType, ClockRate: s.ClockRate, SSRC: s.ssrc,
		Packets: s.Packets, Bytes: s.Bytes, Lost: s.Lost, Repaired: s.Repaired, Late: s.Late, JitterMs: s.JitterMs(), HasJitter: s.Packets > 1}
}
