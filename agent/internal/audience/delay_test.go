package audience

import (
	"context"
	"encoding/json"
	"math"
	"testing"
	"time"

	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/testing/histograms"
	"fullhouse/agent/internal/viewer"
)

// medianDelay is that by sender reports.
func medianDelay(t *testing.T, j protocol.JobSample) (float64, bool) {
	t.Helper()
	if j.Delay == nil || j.Delay.SenderReportMs == "" {
		return 0, false
	}
	return j.Delay.ReferenceMs + histograms.Percentile(t, j.Delay.SenderReportMs, 50), true
}

// fastestMs is the minimum over several samples of the median delay: a busy machine only adds to it.
func (s *harness) fastestMs(what string) float64 {
	s.t.Helper()
	fastest, count := math.Inf(1), 0
	s.until(what, func(j protocol.JobSample) bool {
		if median, known := medianDelay(s.t, j); known {
			fastest = min(fastest, median)
			count++
		}
		return count == 8
	})
	return fastest
}

func TestTheDelayGrowsByWhatTheLabAdds(t *testing.T) {
	origin := startLab(t)
	s := newHarness(t)
	s.mustCall("audience.start", protocol.AudienceStartParams{Job: "pull-1", Protocol: "whep", URL: "http://" + origin.HTTP() + "/whep/cam",
		Viewers: 4, RatePerSecond: 100})
	s.until("4 viewers", func(j protocol.JobSample) bool { return j.Connected == 4 })
	before := s.fastestMs("a delay")
	if before < -1 || before > 300 {
		t.Errorf("%.1f ms without conditions", before)
	}
	for _, added := range []float64{150, 600} {
		params, err := json.Marshal(protocol.LabConditionsParams{Stream: "cam", DelayMs: &added})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := origin.Call(context.Background(), "lab.conditions", params); err != nil {
			t.Fatal(err)
		}
		s.until("the first delayed packets", func(j protocol.JobSample) bool {
			median, known := medianDelay(s.t, j)
			return known && median > added-20
		})
		if grown := s.fastestMs("a longer delay") - before; grown < added-15 || grown > added+150 {
			t.Errorf("with %.0f ms added by the lab the delay grows by %.1f ms", added, grown)
		}
	}
	for _, v := range s.list() {
		if v.DelayMs == nil || *v.DelayMs < 500 || v.DelayMethod != protocol.DelayMethodSenderReport {
			t.Errorf("viewer %+v", v)
		}
	}
}

func TestTheDelayOfAPublishedStreamIsFromItsPublisher(t *testing.T) {
	origin := startLab(t)
	s := newHarness(t)
	s.mustCall("audience.publish", protocol.AudiencePublishParams{Job: "studio", Protocol: "whip", URL: "http://" + origin.HTTP() + "/whip/live", Sample: "sample-240p"})
	for deadline := time.Now().Add(testTimeout); ; time.Sleep(50 * time.Millisecond) {
		result, err := origin.Call(context.Background(), "lab.streams", nil)
		if err != nil || time.Now().After(deadline) {
			t.Fatalf("the stream is not live: %+v, %v", result, err)
		}
		if len(result.(protocol.LabStreamsResult).Streams) == 2 {
			break
		}
	}
	s.mustCall("audience.start", protocol.AudienceStartParams{Job: "pull-1", Protocol: "whep", URL: "http://" + origin.HTTP() + "/whep/live",
		Viewers: 2, RatePerSecond: 100})
	s.until("2 viewers", func(j protocol.JobSample) bool { return j.Connected == 2 })
	if delay := s.fastestMs("a delay"); delay < -1 || delay > 300 {
		t.Errorf("%.1f ms", delay)
	}
}

func TestDelaysAreKeptApartByTheirMethod(t *testing.T) {
	var all delays
	if all.sample() != nil {
		t.Errorf("%+v without a viewer", all.sample())
	}
	for _, reading := range []viewer.Reading{
		{DelayNs: 20.5e6, DelayMethod: protocol.DelayMethodSenderReport}, {DelayNs: -3e6, DelayMethod: protocol.DelayMethodSenderReport},
		{DelayNs: 300e6, DelayMethod: protocol.DelayMethodCaptureTime, ClocksDiffer: true}, {ClocksDiffer: true}, {},
	} {
		all.add(reading)
	}
	got := all.sample()
	at := func(text string, share float64) float64 {
		return got.ReferenceMs + histograms.Percentile(t, text, share)
	}
	near := func(value, wanted float64) bool {
		return math.Abs(value-wanted) < 0.01*math.Abs(wanted-got.ReferenceMs)
	}
	if got.ClocksDiffer != 1 || got.ReferenceMs != 20 || !near(at(got.SenderReportMs, 50), -3) || !near(at(got.SenderReportMs, 100), 20.5) ||
		!near(at(got.CaptureTimeMs, 50), 300) {
		t.Errorf("%+v", got)
	}
	all.begin()
	if all.sample() != nil {
		t.Error("the next interval begins with the delays of the one before")
	}
}
