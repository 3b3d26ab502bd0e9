package stats

import (
	"testing"
	"unsafe"
)

// framesAfter has a frame at the end of each interval, in ms.
func framesAfter(intervals ...int64) *Frames {
	f := &Frames{FirstAt: 1e9, LastAt: 1e9, Complete: 1}
	at := int64(1e9)
	for _, interval := range intervals {
		at += interval * msNs
		f.open, f.intact = true, true
		f.finish(at, true)
	}
	return f
}

func steady(count int, intervalMs int64, then ...int64) []int64 {
	var all []int64
	for range count {
		all = append(all, intervalMs)
	}
	return append(all, then...)
}

func TestFreezesAreThoseOfWebRTCStats(t *testing.T) {
	for name, test := range map[string]struct {
		intervals []int64
		count     uint32
		ms        uint32
	}{
		// 29 x 40 and 200: an average of 45, so a freeze lasts 195 ms or more.
		"150 ms more than the average":  {steady(40, 40, 195), 1, 195},
		"less than that":                {steady(40, 40, 193), 0, 0},
		"three times a slow average":    {steady(40, 200, 645), 1, 645},
		"less than three times":         {steady(40, 200, 640), 0, 0},
		"the fifth interval":            {steady(4, 40, 400), 1, 400},
		"the fourth is not judged":      {steady(3, 40, 400), 0, 0},
		"only the latest 30 are":        {steady(30, 400, steady(30, 40, 200)...), 1, 200},
		"a second one, with the first":  {steady(40, 40, 300, 40, 300), 2, 600},
		"longer than an interval keeps": {steady(40, 40, 70_000), 1, 70_000},
	} {
		t.Run(name, func(t *testing.T) {
			if f := framesAfter(test.intervals...).Freezes; f.Count != test.count || f.DurationMs != test.ms {
				t.Errorf("%d of %d ms, not %d of %d ms", f.Count, f.DurationMs, test.count, test.ms)
			}
		})
	}
}

func TestAFreezeIsCountedWhenItHasEnded(t *testing.T) {
	f := framesAfter(steady(30, 40)...)
	f.GapNs(f.LastAt + 900*msNs)
	if f.Stalls != 1 || f.Freezes.Count != 0 {
		t.Errorf("%d stalls, %d freezes", f.Stalls, f.Freezes.Count)
	}
}

func TestFramesThatAreReadTogetherAreNoFreeze(t *testing.T) {
	f := &Frames{}
	at := int64(1e9)
	portion := func(afterMs int64, frames int) {
		at += afterMs * msNs
		for range frames {
			f.CompleteFrame(true, at)
		}
	}
	for range 20 {
		portion(280, 7)
	}
	if f.Freezes.Count != 0 {
		t.Errorf("%d freezes", f.Freezes.Count)
	}
	portion(499, 7)
	if f.Freezes.Count != 0 {
		t.Error("only the ends of a gap of 500 ms are exact")
	}
	portion(600, 1)
	if f.Freezes.Count != 1 || f.Freezes.DurationMs != 600 || f.Stalls != 1 {
		t.Errorf("%+v, %d stalls", f.Freezes, f.Stalls)
	}
}

func TestAFreezeAfterAConstantRate(t *testing.T) {
	for interval := int64(150); interval < 400; interval++ {
		if counted := framesAfter(steady(40, 40, interval)...).Freezes.Count == 1; counted != IsFreezeAfter(40, interval) {
			t.Errorf("%d ms: %v", interval, counted)
		}
	}
}

func TestFreezesOfAViewerAreSmall(t *testing.T) {
	if size := unsafe.Sizeof(Freezes{}); size > 76 {
		t.Errorf("%d bytes", size)
	}
}
