package fanout

import "time"

const (
	wheelSlots = 4096 // of 1 ms
	wheelSlot  = int64(time.Millisecond)
	// maxHeld bounds the held packets of all viewers: a thousand viewers with a second of delay, and some.
	maxHeld = 1 << 17
	// maxKept is how much memory an empty slot keeps.
	maxKept = 64
)

// wheel holds packets until their millisecond. Those of one millisecond leave in the order of arrival.
type wheel struct {
	slots [wheelSlots][]delayedPacket
	next  int64 // the millisecond that leaves next
	count int
	out   []delayedPacket // the last result of take; its memory is reused
}

// add adds a packet; false when the wheel is full. Times are nanoseconds; a time beyond the wheel's range leaves at its
// end.
func (w *wheel) add(now, at int64, p delayedPacket) bool {
	if w.count >= maxHeld {
		return false
	}
	if w.count == 0 {
		w.next = max(w.next, now/wheelSlot)
	}
	due := (at + wheelSlot - 1) / wheelSlot
	due = min(max(due, w.next), w.next+wheelSlots-1)
	w.slots[due%wheelSlots] = append(w.slots[due%wheelSlots], p)
	w.count++
	return true
}

// take returns what is due in the next millisecond that is not empty, nil when nothing is due by now. The result is
// valid until the next call.
func (w *wheel) take(now int64) []delayedPacket {
	for w.count > 0 && w.next <= now/wheelSlot {
		slot := &w.slots[w.next%wheelSlots]
		w.next++
		if len(*slot) == 0 {
			continue
		}
		w.count -= len(*slot)
		taken := *slot
		*slot = w.out[:0]
		if w.out = taken; cap(taken) > maxKept {
			w.out = nil
		}
		return taken
	}
	return nil
}
