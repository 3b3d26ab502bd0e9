package stats

import (
	"slices"
	"testing"
)

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
