package lab

import (
	"time"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/lab/conditions"
	"fullhouse/agent/internal/protocol"
)

func (l *Lab) setConditions(p protocol.LabConditionsParams) (any, error) {
	s := l.find(p.Stream)
	if s == nil {
		return nil, l.noStream(p.Stream)
	}
	pause := 0.0
	set(&pause, p.PauseMs)
	if err := conditions.CheckPause(pause); err != nil {
		return nil, control.BadRequest("%v.", err)
	}
	c := s.fan.Conditions()
	set(&c.LossPercent, p.LossPercent)
	set(&c.BurstPackets, p.BurstPackets)
	set(&c.DelayMs, p.DelayMs)
	set(&c.JitterMs, p.JitterMs)
	set(&c.ReorderPercent, p.ReorderPercent)
	set(&c.NoRepair, p.NoRepair)
	set(&c.TransportCC, p.TransportCC)
	set(&c.Ceiling.DegradeFrom, p.DegradeFrom)
	set(&c.Ceiling.RefuseFrom, p.RefuseFrom)
	set(&c.Ceiling.CPUPerViewerMicros, p.CPUPerViewerMicros)
	set(&c.Ceiling.CPUBudgetMicros, p.CPUBudgetMicros)
	if p.Seed != nil {
		c.Seed = uint64(*p.Seed)
	}
	if err := c.Check(); err != nil {
		return nil, control.BadRequest("%v.", err)
	}
	s.fan.SetConditions(c)
	if pause > 0 {
		s.fan.Pause(time.Duration(pause * float64(time.Millisecond)))
	}
	return protocol.LabConditionsResult{LossPercent: c.LossPercent, BurstPackets: c.BurstPackets, DelayMs: c.DelayMs,
		JitterMs: c.JitterMs, ReorderPercent: c.ReorderPercent, NoRepair: c.NoRepair, TransportCC: c.TransportCC,
		Seed: uint32(c.Seed), DegradeFrom: c.Ceiling.DegradeFrom, RefuseFrom: c.Ceiling.RefuseFrom,
		CPUPerViewerMicros: c.Ceiling.CPUPerViewerMicros, CPUBudgetMicros: c.Ceiling.CPUBudgetMicros}, nil
}

func set[T any](value *T, to *T) {
	if to != nil {
		*value = *to
	}
}

func (l *Lab) listViewers(p protocol.LabViewersParams) (any, error) {
	s := l.find(p.Stream)
	if s == nil {
		return nil, l.noStream(p.Stream)
	}
	if p.Offset < 0 || p.Limit < 1 || p.Limit > protocol.LabViewersLimitMax {
		return nil, control.BadRequest("offset must be 0 or more and limit 1 to %d; they are %d and %d.",
			protocol.LabViewersLimitMax, p.Offset, p.Limit)
	}
	views := l.peers.Views(s.fan)
	from := min(p.Offset, len(views))
	return protocol.LabViewersResult{Total: len(views),
		Viewers: append([]protocol.LabViewer{}, views[from:min(from+p.Limit, len(views))]...)}, nil
}
