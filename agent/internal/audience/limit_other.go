//go:build !linux

package audience

// localPorts is the range that IANA sets aside, 49152 to 65535, as macOS and Windows use it.
func localPorts() int { return 16384 }
