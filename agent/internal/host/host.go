// Package host reads the fingerprint of the machine that the agent runs on, for the report of a run.
package host

import (
	"runtime"

	"fullhouse/agent/internal/protocol"
)

// Read reads it once; it does not change while the agent runs.
func Read() protocol.Host {
	host := protocol.Host{System: runtime.GOOS, Architecture: runtime.GOARCH, Cores: runtime.NumCPU()}
	host.Kernel, host.CPUModel, host.MemoryBytes = details()
	return host
}
