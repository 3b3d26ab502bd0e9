package audience

import (
	"fmt"
	"os"
)

// localPorts is how many ports the kernel gives to sockets that ask for any.
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

// defaultLocalPorts is Linux' own default range, 32768 to 60999.
const defaultLocalPorts = 28232
