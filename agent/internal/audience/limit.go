package audience

import "fmt"

// limit is the maximum of viewers on this machine, and its reason.
type limit struct {
	viewers int
	files   uint64 // of descriptors, 0 if they are not the reason
	ports   int    // of local UDP ports
}

// viewersLimit takes the smaller of what descriptors and local ports allow: each viewer has its own socket.
func viewersLimit(openFiles uint64) limit {
	ports := localPorts()
	if openFiles != 0 && int(min(openFiles, 1<<30))-reservedFiles < ports {
		return limit{viewers: max(int(openFiles)-reservedFiles, 0), files: openFiles, ports: ports}
	}
	return limit{viewers: ports, ports: ports}
}

// refusal names the limit and the command that raises it.
func (l limit) refusal(requested, inUse int) string {
	others := ""
	if inUse > 0 {
		others = fmt.Sprintf(" in addition to %d of other jobs", inUse)
	}
	if l.files != 0 {
		return fmt.Sprintf("%d viewers%s exceed the %d that %d open files allow on this machine. Raise the limit with: ulimit -n %d",
			requested, others, l.viewers, l.files, requested+inUse+reservedFiles)
	}
	return fmt.Sprintf("%d viewers%s exceed the %d local UDP ports of this machine. Widen the range with: sysctl -w net.ipv4.ip_local_port_range=\"1024 65535\"",
		requested, others, l.viewers)
}
