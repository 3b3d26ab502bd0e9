//go:build !linux

package tester

// CountsDrops is whether sockets of this system count what they drop.
const CountsDrops = false

// read returns nothing: only Linux is supported.
func (m *Meter) read() totals { return totals{} }

func (m *Meter) memoryTotals() (machine, group uint64) { return 0, 0 }
