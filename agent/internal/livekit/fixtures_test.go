package livekit

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/signalling"
)

const (
	aToken = "a.made-up.token"
	offer  = "v=0\r\nthe offer"
	answer = "v=0\r\nthe answer"
)

var (
	h264  = appendBytes(appendNumber(appendBytes(nil, 1, "TR_h264"), 2, videoTrack), 11, "video/H264")
	vp7   = appendBytes(appendNumber(appendBytes(nil, 1, "TR_vp7"), 2, videoTrack), 11, "video/VP7")
	sound = appendBytes(appendBytes(nil, 1, "TR_opus"), 11, "audio/opus")
)

// server is the test's end of a room's signalling.
type server struct {
	t          *testing.T
	connection *websocket.Conn
}

// sendMessage sends a server message with this content.
func (s *server) sendMessage(id int, content []byte) {
	_ = s.connection.Write(context.Background(), websocket.MessageBinary, appendBytes(nil, id, content))
}

// nextMessage waits for the viewer's next message and returns its kind and content.
func (s *server) nextMessage() (id int, content []byte) {
	_, data, err := s.connection.Read(context.Background())
	if err != nil {
		return 0, nil
	}
	_ = fields(data, func(f field) error { id, content = f.id, f.bytes; return nil })
	return id, content
}

func (s *server) join(participants ...[]byte) {
	message := []byte(nil)
	for _, one := range participants {
		message = appendBytes(message, 3, one)
	}
	s.sendMessage(1, message)
}

// acceptViewer acts as a server that has what the viewer needs, up to the answer. It returns the requested tracks.
func (s *server) acceptViewer() (tracks []string) {
	s.join(participantMessage("late", 9, h264), participantMessage("camera", 3, sound, h264), participantMessage("other", 1, vp7))
	if id, content := s.nextMessage(); id == 6 {
		_ = fields(content, func(f field) error {
			if f.id == 1 {
				tracks = append(tracks, f.text())
			}
			return nil
		})
	}
	s.sendMessage(25, appendNumber(appendNumber(nil, 1, 1), 2, uint64(len(tracks)-1)))
	if id, content := s.nextMessage(); id != 1 || !strings.Contains(string(content), offer) {
		s.t.Errorf("message %d, %q, want the offer", id, content)
	}
	s.sendMessage(4, appendBytes(nil, 1, `{"candidate":"candidate:1 1 udp 5 127.0.0.1 9 typ host"}`))
	s.sendMessage(2, appendBytes(appendBytes(nil, 1, "answer"), 2, answer))
	return tracks
}

type listener struct {
	candidates chan string
	out        chan *failure.Failure
}

func (l listener) OnCandidate(value string)            { l.candidates <- value }
func (l listener) OnICEServers([]signalling.ICEServer) {}
func (l listener) OnClosed(f *failure.Failure)         { l.out <- f }

func newListener() listener {
	return listener{make(chan string, 4), make(chan *failure.Failure, 4)}
}

// roomOf is a viewer's signaller for a room that play serves.
func roomOf(t *testing.T, play func(*server)) *room {
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/full":
			w.WriteHeader(http.StatusInternalServerError)
			return
		case r.URL.Path != "/rtc/v1":
			w.WriteHeader(http.StatusNotFound)
			return
		case r.Header.Get("Authorization") != "Bearer "+aToken:
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprintf(w, "invalid token: %s", strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
			return
		}
		connection, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		play(&server{t, connection})
		_ = connection.CloseNow()
	}))
	t.Cleanup(host.Close)
	address, err := url.Parse(host.URL)
	if err != nil {
		t.Fatal(err)
	}
	return NewSignallers(signalling.NewClient(), address, []string{aToken}, Options{}).Next().(*room)
}

func within(d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	time.AfterFunc(2*d, cancel)
	return ctx
}
