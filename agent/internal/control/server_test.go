package control

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fullhouse/agent/internal/protocol"
)

func TestWithoutAConsoleAllViewersAreDisconnectedAndTheAgentExits(t *testing.T) {
	a := startAgent(t, func(c *Config) { c.IdleTimeout, c.ExitWhenIdle = 50*time.Millisecond, true })
	a.waitEnd()
	if a.role.Remaining() != 0 || !a.role.closed || a.role.stops[0] {
		t.Errorf("left %d, closed %t, stops %v", a.role.Remaining(), a.role.closed, a.role.stops)
	}
	batch, _, _ := a.records.after(0, 10)
	if len(batch) != 2 || !strings.Contains(string(batch[0]), `"unattended"`) || !strings.Contains(string(batch[0]), "3 viewers") {
		t.Errorf("recorded %s", batch)
	}
}

func TestAnIdleAgentOutlivesItsViewersAndThenExits(t *testing.T) {
	a := startAgent(t, func(c *Config) { c.IdleTimeout, c.ExitAfter = 30*time.Millisecond, 300*time.Millisecond })
	a.waitEnd()
	a.role.mutex.Lock()
	defer a.role.mutex.Unlock()
	// Once without a console, once more because the process ends.
	if len(a.role.stops) != 2 || !a.role.closed {
		t.Errorf("stopped %v, closed %v", a.role.stops, a.role.closed)
	}
}

func TestEachIdlePeriodIsReportedOnce(t *testing.T) {
	a := startAgent(t, func(c *Config) { c.IdleTimeout = 30 * time.Millisecond })
	c := a.dial()
	c.call("hello", greeting)
	for want := uint64(1); want <= 2; want++ {
		f, err := c.read()
		if err != nil || f.Event == nil || f.Event.Name != "unattended" {
			t.Fatalf("%+v, %v", f, err)
		}
		time.Sleep(100 * time.Millisecond) // without a console all the time: nothing more is recorded
		if _, latest := a.records.Span(); latest != f.Sequence {
			t.Errorf("%d records after %d", latest, f.Sequence)
		}
		if want == 1 {
			c.call("ping", "")
			for latest := f.Sequence; latest == f.Sequence; _, latest = a.records.Span() {
				time.Sleep(time.Millisecond) // until the console counts as gone again
			}
		}
	}
}

func TestShutdownRespondsAndExits(t *testing.T) {
	a := startAgent(t, nil)
	c := a.dial()
	c.call("hello", greeting)
	if f := c.call("shutdown", ""); !f.OK {
		t.Errorf("%+v", f)
	}
	a.waitEnd()
	if a.role.Remaining() != 0 || !a.role.closed {
		t.Errorf("left %d, closed %t", a.role.Remaining(), a.role.closed)
	}
}

func TestTheLastRecordsReachTheConnections(t *testing.T) {
	a := startAgent(t, nil)
	c := a.dial()
	c.call("hello", greeting)
	for range 3 * replayBatch {
		a.records.Event(protocol.AgentEvent{Name: "warning"})
	}
	a.cancel()
	a.waitEnd()
	_, latest := a.records.Span()
	for want := uint64(1); want <= latest; want++ { // the last one is the final sample
		if f, err := c.read(); err != nil || f.Sequence != want {
			t.Fatalf("%+v, %v, want sequence %d of %d", f, err, want, latest)
		}
	}
}

func TestSamplesAreSentUnrequested(t *testing.T) {
	a := startAgent(t, func(c *Config) { c.SampleEvery = 5 * time.Millisecond })
	c := a.dial()
	c.call("hello", `{"protocol":3,"client":{"name":"test","version":"0"},"resumeAfter":0}`)
	for want := uint64(1); want <= 3; want++ {
		if f, err := c.read(); err != nil || f.Sequence != want {
			t.Fatalf("%+v, %v, want sequence %d", f, err, want)
		}
	}
}

func TestAClockStepIsAnEventAndTimestampsContinue(t *testing.T) {
	steps := make(chan time.Duration, 2)
	steps <- -time.Hour
	steps <- 11 * time.Second
	a := startAgent(t, func(c *Config) {
		c.SampleEvery, c.IdleTimeout = 5*time.Millisecond, 10*time.Second
		c.ClockStep = func() time.Duration {
			select {
			case step := <-steps:
				return step
			default:
				return 0
			}
		}
	})
	c := a.dial()
	c.call("hello", `{"protocol":3,"client":{"name":"test","version":"0"},"resumeAfter":0}`)
	for _, want := range []protocol.AgentEvent{
		{Name: "clock-stepped", StepMs: -3_600_000, Message: "The clock of this machine was set back by 3600 s. The agent's timestamps are not affected."},
		{Name: "clock-stepped", StepMs: 11_000, Message: "The clock of this machine was set forward by 11 s. The agent's timestamps are not affected."},
	} {
		f, err := c.read()
		for err == nil && f.Event == nil {
			f, err = c.read()
		}
		if err != nil || *f.Event != want {
			t.Errorf("%+v, %v, want %+v", f.Event, err, want)
		}
	}
}

func TestAPauseOfTheProcessIsAnEvent(t *testing.T) {
	var stopped atomic.Bool
	a := startAgent(t, func(c *Config) {
		c.SampleEvery, c.IdleTimeout = 5*time.Millisecond, 10*time.Second
		// Called before each sample: a call that blocks delays it, as a stopped process does.
		c.ClockStep = func() time.Duration {
			if !stopped.Swap(true) {
				time.Sleep(1200 * time.Millisecond)
			}
			return 0
		}
	})
	c := a.dial()
	c.call("hello", `{"protocol":3,"client":{"name":"test","version":"0"},"resumeAfter":0}`)
	f, err := c.read()
	for err == nil && f.Event == nil {
		f, err = c.read()
	}
	want := protocol.AgentEvent{Name: "warning", Message: "The agent did not run for 1 s: its process was stopped or its machine asleep or overloaded. Its figures of that time are missing."}
	if err != nil || *f.Event != want {
		t.Errorf("%+v, %v, want %+v", f.Event, err, want)
	}
}

func TestReadToken(t *testing.T) {
	for _, test := range []struct {
		input string
		ok    bool
	}{
		{"sixteen-or-more-characters\nrest\n", true},
		{"sixteen-or-more-characters\r\n", true},
		{"sixteen-or-more-characters", true},
		{"short\n", false},
		{"", false},
		{strings.Repeat("x", 257) + "\n", false},
		{"has a space in its middle\n", false},
		{"has-a-control-\x01-character\n", false},
	} {
		got, err := ReadToken(strings.NewReader(test.input))
		if (err == nil) != test.ok || test.ok && got != "sixteen-or-more-characters" {
			t.Errorf("%.40q: %q, %v", test.input, got, err)
		}
	}
}
