package steady

import "time"

// leastStep is what counts as a step: less is how clocks are corrected all the time.
const leastStep = time.Second

// Steps notices that the system's clock was set.
type Steps struct {
	ahead func() time.Duration
	last  time.Duration
}

// NewSteps begins to watch.
func NewSteps() *Steps { return newSteps(ahead) }

func newSteps(ahead func() time.Duration) *Steps { return &Steps{ahead: ahead, last: ahead()} }

// Look tells by how much the system's clock was set since the last look, 0 when it was not. A clock that only runs fast or slow
// is followed in silence.
func (s *Steps) Look() time.Duration {
	now := s.ahead()
	step := now - s.last
	s.last = now
	if step.Abs() < leastStep {
		return 0
	}
	return step
}
