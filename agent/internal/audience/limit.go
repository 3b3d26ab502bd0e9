package audience

import "fmt"

// limit is how many viewers this machine can hold at most, and why.
type limit struct {
	viewers int
	files   uint64 // of descriptors, 0 when that is not the reason
	ports   int    // of local UDP ports
}

// viewersLimit takes the smaller of what descriptors and local ports allow: each viewer has a socket of its own.
func viewersLimit(openFiles uint64) limit {
	ports := localPorts()
	if openFiles != 0 && int(min(openFiles, 1<<30))-reservedFiles < ports {
		return limit{viewers: max(int(openFiles)-reservedFiles, 0), files: openFiles, ports: ports}
	}
	return limit{viewers: ports, ports: ports}
}

// refusal names the limit and the command that raises it.
func (l limit) refusal(asked, taken int) string {
	others := ""
	if taken > 0 {
		others = fmt.Sprintf(" beside the %d of other jobs", taken)
	}
	if l.files != 0 {
		return fmt.Sprintf("%d viewers%s are more than the %d that %d open files allow on this machine; raise the limit with: ulimit -n %d",
			asked, others, l.viewers, l.files, asked+taken+reservedFiles)
	}
	return fmt.Sprintf("%d viewers%s are more than the %d local UDP ports of this machine; widen them with: sysctl -w net.ipv4.ip_local_port_range=\"1024 65535\"",
		asked, others, l.viewers)
}
