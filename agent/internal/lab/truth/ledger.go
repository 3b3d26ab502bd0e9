// Package truth keeps what the lab really sent to a viewer, so that what a viewer or a browser says can be held against it. It is pure:
// packets and times (nanoseconds on the caller's clock) come from outside.
package truth

import (
	"time"

	"fullhouse/agent/internal/media"
)

const (
	// repairTime is how long a dropped packet may still be repaired; no player waits longer.
	repairTime = int64(time.Second)
	// freeze is a gap between whole frames that counts as one, the agent's own rule.
	freeze = int64(500 * time.Millisecond)
)

// Packet names one packet of the stream.
type Packet struct {
	Kind      media.Kind
	Position  uint64 // counts up for ever, over both kinds
	Timestamp uint32
	Marker    bool
	Keyframe  bool
}

// Counts are of one kind's packets.
type Counts struct {
	// Sent counts each packet once, whatever became of it.
	Sent uint64 `json:"sent"`
	// Dropped were lost on the way and not repaired within a second, or could not be.
	Dropped uint64 `json:"dropped"`
	// Repaired were lost on the way and came when they were asked for.
	Repaired uint64 `json:"repaired"`
	// Pending are lost and may still be repaired, or are on their way.
	Pending uint64 `json:"pending"`
	// Reordered came behind later ones.
	Reordered uint64 `json:"reordered"`
}

// pending is a packet that was sent and has not come.
type pending struct {
	packet Packet
	lost   bool
	since  int64
}

// Ledger is one viewer's. The zero value is ready; it is for one goroutine.
type Ledger struct {
	counts  [media.Kinds]Counts
	pending []pending // nil nearly always
	frames  frames
	jitter  [media.Kinds]jitter
	delays  delays
	newest  [media.Kinds]uint64 // position after the newest that came, of each kind
}

// Passed counts a packet that is sent and comes at once.
func (l *Ledger) Passed(p Packet, at int64) {
	l.counts[p.Kind].Sent++
	l.delays.add(0)
	l.jitter[p.Kind].add(p.Timestamp, at, p.Kind)
	l.newest[p.Kind] = p.Position + 1
	if p.Kind == media.Video {
		l.frames.sent(p)
		l.frames.settle(p.Timestamp, at, true)
	}
	if len(l.pending) > 0 {
		l.giveUp(at)
	}
}

// Sent counts a packet that comes later, or never.
func (l *Ledger) Sent(p Packet, at int64) {
	l.giveUp(at)
	l.counts[p.Kind].Sent++
	l.pending = append(l.pending, pending{packet: p, since: at})
	if p.Kind == media.Video {
		l.frames.sent(p)
	}
}

// Lost says that a packet that was sent will not come, unless it is repaired; without hope of that it is dropped at once.
func (l *Ledger) Lost(position uint64, at int64, hope bool) {
	if i := l.find(position); i >= 0 {
		l.pending[i].lost, l.pending[i].since = true, at
		if !hope {
			l.pending[i].since = at - repairTime
			l.giveUp(at)
		}
	}
}

// Came says that a packet has come that was sent at sentAt.
func (l *Ledger) Came(p Packet, sentAt, at int64) {
	l.delays.add(at - sentAt)
	if p.Position >= l.newest[p.Kind] {
		l.newest[p.Kind] = p.Position + 1
		l.jitter[p.Kind].add(p.Timestamp, at, p.Kind)
	} else {
		l.counts[p.Kind].Reordered++
	}
	l.settle(p, at)
}

// CameAgain says that a packet has come because it was asked for.
func (l *Ledger) CameAgain(p Packet, at int64) {
	l.giveUp(at)
	if i := l.find(p.Position); i >= 0 && l.pending[i].lost {
		l.counts[p.Kind].Repaired++
	}
	l.settle(p, at)
}

// settle ends the wait for a packet; for one that nobody waits for, a duplicate, it does nothing.
func (l *Ledger) settle(p Packet, at int64) {
	if i := l.find(p.Position); i >= 0 {
		l.pending = append(l.pending[:i], l.pending[i+1:]...)
		if p.Kind == media.Video {
			l.frames.settle(p.Timestamp, at, true)
		}
	}
}

func (l *Ledger) find(position uint64) int {
	for i := range l.pending {
		if l.pending[i].packet.Position == position {
			return i
		}
	}
	return -1
}

// giveUp counts as dropped what nobody repaired in time.
func (l *Ledger) giveUp(now int64) {
	kept := l.pending[:0]
	for _, each := range l.pending {
		if !each.lost || now-each.since < repairTime {
			kept = append(kept, each)
			continue
		}
		l.counts[each.packet.Kind].Dropped++
		if each.packet.Kind == media.Video {
			l.frames.settle(each.packet.Timestamp, 0, false)
		}
	}
	l.pending = kept
}

// Figures are what the ledger says of a viewer.
type Figures struct {
	Video Counts `json:"video"`
	Audio Counts `json:"audio"`
	// AddedDelayMs is how long packets were held back, first sends only.
	AddedDelayMs Delay `json:"addedDelayMs"`
	// JitterMs is RFC 3550's over all video packets; JitterPerFrameMs takes the first packet of each frame only, as browsers do.
	JitterMs         float64 `json:"jitterMs"`
	JitterPerFrameMs float64 `json:"jitterPerFrameMs"`
	// Frames of video, from the first whole keyframe on: all packets came, or one was lost for good.
	FramesWhole  uint64 `json:"framesWhole"`
	FramesBroken uint64 `json:"framesBroken"`
	// Fps is that of the whole frames between the first and the last.
	Fps float64 `json:"fps"`
	// Freezes are gaps of 500 ms and more between whole frames; FrozenMs is their length together.
	Freezes  uint64  `json:"freezes"`
	FrozenMs float64 `json:"frozenMs"`
}

// Figures as they are now.
func (l *Ledger) Figures(now int64) Figures {
	l.giveUp(now)
	figures := Figures{Video: l.counts[media.Video], Audio: l.counts[media.Audio], AddedDelayMs: l.delays.figures(),
		JitterMs: l.jitter[media.Video].ms(media.Video), JitterPerFrameMs: l.jitter[media.Video].perFrameMs(media.Video),
		FramesWhole: l.frames.whole, FramesBroken: l.frames.broken, Fps: l.frames.rate(), Freezes: l.frames.freezes,
		FrozenMs: float64(l.frames.frozen) / float64(time.Millisecond)}
	for _, each := range l.pending {
		if each.packet.Kind == media.Video {
			figures.Video.Pending++
		} else {
			figures.Audio.Pending++
		}
	}
	return figures
}
