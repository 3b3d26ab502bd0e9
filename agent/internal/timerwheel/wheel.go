// Package timerwheel holds things until their millisecond, at a cost independent of how many there are: no timer and no
// goroutine for each.
package timerwheel

import "time"

const (
	// Slot is the resolution.
	Slot = int64(time.Millisecond)
	// maxSpare is how many slots' memory is kept for reuse, and maxKept how many items each may hold.
	maxSpare = 256
	maxKept  = 256
)

// Wheel holds items until their millisecond. Those of one millisecond leave in the order of arrival. It is for one
// goroutine at a time.
type Wheel[T any] struct {
	slots   [][]T
	maximum int
	next    int64 // the millisecond that leaves next
	count   int
	out     []T   // the last result of Take
	spare   [][]T // memory of slots that have been taken
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
	slot := &w.slots[due%size]
	if last := len(w.spare) - 1; *slot == nil && last >= 0 {
		*slot, w.spare[last] = w.spare[last], nil
		w.spare = w.spare[:last]
	}
	*slot = append(*slot, item)
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
		if cap(w.out) > 0 && cap(w.out) <= maxKept && len(w.spare) < maxSpare {
			w.spare = append(w.spare, w.out[:0])
		}
		w.out, *slot = *slot, nil
		return w.out
	}
	return nil
}
