package audience

import "time"

// burstSeconds bounds the catch-up: after a stall, at most this many seconds' worth of viewers start at once; the rest
// of the stall shows in the achieved rate.
const burstSeconds = 0.25

// pacer decides when the next viewer may start. It is a token bucket without a clock.
type pacer struct {
	perSecond float64
	tokens    float64
	last      time.Time
}

func newPacer(perSecond float64, now time.Time) *pacer {
	return &pacer{perSecond: perSecond, tokens: 1, last: now}
}

// wait is the time until the next start; 0 means now, and takes the token.
func (p *pacer) wait(now time.Time) time.Duration {
	p.tokens = min(p.tokens+now.Sub(p.last).Seconds()*p.perSecond, max(1, burstSeconds*p.perSecond))
	p.last = now
	// Slightly less than one token is one: rounding must not cost a timer's turn.
	if p.tokens >= 1-1e-9 {
		p.tokens--
		return 0
	}
	return max(time.Duration((1-p.tokens)/p.perSecond*float64(time.Second)), time.Microsecond)
}
