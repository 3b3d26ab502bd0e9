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
