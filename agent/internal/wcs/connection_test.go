package wcs

import (
	"context"
	"strings"
	"testing"
	"time"

	"fullhouse/agent/internal/monotonic"
)

const stageTimeout = 300 * time.Millisecond

// connected starts a server that greets, and connects a session without media to it.
func connected(t *testing.T) (*connection, *server) {
	t.Helper()
	d, s := start(t, func(s *server, name string, _ map[string]any) {
		if name == "connection" {
			s.send(`{"message":"getUserData","data":[{"status":"ESTABLISHED"}]}`)
		}
	})
	v := NewConnections(d.client, d.server, stageTimeout).New().(*connection)
	t.Cleanup(func() {
		if err := v.Disconnect(context.Background(), false); err != nil {
			t.Error(err)
		}
	})
	if f := v.Connect(context.Background(), context.Background()); f != nil {
		t.Fatal(f)
	}
	return v, s
}

// until waits for a condition of the session.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited too long for %s", what)
		}
	}
}

func TestSessionWithoutMediaPings(t *testing.T) {
	t.Parallel()
	v, s := connected(t)
	if f := v.Tick(monotonic.Now()); f != nil {
		t.Fatal(f)
	}
	until(t, "a round trip", func() bool { return v.Read(time.Time{}).RoundTripNs > 0 })
	reading := v.Read(time.Time{})
	if reading.FirstPacketAt == 0 || reading.Packets != 1 || reading.Bytes == 0 || reading.Frames != 0 {
		t.Errorf("%+v", reading)
	}
	s.send(`{"message":"ping","data":[null]}`)
	until(t, "the response to a ping", func() bool { return strings.Contains(s.seen(), "pong") })
	if strings.Contains(s.seen(), "playStream") {
		t.Error("a stream was played")
	}
	if detail := v.Detail(); len(detail.Times.Steps()) != 1 || detail.Route.Protocol != "tcp" {
		t.Errorf("%+v", detail)
	}
}

func TestSessionWithoutMediaIsLost(t *testing.T) {
	t.Parallel()
	v, s := connected(t)
	_ = s.connection.CloseNow()
	until(t, "the failure", func() bool { return v.Tick(monotonic.Now()) != nil })
	if f := v.Read(time.Time{}).Failure; f.Cause.String() != "closed" || f.Stage != "signalling" {
		t.Errorf("%+v", f)
	}
}

func TestSessionWithoutMediaFails(t *testing.T) {
	t.Parallel()
	for cause, reply := range map[string]func(s *server){
		"timeout": func(*server) {},
		"not-wcs": func(s *server) { s.send("hello") },
		"closed":  func(s *server) { _ = s.connection.CloseNow() },
	} {
		d, _ := start(t, func(s *server, _ string, _ map[string]any) { reply(s) })
		v := NewConnections(d.client, d.server, stageTimeout).New()
		f := v.Connect(context.Background(), context.Background())
		if f == nil || f.Cause.String() != cause {
			t.Errorf("%s: %v", cause, f)
		}
		if err := v.Disconnect(context.Background(), true); err != nil {
			t.Error(err)
		}
	}
}
