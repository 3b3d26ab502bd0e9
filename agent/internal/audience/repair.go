package audience

import (
	"time"

	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/stats"
	"fullhouse/agent/internal/viewer"
)

// addRepairs adds what a viewer received in the interval to repair loss.
func (all *intervalFigures) addRepairs(now, before viewer.Repairs) {
	all.hasRepairs = true
	all.repairs.Retransmitted += now.Retransmitted - before.Retransmitted
	all.repairs.RetransmittedBytes += now.RetransmittedBytes - before.RetransmittedBytes
	all.repairs.FEC += now.FEC - before.FEC
	all.repairs.FECBytes += now.FECBytes - before.FECBytes
	all.repairs.Recovered += now.Recovered - before.Recovered
}

// repair are the figures of the interval; nil without WebRTC viewers.
func (all *intervalFigures) repair(interval time.Duration) *protocol.RepairSample {
	if !all.hasRepairs || interval <= 0 {
		return nil
	}
	perSecond := func(count uint64) float64 { return float64(count) / interval.Seconds() }
	sample := &protocol.RepairSample{
		RetransmittedPacketsPerSecond: perSecond(all.repairs.Retransmitted), RetransmittedKbps: perSecond(all.repairs.RetransmittedBytes) * 8 / 1000,
		FECPacketsPerSecond: perSecond(all.repairs.FEC), FECKbps: perSecond(all.repairs.FECBytes) * 8 / 1000,
	}
	if all.sum.Expected > 0 {
		loss := stats.LossPercent(all.sum.Lost+all.repairs.Recovered, all.sum.Expected)
		sample.LossBeforePercent = &loss
	}
	return sample
}
