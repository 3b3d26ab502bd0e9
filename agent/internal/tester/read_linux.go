package tester

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// CountsDrops is whether sockets of this system count what they drop.
const CountsDrops = true

// read reads the current totals. What can't be read is left out: a container may hide any of it.
func (m *Meter) read() totals {
	t := totals{cpu: hostTimes(m.text("proc/stat")), errors: receiveErrors(m.text("proc/net/snmp"), m.text("proc/net/snmp6")),
		threads: map[int]threadTimes{}, memory: available(m.text("proc/meminfo"))}
	if m.config.Threads != nil {
		for _, number := range m.config.Threads() {
			if times, ok := scheduled(m.text(fmt.Sprintf("proc/self/task/%d/schedstat", number))); number != 0 && ok {
				t.threads[number] = times
			}
		}
	}
	groups := m.text("proc/self/cgroup")
	t.quota = m.quota(groups)
	if groupMemory := m.memoryLimit(groups); groupMemory != nil && (t.memory == nil || groupMemory.available < t.memory.available) {
		t.memory = groupMemory
	}
	var missed uint64
	t.networks, missed = m.networks(m.text("proc/net/dev"))
	if backlog, ok := backlogDrops(m.text("proc/net/softnet_stat")); ok {
		missed += backlog
		t.dropped = &missed
	}
	return t
}

func (m *Meter) path(name string) string { return filepath.Join("/", m.config.Root, name) }

// text is empty if the file does not exist.
func (m *Meter) text(name string) string {
	data, err := os.ReadFile(m.path(name))
	if err != nil {
		return ""
	}
	return string(data)
}

// number reads a file that contains one; false for anything else, such as "max" or an unknown speed.
func (m *Meter) number(name string) (uint64, bool) {
	value, err := strconv.ParseUint(strings.TrimSpace(m.text(name)), 10, 64)
	return value, err == nil
}

// networks are those of hardware with a known speed, and the packets that they dropped for lack of buffers. rx_dropped
// is left out: it also counts unrequested packets.
func (m *Meter) networks(devices string) (known map[string]network, missed uint64) {
	known = map[string]network{}
	for name, counted := range interfaces(devices) {
		folder := "sys/class/net/" + name
		if _, err := os.Stat(m.path(folder + "/device")); err != nil {
			continue // lo, veth and bridges are limited only by the CPU
		}
		for _, counter := range []string{"rx_missed_errors", "rx_fifo_errors"} {
			count, _ := m.number(folder + "/statistics/" + counter)
			missed += count
		}
		if megabits, ok := m.number(folder + "/speed"); ok && megabits > 0 {
			counted.bitsPerSecond = float64(megabits) * 1e6
			known[name] = counted
		}
	}
	return known, missed
}

// memoryTotals are the memory of the machine, and the lowest limit of this process's control groups; 0 for none.
func (m *Meter) memoryTotals() (machine, group uint64) {
	if all := available(m.text("proc/meminfo")); all != nil {
		machine = all.total
	}
	if groupMemory := m.memoryLimit(m.text("proc/self/cgroup")); groupMemory != nil {
		group = groupMemory.total
	}
	return machine, group
}
