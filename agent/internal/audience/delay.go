package audience

import (
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/viewer"
)

// addDelay adds a viewer's delay, or that its sender's clock is another.
func (all *intervalFigures) addDelay(reading viewer.Reading) {
	switch {
	case reading.DelayMethod != "":
		if all.delays == nil {
			all.delays = map[protocol.DelayMethod][]float64{}
		}
		all.delays[reading.DelayMethod] = append(all.delays[reading.DelayMethod], ms(reading.DelayNs))
	case reading.ClocksDiffer:
		all.clocksDiffer++
	}
}

// delay is that of the interval; nil without any.
func (all *intervalFigures) delay() *protocol.DelaySample {
	if all.delays == nil && all.clocksDiffer == 0 {
		return nil
	}
	return &protocol.DelaySample{SenderReportMs: spread(all.delays[protocol.DelayMethodSenderReport]),
		CaptureTimeMs: spread(all.delays[protocol.DelayMethodCaptureTime]), ClocksDiffer: all.clocksDiffer}
}
