package conditions

import (
	"math"
	"strings"
	"testing"
	"time"
)

// stalledMs is for how long of a cycle nothing is sent.
func stalledMs(c Ceiling, viewers int) (ms int) {
	for at := range int(stallPeriod / time.Millisecond) {
		if c.Stalled(viewers, int64(7*stallPeriod)+int64(at)*int64(time.Millisecond)) {
			ms++
		}
	}
	return ms
}

func TestAStreamStallsFromItsCeilingOn(t *testing.T) {
	for _, c := range []struct {
		ceiling Ceiling
		viewers int
		stalled int
	}{
		{Ceiling{}, 5000, 0},
		{Ceiling{DegradeFrom: 262}, 261, 0},
		{Ceiling{DegradeFrom: 262}, 262, 600},
		{Ceiling{DegradeFrom: 262}, 900, 600},
		{Ceiling{RefuseFrom: 10}, 20, 0},
		{Ceiling{CPUPerViewerMicros: 4000}, 250, 0},
		{Ceiling{CPUPerViewerMicros: 4000}, 251, 600},
		{Ceiling{CPUPerViewerMicros: 4000}, 500, 900},
		{Ceiling{CPUPerViewerMicros: 4000}, 100_000, 1620},
		{Ceiling{CPUPerViewerMicros: 4000, CPUBudgetMicros: 2e6}, 500, 0},
		{Ceiling{CPUPerViewerMicros: 4000, CPUBudgetMicros: 2e6}, 501, 600},
		{Ceiling{CPUBudgetMicros: 1}, 5000, 0},
	} {
		if stalled := stalledMs(c.ceiling, c.viewers); stalled != c.stalled || (stalled > 0) != c.ceiling.Overloaded(c.viewers) {
			t.Errorf("%+v stalls for %d ms of each cycle with %d viewers, want %d", c.ceiling, stalled, c.viewers, c.stalled)
		}
	}
}

func TestBudgetUseIsKnownIfThereIsABudget(t *testing.T) {
	if _, known := (Ceiling{DegradeFrom: 5}).BudgetPercent(10); known {
		t.Error("a stream without a budget reports its use")
	}
	if percent, known := (Ceiling{CPUPerViewerMicros: 4000}).BudgetPercent(100); !known || math.Abs(percent-40) > 1e-9 {
		t.Errorf("%g %% are used", percent)
	}
}

func TestTheFirstRefusedViewerHasThatNumber(t *testing.T) {
	c := Ceiling{RefuseFrom: 3}
	if c.Refuses(0) || c.Refuses(1) || !c.Refuses(2) || !c.Refuses(3) || (Ceiling{}).Refuses(5000) {
		t.Error("the wrong viewer is refused")
	}
}

func TestInvalidCeilingsAreRefused(t *testing.T) {
	for wantText, c := range map[string]Ceiling{
		"degradeFrom must be from 0 to 100000, it is -1":        {DegradeFrom: -1},
		"refuseFrom must be from 0 to 100000, it is 100001":     {RefuseFrom: 100_001},
		"cpuPerViewerMicros must be from 0 to 1e+09, it is NaN": {CPUPerViewerMicros: math.NaN()},
		"cpuBudgetMicros must be from 0 to 1e+09, it is -3":     {CPUBudgetMicros: -3},
	} {
		if err := (Conditions{Ceiling: c}).Check(); err == nil || !strings.HasPrefix(err.Error(), wantText) {
			t.Errorf("%v, want %q", err, wantText)
		}
	}
}
