// Package monotonic is the agent's clock: Unix time at the agent's start, and the monotonic clock from there on. The
// system clock may be set while an audience runs; a step must neither end viewers nor make records go back in time. All
// measurements, waits and timestamps of an agent use this clock. What only the system clock can provide, such as the
// age of a certificate, uses time.Now.
package monotonic

import "time"

var start = time.Now()

// Now is the time of the monotonic clock. Its Unix values and its differences agree, whatever happens to the system
// clock.
func Now() time.Time { return start.Add(time.Since(start)) }

// Nano is Now in Unix nanoseconds.
func Nano() int64 { return startNano + int64(time.Since(start)) }

var startNano = start.UnixNano()

// Since is the time since a timestamp in monotonic Unix nanoseconds.
func Since(nano int64) time.Duration { return time.Duration(Nano() - nano) }

// ahead is how far the system clock is ahead of the monotonic one.
func ahead() time.Duration {
	for {
		before := time.Since(start)
		wall := time.Now().UnixNano()
		elapsed := time.Since(start) - before
		// Between two readings this process may have been stopped.
		if elapsed < time.Millisecond {
			return time.Duration(wall-startNano) - before - elapsed/2
		}
	}
}
