package audience

import (
	"fmt"
	"os"
)

// localPorts is how many ports the kernel assigns to sockets that request any.
func localPorts() int {
	data, err := os.ReadFile("/proc/sys/net/ipv4/ip_local_port_range")
	var low, high int
	if err != nil {
		return defaultLocalPorts
	}
	if _, err := fmt.Sscan(string(data), &low, &high); err != nil || high < low {
		return defaultLocalPorts
	}
	return high - low + 1
}

// defaultLocalPorts is the default range of Linux, 32768 to 60999.
const defaultLocalPorts = 28232
