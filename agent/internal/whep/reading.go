package whep

import (
	"time"

	"fullhouse/agent/internal/failure"
)

// Reading is what a viewer has seen so far. Counters run from its start, both streams together unless said
// otherwise; times are Unix nanoseconds, 0 when it has not happened.
type Reading struct {
	FirstPacketAt int64
	FirstFrameAt  int64
	Packets       uint64
	Bytes         uint64
	Expected      uint64
	Lost          uint64 // after repair
	Repaired      uint64
	Overflowed    uint64 // dropped at this machine's own socket
	Frames        uint64
	Freezes       uint64
	FrozenNs      int64
	GapNs         int64 // without a complete frame until now
	JitterMs      float64
	HasJitter     bool
	RoundTripNs   int64
	Failure       *failure.Failure
}

// Read takes the figures as they are now.
func (v *Viewer) Read(now time.Time) Reading {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return v.read(now.UnixNano())
}

// ReadInterval is Read, and the longest gap between complete frames that ended since the last call.
func (v *Viewer) ReadInterval(now time.Time) (Reading, int64) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return v.read(now.UnixNano()), v.frames.TakeLongest()
}

func (v *Viewer) read(at int64) Reading {
	gap := v.frames.GapNs(at) // first: it counts the freeze under way
	return Reading{
		FirstPacketAt: v.firstPacketAt, FirstFrameAt: v.frames.FirstAt,
		Packets: v.video.Packets + v.audio.Packets, Bytes: v.video.Bytes + v.audio.Bytes,
		Expected: v.video.Expected + v.audio.Expected, Lost: v.video.Lost + v.audio.Lost,
		Repaired: v.video.Repaired + v.audio.Repaired, Overflowed: v.overflowed,
		Frames: v.frames.Complete, Freezes: v.frames.Freezes, FrozenNs: v.frames.FrozenUntil(at), GapNs: gap,
		JitterMs: v.video.JitterMs(), HasJitter: v.video.Packets > 1, RoundTripNs: v.ice.tripNs, Failure: v.failure,
	}
}
