package wheptest

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pion/interceptor"
	"github.com/pion/interceptor/pkg/nack"
	"github.com/pion/webrtc/v4"
)

// Dialect is the WHEP dialect of a Full.
type Dialect struct {
	// Settings change the WebRTC side.
	Settings func(*webrtc.SettingEngine)
	// Offer and Answer modify the incoming and outgoing SDP.
	Offer, Answer func(sdp string) string
	// Request handles a request in its place when it returns true.
	Request func(o *Full, w http.ResponseWriter, r *http.Request) bool
	// Head adds headers to the response of a created session, before Location is set to what it returns; empty: none.
	Head func(header http.Header, session string) string
	// Status is that of a created session, 0 for 201.
	Status int
	// Repairs: lost packets are sent again (RFC 4585).
	Repairs bool
	// Loses: packet i is not sent, which leaves a hole in the sequence as one lost on the way does.
	Loses func(i uint32) bool
}

// Full is a WHEP server based on pion/webrtc, a full ICE agent.
type Full struct {
	*httptest.Server
	dialect  Dialect
	api      *webrtc.API
	video    *webrtc.TrackLocalStaticRTP
	mutex    sync.Mutex
	sessions map[string]*webrtc.PeerConnection
	seen     []string
	Posts    atomic.Int64
	Deletes  atomic.Int64
}

// NewFull starts a Full at a loopback address.
func NewFull(t testing.TB, dialect Dialect) *Full {
	t.Helper()
	engine := &webrtc.MediaEngine{}
	if err := engine.RegisterDefaultCodecs(); err != nil {
		t.Fatal(err)
	}
	registry := &interceptor.Registry{}
	if dialect.Repairs {
		responder, err := nack.NewResponderInterceptor()
		if err != nil {
			t.Fatal(err)
		}
		registry.Add(responder)
	}
	if err := webrtc.ConfigureRTCPReports(registry); err != nil {
		t.Fatal(err)
	}
	var settings webrtc.SettingEngine
	settings.SetIncludeLoopbackCandidate(true)
	settings.SetIPFilter(func(ip net.IP) bool { return ip.IsLoopback() && ip.To4() != nil })
	settings.SetNetworkTypes([]webrtc.NetworkType{webrtc.NetworkTypeUDP4})
	if dialect.Settings != nil {
		dialect.Settings(&settings)
	}
	o := &Full{dialect: dialect, sessions: map[string]*webrtc.PeerConnection{}}
	o.api = webrtc.NewAPI(webrtc.WithMediaEngine(engine), webrtc.WithInterceptorRegistry(registry), webrtc.WithSettingEngine(settings))
	var err error
	if o.video, err = webrtc.NewTrackLocalStaticRTP(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeH264, ClockRate: 90000,
		SDPFmtpLine: "level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f"}, "video", "origin"); err != nil {
		t.Fatal(err)
	}
	o.Server = httptest.NewServer(http.HandlerFunc(o.serve))
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		play(stop, func(i uint32) {
			if dialect.Loses == nil || !dialect.Loses(i) {
				_ = o.video.WriteRTP(picture(i, 0)) // a viewer that is closing is not an error
			}
		})
	}()
	t.Cleanup(func() {
		close(stop)
		<-stopped
		o.CloseClientConnections()
		o.Server.Close()
		o.CloseSessions()
	})
	return o
}

// CloseSessions closes the connection of every session, which sends a DTLS alert.
func (o *Full) CloseSessions() {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	for _, session := range o.sessions {
		_ = session.Close()
	}
}

// Seen are the requests so far: method, path and authorization.
func (o *Full) Seen() []string {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return append([]string(nil), o.seen...)
}

// Present is how many sessions were not ended by DELETE.
func (o *Full) Present() int {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return len(o.sessions)
}

// Candidates are the candidate lines of the latest session.
func (o *Full) Candidates() (lines []string) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	session := o.sessions[strconv.FormatInt(o.Posts.Load(), 10)]
	if session == nil || session.LocalDescription() == nil {
		return nil
	}
	for line := range strings.SplitSeq(session.LocalDescription().SDP, "\r\n") {
		if strings.HasPrefix(line, "a=candidate:") {
			lines = append(lines, line)
		}
	}
	return lines
}

func (o *Full) serve(w http.ResponseWriter, r *http.Request) {
	o.mutex.Lock()
	o.seen = append(o.seen, r.Method+" "+r.URL.Path+" "+r.Header.Get("Authorization"))
	o.mutex.Unlock()
	if o.dialect.Request != nil && o.dialect.Request(o, w, r) {
		return
	}
	switch r.Method {
	case http.MethodDelete:
		o.leave(r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:])
	case http.MethodPost:
		o.play(w, r)
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

func (o *Full) leave(name string) {
	o.Deletes.Add(1)
	o.mutex.Lock()
	session := o.sessions[name]
	delete(o.sessions, name)
	o.mutex.Unlock()
	if session != nil {
		_ = session.Close()
	}
}

func (o *Full) play(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client gave up
	}
	connection, err := o.api.NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	name := strconv.FormatInt(o.Posts.Add(1), 10)
	o.mutex.Lock()
	o.sessions[name] = connection
	o.mutex.Unlock()
	offer := string(body)
	if o.dialect.Offer != nil {
		offer = o.dialect.Offer(offer)
	}
	answer, err := Negotiate(connection, o.video, offer)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if o.dialect.Answer != nil {
		answer = o.dialect.Answer(answer)
	}
	location := "/session/" + name
	if o.dialect.Head != nil {
		location = o.dialect.Head(w.Header(), name)
	}
	if location != "" {
		w.Header().Set("Location", location)
	}
	w.Header().Set("Content-Type", "application/sdp")
	if o.dialect.Status == 0 {
		w.WriteHeader(http.StatusCreated)
	} else {
		w.WriteHeader(o.dialect.Status)
	}
	_, _ = io.WriteString(w, answer)
}

// Negotiate answers an offer with one video track, once all candidates are known, and reads the viewer's feedback.
func Negotiate(connection *webrtc.PeerConnection, video webrtc.TrackLocal, offer string) (answer string, err error) {
	sender, err := connection.AddTrack(video)
	if err != nil {
		return "", err
	}
	go func() {
		buffer := make([]byte, 1500)
		for {
			if _, _, err := sender.Read(buffer); err != nil {
				return
			}
		}
	}()
	if err := connection.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeOffer, SDP: offer}); err != nil {
		return "", err
	}
	description, err := connection.CreateAnswer(nil)
	if err != nil {
		return "", err
	}
	complete := webrtc.GatheringCompletePromise(connection)
	if err := connection.SetLocalDescription(description); err != nil {
		return "", err
	}
	<-complete
	return connection.LocalDescription().SDP, nil
}
