package control

import (
	"context"
	"encoding/json"
	"time"

	"fullhouse/agent/internal/protocol"
)

// Role is what an agent does: the audience or the lab. All methods may be called concurrently.
type Role interface {
	// Name is the role's name on the command line and in `hello`.
	Name() string
	// Announcement is what the role adds to `listening` and `hello`.
	Announcement() Announcement
	// Call handles a call of the role; a refusal is an *Error. Unknown names: UnknownCall.
	Call(ctx context.Context, name string, params json.RawMessage) (any, error)
	// Sample returns the sample of the interval that just ended.
	Sample(of protocol.ProcessSample, interval time.Duration) any
	// StopAll starts to disconnect all viewers and returns how many remain. It does not wait.
	StopAll(force bool) (remaining int)
	// DisconnectAll is StopAll, and also ends everything else towards servers, such as publishing. It does not wait.
	DisconnectAll(force bool) (remaining int)
	// Remaining is how many viewers still hold a session or a socket.
	Remaining() int
	// Close releases what the role holds, after all viewers disconnected or disconnectTimeout passed.
	Close() error
}

// Announcement is a role's part of `listening` and `hello`; empty fields are left out.
type Announcement struct {
	HTTP      string
	Media     string
	Protocols []string
	Publishes []string
	Viewers   int
	// Reader is how an audience receives: it affects the cost of a viewer.
	Reader string
	// Unmeasured are the resources of its machine that the system does not report.
	Unmeasured []protocol.TesterResource
}

// UnknownCall is the error for a call that the role does not have.
func UnknownCall(role, name string) *Error {
	return Errorf("unknown-call", "The %s has no call named %q.", role, name)
}
