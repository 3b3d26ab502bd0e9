package publish

import (
	"context"
	"testing"
	"time"

	"fullhouse/agent/internal/viewer"
)

func TestTheLoopMovesWithLoopsAndStalls(t *testing.T) {
	const length = 100 * time.Millisecond
	c := newClock()
	first := c.loop(length)
	if first.StartNs != first.SinceNs || first.LengthNs != int64(length) {
		t.Fatalf("%+v", first)
	}
	c.shift += length
	if second := c.loop(length); second != (viewer.Loop{StartNs: first.StartNs + int64(length), SinceNs: first.SinceNs, LengthNs: first.LengthNs}) {
		t.Errorf("%+v after %+v", second, first)
	}
	// As if nothing had been sent for longer than is caught up.
	c.origin = c.origin.Add(-2 * maxCatchUp)
	stalled := c.loop(length)
	if _, ok := c.wait(context.Background(), 0); !ok {
		t.Fatal("the wait was cancelled")
	}
	if after := c.loop(length); after.StartNs <= stalled.StartNs || after.SinceNs <= first.SinceNs {
		t.Errorf("%+v after %+v", after, stalled)
	}
}
