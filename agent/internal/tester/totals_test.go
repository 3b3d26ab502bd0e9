package tester

import (
	"testing"
	"time"
)

// Two late samples can follow each other within milliseconds, and a wait of seconds is accounted when it ends.
func TestAThreadWaitsAtMostTheInterval(t *testing.T) {
	thread := func(ran, waited time.Duration) totals {
		return totals{threads: map[int]threadTimes{7: {ran: ran, waited: waited}}}
	}
	sample := sampleOf(thread(0, 0), thread(4*time.Millisecond, 4*time.Second), 3*time.Millisecond)
	for name, percent := range map[string]*float64{"busy": sample.ReaderBusyPercent, "wait": sample.ReaderWaitPercent} {
		if percent == nil || *percent != 100 {
			t.Errorf("%s: %v, not 100 %%", name, percent)
		}
	}
	sample = sampleOf(thread(0, 0), thread(200*time.Millisecond, 300*time.Millisecond), time.Second)
	if *sample.ReaderBusyPercent != 20 || *sample.ReaderWaitPercent != 30 {
		t.Errorf("busy %v %%, wait %v %%, not 20 and 30", *sample.ReaderBusyPercent, *sample.ReaderWaitPercent)
	}
}
