// Package process measures the agent itself: what the audience costs its own machine.
package process

import (
	"runtime"
	"runtime/debug"
	"time"
)

// Sample is the process within one interval. Figures that this system does not tell are absent.
type Sample struct {
	// CPUPercent is of one core, user and system time together.
	CPUPercent  *float64 `json:"cpuPercent,omitempty"`
	MemoryBytes uint64   `json:"memoryBytes,omitempty"`
	OpenFiles   int      `json:"openFiles,omitempty"`
	Goroutines  int      `json:"goroutines"`
	// GCPauseMaxMs is the longest stop-the-world time of a collection that ended in the interval.
	GCPauseMaxMs *float64 `json:"gcPauseMaxMs,omitempty"`
	GCPauses     int      `json:"gcPauses"`
}

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
func (m *Meter) Sample() Sample {
	now := time.Now()
	sample := Sample{MemoryBytes: residentBytes(), OpenFiles: openFiles(), Goroutines: runtime.NumGoroutine()}
	if cpu, ok := CPUTime(); ok && now.After(m.lastAt) {
		percent := 100 * float64(cpu-m.lastCPU) / float64(now.Sub(m.lastAt))
		sample.CPUPercent = &percent
		m.lastCPU = cpu
	}
	m.lastAt = now
	debug.ReadGCStats(&m.collections) // takes no stop of its own, unlike runtime.ReadMemStats
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
