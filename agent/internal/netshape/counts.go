package netshape

import (
	"slices"
	"time"
)

// maxWaits bounds the waits kept for their median.
const maxWaits = 1 << 12

// Counts is what happened to the packets of one direction, of any number of viewers.
type Counts struct {
	Packets [Rules]uint64 // by what became of them
	Bytes   uint64        // that passed, headers included

	waits   []int64 // a sample of the interval
	stride  int
	skipped int
	maximum int64
}

// Add counts a packet.
func (c *Counts) Add(bytes int, o Outcome) {
	c.Packets[o.Rule]++
	if o.Rule != Passed {
		return
	}
	c.Bytes += uint64(bytes)
	c.maximum = max(c.maximum, o.WaitNs)
	if c.skipped++; c.skipped < c.stride {
		return
	}
	c.skipped = 0
	if c.waits = append(c.waits, o.WaitNs); len(c.waits) == maxWaits {
		// Every other one is kept from here on.
		for i := range len(c.waits) / 2 {
			c.waits[i] = c.waits[2*i]
		}
		c.waits, c.stride = c.waits[:len(c.waits)/2], max(1, c.stride)*2
	}
}

// Waits are the median and the maximum of the waits since the last call; false if no packet passed.
func (c *Counts) Waits() (median, maximum time.Duration, known bool) {
	known = len(c.waits) > 0
	if known {
		slices.Sort(c.waits)
		median, maximum = time.Duration(c.waits[len(c.waits)/2]), time.Duration(c.maximum)
	}
	c.waits, c.stride, c.skipped, c.maximum = c.waits[:0], 0, 0, 0
	return median, maximum, known
}
