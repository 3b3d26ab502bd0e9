package tester

import (
	"strconv"
	"strings"
	"time"
)

// hostTimes parses /proc/stat. Waiting for I/O counts as idle, and stolen time as busy. Guest time is already included
// in user time.
func hostTimes(stat string) *cpuTimes {
	line, _, _ := strings.Cut(stat, "\n")
	fields := strings.Fields(line)
	if len(fields) < 6 || fields[0] != "cpu" {
		return nil
	}
	var times cpuTimes
	for i, field := range fields[1:min(len(fields), 9)] {
		ticks, err := strconv.ParseUint(field, 10, 64)
		if err != nil {
			return nil
		}
		if i == 3 || i == 4 {
			times.idle += ticks
		} else {
			times.busy += ticks
		}
	}
	return &times
}

// scheduled parses a thread's schedstat: nanoseconds on a CPU, nanoseconds waiting for one, number of time slices.
func scheduled(schedstat string) (threadTimes, bool) {
	fields := strings.Fields(schedstat)
	if len(fields) < 2 {
		return threadTimes{}, false
	}
	ran, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		return threadTimes{}, false
	}
	waited, err := strconv.ParseInt(fields[1], 10, 64)
	return threadTimes{time.Duration(ran), time.Duration(waited)}, err == nil
}

// receiveErrors adds UDP's RcvbufErrors of both families; nil if neither is known.
func receiveErrors(snmp, snmp6 string) *uint64 {
	var total uint64
	isKnown := false
	add := func(text string) {
		if count, err := strconv.ParseUint(text, 10, 64); err == nil {
			total += count
			isKnown = true
		}
	}
	var names []string
	for line := range strings.SplitSeq(snmp, "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] != "Udp:" {
			continue
		}
		if names == nil {
			names = fields
			continue
		}
		for i := range min(len(names), len(fields)) {
			if names[i] == "RcvbufErrors" {
				add(fields[i])
			}
		}
	}
	for line := range strings.SplitSeq(snmp6, "\n") {
		if fields := strings.Fields(line); len(fields) == 2 && fields[0] == "Udp6RcvbufErrors" {
			add(fields[1])
		}
	}
	if !isKnown {
		return nil
	}
	return &total
}

// available parses /proc/meminfo.
func available(meminfo string) *memory {
	var m memory
	for line := range strings.SplitSeq(meminfo, "\n") {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		kilobytes, err := strconv.ParseUint(fields[1], 10, 64)
		if err != nil {
			continue
		}
		switch fields[0] {
		case "MemTotal:":
			m.total = kilobytes << 10
		case "MemAvailable:":
			m.available = kilobytes << 10
		}
	}
	if m.total == 0 {
		return nil
	}
	return &m
}

// interfaces parses the bytes of /proc/net/dev.
func interfaces(devices string) map[string]network {
	networks := map[string]network{}
	for line := range strings.SplitSeq(devices, "\n") {
		name, counters, ok := strings.Cut(line, ":")
		fields := strings.Fields(counters)
		if !ok || len(fields) < 9 {
			continue
		}
		received, err := strconv.ParseUint(fields[0], 10, 64)
		if err != nil {
			continue
		}
		sent, err := strconv.ParseUint(fields[8], 10, 64)
		if err != nil {
			continue
		}
		networks[strings.TrimSpace(name)] = network{received: received, sent: sent}
	}
	return networks
}

// backlogDrops parses /proc/net/softnet_stat: packets dropped because a CPU's backlog was full, over all CPUs.
func backlogDrops(softnet string) (uint64, bool) {
	var total uint64
	isKnown := false
	for line := range strings.SplitSeq(softnet, "\n") {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		count, err := strconv.ParseUint(fields[1], 16, 64)
		if err != nil {
			return 0, false
		}
		total += count
		isKnown = true
	}
	return total, isKnown
}
