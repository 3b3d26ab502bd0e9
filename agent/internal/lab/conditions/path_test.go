package conditions

import (
	"math"
	"strings"
	"testing"
	"time"
)

const interval = int64(20 * time.Millisecond)

// walk sends count packets, one each 20 ms, and returns their outcomes.
func walk(p *Path, c Conditions, count int) []Outcome {
	outcomes := make([]Outcome, count)
	for i := range outcomes {
		outcomes[i] = p.Next(&c, int64(i)*interval, false)
	}
	return outcomes
}

func lossOf(outcomes []Outcome) (percent, meanBurst float64) {
	lost, bursts := 0, 0
	for i, f := range outcomes {
		if f.Lost {
			if lost++; i == 0 || !outcomes[i-1].Lost {
				bursts++
			}
		}
	}
	return 100 * float64(lost) / float64(len(outcomes)), float64(lost) / float64(max(bursts, 1))
}

func TestLossShareAndBurstLengthAreAsConfigured(t *testing.T) {
	for _, c := range []struct{ loss, burst, expectBurst float64 }{{0.5, 0, 1}, {2, 1, 1.02}, {10, 0, 1.11}, {2, 5, 5}, {10, 20, 20}, {40, 4, 4}, {100, 0, 200_000}, {0, 5, 0}} {
		loss, burst := lossOf(walk(NewPath(1, 0), Conditions{LossPercent: c.loss, BurstPackets: c.burst}, 200_000))
		if math.Abs(loss-c.loss) > 0.02+c.loss*0.1 || math.Abs(burst-c.expectBurst) > c.expectBurst*0.1 {
			t.Errorf("%+v: %.2f %% lost, in bursts of %.2f", c, loss, burst)
		}
	}
}

func TestTheSameSeedLosesTheSamePacketsOfTheSameViewer(t *testing.T) {
	c := Conditions{LossPercent: 5, JitterMs: 10, Seed: 3}
	same := func(a, b []Outcome) (count int) {
		for i := range a {
			if a[i] == b[i] {
				count++
			}
		}
		return count
	}
	outcomes := walk(NewPath(3, 7), c, 2000)
	repairing, lost := NewPath(3, 7), 0
	for i, outcome := range outcomes { // repairs in between change nothing
		if repairing.Next(&c, int64(i)*interval, true).Lost {
			lost++
		}
		if next := repairing.Next(&c, int64(i)*interval, false); next.Lost != outcome.Lost {
			t.Fatalf("the outcome of packet %d changes when others are repaired", i)
		}
	}
	if lost < 60 || lost > 140 {
		t.Errorf("%d of 2000 repairs lost at 5 %%", lost)
	}
	if again := same(outcomes, walk(NewPath(3, 7), c, 2000)); again != 2000 {
		t.Errorf("only %d of 2000 outcomes are repeated", again)
	}
	if other := same(outcomes, walk(NewPath(3, 8), c, 2000)); other > 100 {
		t.Errorf("%d of 2000 outcomes are equal to another viewer's", other)
	}
	changed := NewPath(1, 7)
	if again := same(outcomes, walk(changed, c, 2000)); again != 2000 {
		t.Errorf("a seed set later repeats only %d of 2000 outcomes", again)
	}
}

func TestJitterIsUniformAndKeepsTheOrder(t *testing.T) {
	c := Conditions{DelayMs: 100, JitterMs: 8} // at most 16 ms: less than the 20 between packets, so none queues
	sum, minimum, maximum := 0.0, math.Inf(1), 0.0
	outcomes := walk(NewPath(1, 0), c, 20_000)
	for i, f := range outcomes {
		delay := float64(f.At-int64(i)*interval) / float64(time.Millisecond)
		sum, minimum, maximum = sum+delay, min(minimum, delay), max(maximum, delay)
	}
	if mean := sum / 20_000; math.Abs(mean-108) > 0.2 || minimum < 100 || minimum > 100.1 || maximum > 116 || maximum < 115.9 {
		t.Errorf("delays from %.2f to %.2f, mean %.2f ms; want 100 to 116, mean 108", minimum, maximum, mean)
	}
	c.JitterMs = 100
	path, before := NewPath(1, 0), int64(0)
	for i := range 5000 {
		if at := path.Next(&c, int64(i)*interval, false).At; at < before {
			t.Fatalf("packet %d overtakes the one before it", i)
		} else {
			before = at
		}
	}
	if at := path.Next(&Conditions{}, 5000*interval, false).At; at < before {
		t.Error("with jitter switched off, a packet overtakes earlier ones")
	}
}

func TestReorderedPacketsArriveAfterOthers(t *testing.T) {
	c := Conditions{ReorderPercent: 10, JitterMs: 5}
	outcomes, behind, reordered := walk(NewPath(1, 0), c, 10_000), 0, 0
	for i, f := range outcomes[:9900] {
		if !f.Reordered {
			continue
		}
		reordered++
		if f.At > outcomes[i+1].At || outcomes[i+1].Reordered && f.At > outcomes[i+2].At {
			behind++
		}
	}
	if reordered < 900 || reordered > 1100 || behind < reordered*99/100 {
		t.Errorf("%d of 9900 are reordered, %d arrive after others", reordered, behind)
	}
}

func TestInvalidArgumentsAreErrors(t *testing.T) {
	for wantText, c := range map[string]Conditions{
		"lossPercent must be from 0 to 100, it is 120":     {LossPercent: 120},
		"lossPercent must be from 0 to 100, it is NaN":     {LossPercent: math.NaN()},
		"jitterMs must be from 0 to 500, it is -1":         {JitterMs: -1},
		"80 % can't be lost in bursts of 3 packets":        {LossPercent: 80, BurstPackets: 3},
		"reorderPercent must be from 0 to 100, it is +Inf": {ReorderPercent: math.Inf(1)},
	} {
		if err := c.Check(); err == nil || !strings.HasPrefix(err.Error(), wantText) {
			t.Errorf("%v, want %q", err, wantText)
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
