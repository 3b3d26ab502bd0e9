package control

import (
	"testing"
	"time"
)

// TestSilenceCountsOnlyWhileTheProcessRuns ticks as the watch does, and stops in between.
func TestSilenceCountsOnlyWhileTheProcessRuns(t *testing.T) {
	const idle = 10 * time.Second
	tests := []struct {
		name string
		// From stopAt on the process does not run for `stop`.
		stopAt, stop time.Duration
		callsUntil   time.Duration
		aloneAt      time.Duration // 0: never
	}{
		{"calls all along", 0, 0, time.Hour, 0},
		{"a console that disconnects", 0, 0, 3 * time.Second, 13 * time.Second},
		{"stopped for 15 s, a console calls all along", 5 * time.Second, 15 * time.Second, time.Hour, 0},
		{"stopped for 15 s, the console disconnects meanwhile", 5 * time.Second, 15 * time.Second, 5 * time.Second, 29500 * time.Millisecond},
		{"asleep for a day, the console disconnected before", 5 * time.Second, 24 * time.Hour, 3 * time.Second, 24*time.Hour + 12500*time.Millisecond},
	}
	for _, test := range tests {
		s := newDeadMansSwitch(idle, 0)
		aloneAt := time.Duration(0)
		for now := s.every; now < test.stopAt+test.stop+time.Minute && aloneAt == 0; now += s.every {
			if test.stop > 0 && now > test.stopAt && now < test.stopAt+test.stop {
				now = test.stopAt + test.stop
				// In the worst case, what waits in the socket is read after the tick.
			} else if now <= test.callsUntil && now%(2*time.Second) == 0 {
				s.reset()
			}
			if s.tick(now) >= idle {
				aloneAt = now
			}
		}
		if off := aloneAt - test.aloneAt; off.Abs() > time.Second {
			t.Errorf("%s: triggered at %s, want %s", test.name, aloneAt, test.aloneAt)
		}
	}
}

// TestLateTickIsNotAStop: a busy machine must not delay the switch for ever.
func TestLateTickIsNotAStop(t *testing.T) {
	s := newDeadMansSwitch(10*time.Second, 0)
	var now time.Duration
	for s.tick(now) < 10*time.Second {
		if now += s.every + 900*time.Millisecond; now > time.Minute {
			t.Fatal("the switch never triggers")
		}
	}
	if now > 12*time.Second {
		t.Errorf("triggered after %s", now)
	}
}
