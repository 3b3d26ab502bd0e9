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
	wish := unix.NsecToTimespec(int64(rest))
	_ = unix.Nanosleep(&wish, nil) // a signal may cut it short; the next beat is then early and finds less to do
}

// precedence is the thread's nice value. A machine that is full is what the lab is for, and a late sender would
// show there as a thousand viewers' freeze.
const precedence = -10

// takePrecedence needs a privilege that a service or root has; without it the thread is one among others.
func takePrecedence() {
	_ = unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), precedence)
}
