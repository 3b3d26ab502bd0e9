package audience

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"slices"
	"testing"
	"time"

	"fullhouse/agent/internal/lab"
	"fullhouse/agent/internal/link"
	"fullhouse/agent/internal/process"
	"fullhouse/agent/internal/publish"
)

// TestAnAudiencePublishesWhatItPulls publishes to the lab and pulls the stream from there.
func TestAnAudiencePublishesWhatItPulls(t *testing.T) {
	origin, err := lab.Start(lab.Config{HTTP: "127.0.0.1:0", Media: "127.0.0.1:0", Samples: "../../../assets/lab", Event: func(link.Event) {}, Log: log.New(io.Discard, "", 0)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := origin.Close(); err != nil {
			t.Error(err)
		}
	})
	s := newStage(t)
	if protocols := s.Announcement().Publishes; !slices.Equal(protocols, []string{"whip", "rtmp"}) {
		t.Errorf("%v", protocols)
	}
	s.mustCall("audience.publish", publish.Params{Job: "studio", Protocol: "whip", URL: "http://" + origin.HTTP() + "/whip/cam", Sample: "sample-240p"})
	publication := func() publish.View {
		views := s.Sample(process.Sample{}, time.Second).(Sample).Publications
		if len(views) == 0 {
			return publish.View{}
		}
		return views[0]
	}
	wait := func(what string, fits func() bool) {
		t.Helper()
		for deadline := time.Now().Add(patience); !fits(); time.Sleep(50 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("waited in vain: %s; %+v", what, publication())
			}
		}
	}
	wait("the lab has the stream", func() bool {
		raw, err := json.Marshal(origin.Sample(process.Sample{}, time.Second))
		var told struct {
			Lab struct {
				Streams []lab.StreamFigures `json:"streams"`
			} `json:"lab"`
		}
		return err == nil && json.Unmarshal(raw, &told) == nil && len(told.Lab.Streams) == 1 && publication().State == publish.Live
	})
	start := StartParams{Job: "studio", Protocol: "whep", URL: "http://" + origin.HTTP() + "/whep/cam", Viewers: 2, RatePerSecond: 100}
	if _, err := s.call("audience.start", start); err == nil || err.(*link.Error).Code != "duplicate-job" {
		t.Errorf("a job of viewers takes the publication's name: %v", err)
	}
	start.Job = "pull-1"
	s.mustCall("audience.start", start)
	if _, err := s.call("audience.publish", publish.Params{Job: "pull-1", Protocol: "whip", URL: "http://127.0.0.1:1/whip/x", Sample: "sample-240p"}); err == nil || err.(*link.Error).Code != "duplicate-job" {
		t.Errorf("a publication takes the name of a job of viewers: %v", err)
	}
	s.until("two see the picture", func(j JobSample) bool { return j.Connected == 2 && j.FrameRate != nil })

	s.StopAll(false)
	s.until("the viewers have gone", func(j JobSample) bool { return j.State == JobEnded })
	if state := publication().State; state != publish.Live || s.Left() != 1 {
		t.Errorf("who stops the viewers stops the stream: %s, %d left", state, s.Left())
	}
	s.DisconnectAll(false)
	wait("nothing is left", func() bool { return s.Left() == 0 })
	if _, err := s.Call(context.Background(), "audience.unpublish", json.RawMessage(`{"job":"nobody"}`)); err == nil {
		t.Error("a publication was ended that never was")
	}
}
