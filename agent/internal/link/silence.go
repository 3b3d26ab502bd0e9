package link

import (
	"sync/atomic"
	"time"
)

const (
	// mostWatchEvery bounds how late silence is noticed.
	mostWatchEvery = 500 * time.Millisecond
	// stoppedAfter is how late a look is when this process was not running, be it stopped or asleep with its machine.
	stoppedAfter = time.Second
)

// silence is for how long no console has called, as far as this process could have heard one: what it missed while it was
// stopped waits in its sockets, and is read before the time counts on. It knows monotonic time only.
type silence struct {
	calls  atomic.Uint64
	every  time.Duration // between two looks
	seen   uint64
	at     time.Duration
	length time.Duration
}

func newSilence(alone time.Duration, now time.Duration) *silence {
	return &silence{every: max(min(alone/20, mostWatchEvery), time.Millisecond), at: now}
}

// called notes that a console sent something.
func (s *silence) called() { s.calls.Add(1) }

// look is to be called at each tick, with the monotonic time since any moment. It tells the length of the silence.
func (s *silence) look(now time.Duration) time.Duration {
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
