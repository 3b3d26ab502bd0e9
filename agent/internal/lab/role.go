package lab

import (
	"context"
	"encoding/json"
	"time"

	"fullhouse/agent/internal/lab/whep"
	"fullhouse/agent/internal/link"
	"fullhouse/agent/internal/process"
)

// Lab is the agent's role of that name.
var _ link.Role = (*Lab)(nil)

// Name is the role's.
func (l *Lab) Name() string { return "lab" }

// Announcement tells where WHIP, WHEP and media are.
func (l *Lab) Announcement() link.Announcement {
	return link.Announcement{HTTP: l.HTTP(), Media: l.peers.Address().String(), Viewers: whep.MaxSessions}
}

type publishParams struct {
	Stream string `json:"stream"`
	Sample string `json:"sample"`
}

type publishResult struct {
	Stream  string `json:"stream"`
	WhepURL string `json:"whepUrl"`
}

type streamParams struct {
	Stream string `json:"stream"`
}

type unpublishResult struct {
	Viewers int `json:"viewers"`
}

type streamsResult struct {
	Streams []StreamFigures `json:"streams"`
}

// Call answers the lab's calls.
func (l *Lab) Call(_ context.Context, name string, params json.RawMessage) (any, error) {
	switch name {
	case "lab.publish-sample":
		var p publishParams
		if err := link.DecodeParams(params, &p); err != nil {
			return nil, err
		}
		url, err := l.PublishSample(p.Stream, p.Sample)
		return publishResult{Stream: p.Stream, WhepURL: url}, err
	case "lab.unpublish":
		var p streamParams
		if err := link.DecodeParams(params, &p); err != nil {
			return nil, err
		}
		viewers, err := l.Unpublish(p.Stream)
		return unpublishResult{Viewers: viewers}, err
	case "lab.streams":
		return streamsResult{Streams: l.streamFigures(l.crowds())}, link.DecodeParams(params, &struct{}{})
	case "lab.conditions":
		var p conditionsParams
		if err := link.DecodeParams(params, &p); err != nil {
			return nil, err
		}
		return l.setConditions(p)
	case "lab.viewers":
		var p viewersParams
		if err := link.DecodeParams(params, &p); err != nil {
			return nil, err
		}
		return l.listViewers(p)
	}
	return nil, link.UnknownCall(l.Name(), name)
}

type sampleRecord struct {
	Process process.Sample `json:"process"`
	Lab     figures        `json:"lab"`
}

type figures struct {
	Viewers             int             `json:"viewers"`
	BitrateOutKbps      float64         `json:"bitrateOutKbps"`
	PacketsOutPerSecond float64         `json:"packetsOutPerSecond"`
	SendErrors          uint64          `json:"sendErrors"`
	Degraded            int             `json:"degraded"`
	Streams             []StreamFigures `json:"streams"`
}

// Sample makes the sample of the interval. Figures of media are of UDP payload: RTP and RTCP with their keys' overhead.
func (l *Lab) Sample(of process.Sample, interval time.Duration) any {
	l.measure(interval)
	if sentence, any := l.failures.take(); any {
		l.config.Event(link.Event{Name: "warning", Message: sentence})
	}
	crowds := l.crowds()
	total := crowd{}
	for _, c := range crowds {
		total.playing += c.playing
		total.degraded += c.degraded
	}
	now, before := l.peers.Totals(), l.totals
	l.totals = now
	seconds := interval.Seconds()
	return sampleRecord{Process: of, Lab: figures{Viewers: total.playing, Degraded: total.degraded,
		BitrateOutKbps:      float64(now.Bytes-before.Bytes) * 8 / 1000 / seconds,
		PacketsOutPerSecond: float64(now.Packets-before.Packets) / seconds,
		SendErrors:          now.Errors - before.Errors, Streams: l.streamFigures(crowds)}}
}

// StopAll sends every viewer home, at once. Streams stay: who stops a crowd may want to begin the next.
func (l *Lab) StopAll(force bool) (left int) {
	for _, session := range l.peers.Sessions() {
		l.peers.End(session, !force)
	}
	return l.Left()
}

// DisconnectAll is StopAll: streams end with the lab.
func (l *Lab) DisconnectAll(force bool) (left int) { return l.StopAll(force) }

// Left is how many viewers hold a session.
func (l *Lab) Left() int { return len(l.peers.Sessions()) }
