package tester

import (
	"time"

	"fullhouse/agent/internal/protocol"
)

// totals are the kernel's counters at one time; an unknown one is nil.
type totals struct {
	cpu      *cpuTimes
	quota    *cpuQuota
	threads  map[int]threadTimes
	errors   *uint64 // RcvbufErrors
	memory   *memory
	networks map[string]network
	dropped  *uint64
}

// cpuTimes are of the whole machine, in ticks.
type cpuTimes struct{ busy, idle uint64 }

// cpuQuota is what the process's control group may use and has used.
type cpuQuota struct {
	cores float64
	used  time.Duration
}

// threadTimes are of one thread: on a CPU, and waiting for one.
type threadTimes struct{ ran, waited time.Duration }

type memory struct{ available, total uint64 }

// network is an interface of known speed.
type network struct {
	bitsPerSecond  float64
	received, sent uint64 // bytes
}

func sampleOf(before, after totals, interval time.Duration) protocol.TesterSample {
	sample := protocol.TesterSample{HostCPUPercent: cpuPercent(before, after, interval),
		ReceiveBufferErrors: grown(before.errors, after.errors),
		NetworkDrops:        grown(before.dropped, after.dropped)}
	for number, now := range after.threads {
		then, known := before.threads[number]
		if !known || now.ran < then.ran || now.waited < then.waited {
			continue
		}
		sample.ReaderBusyPercent = larger(sample.ReaderBusyPercent, ofOneThread(now.ran-then.ran, interval))
		sample.ReaderWaitPercent = larger(sample.ReaderWaitPercent, ofOneThread(now.waited-then.waited, interval))
	}
	if after.memory != nil {
		available, total := after.memory.available, after.memory.total
		sample.MemoryAvailableBytes, sample.MemoryTotalBytes = &available, &total
	}
	for name, now := range after.networks {
		then, known := before.networks[name]
		if !known || now.received < then.received || now.sent < then.sent {
			continue
		}
		bytes := max(now.received-then.received, now.sent-then.sent)
		percent := 100 * float64(bytes) * 8 / interval.Seconds() / now.bitsPerSecond
		if sample.NetworkPercent == nil || percent > *sample.NetworkPercent {
			sample.NetworkPercent, sample.NetworkInterface = &percent, name
		}
	}
	return sample
}

// cpuPercent is the machine's, or the quota's if the process is closer to that limit.
func cpuPercent(before, after totals, interval time.Duration) *float64 {
	var percent *float64
	if then, now := before.cpu, after.cpu; then != nil && now != nil && now.busy >= then.busy && now.idle >= then.idle {
		if all := now.busy - then.busy + now.idle - then.idle; all > 0 {
			percent = larger(nil, 100*float64(now.busy-then.busy)/float64(all))
		}
	}
	if then, now := before.quota, after.quota; then != nil && now != nil && now.used >= then.used && now.cores > 0 {
		percent = larger(percent, share(now.used-then.used, interval)/now.cores)
	}
	return percent
}

func share(part, interval time.Duration) float64 { return 100 * float64(part) / float64(interval) }

// ofOneThread is at most 100: the kernel accounts a wait when it ends, so a short interval after a long wait would show
// more than its own length.
func ofOneThread(part, interval time.Duration) float64 { return min(100, share(part, interval)) }

func larger(known *float64, value float64) *float64 {
	if known != nil && *known >= value {
		return known
	}
	return &value
}

// grown is also absent if a counter was reset.
func grown(before, after *uint64) *uint64 {
	if before == nil || after == nil || *after < *before {
		return nil
	}
	growth := *after - *before
	return &growth
}
