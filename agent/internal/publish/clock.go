package publish

import (
	"context"
	"time"

	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/viewer"
)

// maxCatchUp is the maximum lateness that is caught up by sending at once; after a longer stall the clock is set back
// instead, so that a server is not flooded.
const maxCatchUp = 500 * time.Millisecond

// clock maps a sample's times to real time.
type clock struct {
	origin time.Time
	// since is when origin was set.
	since time.Time
	// shift is what to add to a time of the sample for its time in the stream: loops and jumps change it.
	shift time.Duration
}

func newClock() *clock {
	now := monotonic.Now()
	return &clock{origin: now, since: now}
}

// loop is where a loop of this length is in time.
func (c *clock) loop(length time.Duration) viewer.Loop {
	return viewer.Loop{StartNs: c.origin.Add(c.shift).UnixNano(), SinceNs: c.since.UnixNano(), LengthNs: int64(length)}
}

// wait waits for the given time and returns it in the stream's time; false when ctx ended.
func (c *clock) wait(ctx context.Context, at time.Duration) (inStream time.Duration, ok bool) {
	inStream = c.shift + at
	ahead := time.Until(c.origin.Add(inStream))
	if ahead < -maxCatchUp {
		c.origin, c.since = c.origin.Add(-ahead), monotonic.Now()
	}
	if ahead <= 0 {
		return inStream, ctx.Err() == nil
	}
	timer := time.NewTimer(ahead)
	defer timer.Stop()
	select {
	case <-timer.C:
		return inStream, true
	case <-ctx.Done():
		return 0, false
	}
}
