//go:build !linux

package shaper

import "time"

func ownThread() (end func()) { return func() {} }

func sleep(duration time.Duration) { time.Sleep(duration) }
