package control

import (
	"sync/atomic"
	"time"
)

const (
	// maxWatchEvery bounds how late silence is noticed.
	maxWatchEvery = 500 * time.Millisecond
	// stoppedAfter is the lateness of a tick that means this process was not running: stopped, or asleep with its
	// machine.
	stoppedAfter = time.Second
)

// deadMansSwitch measures for how long no console has called, counting only time in which this process ran. What
// arrived while it was stopped waits in its sockets, and is read before the time counts on. It uses monotonic time
// only.
type deadMansSwitch struct {
	calls  atomic.Uint64
	every  time.Duration // between two ticks
	seen   uint64
	at     time.Duration
	length time.Duration
}

func newDeadMansSwitch(idle time.Duration, now time.Duration) *deadMansSwitch {
	return &deadMansSwitch{every: max(min(idle/20, maxWatchEvery), time.Millisecond), at: now}
}

// reset records that a console sent something.
func (s *deadMansSwitch) reset() { s.calls.Add(1) }

// tick is called at each tick, with the monotonic time since a fixed point. It returns the length of the silence.
func (s *deadMansSwitch) tick(now time.Duration) time.Duration {
	passed := now - s.at
	s.at = now
	if passed > s.every+stoppedAfter {
		passed = s.every
	}
	s.length += passed
	if calls := s.calls.Load(); calls != s.seen {
		s.seen, s.length = calls, 0
	}
	return s.length
}
