package monotonic

import (
	"testing"
	"time"
)

func TestTheSteadyClockAgreesWithItself(t *testing.T) {
	before := Nano()
	now := Now()
	after := Nano()
	if at := now.UnixNano(); at < before || at > after {
		t.Errorf("Now is %d, Nano was %d before and %d after it", at, before, after)
	}
	if wall := time.Since(time.Unix(0, after)); wall.Abs() > time.Minute {
		t.Errorf("without a step it differs by %s from the system clock", wall)
	}
}

func TestAClockStepIsDetectedOnceWithItsSize(t *testing.T) {
	var ahead time.Duration
	steps := newSteps(func() time.Duration { return ahead })
	for _, test := range []struct{ ahead, step time.Duration }{
		{0, 0},
		{400 * time.Millisecond, 0}, // a clock that runs fast
		{800 * time.Millisecond, 0},
		{-time.Hour, -time.Hour - 800*time.Millisecond},
		{-time.Hour, 0},
		{-time.Hour + 10*time.Second, 10 * time.Second},
	} {
		ahead = test.ahead
		if step := steps.Check(); step != test.step {
			t.Errorf("ahead by %s: a step of %s, want %s", test.ahead, step, test.step)
		}
	}
}

func TestArrivalsAreSteadyWhateverTheSystemClockDoes(t *testing.T) {
	for _, step := range []time.Duration{-time.Hour, -10 * time.Second, -300 * time.Millisecond, 300 * time.Millisecond, 10 * time.Second, time.Hour} {
		var stamps Stamps
		const second = int64(time.Second)
		now := int64(1000) * second
		stamps.note(now, now, now)
		now += second
		// One arrived before the clock was set, and is read after that.
		stamps.note(now, now+int64(step), now)
		for _, test := range []struct{ stamp, want int64 }{
			{now - 1e6, now - 1e6},
			{now + int64(step) - 1e5, now - 1e5},
		} {
			if at := stamps.Monotonic(test.stamp); at != test.want {
				t.Errorf("step %s: an arrival %d ns before the read became %d ns", step, now-test.want, now-at)
			}
		}
		// A process that was stopped meanwhile reads old data, and its sample of the clock is discarded.
		stamps.note(now, now+second, now+15*second)
		if at := stamps.Monotonic(now + int64(step)); at != now {
			t.Errorf("step %s: a stop moved an arrival by %d ns", step, at-now)
		}
	}
}
