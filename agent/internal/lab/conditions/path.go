package conditions

import (
	"time"

	"fullhouse/agent/internal/draws"
	"fullhouse/agent/internal/protocol"
)

// A reordered packet arrives after every packet sent within minReorderDelay: longer than a frame at 25 a second, so
// that the next frame overtakes it. Up to the same time again is added at random.
const minReorderDelay = int64(50 * time.Millisecond)

// MaxDelay bounds how long a packet may be delayed.
const MaxDelay = time.Duration(2*protocol.LabConditionsDelayMsMax)*time.Millisecond + 2*time.Duration(minReorderDelay)

// Path is the path to one viewer. What happens to its packets depends only on the seed and their order.
type Path struct {
	seed, number uint64
	first, again draws.Generator // for first sends and for repairs: the timing of repairs depends on the clock, and must not affect the other packets
	losing       bool            // within a burst
	last         int64           // when the latest packet in order arrives
}

// Outcome is what happens to one packet.
type Outcome struct {
	Lost bool
	// Reordered packets arrive after later ones.
	Reordered bool
	// At is when it arrives, on the caller's clock.
	At int64
}

// NewPath makes the path to the viewer with that number.
func NewPath(seed, number uint64) *Path {
	p := &Path{number: number}
	p.seedGenerators(seed)
	return p
}

func (p *Path) seedGenerators(seed uint64) {
	p.seed = seed
	p.first = draws.New(seed, p.number)
	p.again = p.first.Other()
}

// Next decides on a packet that is sent now. Times are nanoseconds.
func (p *Path) Next(c *Conditions, now int64, repair bool) Outcome {
	if c.Seed != p.seed {
		p.seedGenerators(c.Seed)
	}
	d := &p.first
	if repair {
		d = &p.again
	}
	if c.LossPercent > 0 && p.isLost(c, d, repair) {
		return Outcome{Lost: true}
	}
	at := now + nanoseconds(c.DelayMs)
	if c.JitterMs > 0 {
		at += int64(d.Next() * float64(nanoseconds(2*c.JitterMs)))
	}
	if c.ReorderPercent > 0 && d.Next()*100 < c.ReorderPercent {
		behind := max(now+nanoseconds(c.DelayMs+2*c.JitterMs), p.last) + minReorderDelay
		return Outcome{Reordered: true, At: behind + int64(d.Next()*float64(minReorderDelay))}
	}
	p.last = max(p.last, at) // a queue: no overtaking
	return Outcome{At: p.last}
}

// isLost steps Gilbert's two states: within a burst every packet is lost. Repairs, sent at another time, are lost
// independently.
func (p *Path) isLost(c *Conditions, d *draws.Generator, repair bool) bool {
	share, draw := c.LossPercent/100, d.Next()
	if c.BurstPackets <= 1 || repair {
		return draw < share
	}
	ends := 1 / c.BurstPackets
	if p.losing {
		p.losing = draw >= ends
	} else {
		p.losing = draw < ends*share/(1-share)
	}
	return p.losing
}
