package stats

import "fullhouse/agent/internal/protocol"

// StallNs is a gap without a complete frame that counts as a stall. Other than a freeze (Freezes), it does not depend on
// the frame rate.
const StallNs = protocol.DegradedStallMs * 1e6

// Frames finds complete video frames: all packets from a frame's first to its marker, without a gap. Whether a frame
// decodes is unknown; this is a packet-counting viewer. Counting starts with the first keyframe.
type Frames struct {
	Complete  uint64
	Broken    uint64
	Stalls    uint64
	StalledNs int64 // total length of ended stalls
	FirstAt   int64 // 0 before the first complete keyframe
	LastAt    int64
	LongestNs int64 // the longest gap that ended since TakeLongest

	open      bool
	intact    bool
	keyframe  bool
	timestamp uint32
	lastAt    int64 // arrival of the open frame's latest packet
	counted   bool  // the ongoing stall is in Stalls already
	// inPortions: several frames may be read at once; together is how many of them the latest read had.
	inPortions bool
	together   uint8
	// Freezes are those of W3C webrtc-stats; they mean nothing for audio.
	Freezes Freezes
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
	if gap >= StallNs {
		if !f.counted {
			f.Stalls++
		}
		f.StalledNs += gap
	}
	f.counted = false
	if intervalMs := at/1e6 - f.LastAt/1e6; f.inPortions {
		f.portion(intervalMs)
	} else if f.Complete > 0 {
		f.Freezes.add(intervalMs)
	}
	f.LongestNs = max(f.LongestNs, gap)
	f.LastAt = max(f.LastAt, at)
	f.Complete++
}

// GapNs is the time without a complete frame up to now; it also counts a stall that this has become.
func (f *Frames) GapNs(now int64) int64 {
	if f.FirstAt == 0 {
		return 0
	}
	gap := now - f.LastAt
	if gap >= StallNs && !f.counted {
		f.counted = true
		f.Stalls++
	}
	return gap
}

// StalledUntil is the total time stalled, including an ongoing stall.
func (f *Frames) StalledUntil(now int64) int64 {
	if gap := now - f.LastAt; f.FirstAt != 0 && gap >= StallNs {
		return f.StalledNs + gap
	}
	return f.StalledNs
}

// TakeLongest returns the longest gap that ended since the last call.
func (f *Frames) TakeLongest() int64 {
	longest := f.LongestNs
	f.LongestNs = 0
	return longest
}
