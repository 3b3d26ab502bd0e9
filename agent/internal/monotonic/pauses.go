package monotonic

import "time"

// pausedAfter is the lateness of a tick that means this process was not running: stopped, or asleep with its machine.
const pausedAfter = time.Second

// Pauses detects, by the ticks of a loop, that this process did not run. What arrived meanwhile waits in its sockets,
// and has to be read before silence counts.
type Pauses struct {
	every time.Duration
	at    time.Duration
}

// NewPauses starts to watch a loop with a tick at each interval.
func NewPauses(every, now time.Duration) *Pauses { return &Pauses{every: every, at: now} }

// Check is called at each tick, with the monotonic time since a fixed point. It returns the time since the last tick,
// and whether this process was paused in it.
func (p *Pauses) Check(now time.Duration) (passed time.Duration, paused bool) {
	passed = now - p.at
	p.at = now
	return passed, passed > p.every+pausedAfter
}
