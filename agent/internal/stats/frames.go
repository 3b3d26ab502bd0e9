package stats

import "fullhouse/agent/internal/protocol"

// FreezeNs is a gap without a complete frame that counts as a freeze.
const FreezeNs = protocol.DegradedFreezeMs * 1e6

// Frames finds complete video frames: all packets from a frame's first to its marker, without a gap. Whether a frame
// decodes is unknown; this is a packet-counting viewer. Counting starts with the first keyframe.
type Frames struct {
	Complete  uint64
	Broken    uint64
	Freezes   uint64
	FrozenNs  int64 // total length of ended freezes
	FirstAt   int64 // 0 before the first complete keyframe
	LastAt    int64
	LongestNs int64 // the longest gap that ended since TakeLongest

	open      bool
	intact    bool
	keyframe  bool
	timestamp uint32
	lastAt    int64 // arrival of the open frame's latest packet
	counted   bool  // the ongoing freeze is in Freezes already
}

func (f *Frames) add(packet held, contiguous bool, at int64) {
	if f.open && packet.timestamp != f.timestamp {
		f.finish(f.lastAt, contiguous) // a sender that sets no marker, or a lost marker
	}
	if !f.open {
		f.open, f.timestamp, f.keyframe = true, packet.timestamp, false
		f.intact = packet.startsFrame || contiguous && f.FirstAt != 0
	} else if !contiguous {
		f.intact = false
	}
	f.keyframe = f.keyframe || packet.keyframe
	f.lastAt = at
	if packet.marker {
		f.finish(at, true)
	}
}

func (f *Frames) finish(at int64, complete bool) {
	f.open = false
	if !f.intact || !complete {
		f.Broken++
		return
	}
	if f.FirstAt == 0 {
		if !f.keyframe {
			return // not decodable: no reference frame
		}
		f.FirstAt, f.LastAt = at, at
	}
	gap := at - f.LastAt
	if gap >= FreezeNs {
		if !f.counted {
			f.Freezes++
		}
		f.FrozenNs += gap
	}
	f.counted = false
	f.LongestNs = max(f.LongestNs, gap)
	f.LastAt = max(f.LastAt, at)
	f.Complete++
}

// GapNs is the time without a complete frame up to now; it also counts a freeze that this has become.
func (f *Frames) GapNs(now int64) int64 {
	if f.FirstAt == 0 {
		return 0
	}
	gap := now - f.LastAt
	if gap >= FreezeNs && !f.counted {
		f.counted = true
		f.Freezes++
	}
	return gap
}

// FrozenUntil is the total time frozen, including an ongoing freeze.
func (f *Frames) FrozenUntil(now int64) int64 {
	if gap := now - f.LastAt; f.FirstAt != 0 && gap >= FreezeNs {
		return f.FrozenNs + gap
	}
	return f.FrozenNs
}

// TakeLongest returns the longest gap that ended since the last call.
func (f *Frames) TakeLongest() int64 {
	longest := f.LongestNs
	f.LongestNs = 0
	return longest
}
