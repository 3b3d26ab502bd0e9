package lab

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pion/rtp"
	"github.com/pion/webrtc/v4"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/protocol"
)

func setConditions(t *testing.T, lab *Lab, params string) protocol.LabConditionsResult {
	t.Helper()
	result, err := lab.Call(t.Context(), "lab.conditions", json.RawMessage(params))
	if err != nil {
		t.Fatal(err)
	}
	return result.(protocol.LabConditionsResult)
}

func viewerOf(t *testing.T, lab *Lab) protocol.LabViewer {
	t.Helper()
	result, err := lab.Call(t.Context(), "lab.viewers", json.RawMessage(`{"stream":"cam","offset":0,"limit":10}`))
	if err != nil {
		t.Fatal(err)
	}
	if views := result.(protocol.LabViewersResult); views.Total != 1 || len(views.Viewers) != 1 {
		t.Fatalf("total is %d viewers, %d are listed", views.Total, len(views.Viewers))
	}
	return result.(protocol.LabViewersResult).Viewers[0]
}

// gaps counts the missing sequence numbers up to a second before the latest.
func gaps(packets []*rtp.Packet) (missing, upTo int) {
	seen, last := map[uint16]bool{}, uint16(0)
	for _, packet := range packets {
		distance := packet.SequenceNumber - packets[0].SequenceNumber
		seen[distance] = true
		last = max(last, distance)
	}
	const underRepair = 40
	for upTo = 0; upTo < int(last)-underRepair; upTo++ {
		if !seen[uint16(upTo)] {
			missing++
		}
	}
	return missing, upTo
}

func TestLostVideoIsRetransmittedAsRTXAndCounted(t *testing.T) {
	lab, _ := startLab(t, 0)
	url := publishSample(t, lab, "cam")
	setConditions(t, lab, `{"stream":"cam","lossPercent":10,"seed":7}`)
	p := watch(t, lab, url)
	eventually(t, "20 repairs", func() bool { return viewerOf(t, lab).Video.Repaired >= 20 })
	view := viewerOf(t, lab)
	if !view.RTX || view.NACKs == 0 || view.NackedPackets < 20 || view.State != "playing" ||
		view.ICERole != "controlling" {
		t.Errorf("%+v", view)
	}
	if missing, of := gaps(p.received(webrtc.RTPCodecTypeVideo)); of < 60 || missing > of/50 {
		t.Errorf("%d of %d video packets are missing, though the lab repaired %d", missing, of, view.Video.Repaired)
	}
	if view.Video.Dropped > view.Video.Sent/50 {
		t.Errorf("%d of %d video packets are dropped", view.Video.Dropped, view.Video.Sent)
	}
	if codecs := strings.Join(view.Codecs, " "); !strings.Contains(codecs, "H264/90000") || view.Address == "" {
		t.Errorf("the viewer is reported as %q with %q", view.Address, codecs)
	}
}

func TestWithoutRepairTheLossIsAsConfigured(t *testing.T) {
	lab, _ := startLab(t, 0)
	url := publishSample(t, lab, "cam")
	now := setConditions(t, lab, `{"stream":"cam","lossPercent":20,"noRepair":true}`)
	if now.LossPercent != 20 || !now.NoRepair {
		t.Errorf("the conditions are reported as %+v", now)
	}
	p := watch(t, lab, url)
	eventually(t, "20 dropped packets", func() bool { return viewerOf(t, lab).Video.Dropped >= 20 })
	view := viewerOf(t, lab)
	if view.Video.Repaired != 0 || view.NACKs == 0 {
		t.Errorf("%+v", view)
	}
	missing, of := gaps(p.received(webrtc.RTPCodecTypeVideo))
	if share, truth := float64(missing)/float64(of), float64(view.Video.Dropped)/float64(view.Video.Sent); share < 0.08 || share > 0.35 || truth > share+0.15 {
		t.Errorf("%.3f missing at the player, %.3f in the ground truth", share, truth)
	}
	setConditions(t, lab, `{"stream":"cam","lossPercent":0}`)
	if !setConditions(t, lab, `{"stream":"cam"}`).NoRepair {
		t.Error("an unnamed condition has changed")
	}
}

func TestTransportFeedbackIsAnsweredOnlyIfEnabled(t *testing.T) {
	lab, _ := startLab(t, 0)
	url := publishSample(t, lab, "cam")
	setConditions(t, lab, `{"stream":"cam","lossPercent":10,"transportCc":true}`)
	p := watch(t, lab, url)
	eventually(t, "feedback on 100 packets, some of them lost", func() bool {
		tcc := viewerOf(t, lab).TransportCC
		return tcc.Received >= 100 && tcc.Lost > 0
	})
	tcc := viewerOf(t, lab).TransportCC
	if tcc.Malformed != 0 || tcc.MeanDeltaMs <= 0 {
		t.Errorf("%+v", tcc)
	}
	for _, packet := range p.received(webrtc.RTPCodecTypeVideo)[:10] {
		if !packet.Extension {
			t.Fatal("a packet has no extension")
		}
	}
	if answer := p.connection.RemoteDescription().SDP; !strings.Contains(answer, "transport-cc") {
		t.Errorf("the answer:\n%s", answer)
	}
}

func TestTransportNumbersAreOnlySentOnRequest(t *testing.T) {
	lab, _ := startLab(t, 0)
	p := watch(t, lab, publishSample(t, lab, "cam"))
	eventually(t, "video", func() bool { return p.count(webrtc.RTPCodecTypeVideo) >= 10 })
	if view := viewerOf(t, lab); view.Measured || view.Video.Sent != 0 || view.State != "playing" {
		t.Errorf("a stream that never had conditions is reported as %+v", view)
	}
	if answer := p.connection.RemoteDescription().SDP; strings.Contains(answer, "transport-cc") || p.received(webrtc.RTPCodecTypeVideo)[0].Extension {
		t.Errorf("the answer:\n%s", answer)
	}
}

func TestAPauseIsOneStall(t *testing.T) {
	lab, _ := startLab(t, 0)
	url := publishSample(t, lab, "cam")
	setConditions(t, lab, `{"stream":"cam"}`) // from here on the ground truth is recorded
	p := watch(t, lab, url)
	eventually(t, "frames", func() bool { return viewerOf(t, lab).FramesComplete >= 10 })
	setConditions(t, lab, `{"stream":"cam","pauseMs":1000}`)
	eventually(t, "a stall that ended", func() bool { return viewerOf(t, lab).Stalls == 1 })
	if view := viewerOf(t, lab); view.StalledMs < 1000 || view.FramesBroken != 0 || view.Video.Dropped != 0 {
		t.Errorf("%+v", view)
	}
	if missing, _ := gaps(p.received(webrtc.RTPCodecTypeVideo)); missing != 0 {
		t.Errorf("%d packets are missing after the pause", missing)
	}
}

func TestADisconnectedViewerIsStillListed(t *testing.T) {
	lab, _ := startLab(t, 0)
	url := publishSample(t, lab, "cam")
	setConditions(t, lab, `{"stream":"cam"}`) // from here on the ground truth is recorded
	p := watch(t, lab, url)
	eventually(t, "frames", func() bool { return viewerOf(t, lab).FramesComplete >= 10 })
	if status, _, text := request(t, "DELETE", p.resource, "", ""); status != 200 {
		t.Fatalf("DELETE: %d %s", status, text)
	}
	if view := viewerOf(t, lab); view.State != "ended" || view.FramesComplete < 10 || !strings.HasSuffix(p.resource, view.Session) {
		t.Errorf("%+v", view)
	}
}

func TestImpossibleConditionsAreRefused(t *testing.T) {
	lab, _ := startLab(t, 0)
	publishSample(t, lab, "cam")
	for params, wantText := range map[string]string{
		`"lossPercent":101`:                   "lossPercent must be from 0 to 100, it is 101.",
		`"delayMs":-1`:                        "delayMs must be from 0 to 1000",
		`"jitterMs":501`:                      "jitterMs must be from 0 to 500",
		`"pauseMs":10000`:                     "pauseMs must be from 0 to 9000",
		`"lossPercent":95,"burstPackets":2`:   "can't be lost in bursts of 2 packets",
		`"reorderPercent":200`:                "reorderPercent must be",
		`"jiterMs":5`:                         "jiterMs",
		`"lossPercent":1,"burstPackets":1000`: "burstPackets must be from 0 to 100",
	} {
		_, err := lab.Call(t.Context(), "lab.conditions", json.RawMessage(fmt.Sprintf(`{"stream":"cam",%s}`, params)))
		var refusal *control.Error
		if !errors.As(err, &refusal) || refusal.Code != "bad-request" || !strings.Contains(refusal.Message, wantText) {
			t.Errorf("%s: %v, want %q", params, err, wantText)
		}
	}
	if now := setConditions(t, lab, `{"stream":"cam"}`); now != (protocol.LabConditionsResult{}) {
		t.Errorf("a refusal left %+v", now)
	}
	for _, params := range []string{`{"stream":"cam","offset":-1,"limit":1}`, `{"stream":"cam","offset":0,"limit":1001}`, `{"stream":"no","offset":0,"limit":1}`} {
		if _, err := lab.Call(t.Context(), "lab.viewers", json.RawMessage(params)); err == nil {
			t.Errorf("%s was accepted", params)
		}
	}
}
