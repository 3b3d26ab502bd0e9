//go:build !linux

package fanout

import "time"

func sleepUntil(moment time.Time) { time.Sleep(time.Until(moment)) }

// takePrecedence does nothing here: other systems have no priority for one thread that is worth its trouble.
func takePrecedence() {}
