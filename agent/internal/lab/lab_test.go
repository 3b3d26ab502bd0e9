package lab

import (
	"io"
	"log"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pion/rtp"
	"github.com/pion/webrtc/v4"

	"fullhouse/agent/internal/protocol"
)

// timeout bounds every wait of these tests; a busy machine needs a small part of it.
const timeout = 20 * time.Second

type events struct {
	mutex sync.Mutex
	list  []protocol.AgentEvent
}

func (e *events) add(event protocol.AgentEvent) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.list = append(e.list, event)
}

func (e *events) has(name, stream string) bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for _, event := range e.list {
		if string(event.Name) == name && event.Stream == stream {
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
	for deadline := time.Now().Add(timeout); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timed out after %s: %s", timeout, what)
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

// player is a viewer of a full WebRTC stack.
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

// signal posts the connection's offer and applies the answer.
func signal(t *testing.T, connection *webrtc.PeerConnection, url string) (location string) {
	t.Helper()
	offer, err := connection.CreateOffer(nil)
	if err != nil {
		t.Fatal(err)
	}
	gatheringDone := webrtc.GatheringCompletePromise(connection)
	if err := connection.SetLocalDescription(offer); err != nil {
		t.Fatal(err)
	}
	<-gatheringDone
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
