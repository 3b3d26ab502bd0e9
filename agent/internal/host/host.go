// Package host reads the fingerprint of the machine that the agent runs on, for the report of a run.
package host

import "runtime"

// Host is the machine. What this system does not tell is empty or 0.
type Host struct {
	System       string `json:"system"`
	Architecture string `json:"architecture"`
	Kernel       string `json:"kernel"`
	CPUModel     string `json:"cpuModel"`
	Cores        int    `json:"cores"`
	MemoryBytes  uint64 `json:"memoryBytes"`
}

// Read reads it once; nothing of it changes while the agent runs.
func Read() Host {
	host := Host{System: runtime.GOOS, Architecture: runtime.GOARCH, Cores: runtime.NumCPU()}
	host.Kernel, host.CPUModel, host.MemoryBytes = details()
	return host
}
