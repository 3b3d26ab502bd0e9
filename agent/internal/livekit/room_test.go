package livekit

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"fullhouse/agent/internal/failure"
)

func TestAViewerGetsTheFirstPublishersVideo(t *testing.T) {
	subscribed, left := make(chan []string, 1), make(chan int, 1)
	signaller := roomOf(t, func(s *server) {
		subscribed <- s.acceptViewer()
		id, _ := s.nextMessage()
		left <- id
	})
	handler := newListener()
	got, f := signaller.Exchange(within(20*time.Second), offer, handler)
	if f != nil || got != answer {
		t.Fatalf("answer %q, %v", got, f)
	}
	if tracks := <-subscribed; len(tracks) != 2 || tracks[0] != "TR_h264" || tracks[1] != "TR_opus" {
		t.Errorf("subscribed to %v", tracks)
	}
	if candidate := <-handler.candidates; !strings.HasPrefix(candidate, "candidate:1 ") {
		t.Errorf("candidate %q", candidate)
	}
	if err := signaller.Disconnect(within(20*time.Second), false); err != nil {
		t.Errorf("Disconnect: %v", err)
	}
	if id := <-left; id != 8 {
		t.Errorf("message %d, want the leave request", id)
	}
	if len(handler.out) > 0 {
		t.Errorf("a disconnecting viewer was reported as disconnected: %v", <-handler.out)
	}
}

func TestAPublisherMayStartLater(t *testing.T) {
	signaller := roomOf(t, func(s *server) {
		s.join()
		s.sendMessage(5, appendBytes(nil, 1, participantMessage("camera", 3, h264)))
		s.nextMessage()
		s.sendMessage(25, appendNumber(nil, 2, 1))
		s.nextMessage()
		s.sendMessage(2, appendBytes(nil, 2, answer))
		s.nextMessage()
	})
	if got, f := signaller.Exchange(within(20*time.Second), offer, newListener()); f != nil || got != answer {
		t.Errorf("answer %q, %v", got, f)
	}
	if err := signaller.Disconnect(within(20*time.Second), true); err != nil {
		t.Errorf("forced Disconnect: %v", err)
	}
}

func TestFailuresToJoinAreExplained(t *testing.T) {
	stay := func(s *server) { s.nextMessage() }
	for name, c := range map[string]struct {
		play     func(*server)
		timeout  time.Duration
		cause    string
		wantText string
	}{
		"silence":          {stay, 300 * time.Millisecond, "timeout", "did not let the viewer join"},
		"empty":            {func(s *server) { s.join(participantMessage("other", 1, sound)); stay(s) }, 300 * time.Millisecond, "no-publisher", "other participants: 1. There is audio"},
		"another codec":    {func(s *server) { s.join(participantMessage("other", 1, vp7)); stay(s) }, 300 * time.Millisecond, "no-codec", "video/VP7"},
		"no offer request": {func(s *server) { s.join(participantMessage("camera", 1, h264)); s.nextMessage(); stay(s) }, 300 * time.Millisecond, "timeout", "did not request an offer"},
		"no answer": {func(s *server) {
			s.join(participantMessage("camera", 1, h264))
			s.nextMessage()
			s.sendMessage(25, appendNumber(nil, 2, 1))
			s.nextMessage()
			stay(s)
		}, 300 * time.Millisecond, "timeout", "did not answer the offer"},
		"refused": {func(s *server) {
			s.join(participantMessage("camera", 1, h264))
			s.nextMessage()
			s.sendMessage(21, appendNumber(appendBytes(nil, 1, "TR_h264"), 2, 1))
			stay(s)
		}, 20 * time.Second, "not-subscribed", "codec not supported"},
		"sent out": {func(s *server) { s.sendMessage(8, appendNumber(nil, 2, 5)); stay(s) }, 20 * time.Second, "left-room-deleted", "the room was deleted"},
		"hung up":  {func(*server) {}, 20 * time.Second, "closed", "closed the WebSocket"},
		"not LiveKit": {func(s *server) {
			_ = s.connection.Write(context.Background(), websocket.MessageText, []byte("hello"))
			stay(s)
		}, 20 * time.Second, "not-livekit", "not a LiveKit message"},
	} {
		t.Run(name, func(t *testing.T) {
			signaller := roomOf(t, c.play)
			_, f := signaller.Exchange(within(c.timeout), offer, newListener())
			if f == nil || f.Stage != failure.Signalling || f.Cause.String() != c.cause || !strings.Contains(f.Detail, c.wantText) {
				t.Errorf("%v", f)
			}
			if err := signaller.Disconnect(within(20*time.Second), true); err != nil {
				t.Errorf("Disconnect: %v", err)
			}
		})
	}
}

func TestARefusedTokenIsNotRepeated(t *testing.T) {
	signaller := roomOf(t, func(*server) {})
	signaller.token = "another.secret.token"
	_, f := signaller.Exchange(within(20*time.Second), offer, newListener())
	if f == nil || f.Cause.String() != "http-401" || !strings.Contains(f.Detail, "invalid token: (removed)") || strings.Contains(f.Detail, signaller.token) {
		t.Errorf("%v", f)
	}
	if err := signaller.Disconnect(within(time.Second), false); err != nil {
		t.Errorf("Disconnect without joining: %v", err)
	}
}

func TestRefusalsAreExplained(t *testing.T) {
	for path, c := range map[string]struct{ cause, wantText string }{"/elsewhere": {"http-404", "since 1.9.1"}, "/full": {"http-500", "max_participants"}} {
		signaller := roomOf(t, func(*server) {})
		signaller.signallers.endpoint.Path = path
		_, f := signaller.Exchange(within(20*time.Second), offer, newListener())
		if f == nil || f.Cause.String() != c.cause || !strings.Contains(f.Detail, c.wantText) || strings.Contains(f.Detail, "join_request") {
			t.Errorf("%s: %v", path, f)
		}
	}
}

func TestAViewerReportsItsRemoval(t *testing.T) {
	for cause, end := range map[string]func(*server){
		"left-removed": func(s *server) { s.sendMessage(8, appendNumber(nil, 2, 4)); s.nextMessage() },
		"closed":       func(*server) {},
	} {
		signaller := roomOf(t, func(s *server) { s.acceptViewer(); end(s) })
		handler := newListener()
		if _, f := signaller.Exchange(within(20*time.Second), offer, handler); f != nil {
			t.Fatal(f)
		}
		if f := <-handler.out; f.Stage != failure.Media || f.Cause.String() != cause {
			t.Errorf("%v", f)
		}
		if err := signaller.Disconnect(within(20*time.Second), false); err != nil && cause == "closed" {
			t.Errorf("Disconnect: %v", err)
		}
	}
}

func TestPingsFollowTheServersInterval(t *testing.T) {
	heard := make(chan int, 2)
	signaller := roomOf(t, func(s *server) {
		s.sendMessage(1, appendNumber(appendBytes(nil, 3, participantMessage("camera", 1, h264)), 11, 1))
		s.nextMessage() // the subscription
		id, _ := s.nextMessage()
		heard <- id
		s.nextMessage()
	})
	go func() { _, _ = signaller.Exchange(within(20*time.Second), offer, newListener()) }()
	if id := <-heard; id != 16 {
		t.Errorf("message %d, want a ping", id)
	}
	if err := signaller.Disconnect(within(20*time.Second), true); err != nil {
		t.Errorf("Disconnect: %v", err)
	}
}

func TestAViewerOfAudioOnlySubscribesToTheFirstAudio(t *testing.T) {
	subscribed := make(chan []string, 1)
	signaller := roomOf(t, func(s *server) {
		subscribed <- s.acceptViewer()
		s.nextMessage()
	})
	signaller.signallers.options.AudioOnly = true
	if got, f := signaller.Exchange(within(20*time.Second), offer, newListener()); f != nil || got != answer {
		t.Fatalf("answer %q, %v", got, f)
	}
	if tracks := <-subscribed; len(tracks) != 1 || tracks[0] != "TR_opus" {
		t.Errorf("subscribed to %v", tracks)
	}
	if err := signaller.Disconnect(within(20*time.Second), true); err != nil {
		t.Errorf("Disconnect: %v", err)
	}
}
