package tester

import (
	"path"
	"strconv"
	"strings"
	"time"
)

// groupFolders are the folders of a controller's groups that limit this process, its own first; an empty controller
// means version 2. A container often sees its own group as the root, whatever /proc contains.
func groupFolders(groups, controller string) []string {
	for line := range strings.SplitSeq(groups, "\n") {
		_, rest, _ := strings.Cut(line, ":")
		controllers, within, ok := strings.Cut(rest, ":")
		if !ok || !strings.HasPrefix(within, "/") || !contains(controllers, controller) {
			continue
		}
		var folders []string
		for at := path.Clean(within); ; at = path.Dir(at) {
			folders = append(folders, path.Join("sys/fs/cgroup", controller, at))
			if at == "/" {
				return folders
			}
		}
	}
	return nil
}

// contains reports whether a list such as "cpu,cpuacct" contains a controller; an empty list is that of version 2.
func contains(list, controller string) bool {
	if controller == "" {
		return list == ""
	}
	for one := range strings.SplitSeq(list, ",") {
		if one == controller {
			return true
		}
	}
	return false
}

// quota is the lowest one for this process; nil if it may use the entire machine.
func (m *Meter) quota(groups string) *cpuQuota {
	var tightest *cpuQuota
	keep := func(q cpuQuota) {
		if tightest == nil || q.cores < tightest.cores {
			tightest = &q
		}
	}
	for _, folder := range groupFolders(groups, "") {
		fields := strings.Fields(m.text(folder + "/cpu.max"))
		if len(fields) != 2 {
			continue
		}
		micros, known := keyed(m.text(folder+"/cpu.stat"), "usage_usec")
		if cores, ok := ratio(fields[0], fields[1]); ok && known {
			keep(cpuQuota{cores, time.Duration(micros) * time.Microsecond})
		}
	}
	for _, folder := range groupFolders(groups, "cpu") {
		cores, ok := ratio(strings.TrimSpace(m.text(folder+"/cpu.cfs_quota_us")), strings.TrimSpace(m.text(folder+"/cpu.cfs_period_us")))
		nanos, known := m.number(strings.Replace(folder, "/cgroup/cpu", "/cgroup/cpuacct", 1) + "/cpuacct.usage")
		if ok && known {
			keep(cpuQuota{cores, time.Duration(nanos)})
		}
	}
	return tightest
}

// ratio of a quota and its period in cores; false for "max" and -1.
func ratio(quota, period string) (float64, bool) {
	part, err := strconv.ParseFloat(quota, 64)
	if err != nil || part <= 0 {
		return 0, false
	}
	whole, err := strconv.ParseFloat(period, 64)
	if err != nil || whole <= 0 {
		return 0, false
	}
	return part / whole, true
}

// keyed finds a line such as "usage_usec 123".
func keyed(text, key string) (uint64, bool) {
	for line := range strings.SplitSeq(text, "\n") {
		if name, value, ok := strings.Cut(line, " "); ok && name == key {
			number, err := strconv.ParseUint(strings.TrimSpace(value), 10, 64)
			return number, err == nil
		}
	}
	return 0, false
}

// memoryLimit is the remaining memory of the group with the least; file caches that the kernel can drop count as
// available.
func (m *Meter) memoryLimit(groups string) *memory {
	var minimum *memory
	keep := func(folder, limit, usage, droppable string) {
		total, limited := m.number(folder + "/" + limit)
		used, known := m.number(folder + "/" + usage)
		if !limited || !known || total > unlimited {
			return
		}
		cached, _ := keyed(m.text(folder+"/memory.stat"), droppable)
		needed := used - min(cached, used)
		if left := (memory{total - min(needed, total), total}); minimum == nil || left.available < minimum.available {
			minimum = &left
		}
	}
	for _, folder := range groupFolders(groups, "") {
		keep(folder, "memory.max", "memory.current", "inactive_file")
	}
	for _, folder := range groupFolders(groups, "memory") {
		keep(folder, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
	}
	return minimum
}

// unlimited is what version 1 writes for no limit, slightly less than the maximum of 63 bits.
const unlimited = 1 << 62
