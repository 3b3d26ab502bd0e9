package audience

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"runtime"
	"sync"
	"testing"
	"time"

	"fullhouse/agent/internal/link"
	"fullhouse/agent/internal/process"
)

// patience is what a slow, busy machine may need; nothing here waits for it when all is well.
const patience = 40 * time.Second

type stage struct {
	*Audience
	t      *testing.T
	mutex  sync.Mutex
	events []link.Event
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{t: t}
	a, err := New(Config{Event: func(e link.Event) { s.mutex.Lock(); s.events = append(s.events, e); s.mutex.Unlock() }, Log: log.New(io.Discard, "", 0)})
	if err != nil {
		t.Fatal(err)
	}
	s.Audience = a
	return s
}

func (s *stage) call(name string, params any) (any, error) {
	raw, err := json.Marshal(params)
	if err != nil {
		s.t.Fatal(err)
	}
	return s.Call(context.Background(), name, raw)
}

func (s *stage) mustCall(name string, params any) any {
	s.t.Helper()
	result, err := s.call(name, params)
	if err != nil {
		s.t.Fatalf("%s: %v", name, err)
	}
	return result
}

// until samples every 200 ms until the first job's sample fits, and returns it.
func (s *stage) until(what string, fits func(JobSample) bool) JobSample {
	s.t.Helper()
	const interval = 200 * time.Millisecond
	var last JobSample
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(interval) {
		sample := s.Sample(process.Sample{}, interval).(Sample)
		if len(sample.Jobs) > 0 {
			if last = sample.Jobs[0]; fits(last) {
				return last
			}
		}
	}
	s.t.Fatalf("waited in vain: %s; last sample %+v", what, last)
	return last
}

func TestTwentyViewersComeWatchAndLeave(t *testing.T) {
	before := runtime.NumGoroutine()
	s, o := newStage(t), newOrigin(t)
	s.mustCall("audience.start", StartParams{Job: "pull-1", Protocol: "whep", URL: o.URL + "/whep/cam", Viewers: 20, RatePerSecond: 100})
	var connectTimes int
	full := s.until("20 connected", func(j JobSample) bool {
		if j.ConnectMs != nil {
			connectTimes++
		}
		return j.Connected == 20
	})
	if full.Failed != 0 || full.State != JobHolding || full.Present != 20 || connectTimes == 0 {
		t.Errorf("all connected, but the sample is %+v", full)
	}
	s.until("frames and round trips", func(j JobSample) bool { return j.FrameRate != nil && j.FrameRate.P5 > 10 && j.RoundTripMs != nil })
	list := s.mustCall("audience.viewers", ViewersParams{Job: "pull-1", Limit: 1000}).(ViewersResult)
	if list.Total != 20 || len(list.Viewers) != 20 {
		t.Fatalf("listed %d of %d viewers, want 20", len(list.Viewers), list.Total)
	}
	for _, v := range list.Viewers {
		if v.State != Connected || v.ConnectMs == nil || v.FirstFrameMs == nil || *v.FirstFrameMs < *v.ConnectMs || v.Packets == 0 || v.Frames == 0 || v.Lost != 0 {
			t.Errorf("viewer %d is %+v", v.Viewer, v)
		}
	}
	s.mustCall("audience.stop", StopParams{Job: "pull-1"})
	gone := s.until("nobody left", func(j JobSample) bool { return j.State == JobEnded })
	if gone.Left != 20 || gone.Present != 0 || o.deletes.Load() != 20 || o.present() != 0 {
		t.Errorf("after leaving: %+v, %d DELETEs, %d sessions at the origin", gone, o.deletes.Load(), o.present())
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	o.Server.Close()
	_ = before
}
