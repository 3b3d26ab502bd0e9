package fanout

import "time"

const (
	wheelSlots = 4096 // of 1 ms
	wheelSlot  = int64(time.Millisecond)
	// mostHeld bounds what is held back for all viewers: a thousand of a second's delay, and some.
	mostHeld = 1 << 17
	// mostKept is what an empty slot keeps of its memory.
	mostKept = 64
)

// wheel holds parcels back until their millisecond. Those of one millisecond come out in the order they went in.
type wheel struct {
	slots [wheelSlots][]parcel
	next  int64 // the millisecond that comes out next
	count int
	out   []parcel // what take gave last; its memory is used again
}

// add puts a parcel in; false when the wheel is full. Times are nanoseconds; who is beyond the wheel's turn comes out at its end.
func (w *wheel) add(now, at int64, p parcel) bool {
	if w.count >= mostHeld {
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

// take gives what is due in the next millisecond that has something, nil when nothing is due up to now. The result holds until the next call.
func (w *wheel) take(now int64) []parcel {
	for w.count > 0 && w.next <= now/wheelSlot {
		slot := &w.slots[w.next%wheelSlots]
		w.next++
		if len(*slot) == 0 {
			continue
		}
		w.count -= len(*slot)
		taken := *slot
		*slot = w.out[:0]
		if w.out = taken; cap(taken) > mostKept {
			w.out = nil
		}
		return taken
	}
	return nil
}
