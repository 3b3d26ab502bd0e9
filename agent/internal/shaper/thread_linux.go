package shaper

import (
	"runtime"
	"time"

	"fullhouse/agent/internal/readerthread"
)

// ownThread gives the calling goroutine a thread and a P of its own until the returned function is called: it sleeps a
// thousand times a second, which costs more through the scheduler than what it does in between.
func ownThread() (end func()) {
	runtime.LockOSThread()
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1)
	return func() {
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) - 1)
		runtime.UnlockOSThread()
	}
}

func sleep(duration time.Duration) { readerthread.Sleep(duration) }
