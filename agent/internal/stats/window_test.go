package stats

import (
	"slices"
	"testing"
)

func TestDegradedRule(t *testing.T) {
	well := Seen{LongestGapNs: 80 * msNs, FrameRate: 25, NominalFrameRate: 25, LossPercent: 0.5, ConnectedForNs: 10e9}
	for _, test := range []struct {
		name   string
		change func(*Seen)
		want   string
	}{
		{"well", func(*Seen) {}, ""},
		{"a gap just under", func(s *Seen) { s.LongestGapNs = 499 * msNs }, ""},
		{"a freeze", func(s *Seen) { s.LongestGapNs = 500 * msNs }, DegradedByFreeze},
		{"a freeze right after connecting", func(s *Seen) { s.LongestGapNs, s.ConnectedForNs = 600*msNs, 1e9 }, DegradedByFreeze},
		{"exactly 80 %", func(s *Seen) { s.FrameRate = 20 }, ""},
		{"under 80 %", func(s *Seen) { s.FrameRate = 19.9 }, DegradedByFrameRate},
		{"no frames at all", func(s *Seen) { s.FrameRate = 0 }, DegradedByFrameRate},
		{"slow, but the stream's rate is unknown", func(s *Seen) { s.FrameRate, s.NominalFrameRate = 5, 0 }, ""},
		{"slow, but just connected", func(s *Seen) { s.FrameRate, s.ConnectedForNs = 5, 4.9e9 }, ""},
		{"exactly 2 % lost", func(s *Seen) { s.LossPercent = 2 }, ""},
		{"more lost", func(s *Seen) { s.LossPercent = 2.01 }, DegradedByPacketLoss},
		{"lost, but just connected", func(s *Seen) { s.LossPercent, s.ConnectedForNs = 50, 4.9e9 }, ""},
	} {
		seen := well
		test.change(&seen)
		if got := DegradedBecause(seen); got != test.want {
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
		t.Errorf("the first is still there: %+v", sum)
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
