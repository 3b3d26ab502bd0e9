// Package timerwheel holds things until their millisecond, at a cost independent of how many there are: no timer and no
// goroutine for each.
package timerwheel

import "time"

const (
	// Slot is the resolution.
	Slot = int64(time.Millisecond)
	// maxKept is how much memory an empty slot keeps.
	maxKept = 64
)

// Wheel holds items until their millisecond. Those of one millisecond leave in the order of arrival. It is for one
// goroutine at a time.
type Wheel[T any] struct {
	slots   [][]T
	maximum int
	next    int64 // the millisecond that leaves next
	count   int
	out     []T // the last result of Take; its memory is reused
}

// New makes a wheel with a range of so many milliseconds, for at most so many items.
func New[T any](slots, maximum int) Wheel[T] {
	return Wheel[T]{slots: make([][]T, slots), maximum: maximum}
}

// Count is how many items it holds.
func (w *Wheel[T]) Count() int { return w.count }

// Add adds an item; false when the wheel is full. Times are nanoseconds; a time beyond the wheel's range leaves at its
// end.
func (w *Wheel[T]) Add(now, at int64, item T) bool {
	if w.count >= w.maximum {
		return false
	}
	if w.count == 0 {
		w.next = max(w.next, now/Slot)
	}
	due := (at + Slot - 1) / Slot
	size := int64(len(w.slots))
	due = min(max(due, w.next), w.next+size-1)
	w.slots[due%size] = append(w.slots[due%size], item)
	w.count++
	return true
}

// Take returns what is due in the next millisecond that is not empty, nil when nothing is due by now. The result is
// valid until the next call.
func (w *Wheel[T]) Take(now int64) []T {
	for w.count > 0 && w.next <= now/Slot {
		slot := &w.slots[w.next%int64(len(w.slots))]
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
