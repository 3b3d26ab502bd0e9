package lab

import (
	"bytes"
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pion/dtls/v3"
	"github.com/pion/rtp"
	"github.com/pion/webrtc/v4"

	"fullhouse/agent/internal/link"
	"fullhouse/agent/internal/process"
)

// patience bounds every wait of these tests; a busy machine needs a small part of it.
const patience = 20 * time.Second

type events struct {
	mutex sync.Mutex
	list  []link.Event
}

func (e *events) add(event link.Event) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.list = append(e.list, event)
}

func (e *events) has(name, stream string) bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for _, event := range e.list {
		if event.Name == name && event.Stream == stream {
			return true
		}
	}
	return false
}

func startLab(t *testing.T, idle time.Duration) (*Lab, *events) {
	t.Helper()
	checkLeaks(t)
	recorded := &events{}
	lab, err := Start(Config{HTTP: "127.0.0.1:0", Media: "127.0.0.1:0", Samples: "../../../assets/lab", Event: recorded.add,
		Log: log.New(io.Discard, "", 0), Idle: idle})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := lab.Close(); err != nil {
			t.Error(err)
		}
	})
	return lab, recorded
}

// checkLeaks compares the goroutines after the test's other cleanups with those before.
func checkLeaks(t *testing.T) {
	t.Helper()
	http.DefaultClient.CloseIdleConnections()
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		eventually(t, "all goroutines end", func() bool { return runtime.NumGoroutine() <= before })
		if t.Failed() {
			buffer := make([]byte, 1<<16)
			t.Logf("%s", buffer[:runtime.Stack(buffer, true)])
		}
	})
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %s: %s", patience, what)
		}
	}
}

func publishSample(t *testing.T, lab *Lab, name string) (url string) {
	t.Helper()
	url, err := lab.PublishSample(name, "sample-240p")
	if err != nil {
		t.Fatal(err)
	}
	return url
}

func request(t *testing.T, method, url, contentType, body string) (status int, header http.Header, text string) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, response.Header, string(answer)
}

// loopbackAPI is an independent WebRTC implementation on loopback.
func loopbackAPI(t *testing.T, adjust ...func(*webrtc.SettingEngine)) *webrtc.API {
	t.Helper()
	settings := webrtc.SettingEngine{}
	for _, a := range adjust {
		a(&settings)
	}
	settings.SetIncludeLoopbackCandidate(true)
	settings.SetIPFilter(func(ip net.IP) bool { return ip.IsLoopback() })
	engine := &webrtc.MediaEngine{}
	if err := engine.RegisterDefaultCodecs(); err != nil {
		t.Fatal(err)
	}
	return webrtc.NewAPI(webrtc.WithSettingEngine(settings), webrtc.WithMediaEngine(engine))
}

// player is a viewer made by a full WebRTC stack.
type player struct {
	connection *webrtc.PeerConnection
	resource   string

	mutex   sync.Mutex
	packets map[webrtc.RTPCodecType][]*rtp.Packet
}

func (p *player) received(kind webrtc.RTPCodecType) []*rtp.Packet {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return append([]*rtp.Packet(nil), p.packets[kind]...)
}

func (p *player) count(kind webrtc.RTPCodecType) int { return len(p.received(kind)) }

// signal posts the connection's offer and takes the answer.
func signal(t *testing.T, connection *webrtc.PeerConnection, url string) (location string) {
	t.Helper()
	offer, err := connection.CreateOffer(nil)
	if err != nil {
		t.Fatal(err)
	}
	gathered := webrtc.GatheringCompletePromise(connection)
	if err := connection.SetLocalDescription(offer); err != nil {
		t.Fatal(err)
	}
	<-gathered
	status, header, text := request(t, http.MethodPost, url, typeSDP, connection.LocalDescription().SDP)
	if status != http.StatusCreated || header.Get("Content-Type") != typeSDP {
		t.Fatalf("POST %s: %d %s", url, status, text)
	}
	if err := connection.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeAnswer, SDP: text}); err != nil {
		t.Fatal(err)
	}
	return header.Get("Location")
}

func watch(t *testing.T, lab *Lab, url string, adjust ...func(*webrtc.SettingEngine)) *player {
	t.Helper()
	connection, err := loopbackAPI(t, adjust...).NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		t.Fatal(err)
	}
	p := &player{connection: connection, packets: map[webrtc.RTPCodecType][]*rtp.Packet{}}
	t.Cleanup(func() { _ = connection.Close() })
	for _, kind := range []webrtc.RTPCodecType{webrtc.RTPCodecTypeVideo, webrtc.RTPCodecTypeAudio} {
		if _, err := connection.AddTransceiverFromKind(kind, webrtc.RTPTransceiverInit{Direction: webrtc.RTPTransceiverDirectionRecvonly}); err != nil {
			t.Fatal(err)
		}
	}
	connection.OnTrack(func(track *webrtc.TrackRemote, _ *webrtc.RTPReceiver) {
		for {
			packet, _, err := track.ReadRTP()
			if err != nil {
				return
			}
			p.mutex.Lock()
			p.packets[track.Kind()] = append(p.packets[track.Kind()], packet)
			p.mutex.Unlock()
		}
	})
	p.resource = "http://" + lab.HTTP() + signal(t, connection, url)
	return p
}

func TestAViewerReceivesVideoAndAudioAndLeaves(t *testing.T) {
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
		t.Errorf("the sample says %+v", sample)
	}
	if s := sample.Streams[0]; s.Width != 426 || s.Height != 240 || s.VideoCodec != "H264" || s.AudioCodec != "opus" || s.BitrateKbps < 50 {
		t.Errorf("the stream is told as %+v", s)
	}
	if status, _, text := request(t, http.MethodDelete, p.resource, "", ""); status != http.StatusOK {
		t.Errorf("DELETE: %d %s", status, text)
	}
	eventually(t, "the viewer is told", func() bool { return p.connection.ConnectionState() == webrtc.PeerConnectionStateClosed })
	if left := lab.Left(); left != 0 {
		t.Errorf("%d viewers left", left)
	}
	if status, _, _ := request(t, http.MethodDelete, p.resource, "", ""); status != http.StatusNotFound {
		t.Errorf("a second DELETE: %d", status)
	}
	if !recorded.has("stream-published", "cam") {
		t.Error("no event stream-published")
	}
}

func sampleOf(t *testing.T, lab *Lab) figures {
	t.Helper()
	encoded, err := json.Marshal(lab.Sample(process.Sample{}, time.Second))
	if err != nil {
		t.Fatal(err)
	}
	var decoded struct{ Lab figures }
	if err := json.Unmarshal(encoded, &decoded); err != nil {
		t.Fatal(err)
	}
	return decoded.Lab
}

func TestUnpublishTellsTheViewers(t *testing.T) {
	lab, recorded := startLab(t, 0)
	p := watch(t, lab, publishSample(t, lab, "cam"))
	eventually(t, "video", func() bool { return p.count(webrtc.RTPCodecTypeVideo) > 0 })
	if viewers, err := lab.Unpublish("cam"); err != nil || viewers != 1 {
		t.Errorf("Unpublish: %d viewers, %v", viewers, err)
	}
	eventually(t, "the viewer is told", func() bool { return p.connection.ConnectionState() == webrtc.PeerConnectionStateClosed })
	if !recorded.has("stream-ended", "cam") {
		t.Error("no event stream-ended")
	}
}

func TestAViewerThatClosesIsGone(t *testing.T) {
	lab, _ := startLab(t, time.Hour)
	url := publishSample(t, lab, "cam")
	closing := watch(t, lab, url)
	eventually(t, "video", func() bool { return closing.count(webrtc.RTPCodecTypeVideo) > 0 })
	if err := closing.connection.Close(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the close_notify ends the session", func() bool { return lab.Left() == 0 })
}

func TestASilentViewerExpires(t *testing.T) {
	lab, _ := startLab(t, 500*time.Millisecond)
	url := publishSample(t, lab, "cam")
	offer := strings.ReplaceAll(chromiumOffer, "\n", "\r\n")
	if status, _, text := request(t, http.MethodPost, url, typeSDP, offer); status != http.StatusCreated {
		t.Fatalf("POST: %d %s", status, text)
	}
	if lab.Left() != 1 {
		t.Error("a session that connects is not counted")
	}
	eventually(t, "the silent session expires", func() bool { return lab.Left() == 0 })
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

func TestACertificateThatTheOfferDidNotAnnounceIsRefused(t *testing.T) {
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
	eventually(t, "the session ends", func() bool { return lab.Left() == 0 })
	lab.Sample(process.Sample{}, time.Second)
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
		t.Errorf("%.0f %% of the packets are there: NACKs are not answered", share*100)
	}
}

func TestAPublisherReachesAViewer(t *testing.T) {
	lab, recorded := startLab(t, 0)
	publisher, err := loopbackAPI(t).NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		t.Fatal(err)
	}
	defer publisher.Close()
	tracks := map[webrtc.RTPCodecType]*webrtc.TrackLocalStaticRTP{}
	for kind, mime := range map[webrtc.RTPCodecType]string{webrtc.RTPCodecTypeVideo: webrtc.MimeTypeH264, webrtc.RTPCodecTypeAudio: webrtc.MimeTypeOpus} {
		capability := webrtc.RTPCodecCapability{MimeType: mime, ClockRate: 48000, Channels: 2}
		if kind == webrtc.RTPCodecTypeVideo {
			capability = webrtc.RTPCodecCapability{MimeType: mime, ClockRate: 90000, SDPFmtpLine: "level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f"}
		}
		if tracks[kind], err = webrtc.NewTrackLocalStaticRTP(capability, kind.String(), "studio"); err != nil {
			t.Fatal(err)
		}
		if _, err := publisher.AddTransceiverFromTrack(tracks[kind], webrtc.RTPTransceiverInit{Direction: webrtc.RTPTransceiverDirectionSendonly}); err != nil {
			t.Fatal(err)
		}
	}
	whipURL := "http://" + lab.HTTP() + "/whip/studio"
	resource := "http://" + lab.HTTP() + signal(t, publisher, whipURL)

	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		feed(tracks, stop)
	}()
	defer func() { close(stop); <-stopped }()
	eventually(t, "the stream is on", func() bool { return recorded.has("stream-published", "studio") })
	if status, _, text := request(t, http.MethodPost, whipURL, typeSDP, publisher.LocalDescription().SDP); status != http.StatusConflict {
		t.Errorf("a second publisher of the name: %d %s", status, text)
	}
	p := watch(t, lab, "http://"+lab.HTTP()+"/whep/studio")
	eventually(t, "40 video and 20 audio packets", func() bool {
		return p.count(webrtc.RTPCodecTypeVideo) >= 40 && p.count(webrtc.RTPCodecTypeAudio) >= 20
	})
	packets := p.received(webrtc.RTPCodecTypeVideo)
	if !bytes.HasPrefix(packets[0].Payload, []byte{0x65}) {
		t.Errorf("the first packet is no keyframe: % x", packets[0].Payload)
	}
	for i := 1; i < len(packets); i++ {
		// The padding that feed puts in must not look like loss.
		if packets[i].SequenceNumber != packets[i-1].SequenceNumber+1 {
			t.Errorf("sequence %d after %d", packets[i].SequenceNumber, packets[i-1].SequenceNumber)
		}
	}
	lab.Sample(process.Sample{}, time.Second)
	if s := sampleOf(t, lab).Streams; len(s) != 1 || s[0].Source != "whip" || s[0].VideoCodec != "H264" || s[0].AudioCodec != "opus" {
		t.Errorf("the stream is told as %+v", s)
	}
	if status, _, text := request(t, http.MethodDelete, resource, "", ""); status != http.StatusOK {
		t.Errorf("DELETE: %d %s", status, text)
	}
	eventually(t, "the viewer is told", func() bool { return p.connection.ConnectionState() == webrtc.PeerConnectionStateClosed })
	if !recorded.has("stream-ended", "studio") {
		t.Error("no event stream-ended")
	}
}

// feed sends a tiny keyframe every 10 frames, with an empty packet after each, as a bandwidth probe is.
func feed(tracks map[webrtc.RTPCodecType]*webrtc.TrackLocalStaticRTP, stop <-chan struct{}) {
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	sequence := uint16(65_500) // soon around the corner
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
		// Errors mean that the lab has ended the session, which is a part of the tests.
		_ = tracks[webrtc.RTPCodecTypeVideo].WriteRTP(&rtp.Packet{Header: rtp.Header{Version: 2, Marker: true, SequenceNumber: sequence, Timestamp: frame * 1800}, Payload: payload})
		_ = tracks[webrtc.RTPCodecTypeAudio].WriteRTP(&rtp.Packet{Header: rtp.Header{Version: 2, SequenceNumber: uint16(frame), Timestamp: frame * 960}, Payload: []byte{0xf8, 1, 2}})
		sequence++
		if frame%10 == 0 {
			_ = tracks[webrtc.RTPCodecTypeVideo].WriteRTP(&rtp.Packet{Header: rtp.Header{Version: 2, SequenceNumber: sequence, Timestamp: frame * 1800}})
			sequence++
		}
	}
}

func TestAPublisherThatLeavesEndsItsStream(t *testing.T) {
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
	eventually(t, "the stream is on", func() bool {
		sequence++
		_ = track.WriteRTP(&rtp.Packet{Header: rtp.Header{Version: 2, SequenceNumber: sequence}, Payload: []byte{1, 2}}) // fails until connected
		return recorded.has("stream-published", "studio")
	})
	if err := publisher.Close(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the stream ends", func() bool { return recorded.has("stream-ended", "studio") })
	publishSample(t, lab, "studio") // the name is free again
}
