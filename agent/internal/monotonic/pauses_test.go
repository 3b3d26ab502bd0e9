package monotonic

import (
	"testing"
	"time"
)

func TestALateTickIsAPause(t *testing.T) {
	p := NewPauses(20*time.Millisecond, 0)
	for _, test := range []struct {
		now, passed time.Duration
		paused      bool
	}{
		{20 * time.Millisecond, 20 * time.Millisecond, false},
		{1020 * time.Millisecond, time.Second, false}, // a busy machine
		{16 * time.Second, 14_980 * time.Millisecond, true},
		{16*time.Second + 1, 1, false},
	} {
		if passed, paused := p.Check(test.now); passed != test.passed || paused != test.paused {
			t.Errorf("at %s: %s, %t", test.now, passed, paused)
		}
	}
}
