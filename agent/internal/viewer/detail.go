package viewer

import "net/netip"

// Detail is what a viewer knows of its session beyond a Reading: when it got how far, which way its media comes, and which streams it
// receives. It is made when somebody asks for one viewer, and once more when the viewer leaves.
type Detail struct {
	Steps   []Step
	Route   Route
	Streams []Stream
	// Counters that a Reading has not, by their names in the protocol; those that are 0 are left out.
	Counters map[string]uint64
}

// StepName is a step of a viewer on its way to media.
type StepName string

// The steps of a viewer that only it knows; those that a Reading tells are not among them.
const (
	StepSocket StepName = "tcp"    // the TCP (and TLS) connection is open
	StepOffer  StepName = "offer"  // the offer is on its way
	StepAnswer StepName = "answer" // the server's answer was read
	StepICE    StepName = "ice"    // a candidate pair is selected
	StepDTLS   StepName = "dtls"   // the keys are made
	StepPlay   StepName = "play"   // the server has accepted the wish to play
)

// Step is when one was taken, Unix nanoseconds.
type Step struct {
	Name StepName
	At   int64
}

// Route is the way of the media. For WebRTC it is the selected candidate pair.
type Route struct {
	Protocol      string // udp, tcp or tls; empty when there is none yet
	Local, Remote netip.AddrPort
	// LocalType and RemoteType are the types of the candidates: host, srflx, prflx or relay; empty where not known.
	LocalType, RemoteType string
}

// Stream is one stream that the viewer receives. What a protocol has not stays 0.
type Stream struct {
	Kind        string // video, audio, or repair for retransmissions on a stream of their own
	Codec       string
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

// Taken leaves out the steps that were not taken.
func Taken(steps ...Step) []Step {
	taken := make([]Step, 0, len(steps))
	for _, step := range steps {
		if step.At != 0 {
			taken = append(taken, step)
		}
	}
	return taken
}

// Counted leaves out the counters that are 0; nil when all are.
func Counted(counters map[string]uint64) map[string]uint64 {
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
