package publish

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"fullhouse/agent/internal/link"
)

// patience is what a slow, busy machine may need; nothing here waits for it when all is well.
const patience = 40 * time.Second

// events keeps what was told.
type events struct {
	mutex sync.Mutex
	list  []link.Event
}

func (e *events) add(event link.Event) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.list = append(e.list, event)
}

func (e *events) names() string {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	var names []string
	for _, event := range e.list {
		names = append(names, event.Name)
	}
	return strings.Join(names, " ")
}

func (e *events) last() link.Event {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if len(e.list) == 0 {
		return link.Event{}
	}
	return e.list[len(e.list)-1]
}

func eventually(t *testing.T, what string, fits func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !fits(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

func TestAStreamThatIsLostIsPublishedAgainAndBothAreTold(t *testing.T) {
	var told events
	lose := make(chan error)
	refusals := 2 // by a server that still believes in the first connection
	attempts := 0
	p := begin("cam", "whip", func(ctx context.Context, a attempt) error {
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
	}, told.add)
	eventually(t, "it is live", func() bool { return p.now() == Live })
	v, shows := p.view(time.Second)
	if !shows || v.Job != "cam" || v.Protocol != "whip" || v.BitrateKbps != 8 || v.FPS != 25 || v.Problem != "" || v.SinceMs == 0 {
		t.Errorf("%+v", v)
	}
	lose <- errors.New("the server hung up")
	eventually(t, "the refusal shows", func() bool {
		v, _ := p.view(time.Second)
		return v.State == Connecting && v.Problem == "The name is taken."
	})
	eventually(t, "it is live again", func() bool { return p.now() == Live })
	p.leave(false)
	<-p.done
	if names := told.names(); names != "publication-lost publication-live job-ended" {
		t.Errorf("%s", names)
	}
	for i := range endedSamples + 1 {
		if v, shows := p.view(time.Second); shows != (i < endedSamples) || shows && (v.State != Ended || v.Problem != "") {
			t.Errorf("sample %d after the end: %+v, %v", i, v, shows)
		}
	}
}

func TestSentencesLeaveTheNamesOfHosts(t *testing.T) {
	for text, want := range map[string]string{"the name is taken": "The name is taken.", "origin.example:1935 refused": "origin.example:1935 refused.", "WebRTC fails": "WebRTC fails."} {
		if got := sentence(errors.New(text)); got != want {
			t.Errorf("%q", got)
		}
	}
}

func TestAStreamThatIsRefusedAtOnceIsNotTriedAgain(t *testing.T) {
	var told events
	p := begin("cam", "rtmp", func(context.Context, attempt) error { return errors.New("the name is taken") }, told.add)
	<-p.done
	if v, shows := p.view(time.Second); !shows || v.State != Failed || v.Problem != "The name is taken." {
		t.Errorf("%+v, %v", v, shows)
	}
	if event := told.last(); told.names() != "job-ended" || event.Job != "cam" || !strings.Contains(event.Message, "the name is taken") {
		t.Errorf("%s: %+v", told.names(), event)
	}
}

func TestAGoodbyeThatFailsIsTold(t *testing.T) {
	var told events
	p := begin("cam", "whip", func(ctx context.Context, a attempt) error {
		a.live()
		<-ctx.Done()
		return errors.New("DELETE was answered 500")
	}, told.add)
	eventually(t, "it is live", func() bool { return p.now() == Live })
	p.leave(false)
	<-p.done
	if names := told.names(); names != "warning job-ended" || p.now() != Ended {
		t.Errorf("%s, %s", names, p.now())
	}
}

func TestAJumpGoesOnWithoutAGap(t *testing.T) {
	c := newClock()
	c.origin = c.origin.Add(-time.Hour) // everything is due
	before := c.origin
	at, ok := c.wait(context.Background(), time.Second)
	if !ok || at != time.Second || !c.origin.After(before) {
		t.Errorf("%s, %v; after a stall the clock is set back: %v", at, ok, c.origin.Sub(before))
	}
	if ahead := time.Until(c.origin.Add(time.Second)); ahead < -patience || ahead > 0 {
		t.Errorf("the clock is %s off", ahead)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, ok := c.wait(ctx, time.Hour); ok {
		t.Error("who was stopped goes on")
	}
}
