package conditions

import (
	"math"
	"strings"
	"testing"
	"time"
)

const beat = int64(20 * time.Millisecond)

// walk sends count packets, one each 20 ms, and gives their fates.
func walk(p *Path, c Conditions, count int) []Fate {
	fates := make([]Fate, count)
	for i := range fates {
		fates[i] = p.Next(&c, int64(i)*beat, false)
	}
	return fates
}

func lossOf(fates []Fate) (percent, meanBurst float64) {
	lost, bursts := 0, 0
	for i, f := range fates {
		if f.Lost {
			if lost++; i == 0 || !fates[i-1].Lost {
				bursts++
			}
		}
	}
	return 100 * float64(lost) / float64(len(fates)), float64(lost) / float64(max(bursts, 1))
}

func TestTheShareOfLossAndTheLengthOfItsBurstsAreThoseAskedFor(t *testing.T) {
	for _, c := range []struct{ loss, burst, expectBurst float64 }{{0.5, 0, 1}, {2, 1, 1.02}, {10, 0, 1.11}, {2, 5, 5}, {10, 20, 20}, {40, 4, 4}, {100, 0, 200_000}, {0, 5, 0}} {
		loss, burst := lossOf(walk(NewPath(1, 0), Conditions{LossPercent: c.loss, BurstPackets: c.burst}, 200_000))
		if math.Abs(loss-c.loss) > 0.02+c.loss*0.1 || math.Abs(burst-c.expectBurst) > c.expectBurst*0.1 {
			t.Errorf("%+v: %.2f %% are lost, in bursts of %.2f", c, loss, burst)
		}
	}
}

func TestTheSameSeedLosesTheSamePacketsOfTheSameViewer(t *testing.T) {
	c := Conditions{LossPercent: 5, JitterMs: 10, Seed: 3}
	same := func(a, b []Fate) (count int) {
		for i := range a {
			if a[i] == b[i] {
				count++
			}
		}
		return count
	}
	fates := walk(NewPath(3, 7), c, 2000)
	repairing, lost := NewPath(3, 7), 0
	for i, fate := range fates { // repairs in between change nothing
		if repairing.Next(&c, int64(i)*beat, true).Lost {
			lost++
		}
		if next := repairing.Next(&c, int64(i)*beat, false); next.Lost != fate.Lost {
			t.Fatalf("packet %d has another fate when others are repaired", i)
		}
	}
	if lost < 60 || lost > 140 {
		t.Errorf("%d of 2000 repairs are lost at 5 %%", lost)
	}
	if again := same(fates, walk(NewPath(3, 7), c, 2000)); again != 2000 {
		t.Errorf("only %d of 2000 fates are the same again", again)
	}
	if other := same(fates, walk(NewPath(3, 8), c, 2000)); other > 100 {
		t.Errorf("%d of 2000 fates are another viewer's too", other)
	}
	changed := NewPath(1, 7)
	if again := same(fates, walk(changed, c, 2000)); again != 2000 {
		t.Errorf("a seed that is set later gives %d of 2000 of its fates", again)
	}
}

func TestJitterIsUniformAndKeepsTheOrder(t *testing.T) {
	c := Conditions{DelayMs: 100, JitterMs: 8} // 16 ms at most: less than the 20 between packets, so nobody queues
	sum, least, most := 0.0, math.Inf(1), 0.0
	fates := walk(NewPath(1, 0), c, 20_000)
	for i, f := range fates {
		delay := float64(f.At-int64(i)*beat) / float64(time.Millisecond)
		sum, least, most = sum+delay, min(least, delay), max(most, delay)
	}
	if mean := sum / 20_000; math.Abs(mean-108) > 0.2 || least < 100 || least > 100.1 || most > 116 || most < 115.9 {
		t.Errorf("delays from %.2f to %.2f, mean %.2f ms; want 100 to 116, mean 108", least, most, mean)
	}
	c.JitterMs = 100
	path, before := NewPath(1, 0), int64(0)
	for i := range 5000 {
		if at := path.Next(&c, int64(i)*beat, false).At; at < before {
			t.Fatalf("packet %d overtakes the one before it", i)
		} else {
			before = at
		}
	}
	if at := path.Next(&Conditions{}, 5000*beat, false).At; at < before {
		t.Error("with the jitter switched off, a packet overtakes those under way")
	}
}

func TestReorderedPacketsComeBehindOthers(t *testing.T) {
	c := Conditions{ReorderPercent: 10, JitterMs: 5}
	fates, behind, reordered := walk(NewPath(1, 0), c, 10_000), 0, 0
	for i, f := range fates[:9900] {
		if !f.Reordered {
			continue
		}
		reordered++
		if f.At > fates[i+1].At || fates[i+1].Reordered && f.At > fates[i+2].At {
			behind++
		}
	}
	if reordered < 900 || reordered > 1100 || behind < reordered*99/100 {
		t.Errorf("%d of 9900 are reordered, %d come behind others", reordered, behind)
	}
}

func TestWhatCantBeDoneIsSaid(t *testing.T) {
	for says, c := range map[string]Conditions{
		"lossPercent must be from 0 to 100, it is 120":     {LossPercent: 120},
		"lossPercent must be from 0 to 100, it is NaN":     {LossPercent: math.NaN()},
		"jitterMs must be from 0 to 500, it is -1":         {JitterMs: -1},
		"80 % can't be lost in bursts of 3 packets":        {LossPercent: 80, BurstPackets: 3},
		"reorderPercent must be from 0 to 100, it is +Inf": {ReorderPercent: math.Inf(1)},
	} {
		if err := c.Check(); err == nil || !strings.HasPrefix(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	for _, c := range []Conditions{{}, {LossPercent: 100}, {LossPercent: 75, BurstPackets: 3}, {DelayMs: 1000, JitterMs: 500, ReorderPercent: 100}} {
		if err := c.Check(); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if CheckPause(9000) != nil || CheckPause(9001) == nil || CheckPause(-1) == nil {
		t.Error("pauses of up to 9 s are allowed, others not")
	}
}
