package link

import (
	"context"
	"encoding/json"
	"time"

	"fullhouse/agent/internal/process"
)

// Role is what an agent does: the audience or the lab. All methods may be called at the same time.
type Role interface {
	// Name is the role's name on the command line and in `hello`.
	Name() string
	// Announcement is what the role adds to `listening` and `hello`.
	Announcement() Announcement
	// Call answers a call of the role, with an *Error when it is refused. Unknown names: UnknownCall.
	Call(ctx context.Context, name string, params json.RawMessage) (any, error)
	// Sample makes the sample of the interval that just ended.
	Sample(of process.Sample, interval time.Duration) any
	// StopAll begins to disconnect all viewers and tells how many are still there. It does not wait.
	StopAll(force bool) (left int)
	// DisconnectAll is StopAll, and ends all else that the role does to others, such as publishing. It does not wait.
	DisconnectAll(force bool) (left int)
	// Left tells how many viewers still hold a session or a socket.
	Left() int
	// Close frees what the role holds, after everybody left or the patience ended.
	Close() error
}

// Announcement is a role's part of `listening` and `hello`; empty fields are left out.
type Announcement struct {
	HTTP      string
	Media     string
	Protocols []string
	Publishes []string
	Viewers   int
	// Reader is how an audience receives: it explains what a viewer costs.
	Reader string
}

// UnknownCall is the answer to a call that the role does not have.
func UnknownCall(role, name string) *Error {
	return Errorf("unknown-call", "The %s has no call named %q.", role, name)
}
