package livekit

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"fullhouse/agent/internal/failure"
)

func TestAViewerGetsThePictureOfWhoPublishedFirst(t *testing.T) {
	asked, left := make(chan []string, 1), make(chan int, 1)
	door := doorTo(t, func(s *server) {
		asked <- s.letIn()
		id, _ := s.hear()
		left <- id
	})
	guest := newListener()
	got, f := door.Enter(within(20*time.Second), offer, guest)
	if f != nil || got != answer {
		t.Fatalf("answer %q, %v", got, f)
	}
	if tracks := <-asked; len(tracks) != 2 || tracks[0] != "TR_h264" || tracks[1] != "TR_opus" {
		t.Errorf("subscribed to %v", tracks)
	}
	if candidate := <-guest.candidates; !strings.HasPrefix(candidate, "candidate:1 ") {
		t.Errorf("candidate %q", candidate)
	}
	if err := door.Leave(within(20*time.Second), false); err != nil {
		t.Errorf("leaving: %v", err)
	}
	if id := <-left; id != 8 {
		t.Errorf("message %d, where the viewer was to say that it leaves", id)
	}
	if len(guest.out) > 0 {
		t.Errorf("who leaves was shown out: %v", <-guest.out)
	}
}

func TestAPublisherMayComeLater(t *testing.T) {
	door := doorTo(t, func(s *server) {
		s.join()
		s.say(5, appendBytes(nil, 1, somebody("camera", 3, h264)))
		s.hear()
		s.say(25, appendNumber(nil, 2, 1))
		s.hear()
		s.say(2, appendBytes(nil, 2, answer))
		s.hear()
	})
	if got, f := door.Enter(within(20*time.Second), offer, newListener()); f != nil || got != answer {
		t.Errorf("answer %q, %v", got, f)
	}
	if err := door.Leave(within(20*time.Second), true); err != nil {
		t.Errorf("leaving by force: %v", err)
	}
}

func TestWhatKeepsAViewerOutIsSaid(t *testing.T) {
	stay := func(s *server) { s.hear() }
	for name, c := range map[string]struct {
		play     func(*server)
		patience time.Duration
		cause    string
		says     string
	}{
		"silence": {stay, 300 * time.Millisecond, "timeout", "did not let the viewer join"},
		"nobody":  {func(s *server) { s.join(somebody("other", 1, sound)); stay(s) }, 300 * time.Millisecond, "no-publisher", "1 others are in it"},
		"VP8":     {func(s *server) { s.join(somebody("other", 1, vp8)); stay(s) }, 300 * time.Millisecond, "no-h264", "video/VP8"},
		"no wish": {func(s *server) { s.join(somebody("camera", 1, h264)); s.hear(); stay(s) }, 300 * time.Millisecond, "timeout", "did not ask for an offer"},
		"no answer": {func(s *server) {
			s.join(somebody("camera", 1, h264))
			s.hear()
			s.say(25, appendNumber(nil, 2, 1))
			s.hear()
			stay(s)
		}, 300 * time.Millisecond, "timeout", "did not answer the offer"},
		"refused": {func(s *server) {
			s.join(somebody("camera", 1, h264))
			s.hear()
			s.say(21, appendNumber(appendBytes(nil, 1, "TR_h264"), 2, 1))
			stay(s)
		}, 20 * time.Second, "not-subscribed", "its codec does not fit"},
		"sent out": {func(s *server) { s.say(8, appendNumber(nil, 2, 5)); stay(s) }, 20 * time.Second, "left-room-deleted", "the room was ended"},
		"hung up":  {func(*server) {}, 20 * time.Second, "closed", "closed the WebSocket"},
		"not LiveKit": {func(s *server) {
			_ = s.connection.Write(context.Background(), websocket.MessageText, []byte("hello"))
			stay(s)
		}, 20 * time.Second, "not-livekit", "none of LiveKit's"},
	} {
		t.Run(name, func(t *testing.T) {
			door := doorTo(t, c.play)
			_, f := door.Enter(within(c.patience), offer, newListener())
			if f == nil || f.Stage != failure.Signalling || f.Cause != c.cause || !strings.Contains(f.Detail, c.says) {
				t.Errorf("%v", f)
			}
			if err := door.Leave(within(20*time.Second), true); err != nil {
				t.Errorf("leaving: %v", err)
			}
		})
	}
}

func TestARefusedTokenIsNotRepeated(t *testing.T) {
	door := doorTo(t, func(*server) {})
	door.token = "another.secret.token"
	_, f := door.Enter(within(20*time.Second), offer, newListener())
	if f == nil || f.Cause != "http-401" || !strings.Contains(f.Detail, "invalid token: (token)") || strings.Contains(f.Detail, door.token) {
		t.Errorf("%v", f)
	}
	if err := door.Leave(within(time.Second), false); err != nil {
		t.Errorf("leaving where one never was: %v", err)
	}
}

func TestRefusalsAreExplained(t *testing.T) {
	for path, c := range map[string]struct{ cause, says string }{"/elsewhere": {"http-404", "since 1.9.1"}, "/full": {"http-500", "max_participants"}} {
		door := doorTo(t, func(*server) {})
		door.doors.endpoint.Path = path
		_, f := door.Enter(within(20*time.Second), offer, newListener())
		if f == nil || f.Cause != c.cause || !strings.Contains(f.Detail, c.says) || strings.Contains(f.Detail, "join_request") {
			t.Errorf("%s: %v", path, f)
		}
	}
}

func TestAViewerHearsThatItIsSentOut(t *testing.T) {
	for cause, end := range map[string]func(*server){
		"left-removed": func(s *server) { s.say(8, appendNumber(nil, 2, 4)); s.hear() },
		"closed":       func(*server) {},
	} {
		door := doorTo(t, func(s *server) { s.letIn(); end(s) })
		guest := newListener()
		if _, f := door.Enter(within(20*time.Second), offer, guest); f != nil {
			t.Fatal(f)
		}
		if f := <-guest.out; f.Stage != failure.Media || f.Cause != cause {
			t.Errorf("%v", f)
		}
		if err := door.Leave(within(20*time.Second), false); err != nil && cause == "closed" {
			t.Errorf("leaving: %v", err)
		}
	}
}

func TestAViewerIsHeardOfAsOftenAsTheServerWants(t *testing.T) {
	heard := make(chan int, 2)
	door := doorTo(t, func(s *server) {
		s.say(1, appendNumber(appendBytes(nil, 3, somebody("camera", 1, h264)), 11, 1))
		s.hear() // the subscription
		id, _ := s.hear()
		heard <- id
		s.hear()
	})
	go func() { _, _ = door.Enter(within(20*time.Second), offer, newListener()) }()
	if id := <-heard; id != 16 {
		t.Errorf("message %d, where a ping was to come", id)
	}
	if err := door.Leave(within(20*time.Second), true); err != nil {
		t.Errorf("leaving: %v", err)
	}
}
