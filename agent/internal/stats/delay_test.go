package stats

import (
	"testing"
	"time"

	"fullhouse/agent/internal/ntp"
	"fullhouse/agent/internal/protocol"
)

// sentAt is a time of day on the sender's clock.
var sentAt = time.Date(2026, 11, 25, 12, 0, 0, 123_456_789, time.UTC).UnixNano()

// streamWith received one packet.
func streamWith(clockRate float64, timestamp uint32, at int64) *Stream {
	s := &Stream{ClockRate: clockRate, GapTimeout: GapTimeoutWithoutRepair}
	s.Receive(Packet{Sequence: 1, Timestamp: timestamp, At: at})
	return s
}

// checkDelay allows for the resolution of an RTP clock.
func checkDelay(t *testing.T, what string, s *Stream, c *SenderClock, want time.Duration) {
	t.Helper()
	ns, known := s.DelayNs(c)
	if distance := time.Duration(ns) - want; !known || distance > 50*time.Microsecond || distance < -50*time.Microsecond {
		t.Errorf("%s: the delay is %s (known: %t), want %s", what, time.Duration(ns), known, want)
	}
}

func TestTheDelayIsFromTheSendersTimeToTheArrival(t *testing.T) {
	for _, rate := range []float64{90000, 48000} {
		second := uint32(rate)
		for what, test := range map[string]struct {
			reported, stamped uint32 // RTP timestamps of the report, and of the packet
			after             time.Duration
		}{
			"the time of the report":             {5, 5, 0},
			"a packet before the report":         {5 + second, 5, -time.Second},
			"half a second later":                {5, 5 + second/2, 500 * time.Millisecond},
			"timestamps wrap after the report":   {-second, second, 2 * time.Second},
			"timestamps wrap before the report":  {second, -second, -2 * time.Second},
			"a minute without a report":          {1 << 31, 1<<31 + 60*second, time.Minute},
			"over the middle of the RTP clock":   {1<<31 - 1, 1<<31 + second - 1, time.Second},
			"three hours without another report": {7, 7 + 3*3600*second, 3 * time.Hour},
		} {
			for _, delay := range []time.Duration{0, 250 * time.Microsecond, 80 * time.Millisecond, 9 * time.Second, -40 * time.Millisecond} {
				var c SenderClock
				c.Report(ntp.Timestamp(sentAt), test.reported, rate, sentAt+int64(delay))
				checkDelay(t, what, streamWith(rate, test.stamped, sentAt+int64(test.after+delay)), &c, delay)
				if c.Method != protocol.DelayMethodSenderReport {
					t.Errorf("%s: by %q", what, c.Method)
				}
			}
		}
	}
}

func TestTheDelayIsThatOfTheLatestPacketInOrder(t *testing.T) {
	var c SenderClock
	c.Report(ntp.Timestamp(sentAt), 0, 90000, sentAt)
	s := streamWith(90000, 0, sentAt+10*msNs)
	s.Receive(Packet{Sequence: 3, Timestamp: 7200, At: sentAt + 80*msNs + 30*msNs})
	checkDelay(t, "after a gap", s, &c, 30*time.Millisecond)
	s.Receive(Packet{Sequence: 2, Timestamp: 3600, At: sentAt + 190*msNs})
	checkDelay(t, "after the repair", s, &c, 30*time.Millisecond)
	s.NewSource()
	if _, known := s.DelayNs(&c); known {
		t.Error("known before the first packet of another source")
	}
}

func TestWithoutACommonClockThereIsNoDelay(t *testing.T) {
	s := streamWith(90000, 0, sentAt)
	for what, test := range map[string]struct {
		reported uint64
		differs  bool
	}{
		"no report":                    {},
		"no time of day":               {reported: 0},
		"time since the sender booted": {reported: 3600 << 32, differs: true},
		"two hours ahead":              {reported: ntp.Timestamp(sentAt + 2*int64(time.Hour)), differs: true},
		"two hours behind":             {reported: ntp.Timestamp(sentAt - 2*int64(time.Hour)), differs: true},
		// The RTP clock repeats after 13.3 h: by it alone these would be a delay of 0.
		"one round of the RTP clock behind": {reported: ntp.Timestamp(sentAt - int64(time.Second)<<32/90000), differs: true},
	} {
		var c SenderClock
		if what != "no report" {
			c.Report(test.reported, 0, 90000, sentAt)
		}
		if ns, known := s.DelayNs(&c); known || c.Differs != test.differs {
			t.Errorf("%s: %d, known: %t, differs: %t", what, ns, known, c.Differs)
		}
	}
}

func TestCaptureTimesWinWhileThereAreAny(t *testing.T) {
	at := sentAt
	s := streamWith(90000, 0, at)
	capture := func(c *SenderClock, earlier time.Duration, at int64) { c.Capture(sentAt-int64(earlier), 0, 90000, at) }
	report := func(c *SenderClock, earlier time.Duration, at int64) {
		c.Report(ntp.Timestamp(sentAt-int64(earlier)), 0, 90000, at)
	}
	var c SenderClock
	report(&c, 20*time.Millisecond, at)
	checkDelay(t, "a report", s, &c, 20*time.Millisecond)
	if !c.WantsCapture(at) {
		t.Error("no capture time is wanted")
	}
	capture(&c, 300*time.Millisecond, at)
	checkDelay(t, "a capture time", s, &c, 300*time.Millisecond)
	report(&c, 20*time.Millisecond, at+int64(time.Second))
	checkDelay(t, "a later report", s, &c, 300*time.Millisecond)
	if c.WantsCapture(at+int64(time.Second)-1) || !c.WantsCapture(at+int64(time.Second)) {
		t.Error("the interval of capture times is not a second")
	}
	report(&c, 20*time.Millisecond, at+captureLifetime)
	checkDelay(t, "a report long after", s, &c, 20*time.Millisecond)

	capture(&c, 5*time.Hour, at+captureLifetime)
	checkDelay(t, "a capture time of another clock", s, &c, 20*time.Millisecond)
	var other SenderClock
	capture(&other, 5*time.Hour, at)
	if _, known := s.DelayNs(&other); known || !other.Differs {
		t.Errorf("%+v", other)
	}
	report(&other, 20*time.Millisecond, at)
	checkDelay(t, "a report after a capture time of another clock", s, &other, 20*time.Millisecond)
}
