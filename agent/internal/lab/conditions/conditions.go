// Package conditions makes a bad way to a viewer: loss, delay, jitter and packets out of order, as netem does, but repeatable and with a
// truth that can be told. It is pure: time and seed come from outside.
package conditions

import (
	"cmp"
	"fmt"
	"time"
)

// What the lab can hold back: it keeps packets for 4 s of a 2 Mbit/s camera, and promises half of that.
const (
	mostDelayMs = 1000
	mostPauseMs = 9000 // a viewer gives up after 10 s of silence
	mostBurst   = 100
)

// Conditions are those of one stream, the same for each viewer's way; the zero value is a perfect one.
type Conditions struct {
	// LossPercent is the share of packets that are dropped, 0 to 100.
	LossPercent float64
	// BurstPackets is the mean length of a run of lost packets (Gilbert's model); 0 and 1: each packet is lost for itself.
	BurstPackets float64
	// DelayMs is added to every packet.
	DelayMs float64
	// JitterMs is the mean of a further delay, uniform from 0 to twice of it. Packets keep their order.
	JitterMs float64
	// ReorderPercent of the packets is held so long that others overtake them.
	ReorderPercent float64
	// NoRepair leaves requests for packets (NACK) unanswered, so that loss can be seen before its repair.
	NoRepair bool
	// TransportCC numbers the packets of viewers that come from now on and want to report on them (transport-wide congestion control).
	TransportCC bool
	// Ceiling is what the stream carries at most.
	Ceiling Ceiling
	// Seed makes two runs lose the same packets of the same viewers, counted in the order of their coming.
	Seed uint64
}

// Perfect tells whether every packet goes through at once.
func (c Conditions) Perfect() bool {
	return c.LossPercent == 0 && c.DelayMs == 0 && c.JitterMs == 0 && c.ReorderPercent == 0
}

// Check says in a sentence what can't be done.
func (c Conditions) Check() error {
	if err := cmp.Or(within("lossPercent", c.LossPercent, 100), within("burstPackets", c.BurstPackets, mostBurst), within("delayMs", c.DelayMs, mostDelayMs),
		within("jitterMs", c.JitterMs, mostDelayMs/2), within("reorderPercent", c.ReorderPercent, 100), c.Ceiling.check()); err != nil {
		return err
	}
	if share := c.LossPercent / 100; c.BurstPackets > 1 && share*(c.BurstPackets+1) > c.BurstPackets {
		return fmt.Errorf("%g %% can't be lost in bursts of %g packets: between two bursts at least one packet gets through", c.LossPercent, c.BurstPackets)
	}
	return nil
}

// CheckPause says in a sentence what is wrong with the length of a pause.
func CheckPause(milliseconds float64) error { return within("pauseMs", milliseconds, mostPauseMs) }

// within says in a sentence that a figure is out of its bounds.
func within(name string, value, most float64) error {
	if !(value >= 0 && value <= most) {
		return fmt.Errorf("%s must be from 0 to %g, it is %g", name, most, value)
	}
	return nil
}

func nanoseconds(milliseconds float64) int64 { return int64(milliseconds * float64(time.Millisecond)) }
