package lab

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pion/dtls/v3"
	"github.com/pion/webrtc/v4"

	"fullhouse/agent/internal/protocol"
)

func TestAViewerReceivesVideoAndAudioAndDisconnects(t *testing.T) {
	lab, recorded := startLab(t, 0)
	url := publishSample(t, lab, "cam")
	p := watch(t, lab, url)
	eventually(t, "50 video and 20 audio packets", func() bool {
		return p.count(webrtc.RTPCodecTypeVideo) >= 50 && p.count(webrtc.RTPCodecTypeAudio) >= 20
	})
	for _, kind := range []webrtc.RTPCodecType{webrtc.RTPCodecTypeVideo, webrtc.RTPCodecTypeAudio} {
		packets := p.received(kind)
		for i := 1; i < len(packets); i++ {
			if packets[i].SequenceNumber != packets[i-1].SequenceNumber+1 {
				t.Errorf("%s: sequence %d after %d", kind, packets[i].SequenceNumber, packets[i-1].SequenceNumber)
			}
		}
	}
	sample := sampleOf(t, lab)
	if sample.Viewers != 1 || sample.PacketsOutPerSecond == 0 || len(sample.Streams) != 1 || sample.Streams[0].Viewers != 1 {
		t.Errorf("the sample is %+v", sample)
	}
	if s := sample.Streams[0]; s.Width != 426 || s.Height != 240 || s.VideoCodec != "H264" || s.AudioCodec != "opus" || s.BitrateKbps < 50 {
		t.Errorf("the stream is reported as %+v", s)
	}
	if status, _, text := request(t, http.MethodDelete, p.resource, "", ""); status != http.StatusOK {
		t.Errorf("DELETE: %d %s", status, text)
	}
	eventually(t, "the viewer receives the close", func() bool { return p.connection.ConnectionState() == webrtc.PeerConnectionStateClosed })
	if left := lab.Remaining(); left != 0 {
		t.Errorf("%d viewers remain", left)
	}
	if status, _, _ := request(t, http.MethodDelete, p.resource, "", ""); status != http.StatusNotFound {
		t.Errorf("a second DELETE: %d", status)
	}
	if !recorded.has("stream-published", "cam") {
		t.Error("no event stream-published")
	}
}

func sampleOf(t *testing.T, lab *Lab) protocol.LabFigures {
	t.Helper()
	encoded, err := json.Marshal(lab.Sample(protocol.ProcessSample{}, time.Second))
	if err != nil {
		t.Fatal(err)
	}
	var decoded struct{ Lab protocol.LabFigures }
	if err := json.Unmarshal(encoded, &decoded); err != nil {
		t.Fatal(err)
	}
	return decoded.Lab
}

func TestUnpublishDisconnectsTheViewers(t *testing.T) {
	lab, recorded := startLab(t, 0)
	p := watch(t, lab, publishSample(t, lab, "cam"))
	eventually(t, "video", func() bool { return p.count(webrtc.RTPCodecTypeVideo) > 0 })
	if viewers, err := lab.Unpublish("cam"); err != nil || viewers != 1 {
		t.Errorf("Unpublish: %d viewers, %v", viewers, err)
	}
	eventually(t, "the viewer receives the close", func() bool { return p.connection.ConnectionState() == webrtc.PeerConnectionStateClosed })
	if !recorded.has("stream-ended", "cam") {
		t.Error("no event stream-ended")
	}
}

func TestAClosedViewerIsRemoved(t *testing.T) {
	lab, _ := startLab(t, time.Hour)
	url := publishSample(t, lab, "cam")
	// The viewer's library may close its socket before its close_notify is sent. That is not the lab's fault, so
	// several viewers disconnect and one received close_notify is enough.
	const viewers = 5
	for left := 1; left <= viewers; left++ {
		closing := watch(t, lab, url)
		eventually(t, "video", func() bool { return closing.count(webrtc.RTPCodecTypeVideo) > 0 })
		if err := closing.connection.Close(); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(4 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
			if lab.Remaining() < left {
				return
			}
		}
	}
	t.Errorf("%d of %d sessions remain: no close_notify ends one", lab.Remaining(), viewers)
}

func TestASilentViewerExpires(t *testing.T) {
	lab, _ := startLab(t, 500*time.Millisecond)
	url := publishSample(t, lab, "cam")
	offer := strings.ReplaceAll(chromiumOffer, "\n", "\r\n")
	if status, _, text := request(t, http.MethodPost, url, typeSDP, offer); status != http.StatusCreated {
		t.Fatalf("POST: %d %s", status, text)
	}
	if lab.Remaining() != 1 {
		t.Error("a connecting session is not counted")
	}
	eventually(t, "the silent session expires", func() bool { return lab.Remaining() == 0 })
}

func TestAViewerWithTheOlderProfileReceivesToo(t *testing.T) {
	lab, _ := startLab(t, 0)
	p := watch(t, lab, publishSample(t, lab, "cam"), func(s *webrtc.SettingEngine) {
		s.SetSRTPProtectionProfiles(dtls.SRTP_AES128_CM_HMAC_SHA1_80)
	})
	eventually(t, "video and audio", func() bool {
		return p.count(webrtc.RTPCodecTypeVideo) >= 10 && p.count(webrtc.RTPCodecTypeAudio) >= 5
	})
}

func TestACertificateThatIsNotInTheOfferIsRefused(t *testing.T) {
	lab, recorded := startLab(t, 0)
	url := publishSample(t, lab, "cam")
	connection, err := loopbackAPI(t).NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	if _, err := connection.AddTransceiverFromKind(webrtc.RTPCodecTypeVideo, webrtc.RTPTransceiverInit{Direction: webrtc.RTPTransceiverDirectionRecvonly}); err != nil {
		t.Fatal(err)
	}
	offer, err := connection.CreateOffer(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := connection.SetLocalDescription(offer); err != nil {
		t.Fatal(err)
	}
	announced := regexp.MustCompile(`(sha-256 )..:..`).ReplaceAllString(offer.SDP, "${1}12:34")
	status, _, answer := request(t, http.MethodPost, url, typeSDP, announced)
	if status != http.StatusCreated {
		t.Fatalf("POST: %d %s", status, answer)
	}
	if err := connection.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeAnswer, SDP: answer}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the session ends", func() bool { return lab.Remaining() == 0 })
	lab.Sample(protocol.ProcessSample{}, time.Second)
	if !recorded.has("warning", "") {
		t.Error("no warning was recorded")
	}
}

func TestLossIsReportedAsDegraded(t *testing.T) {
	lab, _ := startLab(t, 0)
	url := publishSample(t, lab, "cam")
	if _, err := lab.Call(t.Context(), "lab.conditions", json.RawMessage(`{"stream":"cam","lossPercent":25}`)); err != nil {
		t.Fatal(err)
	}
	p := watch(t, lab, url)
	eventually(t, "a receiver report with the loss", func() bool { return sampleOf(t, lab).Degraded == 1 })
	eventually(t, "150 video packets", func() bool { return p.count(webrtc.RTPCodecTypeVideo) >= 150 })
	packets := p.received(webrtc.RTPCodecTypeVideo)
	last := uint16(0) // as distance from the first
	for _, packet := range packets {
		last = max(last, packet.SequenceNumber-packets[0].SequenceNumber)
	}
	settled, there := last-25, 0 // the latest second may still be under repair
	for _, packet := range packets {
		if packet.SequenceNumber-packets[0].SequenceNumber < settled {
			there++
		}
	}
	if share := float64(there) / float64(settled); share < 0.9 {
		t.Errorf("%.0f %% of the packets arrived: NACKs have no effect", share*100)
	}
}
