package audience

import (
	"slices"
	"testing"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/protocol"
)

func TestLostViewersConnectAgain(t *testing.T) {
	t.Parallel()
	const viewers = 20
	s, tv := newHarness(t), newRTMPSource(t)
	params := tv.params(viewers)
	params.Reconnect = true
	s.mustCall("audience.start", params)
	s.until("20 viewers", func(j protocol.JobSample) bool { return j.Connected == viewers })

	// The origin closes all connections, and the next ones too.
	tv.cut.Store(true)
	lost := s.until("all lost", func(j protocol.JobSample) bool { return j.Reconnecting == viewers })
	if lost.Connected != 0 || lost.Connecting != 0 || lost.Failed != 0 || len(lost.Failures) != 0 {
		t.Errorf("%+v", lost)
	}
	tv.cut.Store(false)
	var lasted *float64
	back := s.until("all back", func(j protocol.JobSample) bool {
		if j.ReconnectMs != nil {
			lasted = j.ReconnectMs
		}
		return j.Connected == viewers && lasted != nil
	})
	if back.Reconnecting != 0 || back.Reconnects != viewers || back.Failed != 0 || *lasted < 500 {
		t.Errorf("%+v, lasted %v ms", back, *lasted)
	}
	s.mutex.Lock()
	isReported := slices.ContainsFunc(s.events, func(e protocol.AgentEvent) bool { return e.Name == protocol.EventReconnected })
	s.mutex.Unlock()
	if !isReported {
		t.Errorf("no event in %+v", s.events)
	}

	// Viewers that are lost when the job ends have failed, of what they were lost by.
	tv.cut.Store(true)
	s.until("all lost again", func(j protocol.JobSample) bool { return j.Reconnecting == viewers })
	s.mustCall("audience.stop", protocol.AudienceStopParams{Job: "pull-1"})
	end := s.until("the end", func(j protocol.JobSample) bool { return j.State == protocol.JobEnded })
	if end.Failed+end.Disconnected != viewers || end.Failed == 0 || end.Present != 0 || end.Reconnecting != 0 || end.Failures[0].Stage == failure.Signalling {
		t.Errorf("%+v", end)
	}
}

func TestViewersThatAreBackWhenTheJobEndsHaveReconnected(t *testing.T) {
	t.Parallel()
	const viewers = 10
	s, tv := newHarness(t), newRTMPSource(t)
	params := tv.params(viewers)
	params.Reconnect = true
	s.mustCall("audience.start", params)
	s.until("10 viewers", func(j protocol.JobSample) bool { return j.Connected == viewers })
	tv.cut.Store(true)
	s.until("all lost", func(j protocol.JobSample) bool { return j.Reconnecting == viewers })
	tv.cut.Store(false)
	// No sample is taken until the job has ended.
	s.untilAll("back", func(v protocol.AudienceViewer) bool { return v.Packets > 0 })
	s.mustCall("audience.stop", protocol.AudienceStopParams{Job: "pull-1"})
	s.untilAll("disconnected", func(v protocol.AudienceViewer) bool { return v.State == protocol.ViewerDisconnected })
	end := s.until("the end", func(j protocol.JobSample) bool { return j.State == protocol.JobEnded })
	if end.Reconnects != viewers || end.Failed != 0 || end.Disconnected != viewers {
		t.Errorf("%+v", end)
	}
}

// untilAll waits until all viewers fit, without a sample.
func (s *harness) untilAll(what string, fits func(protocol.AudienceViewer) bool) {
	s.t.Helper()
	for deadline := time.Now().Add(testTimeout); ; time.Sleep(10 * time.Millisecond) {
		if viewers := s.list(); !slices.ContainsFunc(viewers, func(v protocol.AudienceViewer) bool { return !fits(v) }) {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("timed out: all %s", what)
		}
	}
}
