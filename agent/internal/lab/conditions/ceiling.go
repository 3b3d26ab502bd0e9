package conditions

import (
	"cmp"
	"time"
)

// Above its ceiling a stream stalls: for so much of each cycle nothing is sent, to nobody. The shortest stall is longer than a freeze, and
// each window in which a viewer is judged holds at least one, so that the first size above the ceiling already shows at every viewer. The
// cycle is no multiple of a keyframe interval: who comes meanwhile gets a picture all the same.
const (
	stallCycle    = 1800 * time.Millisecond
	leastStall    = 1.0 / 3
	mostStall     = 0.9
	mostViewers   = 100_000
	mostMicros    = 1e9
	usualBudget   = 1e6 // one core
	wholePercents = 100
)

// Ceiling bounds how many viewers a stream carries, so that a search for the limit can be held against the truth; the zero value is no bound.
type Ceiling struct {
	// DegradeFrom is the size from which on every viewer's stream stalls; 0: never.
	DegradeFrom int
	// RefuseFrom is the first viewer that is refused, with those who play and who are on the way; 0: none.
	RefuseFrom int
	// CPUPerViewerMicros is the made cost of each viewer: microseconds of CPU a second. No CPU is burnt for it.
	CPUPerViewerMicros float64
	// CPUBudgetMicros is how much of that there is a second; 0: one core's. Who asks for more makes the stream stall, for as much as is lacking.
	CPUBudgetMicros float64
}

func (c Ceiling) check() error {
	return cmp.Or(within("degradeFrom", float64(c.DegradeFrom), mostViewers), within("refuseFrom", float64(c.RefuseFrom), mostViewers),
		within("cpuPerViewerMicros", c.CPUPerViewerMicros, mostMicros), within("cpuBudgetMicros", c.CPUBudgetMicros, mostMicros))
}

// BudgetPercent is how much of the made budget so many viewers use; known only where there is one.
func (c Ceiling) BudgetPercent(viewers int) (percent float64, known bool) {
	if c.CPUPerViewerMicros == 0 {
		return 0, false
	}
	budget := c.CPUBudgetMicros
	if budget == 0 {
		budget = usualBudget
	}
	return wholePercents * c.CPUPerViewerMicros * float64(viewers) / budget, true
}

// Refuses tells whether one more is too many where so many are.
func (c Ceiling) Refuses(viewers int) bool { return c.RefuseFrom > 0 && viewers+1 >= c.RefuseFrom }

// Stalled tells whether nothing is sent at that moment (nanoseconds) with so many viewers, and Overloaded whether there are such moments.
func (c Ceiling) Stalled(viewers int, now int64) bool {
	share := c.stall(viewers)
	return share > 0 && float64(now%int64(stallCycle)) < share*float64(stallCycle)
}

// Overloaded tells whether so many viewers are above the ceiling.
func (c Ceiling) Overloaded(viewers int) bool { return c.stall(viewers) > 0 }

func (c Ceiling) stall(viewers int) float64 {
	if percent, known := c.BudgetPercent(viewers); known && percent > wholePercents {
		return min(mostStall, max(leastStall, 1-wholePercents/percent))
	}
	if c.DegradeFrom > 0 && viewers >= c.DegradeFrom {
		return leastStall
	}
	return 0
}
