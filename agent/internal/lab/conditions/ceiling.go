package conditions

import (
	"cmp"
	"time"

	"fullhouse/agent/internal/protocol"
)

// Above its ceiling a stream stalls: for part of each cycle nothing is sent to any viewer. The shortest pause is longer
// than a stall of a viewer, and each window in which a viewer is judged contains at least one. So the first size above the ceiling
// already shows at every viewer. The cycle is not a multiple of a keyframe interval: viewers that connect meanwhile
// still get a picture.
const (
	stallPeriod   = 1800 * time.Millisecond
	minStall      = 1.0 / 3
	maxStall      = 0.9
	usualBudget   = 1e6 // one core
	wholePercents = 100
)

// Ceiling bounds how many viewers a stream serves, so that the result of a limit search can be compared with a known
// limit; the zero value is no bound.
type Ceiling struct {
	// DegradeFrom is the number of viewers from which on every viewer's stream stalls; 0: never.
	DegradeFrom int
	// RefuseFrom is the first viewer that is refused, counting connected and connecting ones; 0: none.
	RefuseFrom int
	// CPUPerViewerMicros is the simulated cost of each viewer: microseconds of CPU a second. No CPU is actually used.
	CPUPerViewerMicros float64
	// CPUBudgetMicros is the simulated CPU available per second; 0: one core's. Above it the stream stalls in
	// proportion to the shortage.
	CPUBudgetMicros float64
}

func (c Ceiling) check() error {
	return cmp.Or(within("degradeFrom", float64(c.DegradeFrom), protocol.LabConditionsDegradeFromMax),
		within("refuseFrom", float64(c.RefuseFrom), protocol.LabConditionsRefuseFromMax),
		within("cpuPerViewerMicros", c.CPUPerViewerMicros, protocol.LabConditionsCPUPerViewerMicrosMax),
		within("cpuBudgetMicros", c.CPUBudgetMicros, protocol.LabConditionsCPUBudgetMicrosMax))
}

// BudgetPercent is how much of the simulated budget this many viewers use; known only with a cost per viewer.
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

// Refuses reports whether one more viewer is refused at this number.
func (c Ceiling) Refuses(viewers int) bool { return c.RefuseFrom > 0 && viewers+1 >= c.RefuseFrom }

// Stalled reports whether nothing is sent at that time (nanoseconds) with this many viewers, and Overloaded whether
// such times exist.
func (c Ceiling) Stalled(viewers int, now int64) bool {
	share := c.stall(viewers)
	return share > 0 && float64(now%int64(stallPeriod)) < share*float64(stallPeriod)
}

// Overloaded reports whether this many viewers are above the ceiling.
func (c Ceiling) Overloaded(viewers int) bool { return c.stall(viewers) > 0 }

func (c Ceiling) stall(viewers int) float64 {
	if percent, known := c.BudgetPercent(viewers); known && percent > wholePercents {
		return min(maxStall, max(minStall, 1-wholePercents/percent))
	}
	if c.DegradeFrom > 0 && viewers >= c.DegradeFrom {
		return minStall
	}
	return 0
}
