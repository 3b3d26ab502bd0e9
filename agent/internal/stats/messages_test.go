package stats

import "testing"

func TestCompleteFramesAreCountedFromTheFirstKeyframe(t *testing.T) {
	var f Frames
	const ms = int64(1e6)
	f.CompleteFrame(false, 10*ms) // no reference frame
	if f.Complete != 0 || f.FirstAt != 0 || f.GapNs(5000*ms) != 0 {
		t.Errorf("%+v", f)
	}
	f.CompleteFrame(true, 50*ms)
	f.CompleteFrame(false, 90*ms)
	f.CompleteFrame(false, 90*ms) // read together
	if f.Complete != 3 || f.FirstAt != 50*ms || f.Stalls != 0 || f.Broken != 0 {
		t.Errorf("%+v", f)
	}
	f.CompleteFrame(false, 590*ms)
	if f.Stalls != 1 || f.StalledNs != 500*ms || f.TakeLongest() != 500*ms || f.GapNs(700*ms) != 110*ms {
		t.Errorf("%+v", f)
	}
}
