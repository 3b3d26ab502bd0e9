package stats

// The definition of a degraded viewer; src/domain/degraded.ts has the same figures.
const (
	WindowNs             = 5e9
	leastFrameRateShare  = 0.8
	mostLossPercent      = 2
	windowSlices         = 5
	DegradedByFreeze     = "freeze"
	DegradedByFrameRate  = "frame-rate"
	DegradedByPacketLoss = "loss"
)

// Slice is what a viewer saw in one interval.
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

// Window keeps the latest slices, five seconds of them.
type Window struct {
	slices [windowSlices]Slice
	at     int
}

// Push adds the newest slice.
func (w *Window) Push(slice Slice) {
	w.slices[w.at] = slice
	w.at = (w.at + 1) % windowSlices
}

// Sum puts the slices together.
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

// LossPercent is the share of lost packets, 0 when none were due.
func LossPercent(lost, expected uint64) float64 {
	if expected == 0 {
		return 0
	}
	return 100 * float64(lost) / float64(expected)
}

// Seen is what the rule judges.
type Seen struct {
	LongestGapNs int64
	FrameRate    float64
	// NominalFrameRate is the stream's own; 0 when unknown, then the rate is not judged.
	NominalFrameRate float64
	LossPercent      float64
	ConnectedForNs   int64
}

// DegradedBecause names the rule that a viewer breaks, or is empty when it watches well.
func DegradedBecause(seen Seen) string {
	switch {
	case seen.LongestGapNs >= FreezeNs:
		return DegradedByFreeze
	case seen.ConnectedForNs < WindowNs:
		return "" // rate and loss are judged over a full window only
	case seen.NominalFrameRate > 0 && seen.FrameRate < leastFrameRateShare*seen.NominalFrameRate:
		return DegradedByFrameRate
	case seen.LossPercent > mostLossPercent:
		return DegradedByPacketLoss
	}
	return ""
}
