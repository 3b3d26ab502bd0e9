package audience

import (
	"slices"
	"strings"
	"testing"

	"fullhouse/agent/internal/lab/recorder"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/protocol"
)

// sends reports whether the first viewer sent a kind of compound packet.
func sends(o *recorder.Origin, kind string) bool {
	return slices.ContainsFunc(o.Viewers()[0].RTCP, func(seen protocol.SeenMessage) bool { return seen.Kind == kind })
}

func TestBrowserFidelityAtTheServerAndForDamagedPackets(t *testing.T) {
	sample, err := media.LoadSample("../../../assets/lab", "sample-240p")
	if err != nil {
		t.Fatal(err)
	}
	everything, nothing := 100.0, 0.0
	for _, test := range []struct {
		name           string
		fidelity       protocol.Fidelity
		decryptPercent *float64
		damaged, ofOwn bool
	}{
		{"browser", "browser", nil, true, true},
		{"media-only, all decrypted", "media-only", &everything, true, false},
		{"media-only, none of the sample", "", &nothing, false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			o, err := recorder.Open(sample, recorder.Conditions{LabRecordParams: protocol.LabRecordParams{TransportCC: true, RTX: true}, DamageEvery: 10})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := o.Close(); err != nil {
					t.Error(err)
				}
			})
			s := newHarness(t)
			s.mustCall("audience.start", protocol.AudienceStartParams{Job: "pull-1", Protocol: "whep", URL: o.URL(),
				Viewers: 2, RatePerSecond: 100, Fidelity: test.fidelity, DecryptPercent: test.decryptPercent})
			const sent = 500 // about 15 of them damaged
			job := s.until("packets, and a report about each stream", func(j protocol.JobSample) bool {
				return j.Connected == 2 && o.Sent() > sent && (sends(o, "RR(video)") && sends(o, "RR(audio)")) == test.ofOwn
			})
			if damaged := job.DamagedPackets > 4; damaged != test.damaged { // the first few are always inspected
				t.Errorf("%d damaged packets", job.DamagedPackets)
			}
			if setup := o.Viewers()[0].Offer.Sections[0].Setup; (setup == "actpass") != test.ofOwn {
				t.Errorf("the offer has setup:%s", setup)
			}
			for _, view := range s.list() {
				if view.Failure != nil || strings.Contains(string(view.DegradedReason), "frame") {
					t.Errorf("%+v", view)
				}
			}
		})
	}
}
