// Package conditions simulates a bad network path to a viewer: loss, delay, jitter and reordering, as netem does, but
// repeatable and with known ground truth. It is pure: time and seed come from outside.
package conditions

import (
	"cmp"
	"fmt"
	"time"

	"fullhouse/agent/internal/protocol"
)

// Conditions are those of one stream, the same for the path to each viewer; the zero value is a perfect path.
type Conditions struct {
	// LossPercent is the share of packets that are dropped, 0 to 100.
	LossPercent float64
	// BurstPackets is the mean length of a run of lost packets (Gilbert's model); 0 and 1: packets are lost
	// independently.
	BurstPackets float64
	// DelayMs is added to every packet.
	DelayMs float64
	// JitterMs is the mean of an additional delay, uniform from 0 to twice that. Packets keep their order.
	JitterMs float64
	// ReorderPercent of the packets is held long enough for others to overtake them.
	ReorderPercent float64
	// NoRepair leaves retransmission requests (NACK) unanswered, so that loss before repair shows.
	NoRepair bool
	// TransportCC numbers the packets of viewers that connect from now on and support transport-wide congestion
	// control.
	TransportCC bool
	// Ceiling is the limit of the stream.
	Ceiling Ceiling
	// Seed makes two runs lose the same packets of the same viewers, numbered in the order in which they connected.
	Seed uint64
}

// Perfect reports whether every packet passes at once.
func (c Conditions) Perfect() bool {
	return c.LossPercent == 0 && c.DelayMs == 0 && c.JitterMs == 0 && c.ReorderPercent == 0
}

// Check returns an error that states what is not possible.
func (c Conditions) Check() error {
	if err := cmp.Or(within("lossPercent", c.LossPercent, protocol.LabConditionsLossPercentMax),
		within("burstPackets", c.BurstPackets, protocol.LabConditionsBurstPacketsMax),
		within("delayMs", c.DelayMs, protocol.LabConditionsDelayMsMax),
		within("jitterMs", c.JitterMs, protocol.LabConditionsJitterMsMax),
		within("reorderPercent", c.ReorderPercent, protocol.LabConditionsReorderPercentMax), c.Ceiling.check()); err != nil {
		return err
	}
	if share := c.LossPercent / 100; c.BurstPackets > 1 && share*(c.BurstPackets+1) > c.BurstPackets {
		return fmt.Errorf("%g %% can't be lost in bursts of %g packets: between two bursts at least one packet gets through", c.LossPercent, c.BurstPackets)
	}
	return nil
}

// CheckPause returns an error if the length of a pause is not possible.
func CheckPause(milliseconds float64) error {
	return within("pauseMs", milliseconds, protocol.LabConditionsPauseMsMax)
}

// within returns an error if a figure is out of its bounds.
func within(name string, value, maximum float64) error {
	if !(value >= 0 && value <= maximum) {
		return fmt.Errorf("%s must be from 0 to %g, it is %g", name, maximum, value)
	}
	return nil
}

func nanoseconds(milliseconds float64) int64 { return int64(milliseconds * float64(time.Millisecond)) }
