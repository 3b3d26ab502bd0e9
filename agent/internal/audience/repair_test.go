package audience

import (
	"testing"
	"time"

	"fullhouse/agent/internal/stats"
	"fullhouse/agent/internal/viewer"
)

func TestRepairsOfAnInterval(t *testing.T) {
	all := intervalFigures{sum: stats.Slice{Expected: 1000, Lost: 5}}
	if all.repair(time.Second) != nil {
		t.Error("viewers without WebRTC have repairs")
	}
	all.addRepairs(viewer.Repairs{Retransmitted: 30, RetransmittedBytes: 30_000, FEC: 8, FECBytes: 4000, Recovered: 25}, viewer.Repairs{Retransmitted: 10, RetransmittedBytes: 10_000, FEC: 4, FECBytes: 2000, Recovered: 20})
	all.addRepairs(viewer.Repairs{Recovered: 10}, viewer.Repairs{})
	s := all.repair(2 * time.Second)
	if s.RetransmittedPacketsPerSecond != 10 || s.RetransmittedKbps != 80 || s.FECPacketsPerSecond != 2 || s.FECKbps != 8 || *s.LossBeforePercent != 2 {
		t.Errorf("%+v, loss %v", s, *s.LossBeforePercent)
	}
}
