package failure

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
)

// here begins the causes of failures that are this machine's fault, and not the server's or the network's.
const here = "tester-"

// IsHere tells whether a cause is this machine's fault.
func IsHere(cause string) bool { return strings.HasPrefix(cause, here) }

// Here is the failure of a socket that this machine had nothing left for; nil when the error says something else.
func Here(stage Stage, err error) *Failure {
	for _, exhausted := range []struct {
		numbers []syscall.Errno
		cause   string
		remedy  string
	}{
		{[]syscall.Errno{syscall.EMFILE}, "open-files", "this agent has as many files open as it may; raise its limit (\"ulimit -n\", \"nofile\" in /etc/security/limits.conf), or use fewer viewers here"},
		{[]syscall.Errno{syscall.ENFILE}, "open-files", "this machine has as many files open as it may; raise its limit with: sysctl -w fs.file-max=1000000, or use fewer viewers here"},
		{[]syscall.Errno{syscall.EADDRNOTAVAIL, syscall.EADDRINUSE}, "ports", "this machine has no local port left; widen the range with: sysctl -w net.ipv4.ip_local_port_range=\"1024 65535\", or use fewer viewers here"},
		{[]syscall.Errno{syscall.ENOBUFS, syscall.ENOMEM}, "memory", "this machine has no memory left for sockets; free some, or use fewer viewers here"},
	} {
		for _, number := range exhausted.numbers {
			if errors.Is(err, number) {
				return &Failure{Stage: stage, Cause: here + exhausted.cause, Detail: fmt.Sprintf("It is the tester's own fault: %s (%v).", exhausted.remedy, err)}
			}
		}
	}
	return nil
}
