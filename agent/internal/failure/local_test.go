package failure

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"fullhouse/agent/internal/protocol"
)

func TestExhaustedResourcesAreTheTestersLimit(t *testing.T) {
	for number, cause := range map[syscall.Errno]string{syscall.EMFILE: "tester-open-files", syscall.ENFILE: "tester-open-files",
		syscall.EADDRNOTAVAIL: "tester-ports", syscall.EADDRINUSE: "tester-ports", syscall.ENOBUFS: "tester-memory", syscall.ENOMEM: "tester-memory"} {
		f := Local(ICE, fmt.Errorf("a UDP socket can't be made: %w", number))
		if f == nil || f.Cause.String() != cause || f.Stage != ICE || !IsLocal(f.Cause) || !strings.Contains(f.Detail, "tester is at its limit") {
			t.Errorf("%v: %+v", number, f)
		}
	}
	for _, err := range []error{nil, errors.New("no"), syscall.ECONNREFUSED, syscall.ENETUNREACH} {
		if f := Local(TCP, err); f != nil {
			t.Errorf("%v: %+v", err, f)
		}
	}
	if IsLocal(protocol.CauseTimeout) {
		t.Error("a timeout is not caused by this machine")
	}
}
