package audience

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"slices"
	"testing"
	"time"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/lab"
	"fullhouse/agent/internal/protocol"
)

// TestAnAudiencePublishesWhatItPulls publishes to the lab and pulls the stream from there.
func TestAnAudiencePublishesWhatItPulls(t *testing.T) {
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
	s := newHarness(t)
	if protocols := s.Announcement().Publishes; !slices.Equal(protocols, []string{"whip", "rtmp", "livekit", "rtsp", "srt"}) {
		t.Errorf("%v", protocols)
	}
	s.mustCall("audience.publish", protocol.AudiencePublishParams{Job: "studio", Protocol: "whip",
		URL: "http://" + origin.HTTP() + "/whip/cam", Sample: "sample-240p"})
	publication := func() protocol.AgentPublication {
		views := s.Sample(protocol.ProcessSample{}, time.Second).(protocol.AudienceSample).Publications
		if len(views) == 0 {
			return protocol.AgentPublication{}
		}
		return views[0]
	}
	wait := func(what string, fits func() bool) {
		t.Helper()
		for deadline := time.Now().Add(testTimeout); !fits(); time.Sleep(50 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("timed out: %s; %+v", what, publication())
			}
		}
	}
	wait("the lab has the stream", func() bool {
		raw, err := json.Marshal(origin.Sample(protocol.ProcessSample{}, time.Second))
		var listed struct {
			Lab struct {
				Streams []protocol.LabStream `json:"streams"`
			} `json:"lab"`
		}
		return err == nil && json.Unmarshal(raw, &listed) == nil && len(listed.Lab.Streams) == 1 &&
			publication().State == protocol.PublicationLive
	})
	start := protocol.AudienceStartParams{Job: "studio", Protocol: "whep", URL: "http://" + origin.HTTP() + "/whep/cam",
		Viewers: 2, RatePerSecond: 100}
	if _, err := s.call("audience.start", start); err == nil || err.(*control.Error).Code != "duplicate-job" {
		t.Errorf("a job of viewers takes the publication's name: %v", err)
	}
	start.Job = "pull-1"
	s.mustCall("audience.start", start)
	if _, err := s.call("audience.publish",
		protocol.AudiencePublishParams{Job: "pull-1", Protocol: "whip", URL: "http://127.0.0.1:1/whip/x",
			Sample: "sample-240p"}); err == nil || err.(*control.Error).Code != "duplicate-job" {
		t.Errorf("a publication takes the name of a job of viewers: %v", err)
	}
	s.until("two viewers with video", func(j protocol.JobSample) bool { return j.Connected == 2 && measured(j).FrameRate != "" })

	s.StopAll(false)
	s.until("the viewers disconnected", func(j protocol.JobSample) bool { return j.State == protocol.JobEnded })
	if state := publication().State; state != protocol.PublicationLive || s.Remaining() != 1 {
		t.Errorf("stopping the viewers stopped the stream: %s, %d left", state, s.Remaining())
	}
	s.DisconnectAll(false)
	wait("nothing is left", func() bool { return s.Remaining() == 0 })
	if _, err := s.Call(context.Background(), "audience.unpublish", json.RawMessage(`{"job":"missing"}`)); err == nil {
		t.Error("a publication that does not exist was ended")
	}
}
