package wcs

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/testing/crafted"
)

// server is the test's end of a session: it records requests and answers by a script.
type server struct {
	connection *websocket.Conn
	mutex      sync.Mutex
	requests   []string
	id         string
}

func (s *server) send(text string) {
	_ = s.connection.Write(context.Background(), websocket.MessageText, []byte(strings.ReplaceAll(text, "ID", s.id)))
}

func (s *server) seen() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return strings.Join(s.requests, " ")
}

// start starts a server; reply gets each request of the viewer.
func start(t *testing.T, reply func(s *server, name string, argument map[string]any)) (*Signallers, *server) {
	t.Helper()
	s := &server{}
	http := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		connection, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		s.connection = connection
		for {
			_, data, err := connection.Read(context.Background())
			if err != nil {
				return
			}
			var request struct {
				Message string
				Data    []map[string]any
			}
			if json.Unmarshal(data, &request) != nil || len(request.Data) != 1 {
				t.Errorf("%s", data)
				continue
			}
			s.mutex.Lock()
			s.requests = append(s.requests, request.Message)
			if id, ok := request.Data[0]["mediaSessionId"].(string); ok {
				s.id = id
			}
			s.mutex.Unlock()
			reply(s, request.Message, request.Data[0])
		}
	}))
	t.Cleanup(http.Close)
	address, err := url.Parse(http.URL)
	if err != nil {
		t.Fatal(err)
	}
	return NewSignallers(signalling.NewClient(), address, "cam"), s
}

// handler records what its signaller reports.
type handler struct {
	mutex  sync.Mutex
	closed *failure.Failure
}

func (v *handler) OnCandidate(string) {}

func (v *handler) OnICEServers([]signalling.ICEServer) {}
func (v *handler) OnClosed(f *failure.Failure) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.closed = f
}

func (v *handler) reason() *failure.Failure {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return v.closed
}

func exchange(t *testing.T, d *Signallers, v *handler) (*session, string, *failure.Failure) {
	t.Helper()
	s := d.Next().(*session)
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	answer, f := s.Exchange(ctx, "v=0\r\nthe offer", v)
	t.Cleanup(func() {
		if err := s.Disconnect(context.Background(), false); err != nil {
			t.Error(err)
		}
	})
	return s, answer, f
}

func eventually(t *testing.T, what string, isSo func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); !isSo(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

// polite answers as a WCS does.
func polite(s *server, name string, argument map[string]any) {
	switch name {
	case "connection":
		s.send(`{"message":"ping","data":[]}`)
		s.send(`{"message":"getUserData","data":[{"status":"ESTABLISHED","authToken":"x"}]}`)
	case "playStream":
		s.send(`{"message":"notifyStreamStatusEvent","data":[{"mediaSessionId":"ID","status":"PENDING"}]}`)
		s.send(`{"message":"setRemoteSDP","data":["of another","no"]}`)
		s.send(`{"message":"setRemoteSDP","data":["ID","v=0 the answer"]}`)
		s.send(`{"message":"notifyStreamStatusEvent","data":[{"mediaSessionId":"ID","status":"PLAYING"}]}`)
	}
}

func TestTheOfferHasNoCandidates(t *testing.T) {
	offer := "v=0\r\nm=audio 5004 UDP/TLS/RTP/SAVPF 111 0\r\nc=IN IP6 ::1\r\na=candidate:1 1 udp 2130706431 ::1 5004 typ host\r\na=end-of-candidates\r\na=ice-ufrag:u\r\n"
	want := "v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111 0\r\nc=IN IP4 0.0.0.0\r\na=ice-ufrag:u\r\n"
	if got := withoutCandidates(offer); got != want {
		t.Errorf("%q", got)
	}
}

func TestARequestSaysWhetherTheOfferHasVideo(t *testing.T) {
	for offer, want := range map[string]string{"v=0\r\nm=audio 9 x\r\n": `"hasVideo":false`, "v=0\r\nm=audio 9 x\r\nm=video 9 x\r\n": `"hasVideo":true`} {
		if message := string(streamRequest("playStream", "id", "cam", offer)); !strings.Contains(message, want) {
			t.Error(message)
		}
	}
}

func TestAnOfferIsAnsweredAndTheStreamStopped(t *testing.T) {
	var offered map[string]any
	d, server := start(t, func(s *server, name string, argument map[string]any) {
		if name == "playStream" {
			offered = argument
		}
		polite(s, name, argument)
	})
	v := &handler{}
	s, answer, f := exchange(t, d, v)
	if f != nil || answer != "v=0 the answer" {
		t.Fatal(answer, f)
	}
	if offered["name"] != "cam" || offered["sdp"] != "v=0\r\nthe offer" || offered["published"] != false || offered["width"] != 0.0 || offered["mediaProvider"] != "WebRTC" {
		t.Errorf("%v", offered)
	}
	if err := s.Disconnect(context.Background(), false); err != nil {
		t.Error(err)
	}
	if got := server.seen(); got != "connection pong playStream stopStream" {
		t.Error(got)
	}
	if f := v.reason(); f != nil {
		t.Errorf("reported after it was disconnected: %v", f)
	}
}

func TestWhatTheServerSaysAfterTheAnswerEndsTheViewer(t *testing.T) {
	for name, test := range map[string]struct{ text, cause, words string }{
		"a failure":       {`{"message":"notifyStreamStatusEvent","data":[{"mediaSessionId":"ID","status":"FAILED","info":"Failed by ICE timeout"}]}`, "rejected", "Failed by ICE timeout"},
		"no publisher":    {`{"message":"notifyStreamStatusEvent","data":[{"mediaSessionId":"ID","status":"STOPPED","info":"Stopped by publisher stop"}]}`, "unpublished", "publisher stop"},
		"an API call":     {`{"message":"notifyStreamStatusEvent","data":[{"mediaSessionId":"ID","status":"STOPPED","info":"Stopped by rest terminate"}]}`, "rejected", "rest terminate"},
		"the other form":  {`{"message":"fail","data":[{"apiMethod":"StreamStatusEvent","id":"ID","status":"FAILED","info":null}]}`, "rejected", "status FAILED"},
		"something wrong": {`[]`, "not-wcs", "no name"},
	} {
		t.Run(name, func(t *testing.T) {
			d, server := start(t, polite)
			v := &handler{}
			if _, _, f := exchange(t, d, v); f != nil {
				t.Fatal(f)
			}
			server.send(`{"message":"notifyStreamStatusEvent","data":[{"mediaSessionId":"of another","status":"FAILED"}]}`)
			server.send(`{"message":"unknown","data":{}}`)
			server.send(test.text)
			eventually(t, "the end", func() bool { return v.reason() != nil })
			if f := v.reason(); f.Stage != failure.Media || f.Cause.String() != test.cause || !strings.Contains(f.Detail, test.words) {
				t.Errorf("%v", f)
			}
		})
	}
}

func TestALostConnectionEndsTheViewer(t *testing.T) {
	d, server := start(t, polite)
	v := &handler{}
	if _, _, f := exchange(t, d, v); f != nil {
		t.Fatal(f)
	}
	_ = server.connection.CloseNow()
	eventually(t, "the end", func() bool { return v.reason() != nil })
	if f := v.reason(); f.Stage != failure.Media || f.Cause.String() != "closed" {
		t.Errorf("%v", f)
	}
}

func TestARefusalHasAStageAndACause(t *testing.T) {
	for name, test := range map[string]struct {
		reply func(s *server, name string, argument map[string]any)
		cause string
		words string
	}{
		"no stream": {func(s *server, name string, argument map[string]any) {
			if name == "playStream" {
				s.send(`{"message":"notifyStreamStatusEvent","data":[{"mediaSessionId":"ID","status":"FAILED","info":"Stream not found"}]}`)
				return
			}
			polite(s, name, argument)
		}, "not-found", "does not exist"},
		"no greeting": {func(*server, string, map[string]any) {}, "timeout", "8080"},
		"no answer": {func(s *server, name string, argument map[string]any) {
			if name == "connection" {
				polite(s, name, argument)
			}
		}, "timeout", "media ports"},
		"closed": {func(s *server, name string, _ map[string]any) { _ = s.connection.CloseNow() }, "closed", "closed the connection"},
	} {
		t.Run(name, func(t *testing.T) {
			d, _ := start(t, test.reply)
			_, answer, f := exchange(t, d, &handler{})
			if f == nil || answer != "" || f.Stage != failure.Signalling || f.Cause.String() != test.cause || !strings.Contains(f.Detail, test.words) {
				t.Errorf("%v", f)
			}
		})
	}
}

// FuzzTake feeds messages of a hostile server to a session that is being answered.
func FuzzTake(f *testing.F) {
	for _, text := range []string{`{"message":"setRemoteSDP","data":["i","v=0"]}`, `{"message":"fail","data":[{"id":"i","status":"FAILED","info":1}]}`,
		`{"message":"notifyStreamStatusEvent","data":[{"mediaSessionId":"i","status":"STOPPED","info":"x"}]}`, `{"message":"x","data":5}`} {
		f.Add([]byte(text))
	}
	address := &url.URL{Host: "host"}
	f.Fuzz(func(t *testing.T, text []byte) {
		defer crafted.Watch(t)(len(text))
		message, err := parse(text)
		if err != nil || message.name == "ping" || message.name == "getUserData" {
			return // these are answered
		}
		v := &handler{}
		s := &session{signallers: &Signallers{server: address}, id: "i", step: offering, settled: make(chan struct{}), handler: v}
		s.take(message)
		s.take(message)
		if s.answer != "" && s.problem != nil || v.reason() != nil && s.answer == "" {
			t.Errorf("%q: %q, %v, %v", text, s.answer, s.problem, v.reason())
		}
	})
}
