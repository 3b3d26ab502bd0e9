package host

import (
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

func details() (kernel, cpuModel string, memoryBytes uint64) {
	var name unix.Utsname
	if unix.Uname(&name) == nil {
		kernel = unix.ByteSliceToString(name.Release[:])
	}
	if data, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.SplitSeq(string(data), "\n") {
			if key, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(key) == "model name" {
				cpuModel = strings.TrimSpace(value)
				break
			}
		}
	}
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) == nil {
		memoryBytes = uint64(info.Totalram) * uint64(info.Unit)
	}
	return kernel, cpuModel, memoryBytes
}
