package lab

import (
	"time"

	"fullhouse/agent/internal/lab/conditions"
	"fullhouse/agent/internal/lab/whep"
	"fullhouse/agent/internal/link"
)

// conditionsParams change what they name and leave the rest as it is.
type conditionsParams struct {
	Stream         string   `json:"stream"`
	LossPercent    *float64 `json:"lossPercent,omitempty"`
	BurstPackets   *float64 `json:"burstPackets,omitempty"`
	DelayMs        *float64 `json:"delayMs,omitempty"`
	JitterMs       *float64 `json:"jitterMs,omitempty"`
	ReorderPercent *float64 `json:"reorderPercent,omitempty"`
	NoRepair       *bool    `json:"noRepair,omitempty"`
	TransportCC    *bool    `json:"transportCc,omitempty"`
	Seed           *uint32  `json:"seed,omitempty"`
	PauseMs        *float64 `json:"pauseMs,omitempty"`

	DegradeFrom        *int     `json:"degradeFrom,omitempty"`
	RefuseFrom         *int     `json:"refuseFrom,omitempty"`
	CPUPerViewerMicros *float64 `json:"cpuPerViewerMicros,omitempty"`
	CPUBudgetMicros    *float64 `json:"cpuBudgetMicros,omitempty"`
}

// conditionsResult are those that hold now.
type conditionsResult struct {
	LossPercent    float64 `json:"lossPercent"`
	BurstPackets   float64 `json:"burstPackets"`
	DelayMs        float64 `json:"delayMs"`
	JitterMs       float64 `json:"jitterMs"`
	ReorderPercent float64 `json:"reorderPercent"`
	NoRepair       bool    `json:"noRepair"`
	TransportCC    bool    `json:"transportCc"`
	Seed           uint32  `json:"seed"`

	DegradeFrom        int     `json:"degradeFrom"`
	RefuseFrom         int     `json:"refuseFrom"`
	CPUPerViewerMicros float64 `json:"cpuPerViewerMicros"`
	CPUBudgetMicros    float64 `json:"cpuBudgetMicros"`
}

func (l *Lab) setConditions(p conditionsParams) (any, error) {
	s := l.find(p.Stream)
	if s == nil {
		return nil, l.noStream(p.Stream)
	}
	pause := 0.0
	set(&pause, p.PauseMs)
	if err := conditions.CheckPause(pause); err != nil {
		return nil, link.BadRequest("%v.", err)
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
		return nil, link.BadRequest("%v.", err)
	}
	s.fan.SetConditions(c)
	if pause > 0 {
		s.fan.Pause(time.Duration(pause * float64(time.Millisecond)))
	}
	return conditionsResult{LossPercent: c.LossPercent, BurstPackets: c.BurstPackets, DelayMs: c.DelayMs, JitterMs: c.JitterMs,
		ReorderPercent: c.ReorderPercent, NoRepair: c.NoRepair, TransportCC: c.TransportCC, Seed: uint32(c.Seed),
		DegradeFrom: c.Ceiling.DegradeFrom, RefuseFrom: c.Ceiling.RefuseFrom,
		CPUPerViewerMicros: c.Ceiling.CPUPerViewerMicros, CPUBudgetMicros: c.Ceiling.CPUBudgetMicros}, nil
}

func set[T any](value *T, to *T) {
	if to != nil {
		*value = *to
	}
}

type viewersParams struct {
	Stream string `json:"stream"`
	Offset int    `json:"offset"`
	Limit  int    `json:"limit"`
}

type viewersResult struct {
	Total   int         `json:"total"`
	Viewers []whep.View `json:"viewers"`
}

// mostListed is how many viewers one answer may hold.
const mostListed = 1000

func (l *Lab) listViewers(p viewersParams) (any, error) {
	s := l.find(p.Stream)
	if s == nil {
		return nil, l.noStream(p.Stream)
	}
	if p.Offset < 0 || p.Limit < 1 || p.Limit > mostListed {
		return nil, link.BadRequest("offset must be 0 or more and limit 1 to %d; they are %d and %d.", mostListed, p.Offset, p.Limit)
	}
	views := l.peers.Views(s.fan)
	from := min(p.Offset, len(views))
	return viewersResult{Total: len(views), Viewers: append([]whep.View{}, views[from:min(from+p.Limit, len(views))]...)}, nil
}
