package fanout

import "testing"

func drain(w *wheel, now int64) (positions []uint64) {
	for batch := w.take(now); batch != nil; batch = w.take(now) {
		for _, p := range batch {
			positions = append(positions, p.position)
		}
	}
	return positions
}

func TestTheWheelReleasesPacketsInTimeAndOrder(t *testing.T) {
	w := &wheel{}
	for i, at := range []int64{5_000_000, 5_000_001, 4_900_000, 90_000_000, 5_000_000} {
		if !w.add(1_000_000, at, delayedPacket{position: uint64(i)}) {
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
	w.add(hours, hours-10*wheelSlot, delayedPacket{position: 7}) // overdue
	w.add(hours, hours+60_000_000_000, delayedPacket{position: 8})
	if due := drain(w, hours); len(due) != 1 || due[0] != 7 {
		t.Errorf("overdue: %v", due)
	}
	if due := drain(w, hours+(wheelSlots-1)*wheelSlot); len(due) != 1 || due[0] != 8 || w.count != 0 {
		t.Errorf("at the end of the turn: %v, %d left", due, w.count)
	}
}

func TestTheWheelIsBounded(t *testing.T) {
	w := &wheel{}
	for i := range maxHeld {
		if !w.add(0, int64(i), delayedPacket{}) {
			t.Fatalf("full after %d", i)
		}
	}
	if w.add(0, 0, delayedPacket{}) {
		t.Error("it accepts more than its bound")
	}
	if due := drain(w, wheelSlot); len(due) != maxHeld {
		t.Errorf("%d left the wheel", len(due))
	}
	if !w.add(wheelSlot, 0, delayedPacket{}) {
		t.Error("after draining, it accepts none")
	}
}
