package viewer

import "net/netip"

// Detail is what a viewer has of its session beyond a Reading: the times of its steps, the route of its media, and its
// streams. It is made on request for one viewer, and once more when the viewer disconnects.
type Detail struct {
	Times   Times
	Route   Route
	Streams []Stream
	// Counters that a Reading does not have, by their names in the protocol; zeros are left out.
	Counters map[string]uint64
}

// Route is the network path of the media. For WebRTC it is the selected candidate pair.
type Route struct {
	Protocol      string // udp, tcp or tls; empty before the connection
	Local, Remote netip.AddrPort
	// LocalType and RemoteType are the types of the candidates: host, srflx, prflx or relay; empty if unknown.
	LocalType, RemoteType string
	// Relay is the TURN server of a relayed viewer.
	Relay string
}

// Stream is one stream that the viewer receives. What a protocol does not have stays 0.
type Stream struct {
	Kind  string // video, audio, repair for retransmissions on their own stream, or fec for error correction
	Codec string
	// Width and Height are the video's, in pixels.
	Width, Height int
	// Layers are those received of a simulcast or scalable video, and Switches how often they changed.
	Layers      []Layer
	Switches    uint64
	PayloadType uint8
	ClockRate   float64
	SSRC        uint32
	Packets     uint64
	Bytes       uint64
	Lost        uint64
	Repaired    uint64
	Late        uint64
	JitterMs    float64
	HasJitter   bool
}

// Layer is a layer of a video, by its size in pixels, and for how long it was received.
type Layer struct {
	Width, Height int
	Ns            int64
}

// NonZero leaves out counters that are 0; nil if all are.
func NonZero(counters map[string]uint64) map[string]uint64 {
	for name, value := range counters {
		if value == 0 {
			delete(counters, name)
		}
	}
	if len(counters) == 0 {
		return nil
	}
	return counters
}
