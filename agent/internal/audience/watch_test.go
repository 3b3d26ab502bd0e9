package audience

import (
	"testing"

	"fullhouse/agent/internal/protocol"
)

func TestViewersAreReplacedAfterTheirTime(t *testing.T) {
	t.Parallel()
	const viewers = 10
	s, tv := newHarness(t), newRTMPSource(t)
	params := tv.params(viewers)
	params.Watch = &protocol.JobWatch{MinMs: 1000, MaxMs: 1500}
	s.mustCall("audience.start", params)
	seen := s.until("all replaced", func(j protocol.JobSample) bool { return j.Replaced >= viewers })
	if seen.Failed != 0 || seen.Disconnected != 0 || seen.Requested != viewers {
		t.Errorf("%+v", seen)
	}
	s.until("all connected", func(j protocol.JobSample) bool { return j.Connected == viewers })
	s.mustCall("audience.stop", protocol.AudienceStopParams{Job: "pull-1"})
	end := s.until("the end", func(j protocol.JobSample) bool { return j.State == protocol.JobEnded })
	if end.Disconnected != viewers || end.Failed != 0 || end.Present != 0 {
		t.Errorf("%+v", end)
	}
}

func TestWatchTimesAreDrawn(t *testing.T) {
	t.Parallel()
	j := &job{params: protocol.AudienceStartParams{Watch: &protocol.JobWatch{MinMs: 10_000, MaxMs: 60_000}}, viewerStates: make([]viewerState, 1000)}
	sum := 0.0
	for i := range j.viewerStates {
		j.arrive(i, 0)
		took := ms(j.viewerStates[i].visit.leaveAt)
		if took < 10_000 || took > 60_000 {
			t.Fatalf("viewer %d watches for %v ms", i, took)
		}
		sum += took
	}
	if mean := sum / 1000; mean < 34_000 || mean > 36_000 {
		t.Errorf("the mean is %v ms", mean)
	}
}

func TestWatchBounds(t *testing.T) {
	t.Parallel()
	for _, watch := range []protocol.JobWatch{{MinMs: 0, MaxMs: 5000}, {MinMs: 5000, MaxMs: 4000}, {MinMs: 1000, MaxMs: protocol.MaxWatchMs + 1}} {
		if checkWatch(&watch) == nil {
			t.Errorf("%+v is accepted", watch)
		}
	}
}
