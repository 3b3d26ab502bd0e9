package monotonic

import "time"

const (
	// sameClock is the maximum difference between two readings without a step between them.
	sameClock = int64(time.Millisecond)
	// interrupted is the duration of a reading that is discarded: this thread was not running meanwhile.
	interrupted = int64(100 * time.Microsecond)
	// afterStep is how long data may still be read that arrived before a step.
	afterStep = int64(2 * time.Second)
)

// Stamps turns the kernel's arrival times, which are of the system clock, into monotonic ones. Each reader has its own.
type Stamps struct {
	now           int64
	ahead, before int64 // of the system clock, since its latest step and before that
	until         int64 // when nothing that arrived before that step is read any more
}

// Sync samples the system clock; it is called before each read.
func (s *Stamps) Sync() {
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

// Monotonic is the monotonic time of a kernel timestamp. Data that arrived just before a step has the old clock's time.
func (s *Stamps) Monotonic(stamp int64) int64 {
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
