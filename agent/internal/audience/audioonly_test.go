package audience

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/viewer"
)

func TestViewersOfAudioOnlyHaveNoFrameRate(t *testing.T) {
	origin, s := startLab(t), newHarness(t)
	s.mustCall("audience.start", protocol.AudienceStartParams{Job: "pull-1", Protocol: "whep", URL: "http://" + origin.HTTP() + "/whep/cam",
		Viewers: 2, RatePerSecond: 100, Tracks: protocol.TracksAudio, NominalFPS: new(25.0)})
	started := false
	j := s.until("audio", func(j protocol.JobSample) bool {
		started = started || measured(j).FirstFrameMs != ""
		return started && j.Connected == 2 && j.LossPercent != nil && j.PacketsPerSecond > 20
	})
	if measured(j).FrameRate != "" || j.Degraded != 0 || measured(j).JitterMs == "" || j.BitrateKbps > 200 {
		t.Errorf("%+v", j)
	}
	for _, v := range s.list() {
		if v.FPS != nil || v.Frames != 0 || v.FirstFrameMs == nil || *v.FirstFrameMs != *v.ConnectMs {
			t.Errorf("%+v", v)
		}
	}
	if _, err := origin.Call(context.Background(), "lab.conditions", json.RawMessage(`{"stream":"cam","pauseMs":1500}`)); err != nil {
		t.Fatal(err)
	}
	s.until("viewers without audio", func(j protocol.JobSample) bool { return j.Degraded == 2 })
	if reason := s.list()[0].DegradedReason; reason != protocol.DegradedCauseStall {
		t.Errorf("%q", reason)
	}
}

func TestTheFrameRateOfAudioOnlyIsNotJudged(t *testing.T) {
	for isAudioOnly, want := range map[bool]float64{true: 0, false: 25} {
		if got := observed(&viewerState{last: viewer.Reading{AudioOnly: isAudioOnly}}, 0, 25).NominalFrameRate; got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

func TestWhatHasNoAudioOnly(t *testing.T) {
	s := newHarness(t)
	start := protocol.AudienceStartParams{Job: "pull-1", Protocol: "mjpeg", URL: "http://127.0.0.1/cam", Viewers: 1, RatePerSecond: 1, Tracks: protocol.TracksAudio}
	if _, err := s.call("audience.start", start); err == nil || !strings.Contains(err.Error(), "leave tracks out") {
		t.Errorf("%v", err)
	}
	start.Protocol, start.Tracks = "hls", "video"
	if _, err := s.call("audience.start", start); err == nil || !strings.Contains(err.Error(), "audio-video or audio") {
		t.Errorf("%v", err)
	}
}
