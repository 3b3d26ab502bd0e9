package audience

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"testing"

	"fullhouse/agent/internal/lab"
	"fullhouse/agent/internal/link"
)

// TestLostPacketsAreAskedForAgain plays against the lab, which loses packets on order and sends them again when
// asked. Video has repair (NACK), audio has none, so about the audio's share of the loss must remain.
func TestLostPacketsAreAskedForAgain(t *testing.T) {
	origin, err := lab.Start(lab.Config{HTTP: "127.0.0.1:0", Media: "127.0.0.1:0", Samples: "../../../assets/lab",
		Event: func(link.Event) {}, Log: log.New(io.Discard, "", 0)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := origin.Close(); err != nil {
			t.Error(err)
		}
	})
	order := func(call, params string) {
		t.Helper()
		if _, err := origin.Call(context.Background(), call, json.RawMessage(params)); err != nil {
			t.Fatal(err)
		}
	}
	order("lab.publish-sample", `{"stream":"cam","sample":"sample-240p"}`)
	order("lab.conditions", `{"stream":"cam","lossPercent":10}`)
	s := newStage(t)
	s.mustCall("audience.start", StartParams{Job: "pull-1", Protocol: "whep", URL: "http://" + origin.HTTP() + "/whep/cam", Viewers: 4, RatePerSecond: 100})
	j := s.all()[0]
	s.until("repaired packets", func(sample JobSample) bool {
		j.mutex.Lock()
		defer j.mutex.Unlock()
		var repaired uint64
		for i := range j.members {
			repaired += j.members[i].last.Repaired
		}
		return sample.Connected == 4 && repaired >= 20
	})
	var lost, expected uint64
	j.mutex.Lock()
	for i := range j.members {
		lost, expected = lost+j.members[i].last.Lost, expected+j.members[i].last.Expected
	}
	j.mutex.Unlock()
	if share := float64(lost) / float64(expected); share > 0.08 {
		t.Errorf("%.1f %% of the packets are missing after repair, of 10 %% lost", 100*share)
	}
	s.mustCall("audience.stop", StopParams{Job: "pull-1"})
	s.until("the end", func(sample JobSample) bool { return sample.State == JobEnded })
}
