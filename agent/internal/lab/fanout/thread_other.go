//go:build !linux

package fanout

import "time"

func sleepUntil(moment time.Time) { time.Sleep(time.Until(moment)) }

// raisePriority does nothing here: other systems have no suitable priority for a single thread.
func raisePriority() {}
