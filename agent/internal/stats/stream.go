// Package stats turns the packets of a viewer into what that viewer experienced: loss after repair, jitter, frames,
// stalls. It reads headers only and uses no sockets; every time is Unix nanoseconds and comes from outside.
package stats

import (
	"math"
)

const (
	// maxWaiting bounds the packets held after a gap.
	maxWaiting = 256
	// A sequence number this far off is a restart of the sender, not loss (RFC 3550 appendix A.1).
	maxDropout = 3000
	// GapTimeoutWithoutRepair is how long a gap may be just reordering.
	GapTimeoutWithoutRepair = 100e6
	// GapTimeoutWithRepair leaves time for several retransmission requests.
	GapTimeoutWithRepair = 250e6
)

// Packet is what the statistics need of one RTP packet.
type Packet struct {
	Sequence  uint16
	Timestamp uint32
	Marker    bool
	// StartsFrame and Keyframe come from the payload: they matter after a gap and until the first keyframe.
	StartsFrame bool
	Keyframe    bool
	Bytes       int
	At          int64
}

// held is a packet that waits after a gap, or passes through.
type held struct {
	sequence    int64
	timestamp   uint32
	marker      bool
	startsFrame bool
	keyframe    bool
	at          int64
}

// Stream counts one RTP stream of one viewer. The zero value waits for its first packet. The fields that every packet
// uses come first and together: with thousands of viewers each cache line is cold when its packet arrives, and loading
// it is the cost of a packet.
type Stream struct {
	// ClockRate is the RTP clock in Hz.
	ClockRate float64
	// Frames, if set, receives every packet in order.
	Frames *Frames

	Packets  uint64
	Bytes    uint64
	Expected uint64 // passed in order, lost ones included

	next       int64 // the extended sequence number that is due; its upper part is the rollover counter
	highest    int64
	jitter     float64
	waiting    []held // after a gap, in order of sequence; nil almost always
	transit    uint32
	hasTransit bool
	started    bool

	// GapTimeout is how long a gap may stay open before its packets are lost, in nanoseconds.
	GapTimeout int64
	Repaired   uint64 // arrived out of order, but in time
	Late       uint64 // duplicates, and those that arrived after their gap was given up
	Lost       uint64 // missing after repair

	base             int64
	gapSince         int64
	before           uint64 // packets of earlier sources
	apart            uint64 // repaired on another stream
	reportedExpected int64
	reportedPackets  uint64
}

// NewSource starts with another SSRC: its sequence numbers are unrelated to the earlier ones.
func (s *Stream) NewSource() {
	s.started, s.hasTransit, s.waiting = false, false, nil
	s.before, s.reportedPackets, s.reportedExpected = s.received(), s.received(), 0
}

// Started reports whether a packet has arrived.
func (s *Stream) Started() bool { return s.started }

// InOrder reports whether a packet of this sequence number is the very next. After any other, and for the first, the
// caller should inspect the payload for StartsFrame.
func (s *Stream) InOrder(sequence uint16) bool {
	return s.started && uint16(s.next) == sequence && len(s.waiting) == 0
}

// Rollover is the SRTP rollover counter of a packet (RFC 3711 3.3.1).
func (s *Stream) Rollover(sequence uint16) uint32 {
	if !s.started {
		return 0
	}
	return uint32(s.extend(sequence) >> 16)
}

func (s *Stream) extend(sequence uint16) int64 {
	return s.next + int64(int16(sequence-uint16(s.next)))
}

// Receive counts a packet.
func (s *Stream) Receive(p Packet) {
	s.Packets++
	s.Bytes += uint64(p.Bytes)
	if !s.started {
		s.started = true
		s.next = int64(p.Sequence)
		s.base, s.highest = s.next, s.next
	}
	sequence := s.extend(p.Sequence)
	if sequence > s.highest || !s.hasTransit {
		s.measureJitter(p) // of packets in order: a retransmitted one is not a measure of the path
	}
	s.highest = max(s.highest, sequence)
	packet := held{sequence: sequence, timestamp: p.Timestamp, marker: p.Marker, startsFrame: p.StartsFrame, keyframe: p.Keyframe, at: p.At}
	switch ahead := sequence - s.next; {
	case ahead == 0:
		if len(s.waiting) > 0 {
			s.Repaired++
		}
		s.pass(packet, true, p.At)
		s.drain(p.At)
	case ahead > maxDropout || ahead < -maxDropout:
		s.restart(packet, p.At)
	case ahead < 0:
		s.Late++
	default:
		s.hold(packet)
		s.Expire(p.At)
	}
}

// restart follows a sender that jumped: the numbers in between may never have existed, so they do not count as lost.
func (s *Stream) restart(packet held, at int64) {
	s.base += packet.sequence - s.next
	s.highest = packet.sequence
	s.waiting = nil
	s.pass(packet, false, at)
}

func (s *Stream) hold(packet held) {
	if len(s.waiting) == 0 {
		s.gapSince = packet.at
	}
	at := len(s.waiting)
	for at > 0 && s.waiting[at-1].sequence > packet.sequence {
		at--
	}
	if at > 0 && s.waiting[at-1].sequence == packet.sequence {
		s.Late++
		return
	}
	if at < len(s.waiting) {
		s.Repaired++
	}
	s.waiting = append(s.waiting, held{})
	copy(s.waiting[at+1:], s.waiting[at:])
	s.waiting[at] = packet
}

// pass passes the next packet on; contiguous means that the previous one has arrived too.
func (s *Stream) pass(packet held, contiguous bool, at int64) {
	s.Expected++
	s.next = packet.sequence + 1
	if s.Frames != nil {
		s.Frames.add(packet, contiguous, max(at, packet.at))
	}
}

func (s *Stream) drain(at int64) {
	passed := 0
	for passed < len(s.waiting) && s.waiting[passed].sequence == s.next {
		s.pass(s.waiting[passed], true, at)
		passed++
	}
	if passed == 0 {
		return
	}
	if passed == len(s.waiting) {
		s.waiting = nil
		return
	}
	s.waiting = append(s.waiting[:0], s.waiting[passed:]...)
	s.gapSince = s.waiting[0].at
}

// Expire gives up gaps that stayed open for longer than GapTimeout.
func (s *Stream) Expire(now int64) {
	for len(s.waiting) > 0 && (now-s.gapSince >= s.GapTimeout || len(s.waiting) >= maxWaiting) {
		lost := uint64(s.waiting[0].sequence - s.next)
		s.Lost += lost
		s.Expected += lost
		first := s.waiting[0]
		s.waiting = append(s.waiting[:0], s.waiting[1:]...)
		s.pass(first, false, now)
		s.drain(now)
		if len(s.waiting) == 0 {
			s.waiting = nil
		} else {
			s.gapSince = s.waiting[0].at
		}
	}
}

// Missing appends the sequence numbers of the open gaps to list, at most limit of them.
func (s *Stream) Missing(list []uint16, limit int) []uint16 {
	due := s.next
	for _, packet := range s.waiting {
		for ; due < packet.sequence && len(list) < limit; due++ {
			list = append(list, uint16(due))
		}
		due = packet.sequence + 1
	}
	return list
}

// Gap reports whether packets wait after a gap.
func (s *Stream) Gap() bool { return len(s.waiting) > 0 }

// measureJitter is RFC 3550 appendix A.8 in RTP clock units. All of it wraps at 32 bits, as timestamps do.
func (s *Stream) measureJitter(p Packet) {
	transit := inClock(p.At, uint64(s.ClockRate)) - p.Timestamp
	if s.hasTransit {
		d := math.Abs(float64(int32(transit - s.transit)))
		s.jitter += (d - s.jitter) / 16
	}
	s.transit, s.hasTransit = transit, true
}

// inClock is a time in RTP clock units, modulo 2^32. Seconds and the rest are scaled separately, so that nothing
// overflows.
func inClock(at int64, clockRate uint64) uint32 {
	seconds, rest := uint64(at)/1e9, uint64(at)%1e9
	return uint32(seconds*clockRate + rest*clockRate/1e9)
}

// JitterMs is the interarrival jitter in milliseconds.
func (s *Stream) JitterMs() float64 {
	if s.ClockRate == 0 {
		return 0
	}
	return s.jitter * 1000 / s.ClockRate
}

// Report is the content of an RTCP reception report block.
type Report struct {
	FractionLost   uint8
	CumulativeLost int32
	Highest        uint32
	Jitter         uint32
}

// received is how many packets arrived on the stream itself, of all sources.
func (s *Stream) received() uint64 { return s.Packets - s.apart }

// Report ends a reporting interval (RFC 3550 appendix A.3).
func (s *Stream) Report() Report {
	expected := s.highest - s.base + 1
	expectedNow := expected - s.reportedExpected
	receivedNow := int64(s.received() - s.reportedPackets)
	s.reportedExpected, s.reportedPackets = expected, s.received()
	report := Report{Highest: uint32(s.highest), Jitter: uint32(s.jitter),
		CumulativeLost: int32(min(max(expected-int64(s.received()-s.before), -1<<23), 1<<23-1))}
	if lost := expectedNow - receivedNow; expectedNow > 0 && lost > 0 {
		report.FractionLost = uint8(min(lost*256/expectedNow, 255))
	}
	return report
}
