package audience

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fullhouse/agent/internal/lab"
	"fullhouse/agent/internal/protocol"
)

// limited is an agent that may use 4 GB, and how much it uses.
func limited(t *testing.T) (s *harness, usedMB *atomic.Int64, origin *lab.Lab) {
	t.Helper()
	origin = startLab(t)
	usedMB = &atomic.Int64{}
	s = newHarness(t, func(c *Config) {
		c.Memory, c.memoryUsed = 4<<30, func() uint64 { return uint64(usedMB.Load()) << 20 }
	})
	return s, usedMB, origin
}

func (s *harness) pull(origin *lab.Lab, viewers int) {
	s.mustCall("audience.start", protocol.AudienceStartParams{Job: "pull", Protocol: "whep", URL: "http://" + origin.HTTP() + "/whep/cam",
		Viewers: viewers, RatePerSecond: 100, Reconnect: true})
}

const atTheLimit = "The tester is at its limit: the agent uses 3."

func TestAnAgentWithoutMemoryRefusesViewers(t *testing.T) {
	s, usedMB, origin := limited(t)
	usedMB.Store(3800)
	for deadline := time.Now().Add(testTimeout); !s.memory.isFull.Load(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("never full")
		}
	}
	s.pull(origin, 5)
	sample := s.until("all viewers failed", func(j protocol.JobSample) bool { return j.Failed == 5 })
	if f := sample.Failures; len(f) != 1 || f[0].Cause != protocol.CauseTesterMemory || f[0].Count != 5 || f[0].Example.Detail !=
		"The tester is at its limit: the agent uses 3.7 GB of the 4 GB of memory that it may; use fewer viewers here, or another tester, or raise \"Memory of an agent\" in Settings (--memory-limit)." {
		t.Errorf("%+v", f)
	}
	of := s.Sample(protocol.ProcessSample{}, time.Second).(protocol.AudienceSample).Tester
	if of == nil || *of.MemoryTotalBytes != 4<<30 || *of.MemoryAvailableBytes != 296<<20 || of.FailedOnTester != 5 {
		t.Errorf("%+v", of)
	}
	if _, err := s.call("audience.publish", protocol.AudiencePublishParams{Job: "studio", Protocol: "whip", URL: "http://" + origin.HTTP() + "/whip/cam", Sample: "sample-240p"}); err == nil || !strings.Contains(err.Error(), atTheLimit) {
		t.Errorf("%v", err)
	}
}

// TestAnAgentEndsItsJobsBeforeTheSystemEndsIt: the viewers fail with the reason, their sessions are closed, and the agent
// goes on.
func TestAnAgentEndsItsJobsBeforeTheSystemEndsIt(t *testing.T) {
	s, usedMB, origin := limited(t)
	s.pull(origin, 5)
	s.until("all viewers connected", func(j protocol.JobSample) bool { return j.Connected == 5 })
	usedMB.Store(3990)
	sample := s.until("the job ended", func(j protocol.JobSample) bool { return j.State == protocol.JobEnded })
	if f := sample.Failures; sample.Failed != 5 || len(f) != 1 || f[0].Cause != protocol.CauseTesterMemory || !strings.HasPrefix(f[0].Example.Detail, atTheLimit) {
		t.Errorf("%+v", sample)
	}
	s.mutex.Lock()
	sentence := ""
	for _, event := range s.events {
		if event.Name == protocol.EventWarning && event.Job == "" {
			sentence += event.Message
		}
	}
	s.mutex.Unlock()
	if !strings.HasPrefix(sentence, "The agent ends its jobs before the system ends the agent: the agent uses 3.9 GB of the 4 GB") || strings.Count(sentence, "The agent ends") != 1 {
		t.Errorf("%q", sentence)
	}
	usedMB.Store(100)
	for deadline := time.Now().Add(testTimeout); s.memory.isFull.Load(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("full for ever")
		}
	}
	s.pull(origin, 2)
	s.until("viewers connect again", func(j protocol.JobSample) bool { return j.Connected == 2 })
}
