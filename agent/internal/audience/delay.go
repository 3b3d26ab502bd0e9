package audience

import (
	"math"

	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/stats"
	"fullhouse/agent/internal/viewer"
)

// delays of a job's viewers in one interval, by method.
type delays struct {
	senderReport, captureTime stats.Histogram
	clocksDiffer              int
	// referenceMs is subtracted from each delay: the first one of the job. The sender's clock may be seconds or minutes
	// away, and buckets of such values would be as wide as the delay itself.
	referenceMs  float64
	hasReference bool
}

func (d *delays) begin() {
	d.senderReport.Reset()
	d.captureTime.Reset()
	d.clocksDiffer = 0
}

// add adds a viewer's delay, or that its sender's clock is another.
func (d *delays) add(reading viewer.Reading) {
	if reading.DelayMethod == "" {
		if reading.ClocksDiffer {
			d.clocksDiffer++
		}
		return
	}
	value := ms(reading.DelayNs)
	if !d.hasReference {
		d.referenceMs, d.hasReference = math.Floor(value), true
	}
	if reading.DelayMethod == protocol.DelayMethodCaptureTime {
		d.captureTime.Add(value - d.referenceMs)
	} else {
		d.senderReport.Add(value - d.referenceMs)
	}
}

// sample is that of the interval; nil without any.
func (d *delays) sample() *protocol.DelaySample {
	if d.senderReport.Count() == 0 && d.captureTime.Count() == 0 && d.clocksDiffer == 0 {
		return nil
	}
	return &protocol.DelaySample{ReferenceMs: d.referenceMs, SenderReportMs: d.senderReport.Text(),
		CaptureTimeMs: d.captureTime.Text(), ClocksDiffer: d.clocksDiffer}
}
