package conditions

import "time"

// A packet out of order comes after every one that was sent within heldAtLeast: longer than a frame of 25 a second, so that the next
// frame overtakes it. The same again at most is added by chance.
const heldAtLeast = int64(50 * time.Millisecond)

// MostHeld bounds how long a packet may be on its way.
const MostHeld = time.Duration(2*mostDelayMs)*time.Millisecond + 2*time.Duration(heldAtLeast)

// Path is the way to one viewer. What happens to its packets depends on the seed and their order alone.
type Path struct {
	seed, number uint64
	first, again dice  // for first sends and for repairs: when those come depends on the clock, and must not change the others' fate
	losing       bool  // within a burst
	last         int64 // when the latest packet in order arrives
}

// Fate is what happens to one packet.
type Fate struct {
	Lost bool
	// Reordered packets come behind others.
	Reordered bool
	// At is when it arrives, on the caller's clock.
	At int64
}

// NewPath makes the way to the viewer of that number.
func NewPath(seed, number uint64) *Path {
	p := &Path{number: number}
	p.sow(seed)
	return p
}

func (p *Path) sow(seed uint64) {
	p.seed = seed
	p.first = dice(scatter(seed+golden*(p.number+1)) | 1)
	p.again = dice(scatter(uint64(p.first)) | 1)
}

const golden = 0x9e3779b97f4a7c15

// scatter is splitmix64's finish: neighbouring seeds must not give neighbouring dice.
func scatter(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Next decides on a packet that is sent now. Times are nanoseconds.
func (p *Path) Next(c *Conditions, now int64, repair bool) Fate {
	if c.Seed != p.seed {
		p.sow(c.Seed)
	}
	d := &p.first
	if repair {
		d = &p.again
	}
	if c.LossPercent > 0 && p.loses(c, d, repair) {
		return Fate{Lost: true}
	}
	at := now + nanoseconds(c.DelayMs)
	if c.JitterMs > 0 {
		at += int64(d.roll() * float64(nanoseconds(2*c.JitterMs)))
	}
	if c.ReorderPercent > 0 && d.roll()*100 < c.ReorderPercent {
		behind := max(now+nanoseconds(c.DelayMs+2*c.JitterMs), p.last) + heldAtLeast
		return Fate{Reordered: true, At: behind + int64(d.roll()*float64(heldAtLeast))}
	}
	p.last = max(p.last, at) // a queue: nobody overtakes
	return Fate{At: p.last}
}

// loses walks Gilbert's two states: within a burst everything is lost. A repair, which comes at another time, is lost for itself.
func (p *Path) loses(c *Conditions, d *dice, repair bool) bool {
	share, roll := c.LossPercent/100, d.roll()
	if c.BurstPackets <= 1 || repair {
		return roll < share
	}
	ends := 1 / c.BurstPackets
	if p.losing {
		p.losing = roll >= ends
	} else {
		p.losing = roll < ends*share/(1-share)
	}
	return p.losing
}

// dice are xorshift's.
type dice uint64

// roll is from 0 to just below 1.
func (d *dice) roll() float64 {
	*d ^= *d << 13
	*d ^= *d >> 7
	*d ^= *d << 17
	return float64(*d>>11) / (1 << 53)
}
