package audience

import (
	"testing"
	"time"
)

// arrivals runs a pace on its own clock; stall is how long the caller is held up before a start.
func arrivals(perSecond float64, count int, stall func(i int) time.Duration) []time.Duration {
	start := time.Unix(1000, 0)
	now := start
	p := newPacer(perSecond, now)
	var list []time.Duration
	for i := range count {
		now = now.Add(stall(i))
		for {
			wait := p.wait(now)
			if wait == 0 {
				break
			}
			now = now.Add(wait)
		}
		list = append(list, now.Sub(start))
	}
	return list
}

func never(int) time.Duration { return 0 }

func TestPaceKeepsItsRate(t *testing.T) {
	for _, perSecond := range []float64{0.5, 1, 7, 200, 5000} {
		list := arrivals(perSecond, 101, never)
		if list[0] != 0 {
			t.Errorf("%v/s: the first starts after %s", perSecond, list[0])
		}
		took, want := list[100].Seconds(), 100/perSecond
		if took < want*0.999 || took > want*1.01 {
			t.Errorf("%v/s: 100 more took %f s, want %f", perSecond, took, want)
		}
	}
}

func TestPaceCatchesUpAfterAShortStallOnly(t *testing.T) {
	const perSecond = 100
	short := arrivals(perSecond, 201, func(i int) time.Duration {
		if i == 50 {
			return 200 * time.Millisecond
		}
		return 0
	})
	if took := short[200]; took > 2010*time.Millisecond {
		t.Errorf("after a stall of 200 ms, 200 viewers took %s, want 2 s", took)
	}
	long := arrivals(perSecond, 201, func(i int) time.Duration {
		if i == 50 {
			return 10 * time.Second
		}
		return 0
	})
	if took := long[200]; took < 11500*time.Millisecond {
		t.Errorf("after a stall of 10 s, 200 viewers took %s: too many started at once", took)
	}
	burst := 0
	for _, at := range long[50:] {
		if at == long[50] {
			burst++
		}
	}
	if burst > perSecond*burstSeconds+1 {
		t.Errorf("%d started at once after the stall", burst)
	}
}
