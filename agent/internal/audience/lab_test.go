package audience

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"testing"

	"fullhouse/agent/internal/lab"
	"fullhouse/agent/internal/protocol"
)

// startLab starts a lab with the stream cam.
func startLab(t *testing.T) *lab.Lab {
	t.Helper()
	origin, err := lab.Start(lab.Config{HTTP: "127.0.0.1:0", Media: "127.0.0.1:0", Samples: "../../../assets/lab",
		Event: func(protocol.AgentEvent) {}, Log: log.New(io.Discard, "", 0)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := origin.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, err := origin.Call(context.Background(), "lab.publish-sample", json.RawMessage(`{"stream":"cam","sample":"sample-240p"}`)); err != nil {
		t.Fatal(err)
	}
	return origin
}

// TestLostPacketsAreRequestedAgain runs against the lab, which drops packets as configured and retransmits them on
// request. Video has repair (NACK), audio has none, so about the audio's share of the loss must remain.
func TestLostPacketsAreRequestedAgain(t *testing.T) {
	origin := startLab(t)
	order := func(call, params string) {
		t.Helper()
		if _, err := origin.Call(context.Background(), call, json.RawMessage(params)); err != nil {
			t.Fatal(err)
		}
	}
	order("lab.conditions", `{"stream":"cam","lossPercent":10}`)
	s := newHarness(t)
	s.mustCall("audience.start", protocol.AudienceStartParams{Job: "pull-1", Protocol: "whep",
		URL: "http://" + origin.HTTP() + "/whep/cam", Viewers: 4, RatePerSecond: 100})
	j := s.all()[0]
	s.until("repaired packets", func(sample protocol.JobSample) bool {
		j.mutex.Lock()
		defer j.mutex.Unlock()
		var repaired uint64
		for i := range j.viewerStates {
			repaired += j.viewerStates[i].last.Repaired
		}
		return sample.Connected == 4 && repaired >= 20
	})
	var lost, expected uint64
	j.mutex.Lock()
	for i := range j.viewerStates {
		lost, expected = lost+j.viewerStates[i].last.Lost, expected+j.viewerStates[i].last.Expected
	}
	j.mutex.Unlock()
	if share := float64(lost) / float64(expected); share > 0.08 {
		t.Errorf("%.1f %% of the packets are missing after repair, of 10 %% lost", 100*share)
	}
	s.mustCall("audience.stop", protocol.AudienceStopParams{Job: "pull-1"})
	s.until("the end", func(sample protocol.JobSample) bool { return sample.State == protocol.JobEnded })
}
