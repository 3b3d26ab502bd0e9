package steady

import "time"

const (
	// sameClock is what two looks may differ by without a step between them.
	sameClock = int64(time.Millisecond)
	// interrupted is a look that took so long that it says nothing: this thread was not running meanwhile.
	interrupted = int64(100 * time.Microsecond)
	// afterStep is how long something may still be read that arrived before a step.
	afterStep = int64(2 * time.Second)
)

// Stamps turns the kernel's times of arrival, which are the system clock's, into steady ones. Each reader has its own.
type Stamps struct {
	now           int64
	ahead, before int64 // of the system's clock, since its latest step and before that
	until         int64 // when nothing that arrived before that step is read any more
}

// Look notes how the system's clock stands; to be called before each read.
func (s *Stamps) Look() {
	first := Nano()
	wall := time.Now().UnixNano()
	s.note(first, wall, Nano())
}

func (s *Stamps) note(first, wall, second int64) {
	s.now = second
	if second-first > interrupted {
		return
	}
	if ahead := wall - first; ahead-s.ahead > sameClock || s.ahead-ahead > sameClock {
		s.before, s.ahead, s.until = s.ahead, ahead, second+afterStep
	}
}

// Steady is the steady time of a kernel's stamp. What arrived just before the system's clock was set has the time of the clock before.
func (s *Stamps) Steady(stamp int64) int64 {
	at := stamp - s.ahead
	if before := stamp - s.before; s.now < s.until && distance(before, s.now) < distance(at, s.now) {
		return before
	}
	return at
}

func distance(a, b int64) int64 {
	if a < b {
		return b - a
	}
	return a - b
}
