package stats

import (
	"slices"
	"testing"

	"fullhouse/agent/internal/protocol"
)

func TestDegradedRule(t *testing.T) {
	well := Observed{LongestGapNs: 80 * msNs, FrameRate: 25, NominalFrameRate: 25, LossPercent: 0.5, ConnectedForNs: 10e9}
	for _, test := range []struct {
		name   string
		change func(*Observed)
		want   protocol.DegradedCause
	}{
		{"good", func(*Observed) {}, ""},
		{"a gap just under", func(s *Observed) { s.LongestGapNs = 499 * msNs }, ""},
		{"a stall", func(s *Observed) { s.LongestGapNs = 500 * msNs }, protocol.DegradedCauseStall},
		{"a stall right after connecting", func(s *Observed) { s.LongestGapNs, s.ConnectedForNs = 600*msNs, 1e9 },
			protocol.DegradedCauseStall},
		{"exactly 80 %", func(s *Observed) { s.FrameRate = 20 }, ""},
		{"under 80 %", func(s *Observed) { s.FrameRate = 19.9 }, protocol.DegradedCauseFrameRate},
		{"no frames at all", func(s *Observed) { s.FrameRate = 0 }, protocol.DegradedCauseFrameRate},
		{"slow, but the stream's rate is unknown", func(s *Observed) { s.FrameRate, s.NominalFrameRate = 5, 0 }, ""},
		{"slow, but just connected", func(s *Observed) { s.FrameRate, s.ConnectedForNs = 5, 4.9e9 }, ""},
		{"exactly 2 % lost", func(s *Observed) { s.LossPercent = 2 }, ""},
		{"more lost", func(s *Observed) { s.LossPercent = 2.01 }, protocol.DegradedCauseLoss},
		{"lost, but just connected", func(s *Observed) { s.LossPercent, s.ConnectedForNs = 50, 4.9e9 }, ""},
	} {
		seen := well
		test.change(&seen)
		if got := DegradedReason(seen); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestWindowForgetsAfterFiveSlices(t *testing.T) {
	var w Window
	w.Push(Slice{DurationNs: 1e9, Frames: 1, Lost: 9, Expected: 100, LongestNs: 900 * msNs})
	for range 4 {
		w.Push(Slice{DurationNs: 1e9, Frames: 25, Expected: 100, LongestNs: 40 * msNs})
	}
	if sum := w.Sum(); sum.FramesPerSecond() != 20.2 || sum.Lost != 9 || sum.LongestNs != 900*msNs {
		t.Errorf("five slices sum up to %+v", sum)
	}
	w.Push(Slice{DurationNs: 1e9, Frames: 25, Expected: 100, LongestNs: 40 * msNs})
	if sum := w.Sum(); sum.FramesPerSecond() != 25 || sum.Lost != 0 || sum.LongestNs != 40*msNs {
		t.Errorf("the first slice is still included: %+v", sum)
	}
}

func TestPercentilesAreNearestRank(t *testing.T) {
	values := make([]float64, 100)
	for i := range values {
		values[i] = float64(100 - i)
	}
	if got := Percentiles(values, 0, 5, 50, 95, 99, 100); !slices.Equal(got, []float64{1, 5, 50, 95, 99, 100}) {
		t.Errorf("%v", got)
	}
	if got := Percentiles([]float64{7}, 5, 99); !slices.Equal(got, []float64{7, 7}) {
		t.Errorf("%v", got)
	}
	if Percentiles(nil, 50) != nil {
		t.Error("a percentile of nothing must be absent")
	}
	if LossPercent(0, 0) != 0 || LossPercent(1, 50) != 2 {
		t.Error("loss is wrong")
	}
}
