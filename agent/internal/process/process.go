// Package process measures the agent itself: the cost of the audience on its own machine.
package process

import (
	"runtime"
	"runtime/debug"
	"time"

	"fullhouse/agent/internal/protocol"
)

// Meter turns running totals into samples. It is for one goroutine.
type Meter struct {
	lastAt      time.Time
	lastCPU     time.Duration
	lastGC      int64
	collections debug.GCStats
}

// NewMeter starts the first interval now.
func NewMeter() *Meter {
	m := &Meter{lastAt: time.Now()}
	m.lastCPU, _ = CPUTime()
	debug.ReadGCStats(&m.collections)
	m.lastGC = m.collections.NumGC
	return m
}

// Sample ends the interval and starts the next.
func (m *Meter) Sample() protocol.ProcessSample {
	now := time.Now()
	sample := protocol.ProcessSample{MemoryBytes: residentBytes(), OpenFiles: openFiles(),
		Goroutines: runtime.NumGoroutine()}
	if cpu, ok := CPUTime(); ok && now.After(m.lastAt) {
		percent := 100 * float64(cpu-m.lastCPU) / float64(now.Sub(m.lastAt))
		sample.CPUPercent = &percent
		m.lastCPU = cpu
	}
	m.lastAt = now
	debug.ReadGCStats(&m.collections) // does not stop the world, unlike runtime.ReadMemStats
	sample.GCPauses = int(m.collections.NumGC - m.lastGC)
	m.lastGC = m.collections.NumGC
	for i := 0; i < sample.GCPauses && i < len(m.collections.Pause); i++ {
		pauseMs := float64(m.collections.Pause[i]) / float64(time.Millisecond)
		if sample.GCPauseMaxMs == nil || pauseMs > *sample.GCPauseMaxMs {
			sample.GCPauseMaxMs = &pauseMs
		}
	}
	return sample
}
