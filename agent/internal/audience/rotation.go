package audience

import (
	"sync/atomic"
	"time"

	"fullhouse/agent/internal/viewer"
)

// rotation makes viewers of several groups in turn: one group per stream.
type rotation struct {
	groups []viewer.Group
	made   atomic.Int64
}

func (r *rotation) New() viewer.Viewer {
	return r.groups[int(r.made.Add(1)-1)%len(r.groups)].New()
}

func (r *rotation) Tick(now time.Time) {
	for _, group := range r.groups {
		group.Tick(now)
	}
}
