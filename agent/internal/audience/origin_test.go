package audience

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pion/interceptor"
	"github.com/pion/interceptor/pkg/nack"
	"github.com/pion/rtp"
	"github.com/pion/webrtc/v4"

	"fullhouse/agent/internal/testing/wheptest"
)

// origin is a WHEP server based on pion/webrtc, a full ICE agent independent of ours. Its video is one packet a frame
// with a keyframe every second, as far as headers show.
type origin struct {
	*httptest.Server
	api      *webrtc.API
	video    *webrtc.TrackLocalStaticRTP
	mutex    sync.Mutex
	sessions map[string]*webrtc.PeerConnection
	posts    atomic.Int64
	deletes  atomic.Int64
	drop     atomic.Int64 // percent of the packets that are dropped
	mute     atomic.Bool
	// intercept handles a request in the origin's place when it returns true.
	intercept func(w http.ResponseWriter, r *http.Request) bool
	// tamper changes the SDP answer.
	tamper func(string) string
}

const originFps = 25

func newOrigin(t *testing.T, changes ...func(*webrtc.SettingEngine)) *origin {
	t.Helper()
	engine := &webrtc.MediaEngine{}
	if err := engine.RegisterDefaultCodecs(); err != nil {
		t.Fatal(err)
	}
	registry := &interceptor.Registry{}
	responder, err := nack.NewResponderInterceptor()
	if err != nil {
		t.Fatal(err)
	}
	registry.Add(responder)
	if err := webrtc.ConfigureRTCPReports(registry); err != nil {
		t.Fatal(err)
	}
	var settings webrtc.SettingEngine
	settings.SetIncludeLoopbackCandidate(true)
	settings.SetIPFilter(func(ip net.IP) bool { return ip.IsLoopback() && ip.To4() != nil })
	settings.SetNetworkTypes([]webrtc.NetworkType{webrtc.NetworkTypeUDP4})
	for _, change := range changes {
		change(&settings)
	}
	o := &origin{sessions: map[string]*webrtc.PeerConnection{}}
	o.api = webrtc.NewAPI(webrtc.WithMediaEngine(engine), webrtc.WithInterceptorRegistry(registry), webrtc.WithSettingEngine(settings))
	o.video, err = webrtc.NewTrackLocalStaticRTP(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeH264, ClockRate: 90000,
		SDPFmtpLine: "level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f"}, "video", "origin")
	if err != nil {
		t.Fatal(err)
	}
	o.Server = httptest.NewServer(http.HandlerFunc(o.serve))
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() { defer close(stopped); o.play(stop) }()
	t.Cleanup(func() {
		close(stop)
		<-stopped
		o.Server.Close()
		o.mutex.Lock()
		defer o.mutex.Unlock()
		for _, session := range o.sessions {
			_ = session.Close()
		}
	})
	return o
}

func (o *origin) play(stop <-chan struct{}) {
	ticker := time.NewTicker(time.Second / originFps)
	defer ticker.Stop()
	keyframe := append([]byte{5, 0x88}, make([]byte, 200)...)
	slice := append([]byte{1, 0x9a}, make([]byte, 200)...)
	for i := uint32(0); ; i++ {
		select {
		case <-stop:
			return
		case <-ticker.C:
		}
		payload := slice
		if i%originFps == 0 {
			payload = keyframe
		}
		if o.mute.Load() || int64(i*37%100) < o.drop.Load() {
			continue // leaves a hole in the sequence, like a packet lost on the way
		}
		// A track without receivers, or with one that is closing, is no fault of the test.
		_ = o.video.WriteRTP(&rtp.Packet{Header: rtp.Header{Version: 2, Marker: true, SequenceNumber: uint16(65500 + i), Timestamp: i * 90000 / originFps}, Payload: payload})
	}
}

func (o *origin) serve(w http.ResponseWriter, r *http.Request) {
	if o.intercept != nil && o.intercept(w, r) {
		return
	}
	if r.Method == http.MethodDelete {
		o.deletes.Add(1)
		o.mutex.Lock()
		session := o.sessions[r.URL.Path]
		delete(o.sessions, r.URL.Path)
		o.mutex.Unlock()
		if session != nil {
			_ = session.Close()
		}
		return
	}
	number := o.posts.Add(1)
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	connection, err := o.api.NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	path := "/session/" + strconv.FormatInt(number, 10)
	o.mutex.Lock()
	o.sessions[path] = connection
	o.mutex.Unlock()
	answer, err := wheptest.Negotiate(connection, o.video, string(body))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if o.tamper != nil {
		answer = o.tamper(answer)
	}
	w.Header().Set("Location", path)
	w.Header().Set("Content-Type", "application/sdp")
	w.WriteHeader(http.StatusCreated)
	_, _ = io.WriteString(w, answer)
}

// present is how many sessions the origin still has.
func (o *origin) present() int {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return len(o.sessions)
}
