package stats

import "fullhouse/agent/internal/protocol"

const (
	// WindowNs is the time over which a viewer is judged.
	WindowNs     = protocol.DegradedWindowMs * 1e6
	windowSlices = protocol.DegradedWindowMs / 1000
)

// Slice is what a viewer experienced in one interval.
type Slice struct {
	DurationNs int64
	Frames     uint64
	Packets    uint64
	Bytes      uint64
	Expected   uint64
	Lost       uint64
	LongestNs  int64
}

// FramesPerSecond of the slice.
func (s Slice) FramesPerSecond() float64 {
	if s.DurationNs <= 0 {
		return 0
	}
	return float64(s.Frames) * 1e9 / float64(s.DurationNs)
}

// Window keeps the slices of the latest five seconds.
type Window struct {
	slices [windowSlices]Slice
	at     int
}

// Push adds the newest slice.
func (w *Window) Push(slice Slice) {
	w.slices[w.at] = slice
	w.at = (w.at + 1) % windowSlices
}

// Sum adds up the slices.
func (w *Window) Sum() Slice {
	var sum Slice
	for _, slice := range w.slices {
		sum.DurationNs += slice.DurationNs
		sum.Frames += slice.Frames
		sum.Packets += slice.Packets
		sum.Bytes += slice.Bytes
		sum.Expected += slice.Expected
		sum.Lost += slice.Lost
		sum.LongestNs = max(sum.LongestNs, slice.LongestNs)
	}
	return sum
}

// LossPercent is the share of lost packets, 0 when none were expected.
func LossPercent(lost, expected uint64) float64 {
	if expected == 0 {
		return 0
	}
	return 100 * float64(lost) / float64(expected)
}

// Observed are the inputs of the rules.
type Observed struct {
	LongestGapNs int64
	FrameRate    float64
	// NominalFrameRate is the stream's own; 0 if unknown, then the rate is not judged.
	NominalFrameRate float64
	LossPercent      float64
	ConnectedForNs   int64
}

// DegradedReason is the rule that a viewer breaks, empty if it is not degraded.
func DegradedReason(observed Observed) protocol.DegradedCause {
	switch {
	case observed.LongestGapNs >= StallNs:
		return protocol.DegradedCauseStall
	case observed.ConnectedForNs < WindowNs:
		return "" // rate and loss are judged over a full window only
	case observed.NominalFrameRate > 0 && observed.FrameRate < protocol.DegradedMinFrameRateShare*observed.NominalFrameRate:
		return protocol.DegradedCauseFrameRate
	case observed.LossPercent > protocol.DegradedMaxLossPercent:
		return protocol.DegradedCauseLoss
	}
	return ""
}
