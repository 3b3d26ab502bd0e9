package timerwheel

import "testing"

const (
	slots   = 4096
	maxHeld = 1 << 12
)

func drain(w *Wheel[uint64], now int64) (positions []uint64) {
	for batch := w.Take(now); batch != nil; batch = w.Take(now) {
		positions = append(positions, batch...)
	}
	return positions
}

func TestTheWheelReleasesPacketsInTimeAndOrder(t *testing.T) {
	wheel := New[uint64](slots, maxHeld)
	w := &wheel
	for i, at := range []int64{5_000_000, 5_000_001, 4_900_000, 90_000_000, 5_000_000} {
		if !w.Add(1_000_000, at, uint64(i)) {
			t.Fatal("the wheel is full")
		}
	}
	if early := drain(w, 4_999_999); early != nil {
		t.Errorf("too early: %v", early)
	}
	if due := drain(w, 6_000_000); len(due) != 4 || due[0] != 0 || due[1] != 2 || due[2] != 4 || due[3] != 1 {
		t.Errorf("due: %v", due)
	}
	// Hours later, and after many turns.
	const hours = int64(10_000_000_000_000)
	if due := drain(w, hours); len(due) != 1 || due[0] != 3 {
		t.Errorf("the last one: %v", due)
	}
	w.Add(hours, hours-10*Slot, 7) // overdue
	w.Add(hours, hours+60_000_000_000, 8)
	if due := drain(w, hours); len(due) != 1 || due[0] != 7 {
		t.Errorf("overdue: %v", due)
	}
	if due := drain(w, hours+(slots-1)*Slot); len(due) != 1 || due[0] != 8 || w.Count() != 0 {
		t.Errorf("at the end of the turn: %v, %d left", due, w.Count())
	}
}

func TestTheWheelIsBounded(t *testing.T) {
	wheel := New[uint64](slots, maxHeld)
	w := &wheel
	for i := range maxHeld {
		if !w.Add(0, int64(i), 0) {
			t.Fatalf("full after %d", i)
		}
	}
	if w.Add(0, 0, 0) {
		t.Error("it accepts more than its bound")
	}
	if due := drain(w, Slot); len(due) != maxHeld {
		t.Errorf("%d left the wheel", len(due))
	}
	if !w.Add(Slot, 0, 0) {
		t.Error("after draining, it accepts none")
	}
}
