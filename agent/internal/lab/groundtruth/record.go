// Package groundtruth records what the lab really sent to a viewer, so that the figures of a viewer or a browser can be
// compared with it. It is pure: packets and times (nanoseconds on the caller's clock) come from outside.
package groundtruth

import (
	"time"

	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/protocol"
)

const (
	// repairTime is how long a dropped packet may still be repaired; no player waits longer.
	repairTime = int64(time.Second)
	// stall is the length of a gap between complete frames that counts as a stall, as in the agent.
	stall = int64(protocol.DegradedStallMs * time.Millisecond)
)

// Packet identifies one packet of the stream.
type Packet struct {
	Kind      media.Kind
	Position  uint64 // counts up for ever, over both kinds
	Timestamp uint32
	Marker    bool
	Keyframe  bool
}

// pending is a packet that was sent and has not arrived.
type pending struct {
	packet Packet
	lost   bool
	since  int64
}

// Counter is of one viewer. The zero value is ready; it is for one goroutine.
type Counter struct {
	counts  [media.Kinds]protocol.LabPackets
	pending []pending // nil almost always
	frames  frames
	jitter  [media.Kinds]jitter
	delays  delays
	newest  [media.Kinds]uint64 // position after the newest arrived one, of each kind
}

// Delivered counts a packet that is sent and arrives at once.
func (l *Counter) Delivered(p Packet, at int64) {
	l.counts[p.Kind].Sent++
	l.delays.add(0)
	l.jitter[p.Kind].add(p.Timestamp, at, p.Kind)
	l.newest[p.Kind] = p.Position + 1
	if p.Kind == media.Video {
		l.frames.sent(p)
		l.frames.settle(p.Timestamp, at, true)
	}
	if len(l.pending) > 0 {
		l.expire(at)
	}
}

// Sent counts a packet that arrives later, or never.
func (l *Counter) Sent(p Packet, at int64) {
	l.expire(at)
	l.counts[p.Kind].Sent++
	l.pending = append(l.pending, pending{packet: p, since: at})
	if p.Kind == media.Video {
		l.frames.sent(p)
	}
}

// Lost records that a sent packet will not arrive unless repaired; without possible repair it is dropped at once.
func (l *Counter) Lost(position uint64, at int64, repairable bool) {
	if i := l.find(position); i >= 0 {
		l.pending[i].lost, l.pending[i].since = true, at
		if !repairable {
			l.pending[i].since = at - repairTime
			l.expire(at)
		}
	}
}

// Arrived records that a packet sent at sentAt has arrived.
func (l *Counter) Arrived(p Packet, sentAt, at int64) {
	l.delays.add(at - sentAt)
	if p.Position >= l.newest[p.Kind] {
		l.newest[p.Kind] = p.Position + 1
		l.jitter[p.Kind].add(p.Timestamp, at, p.Kind)
	} else {
		l.counts[p.Kind].Reordered++
	}
	l.settle(p, at)
}

// ArrivedAsRepair records that a packet has arrived as a retransmission.
func (l *Counter) ArrivedAsRepair(p Packet, at int64) {
	l.expire(at)
	if i := l.find(p.Position); i >= 0 && l.pending[i].lost {
		l.counts[p.Kind].Repaired++
	}
	l.settle(p, at)
}

// settle ends the wait for a packet; for one that is not pending, a duplicate, it does nothing.
func (l *Counter) settle(p Packet, at int64) {
	if i := l.find(p.Position); i >= 0 {
		l.pending = append(l.pending[:i], l.pending[i+1:]...)
		if p.Kind == media.Video {
			l.frames.settle(p.Timestamp, at, true)
		}
	}
}

func (l *Counter) find(position uint64) int {
	for i := range l.pending {
		if l.pending[i].packet.Position == position {
			return i
		}
	}
	return -1
}

// expire counts as dropped what was not repaired in time.
func (l *Counter) expire(now int64) {
	pending := l.pending[:0]
	for _, each := range l.pending {
		if !each.lost || now-each.since < repairTime {
			pending = append(pending, each)
			continue
		}
		l.counts[each.packet.Kind].Dropped++
		if each.packet.Kind == media.Video {
			l.frames.settle(each.packet.Timestamp, 0, false)
		}
	}
	l.pending = pending
}

// Figures returns the current figures.
func (l *Counter) Figures(now int64) protocol.LabSent {
	l.expire(now)
	figures := protocol.LabSent{Video: l.counts[media.Video], Audio: l.counts[media.Audio],
		AddedDelayMs: l.delays.figures(), JitterMs: l.jitter[media.Video].ms(media.Video),
		JitterPerFrameMs: l.jitter[media.Video].perFrameMs(media.Video), FramesComplete: l.frames.complete,
		FramesBroken: l.frames.broken, FPS: l.frames.rate(), Stalls: l.frames.stalls,
		StalledMs: float64(l.frames.stalled) / float64(time.Millisecond)}
	for _, each := range l.pending {
		if each.packet.Kind == media.Video {
			figures.Video.Pending++
		} else {
			figures.Audio.Pending++
		}
	}
	return figures
}
