package stats

import (
	"time"

	"fullhouse/agent/internal/ntp"
	"fullhouse/agent/internal/protocol"
)

const (
	// captureInterval is the minimum interval of the capture times that are read: those of packets between them follow.
	captureInterval = int64(time.Second)
	// captureLifetime is how long a capture time is preferred to sender reports.
	captureLifetime = int64(10 * time.Second)
	// maxClockDistance is the difference beyond which the clocks of sender and receiver have nothing in common. It is
	// far within half a round of the RTP clock (6.6 h at 90 kHz), so that no delay is mistaken for another.
	maxClockDistance = int64(time.Hour)
)

// SenderClock maps the RTP timestamps of a stream to its sender's time of day. The zero value knows none.
type SenderClock struct {
	// Method is where the mapping comes from; empty if there is none.
	Method protocol.DelayMethod
	// Differs: the sender's clock is more than an hour ahead of ours or behind it.
	Differs bool
	offset  uint32 // the sender's time less the RTP timestamp, in RTP clock units modulo 2^32
	at      int64  // when it arrived
}

// WantsCapture reports whether a capture time of a packet that arrived at that time would be used.
func (c *SenderClock) WantsCapture(at int64) bool {
	return c.Method != protocol.DelayMethodCaptureTime || at-c.at >= captureInterval
}

// Capture takes the time of day at which the frame of an RTP timestamp was captured, in Unix nanoseconds.
func (c *SenderClock) Capture(unixNs int64, timestamp uint32, clockRate float64, at int64) {
	c.set(protocol.DelayMethodCaptureTime, unixNs, timestamp, clockRate, at)
}

// Report takes the mapping of a sender report (RFC 3550 6.4.1). A sender without a time of day reports 0. Capture times
// win while there are any: no server between them and us has changed them.
func (c *SenderClock) Report(ntpTime uint64, timestamp uint32, clockRate float64, at int64) {
	if ntpTime == 0 || c.Method == protocol.DelayMethodCaptureTime && !c.Differs && at-c.at < captureLifetime {
		return
	}
	c.set(protocol.DelayMethodSenderReport, ntp.UnixNano(ntpTime), timestamp, clockRate, at)
}

func (c *SenderClock) set(method protocol.DelayMethod, unixNs int64, timestamp uint32, clockRate float64, at int64) {
	distance := at - unixNs
	differs := distance > maxClockDistance || distance < -maxClockDistance
	if differs && c.Method != "" && c.Method != method && !c.Differs {
		return // the other method has a common clock
	}
	if c.Method, c.at, c.Differs = method, at, differs; !differs {
		c.offset = inClock(unixNs, uint64(clockRate)) - timestamp
	}
}

// DelayNs is how long after its sender's time the latest packet in order arrived; unknown without a common clock.
func (s *Stream) DelayNs(c *SenderClock) (ns int64, known bool) {
	if c.Method == "" || c.Differs || !s.hasTransit {
		return 0, false
	}
	return int64(float64(int32(s.transit-c.offset)) * 1e9 / s.ClockRate), true
}
