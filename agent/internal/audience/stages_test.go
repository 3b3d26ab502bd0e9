package audience

import (
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/testing/histograms"
)

// stagesOf are the stages of a sample's distributions, by the names of the protocol.
func stagesOf(d protocol.DistributionSample) map[string]string {
	return map[string]string{"dnsMs": d.DNSMs, "tcpMs": d.TCPMs, "tlsMs": d.TLSMs, "signallingMs": d.SignallingMs, "iceMs": d.ICEMs,
		"dtlsMs": d.DTLSMs, "firstPacketMs": d.FirstPacketMs, "keyframeMs": d.KeyframeMs}
}

// TestTheStagesOfAViewerAddUpToItsFirstFrame has one viewer, whose figures are the extremes of the histograms.
func TestTheStagesOfAViewerAddUpToItsFirstFrame(t *testing.T) {
	for name, test := range map[string]struct {
		params func(t *testing.T) protocol.AudienceStartParams
		stages []string
	}{
		"WHEP": {func(t *testing.T) protocol.AudienceStartParams { return startParams(newOrigin(t), 1) },
			[]string{"dtlsMs", "firstPacketMs", "iceMs", "keyframeMs", "signallingMs", "tcpMs"}},
		"RTMP": {func(t *testing.T) protocol.AudienceStartParams { return newRTMPSource(t).params(1) },
			[]string{"firstPacketMs", "keyframeMs", "signallingMs", "tcpMs"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newHarness(t)
			s.mustCall("audience.start", test.params(t))
			durations := map[string]float64{}
			firstFrame := 0.0
			s.until("a first frame", func(j protocol.JobSample) bool {
				distributions := measured(j)
				for stage, text := range stagesOf(distributions) {
					if text == "" {
						continue
					}
					if _, again := durations[stage]; again {
						t.Errorf("%s is counted twice", stage)
					}
					durations[stage] = histograms.Highest(t, text)
				}
				if distributions.FirstFrameMs != "" {
					firstFrame = histograms.Highest(t, distributions.FirstFrameMs)
				}
				return firstFrame > 0
			})
			total := 0.0
			var stages []string
			for stage, duration := range durations {
				stages = append(stages, stage)
				total += duration
			}
			slices.Sort(stages)
			if !slices.Equal(stages, test.stages) {
				t.Errorf("stages %v", stages)
			}
			if math.Abs(total-firstFrame) >= 1 {
				t.Errorf("%v add up to %v ms instead of %v", durations, total, firstFrame)
			}
			t.Logf("%v: %v ms of %v", durations, total, firstFrame)
		})
	}
}

func TestAFailedViewerHasItsCompletedStages(t *testing.T) {
	s := newHarness(t)
	refusing := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(refusing.Close)
	s.mustCall("audience.start", protocol.AudienceStartParams{Job: "pull-1", Protocol: "whep", URL: refusing.URL, Viewers: 1, RatePerSecond: 100})
	tcp := ""
	s.until("a failed viewer", func(j protocol.JobSample) bool {
		distributions := measured(j)
		if distributions.SignallingMs != "" {
			t.Error("a refused offer has an answer")
		}
		tcp += distributions.TCPMs
		return j.Failed == 1
	})
	if tcp == "" {
		t.Error("its TCP connection is not counted")
	}
}
