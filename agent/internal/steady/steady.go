// Package steady is the agent's clock: Unix time as it was at the agent's start, and from there on the monotonic clock's. The system's
// clock may be set while an audience plays; a step of it must neither end viewers nor make records go backwards. Whatever an agent
// measures, waits for or stamps goes by this clock. What only the system's clock knows, such as the age of a certificate, goes by time.Now.
package steady

import "time"

var start = time.Now()

// Now is the steady time. Its Unix values and its differences agree, whatever happens to the system's clock.
func Now() time.Time { return start.Add(time.Since(start)) }

// Nano is Now in Unix nanoseconds.
func Nano() int64 { return startNano + int64(time.Since(start)) }

var startNano = start.UnixNano()

// Since is the time since a moment in steady Unix nanoseconds.
func Since(nano int64) time.Duration { return time.Duration(Nano() - nano) }

// ahead is how far the system's clock is ahead of the steady one.
func ahead() time.Duration {
	for {
		before := time.Since(start)
		wall := time.Now().UnixNano()
		took := time.Since(start) - before
		// Between two readings this process may have been stopped.
		if took < time.Millisecond {
			return time.Duration(wall-startNano) - before - took/2
		}
	}
}
