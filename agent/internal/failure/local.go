package failure

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"fullhouse/agent/internal/protocol"
)

// localPrefix starts the causes of failures that this machine causes, rather than the server or the network.
const localPrefix = "tester-"

// IsLocal reports whether this machine is the cause.
func IsLocal(cause protocol.Cause) bool { return strings.HasPrefix(cause.String(), localPrefix) }

// Local is the failure of a socket for lack of a resource of this machine; nil for any other error.
func Local(stage Stage, err error) *Failure {
	for _, exhausted := range []struct {
		numbers []syscall.Errno
		cause   protocol.Cause
		fix     string
	}{
		{[]syscall.Errno{syscall.EMFILE}, protocol.CauseTesterOpenFiles,
			"this agent has no open files left; raise its limit (\"ulimit -n\", \"nofile\" in /etc/security/limits.conf), or use fewer viewers here"},
		{[]syscall.Errno{syscall.ENFILE}, protocol.CauseTesterOpenFiles,
			"this machine has no open files left; raise the limit with: sysctl -w fs.file-max=1000000, or use fewer viewers here"},
		{[]syscall.Errno{syscall.EADDRNOTAVAIL, syscall.EADDRINUSE}, protocol.CauseTesterPorts,
			"this machine has no local port left; widen the range with: sysctl -w net.ipv4.ip_local_port_range=\"1024 65535\", or use fewer viewers here"},
		{[]syscall.Errno{syscall.ENOBUFS, syscall.ENOMEM}, protocol.CauseTesterMemory,
			"this machine has no memory left for sockets; free some, or use fewer viewers here"},
	} {
		for _, number := range exhausted.numbers {
			if errors.Is(err, number) {
				return &Failure{Stage: stage, Cause: exhausted.cause,
					Detail: fmt.Sprintf("The tester is at its limit: %s (%v).", exhausted.fix, err)}
			}
		}
	}
	return nil
}
