package netshape

import (
	"math"

	"fullhouse/agent/internal/draws"
)

// Rule is what became of a packet.
type Rule uint8

// The rules; all but Passed drop the packet.
const (
	Passed     Rule = iota
	RandomLoss      // Direction.Loss
	BurstLoss       // Direction.Burst
	QueueFull       // Direction.QueueNs or QueuePackets
)

// Rules is how many there are.
const Rules = 4

// Outcome is what happens to one packet.
type Outcome struct {
	Rule Rule
	// At is when it arrives, if it passed.
	At int64
	// WaitNs is how long it waited in front of the bottleneck.
	WaitNs int64
}

// Path is one viewer's path in one direction; packets on it keep their order. What it draws depends only on its seed
// and number, and on the order of its packets.
type Path struct {
	losses draws.Generator
	jitter jitter
	bad    bool  // the state of the burst model
	sent   int64 // when the latest packet was sent to the burst model
	last   int64 // when the latest packet arrives
}

// NewPath makes the path of the viewer with that number.
func NewPath(seed, number uint64) Path {
	losses := draws.New(seed, number)
	return Path{losses: losses, jitter: jitter{draws: losses.Other()}}
}

// Next decides on a packet of that many bytes, headers included, that is sent now. The queue is that of the path's
// bottleneck in the same direction.
func (p *Path) Next(d *Direction, queue *Queue, now int64, bytes int) Outcome {
	if d.Loss > 0 && p.losses.Next() < d.Loss {
		return Outcome{Rule: RandomLoss}
	}
	if d.Burst.Active() && p.inBurst(d.Burst, now) {
		return Outcome{Rule: BurstLoss}
	}
	sent, wait, fits := queue.send(d, now, bytes)
	if !fits {
		return Outcome{Rule: QueueFull}
	}
	p.last = max(p.last, sent+d.DelayNs+p.jitter.at(sent, d.JitterNs))
	return Outcome{At: p.last, WaitNs: wait}
}

// Queue decides on data over TCP, which is neither lost nor dropped: its sender is slowed down instead.
func (p *Path) Queue(d *Direction, queue *Queue, now int64, bytes int) Outcome {
	endless := *d
	endless.QueueNs, endless.QueuePackets, endless.Loss, endless.Burst = math.MaxInt64, 0, 0, GilbertElliott{}
	return p.Next(&endless, queue, now, bytes)
}

// burstIdle is the pause after which a packet's state no longer depends on that of the packet before. The model counts
// packets, not time: by itself, the repetitions of a handshake, seconds apart, would all be lost in one burst.
const burstIdle = int64(500e6)

// inBurst is whether the model loses the packet, and steps its state, in the order of netem: first the transition, then
// the loss of the new state.
func (p *Path) inBurst(g GilbertElliott, now int64) bool {
	isIdle := now-p.sent > burstIdle
	p.sent = now
	switch draw := p.losses.Next(); {
	case isIdle:
		p.bad = draw < g.badShare()
	case p.bad:
		p.bad = draw >= g.R
	default:
		p.bad = draw < g.P
	}
	passes := g.K
	if p.bad {
		passes = g.H
	}
	return passes < 1 && p.losses.Next() >= passes
}

// jitterInterval is the minimum time between two draws of the delay.
const jitterInterval = int64(10e6)

// jitter varies a path's delay over time, by up to ± the given length. Delays are drawn uniformly at even intervals,
// and change linearly in between. The intervals are so long that no packet overtakes an earlier one: packets drawn one by
// one would have to wait for each other, which would add to the mean delay.
type jitter struct {
	draws    draws.Generator
	from, to float64 // the draws at both ends of the current interval, -1 to 1
	start    int64
	interval int64
}

func (j *jitter) at(now, length int64) int64 {
	if length <= 0 {
		return 0
	}
	if j.interval == 0 || now-j.start >= 2*j.interval {
		j.interval = max(jitterInterval, 2*length)
		j.start, j.from, j.to = now, j.draw(), j.draw()
	} else if now-j.start >= j.interval {
		j.start += j.interval
		j.interval = max(jitterInterval, 2*length)
		j.from, j.to = j.to, j.draw()
	}
	position := min(max(float64(now-j.start)/float64(j.interval), 0), 1)
	return int64((j.from + (j.to-j.from)*position) * float64(length))
}

func (j *jitter) draw() float64 { return 2*j.draws.Next() - 1 }
