package whep_test

import (
	"context"
	"net/url"
	"sync"
	"testing"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/harvest"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/viewer"
	"fullhouse/agent/internal/whep"
	"fullhouse/agent/internal/whep/secure"
)

// patience is what a slow, busy machine may need; nothing here waits for it when all is well.
const patience = 40 * time.Second

// audience is one viewer after the other, or several at once, of one address.
type audience struct {
	*whep.Crowd
	t *testing.T
}

type change func(*whep.Config)

func token(text string) change           { return func(c *whep.Config) { c.BearerToken = text } }
func crossOrigin(c *whep.Config)         { c.Signaller.AllowCrossOrigin = true }
func stage(timeout time.Duration) change { return func(c *whep.Config) { c.StageTimeout = timeout } }
func realism(r whep.Realism) change      { return func(c *whep.Config) { c.Realism = r } }
func on(loop harvest.Loop) change        { return func(c *whep.Config) { c.Loop = loop } }

func newLoop(t *testing.T, of harvest.Reader) harvest.Loop {
	t.Helper()
	loop, err := harvest.NewOf(of)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := loop.Close(); err != nil {
			t.Error(err)
		}
	})
	return loop
}

func newAudience(t *testing.T, address string, changes ...change) *audience {
	t.Helper()
	endpoint, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := secure.NewCertificate()
	if err != nil {
		t.Fatal(err)
	}
	config := whep.Config{Endpoint: endpoint, StageTimeout: patience, Signaller: signalling.NewSignaller(), Certificate: certificate}
	for _, change := range changes {
		change(&config)
	}
	if config.Loop == nil {
		config.Loop = newLoop(t, harvest.Portable)
	}
	a := &audience{Crowd: whep.NewCrowd(config), t: t}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			case now := <-time.After(10 * time.Millisecond):
				a.Tick(now)
			}
		}
	}()
	t.Cleanup(func() { close(stop); <-stopped })
	return a
}

// seat is a viewer that has come.
type seat struct {
	viewer.Viewer
	t    *testing.T
	left sync.Once
	err  error
}

// come connects a viewer, which leaves at the test's end at the latest.
func (a *audience) come() (*seat, *failure.Failure) {
	a.t.Helper()
	s := &seat{Viewer: a.New(), t: a.t}
	a.t.Cleanup(func() { _ = s.leave() })
	return s, s.Connect(context.Background(), context.Background())
}

func (s *seat) leave() error {
	s.left.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		s.err = s.Leave(ctx, false)
	})
	return s.err
}

// watch waits for as many frames, or the end.
func (s *seat) watch(frames uint64) *failure.Failure {
	s.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		now := time.Now()
		if f := s.Pulse(now); f != nil {
			return f
		}
		if s.Read(now).Frames >= frames {
			return nil
		}
	}
	s.t.Fatalf("waited in vain for %d frames: %+v", frames, s.Read(time.Now()))
	return nil
}

// play connects, watches and leaves.
func (a *audience) play() {
	a.t.Helper()
	s, f := a.come()
	if f == nil {
		f = s.watch(5)
	}
	if f != nil {
		a.t.Fatal(f)
	}
	if err := s.leave(); err != nil {
		a.t.Error(err)
	}
}
