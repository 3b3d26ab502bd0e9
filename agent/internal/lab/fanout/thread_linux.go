package fanout

import (
	"time"

	"golang.org/x/sys/unix"
)

// sleepUntil sleeps on the loop's own thread: a timer of the runtime would wake another thread to wake this one.
func sleepUntil(moment time.Time) {
	rest := time.Until(moment)
	if rest <= 0 {
		return
	}
	remaining := unix.NsecToTimespec(int64(rest))
	_ = unix.Nanosleep(&remaining, nil) // a signal may cut it short; the next tick is then early and finds less to do
}

// niceValue is the thread's nice value. The lab is meant for fully loaded machines, where a late sender would show as
// a stall of a thousand viewers.
const niceValue = -10

// raisePriority needs a privilege that a service or root has; without it the thread has normal priority.
func raisePriority() {
	_ = unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), niceValue)
}
