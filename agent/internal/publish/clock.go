package publish

import (
	"context"
	"time"
)

// maxCatchUp is the maximum lateness that is caught up by sending at once; after a longer stall the clock is set back
// instead, so that a server is not flooded.
const maxCatchUp = 500 * time.Millisecond

// clock maps a sample's times to real time.
type clock struct {
	origin time.Time
	// shift is what to add to a time of the sample for its time in the stream: loops and jumps change it.
	shift time.Duration
}

func newClock() *clock { return &clock{origin: time.Now()} }

// wait waits for the given time and returns it in the stream's time; false when ctx ended.
func (c *clock) wait(ctx context.Context, at time.Duration) (inStream time.Duration, ok bool) {
	inStream = c.shift + at
	ahead := time.Until(c.origin.Add(inStream))
	if ahead < -maxCatchUp {
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
