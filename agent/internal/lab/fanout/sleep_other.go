//go:build !linux

package fanout

import "time"

func sleepUntil(moment time.Time) { time.Sleep(time.Until(moment)) }
