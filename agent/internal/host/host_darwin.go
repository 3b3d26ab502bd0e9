package host

import "golang.org/x/sys/unix"

func details() (kernel, cpuModel string, memoryBytes uint64) {
	kernel, _ = unix.Sysctl("kern.osrelease")
	cpuModel, _ = unix.Sysctl("machdep.cpu.brand_string")
	memoryBytes, _ = unix.SysctlUint64("hw.memsize")
	return kernel, cpuModel, memoryBytes
}
