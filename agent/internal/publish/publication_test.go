package publish

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"fullhouse/agent/internal/protocol"
)

// timeout is for a slow, busy machine; no passing test waits that long.
const timeout = 40 * time.Second

// events collects the events.
type events struct {
	mutex sync.Mutex
	list  []protocol.Event
}

func (e *events) add(event protocol.Event) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.list = append(e.list, event)
}

func (e *events) names() string {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	var names []string
	for _, event := range e.list {
		names = append(names, string(event.Name))
	}
	return strings.Join(names, " ")
}

func (e *events) last() protocol.Event {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if len(e.list) == 0 {
		return protocol.Event{}
	}
	return e.list[len(e.list)-1]
}

func eventually(t *testing.T, what string, fits func() bool) {
	t.Helper()
	for deadline := time.Now().Add(timeout); !fits(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timed out: %s", what)
		}
	}
}

func TestALostStreamIsPublishedAgainAndBothAreReported(t *testing.T) {
	var recorded events
	lose := make(chan error)
	refusals := 2 // by a server that still has the first connection
	attempts := 0
	p := startPublication("cam", "whip", func(ctx context.Context, a attempt) error {
		attempts++
		if attempts > 1 && refusals > 0 {
			refusals--
			return errors.New("the name is taken")
		}
		a.live()
		a.meter.bytes.Add(1000)
		a.meter.frames.Add(25)
		select {
		case err := <-lose:
			return err
		case <-ctx.Done():
			return nil
		}
	}, recorded.add)
	eventually(t, "publishing is live", func() bool { return p.now() == protocol.PublicationLive })
	v, shows := p.view(time.Second)
	if !shows || v.Job != "cam" || v.Protocol != "whip" || v.BitrateKbps != 8 || v.FPS != 25 || v.Problem != "" || v.SinceMs == 0 {
		t.Errorf("%+v", v)
	}
	lose <- errors.New("the server hung up")
	eventually(t, "the refusal is shown", func() bool {
		v, _ := p.view(time.Second)
		return v.State == protocol.PublicationConnecting && v.Problem == "The name is taken."
	})
	eventually(t, "publishing is live again", func() bool { return p.now() == protocol.PublicationLive })
	p.leave(false)
	<-p.done
	if names := recorded.names(); names != "publication-lost publication-live job-ended" {
		t.Errorf("%s", names)
	}
	for i := range endedSamples + 1 {
		if v, shows := p.view(time.Second); shows != (i < endedSamples) || shows &&
			(v.State != protocol.PublicationEnded || v.Problem != "") {
			t.Errorf("sample %d after the end: %+v, %v", i, v, shows)
		}
	}
}

func TestSentencesKeepHostNames(t *testing.T) {
	for text, want := range map[string]string{"the name is taken": "The name is taken.", "origin.example:1935 refused": "origin.example:1935 refused.", "WebRTC fails": "WebRTC fails."} {
		if got := sentence(errors.New(text)); got != want {
			t.Errorf("%q", got)
		}
	}
}

func TestAStreamRefusedAtOnceIsNotRetried(t *testing.T) {
	var recorded events
	p := startPublication("cam", "rtmp", func(context.Context, attempt) error { return errors.New("the name is taken") }, recorded.add)
	<-p.done
	if v, shows := p.view(time.Second); !shows || v.State != protocol.PublicationFailed ||
		v.Problem != "The name is taken." {
		t.Errorf("%+v, %v", v, shows)
	}
	if event := recorded.last(); recorded.names() != "job-ended" || event.Job != "cam" || !strings.Contains(event.Message, "the name is taken") {
		t.Errorf("%s: %+v", recorded.names(), event)
	}
}

func TestAFailedSessionCloseIsReported(t *testing.T) {
	var recorded events
	p := startPublication("cam", "whip", func(ctx context.Context, a attempt) error {
		a.live()
		<-ctx.Done()
		return errors.New("DELETE was answered 500")
	}, recorded.add)
	eventually(t, "publishing is live", func() bool { return p.now() == protocol.PublicationLive })
	p.leave(false)
	<-p.done
	if names := recorded.names(); names != "warning job-ended" || p.now() != protocol.PublicationEnded {
		t.Errorf("%s, %s", names, p.now())
	}
}

func TestAJumpContinuesWithoutAGap(t *testing.T) {
	c := newClock()
	c.origin = c.origin.Add(-time.Hour) // everything is due
	before := c.origin
	at, ok := c.wait(context.Background(), time.Second)
	if !ok || at != time.Second || !c.origin.After(before) {
		t.Errorf("%s, %v; after a stall the clock was set back by %v", at, ok, c.origin.Sub(before))
	}
	if ahead := time.Until(c.origin.Add(time.Second)); ahead < -timeout || ahead > 0 {
		t.Errorf("the clock deviates by %s", ahead)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, ok := c.wait(ctx, time.Hour); ok {
		t.Error("the clock continues after its context ended")
	}
}
