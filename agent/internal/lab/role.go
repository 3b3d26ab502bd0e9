package lab

import (
	"context"
	"encoding/json"
	"time"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/lab/whep"
	"fullhouse/agent/internal/protocol"
)

// Lab is the agent's role of that name.
var _ control.Role = (*Lab)(nil)

// Name is the role's name.
func (l *Lab) Name() string { return "lab" }

// Announcement has the addresses of WHIP, WHEP and media.
func (l *Lab) Announcement() control.Announcement {
	return control.Announcement{HTTP: l.HTTP(), Media: l.peers.Address().String(), Viewers: whep.MaxSessions}
}

// Call handles the lab's calls.
func (l *Lab) Call(_ context.Context, name string, params json.RawMessage) (any, error) {
	switch name {
	case "lab.publish-sample":
		var p protocol.LabPublishSampleParams
		if err := control.DecodeParams(params, &p); err != nil {
			return nil, err
		}
		url, err := l.PublishSample(p.Stream, p.Sample)
		return protocol.LabPublishSampleResult{Stream: p.Stream, WHEPURL: url}, err
	case "lab.unpublish":
		var p protocol.LabUnpublishParams
		if err := control.DecodeParams(params, &p); err != nil {
			return nil, err
		}
		viewers, err := l.Unpublish(p.Stream)
		return protocol.LabUnpublishResult{Viewers: viewers}, err
	case "lab.streams":
		return protocol.LabStreamsResult{Streams: l.streamFigures(l.countViewers())}, control.DecodeParams(params, &struct{}{})
	case "lab.conditions":
		var p protocol.LabConditionsParams
		if err := control.DecodeParams(params, &p); err != nil {
			return nil, err
		}
		return l.setConditions(p)
	case "lab.viewers":
		var p protocol.LabViewersParams
		if err := control.DecodeParams(params, &p); err != nil {
			return nil, err
		}
		return l.listViewers(p)
	case "lab.record":
		var p protocol.LabRecordParams
		if err := control.DecodeParams(params, &p); err != nil {
			return nil, err
		}
		return l.record(p)
	case "lab.recorded":
		var p protocol.LabRecordedParams
		if err := control.DecodeParams(params, &p); err != nil {
			return nil, err
		}
		return l.recorded(p)
	}
	return nil, control.UnknownCall(l.Name(), name)
}

// Sample is the sample of the interval. Media figures are of UDP payload: RTP and RTCP with their SRTP overhead.
func (l *Lab) Sample(of protocol.ProcessSample, interval time.Duration) any {
	l.measure(interval)
	l.noteSurplus()
	if sentence, any := l.failures.take(); any {
		l.config.Event(protocol.AgentEvent{Name: protocol.EventWarning, Message: sentence})
	}
	counts := l.countViewers()
	total := viewerCounts{}
	for _, c := range counts {
		total.playing += c.playing
		total.degraded += c.degraded
	}
	now, before := l.peers.Totals(), l.totals
	l.totals = now
	seconds := interval.Seconds()
	return protocol.LabSample{Process: of, Lab: protocol.LabFigures{Viewers: total.playing, Degraded: total.degraded,
		BitrateOutKbps:      float64(now.Bytes-before.Bytes) * 8 / 1000 / seconds,
		PacketsOutPerSecond: float64(now.Packets-before.Packets) / seconds,
		SendErrors:          now.Errors - before.Errors, Streams: l.streamFigures(counts)}}
}

// StopAll disconnects every viewer, at once. Streams stay: the next job may pull them.
func (l *Lab) StopAll(force bool) (remaining int) {
	for _, session := range l.peers.Sessions() {
		l.peers.End(session, !force)
	}
	return l.Remaining()
}

// DisconnectAll is StopAll: streams end with the lab.
func (l *Lab) DisconnectAll(force bool) (remaining int) { return l.StopAll(force) }

// Remaining is how many viewers hold a session.
func (l *Lab) Remaining() int { return len(l.peers.Sessions()) }
