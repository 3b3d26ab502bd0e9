//go:build !linux

package audience

// localPorts is the dynamic port range of IANA, 49152 to 65535, which macOS and Windows use.
func localPorts() int { return 16384 }
