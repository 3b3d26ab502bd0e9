package monotonic

import "time"

// minStep is the minimum step: smaller changes are ordinary clock corrections.
const minStep = time.Second

// Steps detects that the system clock was set.
type Steps struct {
	ahead func() time.Duration
	last  time.Duration
}

// NewSteps starts to watch.
func NewSteps() *Steps { return newSteps(ahead) }

func newSteps(ahead func() time.Duration) *Steps { return &Steps{ahead: ahead, last: ahead()} }

// Check returns by how much the system clock was set since the last call, 0 if it was not. A clock that only runs fast
// or slow is followed silently.
func (s *Steps) Check() time.Duration {
	now := s.ahead()
	step := now - s.last
	s.last = now
	if step.Abs() < minStep {
		return 0
	}
	return step
}
