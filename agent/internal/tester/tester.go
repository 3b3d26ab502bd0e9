// Package tester is what an audience knows of its own machine: whether that, and not the server, bounds what its viewers
// see. It only measures; where a limit begins is the engine's to say.
package tester

import "time"

// Sample is one interval. What the system does not tell is absent.
type Sample struct {
	// HostCPUPercent is the busy share of all cores, or of this process's quota where that is the scarcer.
	HostCPUPercent *float64 `json:"hostCpuPercent,omitempty"`
	// ReaderBusyPercent and ReaderWaitPercent are of the reading thread that is worst off.
	ReaderBusyPercent *float64 `json:"readerBusyPercent,omitempty"`
	ReaderWaitPercent *float64 `json:"readerWaitPercent,omitempty"`
	// SocketDrops are datagrams that were dropped at the viewers' own sockets in the interval.
	SocketDrops *uint64 `json:"socketDrops,omitempty"`
	// ReceiveBufferErrors are those of all sockets of the machine.
	ReceiveBufferErrors  *uint64 `json:"receiveBufferErrors,omitempty"`
	OpenFiles            int     `json:"openFiles,omitempty"`
	OpenFilesLimit       uint64  `json:"openFilesLimit,omitempty"`
	MemoryAvailableBytes *uint64 `json:"memoryAvailableBytes,omitempty"`
	// MemoryTotalBytes is what that is a part of: the machine's memory, or this process's limit where less is left of it.
	MemoryTotalBytes *uint64  `json:"memoryTotalBytes,omitempty"`
	NetworkPercent   *float64 `json:"networkPercent,omitempty"`
	NetworkInterface string   `json:"networkInterface,omitempty"`
	// NetworkDrops are packets that came to this machine and were dropped before any socket saw them.
	NetworkDrops *uint64 `json:"networkDrops,omitempty"`
	// FailedHere counts viewers since the agent's start.
	FailedHere int64 `json:"failedHere"`
}

// Config is what the meter needs from outside.
type Config struct {
	// Threads are the kernel's numbers of the threads that read for the viewers; 0 is none.
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

// Sample ends the interval and starts the next. It leaves out what only the audience knows.
func (m *Meter) Sample() Sample {
	now, before := time.Now(), m.last
	interval := now.Sub(m.lastAt)
	m.lastAt, m.last = now, m.read()
	if interval <= 0 {
		return Sample{}
	}
	return sampleOf(before, m.last, interval)
}
