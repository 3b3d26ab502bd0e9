package tester

import (
	"runtime/metrics"
)

// The agent's share of memory by default: all but some of its own control group's, and most of a machine's, on which
// other programs run too.
const (
	groupPercent   = 85
	machinePercent = 75
)

// DefaultMemory is how much memory the agent may use if nothing else is configured, in bytes; 0 if this system does not
// say how much there is.
func DefaultMemory(root string) uint64 {
	machine, group := (&Meter{config: Config{Root: root}}).memoryTotals()
	limit := machine / 100 * machinePercent
	if groupLimit := group / 100 * groupPercent; groupLimit != 0 && (groupLimit < limit || limit == 0) {
		limit = groupLimit
	}
	return limit
}

// MemoryUsed is the memory that the agent's own runtime holds, in bytes. It does not stop the program.
func MemoryUsed() uint64 {
	samples := [2]metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples[:])
	return samples[0].Value.Uint64() - samples[1].Value.Uint64()
}
