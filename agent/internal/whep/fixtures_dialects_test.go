package whep_test

import (
	"context"
	"net/url"
	"sync"
	"testing"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/udpreader"
	"fullhouse/agent/internal/viewer"
	"fullhouse/agent/internal/whep"
	"fullhouse/agent/internal/whep/dtlssrtp"
)

// waitTimeout is for a slow, busy machine; no passing test waits that long.
const waitTimeout = 40 * time.Second

// audience is the viewers of one address, one after the other or several at once.
type audience struct {
	*whep.Group
	t *testing.T
}

type change func(*whep.Config)

func token(text string) change {
	return func(c *whep.Config) { c.Identities = &signalling.Identities{BearerToken: text} }
}
func login(user, password string) change {
	return func(c *whep.Config) {
		c.Identities = &signalling.Identities{Login: &signalling.Login{User: user, Password: password}}
	}
}
func crossOrigin(c *whep.Config)         { c.Client.AllowCrossOrigin = true }
func stage(timeout time.Duration) change { return func(c *whep.Config) { c.StageTimeout = timeout } }
func fidelity(r whep.Fidelity) change    { return func(c *whep.Config) { c.Fidelity = r } }
func on(loop udpreader.Loop) change      { return func(c *whep.Config) { c.Loop = loop } }

func newLoop(t *testing.T, of udpreader.Reader) udpreader.Loop {
	t.Helper()
	loop, err := udpreader.NewOf(of)
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
	certificate, err := dtlssrtp.NewCertificate()
	if err != nil {
		t.Fatal(err)
	}
	config := whep.Config{Endpoint: endpoint, StageTimeout: waitTimeout, Client: signalling.NewClient(), Certificate: certificate}
	for _, change := range changes {
		change(&config)
	}
	if config.Loop == nil {
		config.Loop = newLoop(t, udpreader.Portable)
	}
	a := &audience{Group: whep.NewGroup(config), t: t}
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

// connectedViewer is a connected viewer.
type connectedViewer struct {
	viewer.Viewer
	t    *testing.T
	left sync.Once
	err  error
}

// connectViewer connects a viewer, which disconnects at the end of the test at the latest.
func (a *audience) connectViewer() (*connectedViewer, *failure.Failure) {
	a.t.Helper()
	s := &connectedViewer{Viewer: a.New(), t: a.t}
	a.t.Cleanup(func() { _ = s.leave() })
	return s, s.Connect(context.Background(), context.Background())
}

func (s *connectedViewer) leave() error {
	s.left.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), waitTimeout)
		defer cancel()
		s.err = s.Disconnect(ctx, false)
	})
	return s.err
}

// watch waits for that many frames, or the end.
func (s *connectedViewer) watch(frames uint64) *failure.Failure {
	s.t.Helper()
	for deadline := time.Now().Add(waitTimeout); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		now := time.Now()
		if f := s.Tick(now); f != nil {
			return f
		}
		if s.Read(now).Frames >= frames {
			return nil
		}
	}
	s.t.Fatalf("timed out waiting for %d frames: %+v", frames, s.Read(time.Now()))
	return nil
}

// play connects, watches and disconnects.
func (a *audience) play() {
	a.t.Helper()
	s, f := a.connectViewer()
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
