package lab

import (
	"bytes"
	"net/http"
	"testing"
	"time"

	"github.com/pion/rtcp"
	"github.com/pion/rtp"
	"github.com/pion/webrtc/v4"

	"fullhouse/agent/internal/protocol"
)

func TestAPublisherReachesAViewer(t *testing.T) {
	lab, recorded := startLab(t, 0)
	publisher, err := loopbackAPI(t).NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		t.Fatal(err)
	}
	defer publisher.Close()
	tracks := map[webrtc.RTPCodecType]*webrtc.TrackLocalStaticRTP{}
	keyframeRequests := make(chan struct{}, 1)
	for kind, mime := range map[webrtc.RTPCodecType]string{webrtc.RTPCodecTypeVideo: webrtc.MimeTypeH264, webrtc.RTPCodecTypeAudio: webrtc.MimeTypeOpus} {
		capability := webrtc.RTPCodecCapability{MimeType: mime, ClockRate: 48000, Channels: 2}
		if kind == webrtc.RTPCodecTypeVideo {
			capability = webrtc.RTPCodecCapability{MimeType: mime, ClockRate: 90000, SDPFmtpLine: "level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f"}
		}
		if tracks[kind], err = webrtc.NewTrackLocalStaticRTP(capability, kind.String(), "studio"); err != nil {
			t.Fatal(err)
		}
		transceiver, err := publisher.AddTransceiverFromTrack(tracks[kind], webrtc.RTPTransceiverInit{Direction: webrtc.RTPTransceiverDirectionSendonly})
		if err != nil {
			t.Fatal(err)
		}
		go noteKeyframeRequests(transceiver.Sender(), keyframeRequests)
	}
	whipURL := "http://" + lab.HTTP() + "/whip/studio"
	resource := "http://" + lab.HTTP() + signal(t, publisher, whipURL)

	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		feed(tracks, stop)
	}()
	defer func() { close(stop); <-stopped }()
	eventually(t, "the stream is live", func() bool { return recorded.has("stream-published", "studio") })
	if status, _, text := request(t, http.MethodPost, whipURL, typeSDP, publisher.LocalDescription().SDP); status != http.StatusConflict {
		t.Errorf("a second publisher of the name: %d %s", status, text)
	}
	p := watch(t, lab, "http://"+lab.HTTP()+"/whep/studio")
	eventually(t, "40 video and 20 audio packets", func() bool {
		return p.count(webrtc.RTPCodecTypeVideo) >= 40 && p.count(webrtc.RTPCodecTypeAudio) >= 20
	})
	eventually(t, "a keyframe for the new viewer is requested from the publisher", func() bool { return len(keyframeRequests) == 1 })
	packets := p.received(webrtc.RTPCodecTypeVideo)
	if !bytes.HasPrefix(packets[0].Payload, []byte{0x65}) {
		t.Errorf("the first packet is not a keyframe: % x", packets[0].Payload)
	}
	for i := 1; i < len(packets); i++ {
		// The padding that feed adds must not look like loss.
		if packets[i].SequenceNumber != packets[i-1].SequenceNumber+1 {
			t.Errorf("sequence %d after %d", packets[i].SequenceNumber, packets[i-1].SequenceNumber)
		}
	}
	lab.Sample(protocol.ProcessSample{}, time.Second)
	if s := sampleOf(t, lab).Streams; len(s) != 1 || s[0].Source != "whip" || s[0].VideoCodec != "H264" || s[0].AudioCodec != "opus" {
		t.Errorf("the stream is reported as %+v", s)
	}
	if status, _, text := request(t, http.MethodDelete, resource, "", ""); status != http.StatusOK {
		t.Errorf("DELETE: %d %s", status, text)
	}
	eventually(t, "the viewer receives the close", func() bool { return p.connection.ConnectionState() == webrtc.PeerConnectionStateClosed })
	if !recorded.has("stream-ended", "studio") {
		t.Error("no event stream-ended")
	}
}

// noteKeyframeRequests signals the first PLI; it ends with the connection.
func noteKeyframeRequests(sender *webrtc.RTPSender, keyframeRequests chan<- struct{}) {
	for {
		packets, _, err := sender.ReadRTCP()
		if err != nil {
			return
		}
		for _, packet := range packets {
			if _, isPLI := packet.(*rtcp.PictureLossIndication); isPLI {
				select {
				case keyframeRequests <- struct{}{}:
				default:
				}
			}
		}
	}
}

// feed sends a tiny keyframe every 10 frames, each followed by an empty packet like a bandwidth probe.
func feed(tracks map[webrtc.RTPCodecType]*webrtc.TrackLocalStaticRTP, stop <-chan struct{}) {
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	sequence := uint16(65_500) // wraps soon
	for frame := uint32(0); ; frame++ {
		select {
		case <-stop:
			return
		case <-ticker.C:
		}
		payload := []byte{0x41, byte(frame), 1, 2, 3}
		if frame%10 == 0 {
			payload = []byte{0x65, byte(frame), 1, 2, 3}
		}
		// Errors mean that the lab has ended the session, which is part of the tests.
		_ = tracks[webrtc.RTPCodecTypeVideo].WriteRTP(&rtp.Packet{Header: rtp.Header{Version: 2, Marker: true, SequenceNumber: sequence, Timestamp: frame * 1800}, Payload: payload})
		_ = tracks[webrtc.RTPCodecTypeAudio].WriteRTP(&rtp.Packet{Header: rtp.Header{Version: 2, SequenceNumber: uint16(frame), Timestamp: frame * 960}, Payload: []byte{0xf8, 1, 2}})
		sequence++
		if frame%10 == 0 {
			_ = tracks[webrtc.RTPCodecTypeVideo].WriteRTP(&rtp.Packet{Header: rtp.Header{Version: 2, SequenceNumber: sequence, Timestamp: frame * 1800}})
			sequence++
		}
	}
}

func TestAPublisherThatDisconnectsEndsItsStream(t *testing.T) {
	lab, recorded := startLab(t, 0)
	publisher, err := loopbackAPI(t).NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		t.Fatal(err)
	}
	track, err := webrtc.NewTrackLocalStaticRTP(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2}, "audio", "studio")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := publisher.AddTrack(track); err != nil {
		t.Fatal(err)
	}
	signal(t, publisher, "http://"+lab.HTTP()+"/whip/studio")
	sequence := uint16(0)
	eventually(t, "the stream is live", func() bool {
		sequence++
		_ = track.WriteRTP(&rtp.Packet{Header: rtp.Header{Version: 2, SequenceNumber: sequence}, Payload: []byte{1, 2}}) // fails until connected
		return recorded.has("stream-published", "studio")
	})
	if err := publisher.Close(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the stream ends", func() bool { return recorded.has("stream-ended", "studio") })
	publishSample(t, lab, "studio") // the name is available again
}
