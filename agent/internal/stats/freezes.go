package stats

import (
	"math"

	"fullhouse/agent/internal/protocol"
)

const freezeIntervals = protocol.FreezeIntervals

// IsFreeze judges an interval by the average with it.
func IsFreeze(intervalMs, averageMs int64) bool {
	return intervalMs >= max(protocol.FreezeFactor*averageMs, averageMs+protocol.FreezeExtraMs)
}

// IsFreezeAfter judges an interval that follows frames at a constant distance.
func IsFreezeAfter(distanceMs, intervalMs int64) bool {
	return IsFreeze(intervalMs, ((freezeIntervals-1)*distanceMs+intervalMs)/freezeIntervals)
}

// Freezes counts the freezes of one video that have ended. Each viewer has one: intervals are in ms, as in libwebrtc,
// in two bytes each.
type Freezes struct {
	Count      uint32
	DurationMs uint32

	sumMs     uint32
	intervals [freezeIntervals]uint16
	at, known uint8
}

// remember adds an interval to the average, and returns that.
func (f *Freezes) remember(intervalMs int64) (averageMs int64) {
	shortMs := uint16(min(max(intervalMs, 0), math.MaxUint16))
	f.sumMs += uint32(shortMs) - uint32(f.intervals[f.at])
	f.intervals[f.at] = shortMs
	f.at = (f.at + 1) % freezeIntervals
	f.known = min(f.known+1, freezeIntervals)
	return int64(f.sumMs / uint32(f.known))
}

// add counts the interval if it is a freeze.
func (f *Freezes) add(intervalMs int64) {
	averageMs := f.remember(intervalMs)
	if f.known >= protocol.FreezeMinIntervals && IsFreeze(intervalMs, averageMs) {
		f.Count++
		f.DurationMs += uint32(intervalMs)
	}
}
