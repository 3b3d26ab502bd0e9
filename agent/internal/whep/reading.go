package whep

import (
	"time"

	"fullhouse/agent/internal/viewer"
)

// Read returns the current figures.
func (v *Viewer) Read(now time.Time) viewer.Reading {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return v.read(now.UnixNano())
}

// ReadInterval is Read, and the longest gap between complete frames (packets of audio without video) that ended since the last call.
func (v *Viewer) ReadInterval(now time.Time) (viewer.Reading, int64) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.room != nil {
		return v.readRoom(now.UnixNano()), v.room.takeLongestGap()
	}
	return v.read(now.UnixNano()), v.frames.TakeLongest()
}

func (v *Viewer) read(at int64) viewer.Reading {
	if v.room != nil {
		return v.readRoom(at)
	}
	gap := v.frames.GapNs(at) // first: it counts the ongoing stall
	reading := viewer.Reading{
		FirstPacketAt: v.firstPacketAt, FirstFrameAt: v.frames.FirstAt,
		Packets: v.video.Packets + v.audio.Packets, Bytes: v.video.Bytes + v.audio.Bytes,
		Expected: v.video.Expected + v.audio.Expected, Lost: v.video.Lost + v.audio.Lost,
		Repaired: v.video.Repaired + v.audio.Repaired, Overflowed: v.overflowed, Damaged: v.damaged,
		Frames: v.frames.Complete, Stalls: v.frames.Stalls, StalledNs: v.frames.StalledUntil(at), GapNs: gap,
		FreezeCount: v.frames.Freezes.Count, FreezeMs: v.frames.Freezes.DurationMs,
		JitterMs: v.video.JitterMs(), HasJitter: v.video.Packets > 1, RoundTripNs: v.ice.RoundTripNs, Failure: v.failure,
	}
	if v.audioOnly {
		reading.AudioOnly, reading.Frames, reading.FreezeCount, reading.FreezeMs = true, 0, 0, 0
		reading.JitterMs, reading.HasJitter = v.audio.JitterMs(), v.audio.Packets > 1
	}
	if v.layers != nil {
		size := v.layers.size()
		reading.Width, reading.Height = size.Width, size.Height
	}
	if v.video.readDelay(&reading); reading.DelayMethod == "" {
		v.audio.readDelay(&reading)
	}
	reading.OverTCP = v.overTCP()
	reading.Repairs, reading.HasRepairs = v.repairsRead(), true
	if v.relay != nil && v.relay.allocation != nil {
		reading.AllocationNs = int64(v.relay.allocation.Took())
	}
	return reading
}

// repairsRead are the figures of what the server sent to repair loss.
func (v *Viewer) repairsRead() (r viewer.Repairs) {
	r.Recovered = v.video.recovered()
	if v.repairs != nil {
		r.Retransmitted, r.RetransmittedBytes = v.repairs.Packets, v.repairs.Bytes
	}
	if v.fec != nil {
		r.FEC, r.FECBytes = v.fec.Packets, v.fec.Bytes
	}
	return r
}
