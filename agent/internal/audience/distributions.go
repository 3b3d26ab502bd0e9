package audience

import (
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/stats"
)

// distributions of the figures of a job's viewers in one interval; src/domain/series/distributions.ts defines them.
type distributions struct {
	connect, firstFrame, jitter, rtt, loss, frameRate, bitrate, stall stats.Histogram
	allocation, latency, buffer                                       stats.Histogram
}

func (d *distributions) reset() {
	for _, each := range []*stats.Histogram{&d.connect, &d.firstFrame, &d.jitter, &d.rtt, &d.loss, &d.frameRate,
		&d.bitrate, &d.stall, &d.allocation, &d.latency, &d.buffer} {
		each.Reset()
	}
}

// sample is nil if nothing was measured.
func (d *distributions) sample() *protocol.DistributionSample {
	sample := protocol.DistributionSample{ConnectMs: d.connect.Text(), FirstFrameMs: d.firstFrame.Text(),
		JitterMs: d.jitter.Text(), RttMs: d.rtt.Text(), ViewerLossPercent: d.loss.Text(), FrameRate: d.frameRate.Text(),
		ViewerBitrateKbps: d.bitrate.Text(), StallMs: d.stall.Text(), TURNAllocationMs: d.allocation.Text(),
		LiveLatencyMs: d.latency.Text(), PlayerBufferMs: d.buffer.Text()}
	if sample == (protocol.DistributionSample{}) {
		return nil
	}
	return &sample
}
