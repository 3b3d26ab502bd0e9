// Package tester measures an audience's own machine: whether that, instead of the server, limits its viewers. It only
// measures; the engine decides where a limit is reached.
package tester

import (
	"time"

	"fullhouse/agent/internal/protocol"
)

// Config is what the meter gets from outside.
type Config struct {
	// Threads are the kernel's ids of the threads that read for the viewers; 0 is ignored.
	Threads func() []int
	// Root is where /proc and /sys are; empty for this machine's own.
	Root string
}

// Meter turns the kernel's totals into samples. It is for one goroutine.
type Meter struct {
	config Config
	lastAt time.Time
	last   totals
}

// NewMeter starts the first interval now.
func NewMeter(config Config) *Meter {
	m := &Meter{config: config, lastAt: time.Now()}
	m.last = m.read()
	return m
}

// Unmeasured is what the system does not report, of the resources whose lack limits viewers: macOS and Windows report
// none of them, and a container may hide any.
func Unmeasured(config Config) []protocol.TesterResource {
	t := (&Meter{config: config}).read()
	var missing []protocol.TesterResource
	for _, each := range []struct {
		isMeasured bool
		resource   protocol.TesterResource
	}{
		{t.cpu != nil, protocol.TesterResourceCPU},
		{t.errors != nil || CountsDrops, protocol.TesterResourceSocketBuffers},
		{t.memory != nil, protocol.TesterResourceMemory},
		{t.dropped != nil || len(t.networks) > 0, protocol.TesterResourceNetwork},
	} {
		if !each.isMeasured {
			missing = append(missing, each.resource)
		}
	}
	return missing
}

// Sample ends the interval and starts the next. It leaves out what only the audience knows.
func (m *Meter) Sample() protocol.TesterSample {
	now, before := time.Now(), m.last
	interval := now.Sub(m.lastAt)
	m.lastAt, m.last = now, m.read()
	if interval <= 0 {
		return protocol.TesterSample{}
	}
	return sampleOf(before, m.last, interval)
}
