package control

import (
	"sync/atomic"
	"time"

	"fullhouse/agent/internal/monotonic"
)

// maxWatchEvery bounds how late silence is noticed.
const maxWatchEvery = 500 * time.Millisecond

// deadMansSwitch measures for how long no console has called, counting only time in which this process ran. What
// arrived while it was stopped waits in its sockets, and is read before the time counts on. It uses monotonic time
// only.
type deadMansSwitch struct {
	calls  atomic.Uint64
	every  time.Duration // between two ticks
	seen   uint64
	pauses *monotonic.Pauses
	length time.Duration
}

func newDeadMansSwitch(idle time.Duration, now time.Duration) *deadMansSwitch {
	every := max(min(idle/20, maxWatchEvery), time.Millisecond)
	return &deadMansSwitch{every: every, pauses: monotonic.NewPauses(every, now)}
}

// reset records that a console sent something.
func (s *deadMansSwitch) reset() { s.calls.Add(1) }

// tick is called at each tick, with the monotonic time since a fixed point. It returns the length of the silence.
func (s *deadMansSwitch) tick(now time.Duration) time.Duration {
	passed, paused := s.pauses.Check(now)
	if paused {
		passed = s.every
	}
	s.length += passed
	if calls := s.calls.Load(); calls != s.seen {
		s.seen, s.length = calls, 0
	}
	return s.length
}
