package publish

import (
	"context"
	"time"
)

// mostCatchUp is how late something may be and still be sent at once with what follows; after a longer stall the clock is set back
// instead, so that a server is not flooded.
const mostCatchUp = 500 * time.Millisecond

// clock plays a sample's moments in real time.
type clock struct {
	origin time.Time
	// shift is what to add to a moment of the sample for its time in the stream: loops and jumps change it.
	shift time.Duration
}

func newClock() *clock { return &clock{origin: time.Now()} }

// wait returns the moment's time in the stream once it has come; false when ctx ended.
func (c *clock) wait(ctx context.Context, at time.Duration) (inStream time.Duration, ok bool) {
	inStream = c.shift + at
	ahead := time.Until(c.origin.Add(inStream))
	if ahead < -mostCatchUp {
		c.origin = c.origin.Add(-ahead)
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
