package audience

import (
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/stats"
	"fullhouse/agent/internal/viewer"
)

// distributions of the figures of a job's viewers in one interval; src/domain/series/distributions.ts defines them.
type distributions struct {
	connect, firstFrame, jitter, rtt, loss, frameRate, bitrate, stall, freeze stats.Histogram
	allocation, latency, buffer                                               stats.Histogram
	// stages are added between samples too, when a viewer fails.
	stages [viewer.StageCount]stats.Histogram
}

// addStages counts the stages that a viewer has completed since the last call. The caller holds the job's mutex.
func (d *distributions) addStages(m *viewerState) {
	if m.viewer == nil || m.stages[viewer.StageFrame] {
		return // reconnecting, or all are counted
	}
	times := m.viewer.Times()
	for stage, duration := range times.Durations(m.startedAt) {
		if duration >= 0 && !m.stages[stage] {
			m.stages[stage] = true
			d.stages[stage].Add(ms(duration))
		}
	}
}

func (d *distributions) reset() {
	for _, each := range []*stats.Histogram{&d.connect, &d.firstFrame, &d.jitter, &d.rtt, &d.loss, &d.frameRate,
		&d.bitrate, &d.stall, &d.freeze, &d.allocation, &d.latency, &d.buffer} {
		each.Reset()
	}
}

// sample is nil if nothing was measured.
func (d *distributions) sample() *protocol.DistributionSample {
	sample := protocol.DistributionSample{ConnectMs: d.connect.Text(), FirstFrameMs: d.firstFrame.Text(),
		JitterMs: d.jitter.Text(), RttMs: d.rtt.Text(), ViewerLossPercent: d.loss.Text(), FrameRate: d.frameRate.Text(),
		ViewerBitrateKbps: d.bitrate.Text(), StallMs: d.stall.Text(), FreezeMs: d.freeze.Text(), TURNAllocationMs: d.allocation.Text(),
		LiveLatencyMs: d.latency.Text(), PlayerBufferMs: d.buffer.Text(),
		DNSMs: d.stages[viewer.StageName].Text(), TCPMs: d.stages[viewer.StageTCP].Text(), TLSMs: d.stages[viewer.StageTLS].Text(),
		SignallingMs: d.stages[viewer.StageSignalling].Text(), ICEMs: d.stages[viewer.StageICE].Text(),
		DTLSMs: d.stages[viewer.StageDTLS].Text(), FirstPacketMs: d.stages[viewer.StagePacket].Text(),
		KeyframeMs: d.stages[viewer.StageFrame].Text()}
	for stage := range d.stages {
		d.stages[stage].Reset()
	}
	if sample == (protocol.DistributionSample{}) {
		return nil
	}
	return &sample
}
