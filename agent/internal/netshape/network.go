// Package netshape models the network between a server and its viewers: a bottleneck with a queue that viewers share,
// random and burst loss, delay and jitter, each a function of time and packet size. It is pure: times (nanoseconds on
// the caller's clock) and packets come from outside, and a seed repeats every draw.
package netshape

import (
	"sort"
	"time"
)

// Network is what packets meet in both directions.
type Network struct {
	Down Direction // to the viewer
	Up   Direction // from the viewer
}

// Direction is one direction; the zero value passes every packet at once.
//
// A packet meets its rules in the order of tc-netem: loss, then the bottleneck, then the delay.
type Direction struct {
	// BitsPerSecond is the rate of the bottleneck, counted with IP and transport headers; 0: unlimited.
	BitsPerSecond float64
	// QueueNs bounds the wait in front of the bottleneck, and QueuePackets the packets there; a packet beyond is dropped
	// (drop-tail). QueuePackets 0: unlimited.
	QueueNs      int64
	QueuePackets int
	// DelayNs is added to every packet. JitterNs varies it: see jitter.
	DelayNs  int64
	JitterNs int64
	// Loss is the share of packets that are lost independently of each other, 0 to 1.
	Loss float64
	// Burst is loss in bursts, in addition.
	Burst GilbertElliott
}

// GilbertElliott is the model of burst loss with two states, as in tc-netem (loss gemodel) and Haßlinger and Hohlfeld
// (2008), "The Gilbert-Elliott Model for Packet Loss in Real Time Services on the Internet". All are probabilities per
// packet, 0 to 1. The zero value loses nothing.
type GilbertElliott struct {
	P float64 // good to bad
	R float64 // bad to good
	H float64 // a packet passes in the bad state (netem: 1-h is its loss)
	K float64 // a packet passes in the good state (netem: 1-k is its loss)
}

// Active reports whether the model can lose a packet.
func (g GilbertElliott) Active() bool {
	return g != GilbertElliott{} && (g.K < 1 || g.P > 0 && g.H < 1)
}

// Share is the mean loss, 0 to 1.
func (g GilbertElliott) Share() float64 {
	if !g.Active() {
		return 0
	}
	bad := g.badShare()
	return (1-g.K)*(1-bad) + (1-g.H)*bad
}

// badShare is the share of packets that find the model in its bad state, 0 to 1.
func (g GilbertElliott) badShare() float64 {
	if g.P == 0 {
		return 0
	}
	return g.P / (g.P + g.R)
}

// Step is a network from a time on.
type Step struct {
	After time.Duration // since the start
	Network
}

// Schedule are steps in order of time, the first at 0.
type Schedule []Step

// At is the network at that time since the start.
func (s Schedule) At(elapsed time.Duration) *Network {
	next := sort.Search(len(s), func(i int) bool { return s[i].After > elapsed })
	return &s[max(next-1, 0)].Network
}

// IP and UDP headers, and those of TCP with its timestamps.
const (
	HeaderUDP4 = 20 + 8
	HeaderUDP6 = 40 + 8
	HeaderTCP  = 20 + 32
	// SegmentTCP is the payload of a full TCP segment on an Ethernet path.
	SegmentTCP = 1500 - HeaderTCP
)
