package audience

import (
	"net/netip"
	"slices"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/viewer"
)

func (a *Audience) viewer(params protocol.AudienceViewerParams) (protocol.AudienceViewerResult, error) {
	j, err := a.find(params.Job)
	if err != nil {
		return protocol.AudienceViewerResult{}, err
	}
	if params.Viewer < 1 || params.Viewer > j.params.Viewers {
		return protocol.AudienceViewerResult{}, control.BadRequest("Job %q has viewers 1 to %d; viewer %d does not exist.",
			params.Job, j.params.Viewers, params.Viewer)
	}
	return j.detail(params.Viewer), nil
}

// detail reads one viewer only: its cost does not depend on how many there are.
func (j *job) detail(number int) protocol.AudienceViewerResult {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	m := &j.viewerStates[number-1]
	now := j.now()
	view := protocol.AudienceViewerResult{Viewer: m.view(number, now),
		ViewerDetail: protocol.ViewerDetail{Timeline: []protocol.ViewerTimelineEntry{}, Missed: m.history.missed}}
	if m.state == protocol.ViewerWaiting || m.viewer == nil && m.detail == nil {
		return view
	}
	known := m.detail
	if m.viewer != nil {
		detail := m.viewer.Detail()
		known = &detail
	}
	view.Timeline = m.timeline(known.Times.Steps(), &view.Viewer)
	view.Route, view.Counters = routeView(known.Route), known.Counters
	for i := range known.Streams {
		view.Streams = append(view.Streams, streamView(&known.Streams[i]))
	}
	return view
}

// timeline is what happened to a viewer, in order.
func (m *viewerState) timeline(steps []viewer.Step, figures *protocol.AudienceViewer) []protocol.ViewerTimelineEntry {
	moments := []protocol.ViewerTimelineEntry{{Name: "arrived"}}
	add := func(name string, at int64) {
		if at != 0 {
			moments = append(moments, protocol.ViewerTimelineEntry{AtMs: ms(at - m.startedAt), Name: name})
		}
	}
	for _, step := range steps {
		add(step.Name, step.At)
	}
	if figures.ConnectMs != nil {
		moments = append(moments, protocol.ViewerTimelineEntry{AtMs: *figures.ConnectMs, Name: "first-packet"})
	}
	if figures.FirstFrameMs != nil {
		moments = append(moments, protocol.ViewerTimelineEntry{AtMs: *figures.FirstFrameMs, Name: "first-frame"})
	}
	for _, mark := range m.history.marks {
		moment := protocol.ViewerTimelineEntry{AtMs: ms(mark.at - m.startedAt),
			Name: [...]string{"degraded", "recovered", "stall"}[mark.kind], Reason: reasons[mark.brokenRule]}
		if mark.lasted > 0 {
			lasted := ms(mark.lasted)
			moment.ForMs = &lasted
		}
		moments = append(moments, moment)
	}
	if m.state == protocol.ViewerFailed {
		add("failed", m.disconnectingAt)
	} else {
		add("disconnecting", m.disconnectingAt)
	}
	add("disconnected", m.disconnectedAt)
	slices.SortStableFunc(moments, func(a, b protocol.ViewerTimelineEntry) int {
		switch {
		case a.AtMs < b.AtMs:
			return -1
		case a.AtMs > b.AtMs:
			return 1
		}
		return 0
	})
	return moments
}

func routeView(route viewer.Route) *protocol.ViewerRoute {
	if route.Protocol == "" {
		return nil
	}
	text := func(address netip.AddrPort) string {
		if !address.IsValid() {
			return ""
		}
		return address.String()
	}
	return &protocol.ViewerRoute{Protocol: route.Protocol, Local: text(route.Local), LocalType: route.LocalType,
		Remote: text(route.Remote), RemoteType: route.RemoteType, Relay: route.Relay}
}

func streamView(s *viewer.Stream) protocol.ViewerStream {
	view := protocol.ViewerStream{Kind: s.Kind, Codec: s.Codec, Width: s.Width, Height: s.Height, PayloadType: s.PayloadType, ClockRate: s.ClockRate,
		SSRC: s.SSRC, Packets: s.Packets, Bytes: s.Bytes, Lost: s.Lost, Repaired: s.Repaired, Late: s.Late}
	for _, one := range s.Layers {
		view.Layers = append(view.Layers, protocol.StreamLayer{Width: one.Width, Height: one.Height, Ms: ms(one.Ns)})
	}
	view.Switches = s.Switches
	if s.HasJitter {
		view.JitterMs = &s.JitterMs
	}
	return view
}
