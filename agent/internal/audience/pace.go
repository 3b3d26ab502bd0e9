package audience

import "time"

// burstSeconds is how much of a delay may be caught up: after a stall, at most this many seconds' worth of
// viewers arrive at once; the rest of the stall shows in the achieved rate.
const burstSeconds = 0.25

// pace says when the next viewer may arrive. It is a token bucket and holds no clock.
type pace struct {
	perSecond float64
	tokens    float64
	last      time.Time
}

func newPace(perSecond float64, now time.Time) *pace {
	return &pace{perSecond: perSecond, tokens: 1, last: now}
}

// wait is the time until the next arrival; 0 means now, and takes it.
func (p *pace) wait(now time.Time) time.Duration {
	p.tokens = min(p.tokens+now.Sub(p.last).Seconds()*p.perSecond, max(1, burstSeconds*p.perSecond))
	p.last = now
	// A hair less than one token is one: floating point must not cost a timer's turn.
	if p.tokens >= 1-1e-9 {
		p.tokens--
		return 0
	}
	return max(time.Duration((1-p.tokens)/p.perSecond*float64(time.Second)), time.Microsecond)
}
