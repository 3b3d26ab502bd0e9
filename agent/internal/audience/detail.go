package audience

import (
	"net/netip"
	"slices"

	"fullhouse/agent/internal/link"
	"fullhouse/agent/internal/viewer"
)

// ViewerParams ask for one viewer, by its number from 1.
type ViewerParams struct {
	Job    string `json:"job"`
	Viewer int    `json:"viewer"`
}

// DetailView is everything that is known of one viewer. What its protocol has not, or what has not happened, is absent.
type DetailView struct {
	Viewer   ViewerView        `json:"viewer"`
	Timeline []MomentView      `json:"timeline"`
	Missed   uint32            `json:"missed,omitempty"`
	Route    *RouteView        `json:"route,omitempty"`
	Streams  []StreamView      `json:"streams,omitempty"`
	Counters map[string]uint64 `json:"counters,omitempty"`
}

// MomentView is one entry of the timeline; AtMs counts from the arrival.
type MomentView struct {
	AtMs    float64  `json:"atMs"`
	Name    string   `json:"name"`
	ForMs   *float64 `json:"forMs,omitempty"`
	Because string   `json:"because,omitempty"`
}

// RouteView is the way of the media.
type RouteView struct {
	Protocol   string `json:"protocol"`
	Local      string `json:"local,omitempty"`
	LocalType  string `json:"localType,omitempty"`
	Remote     string `json:"remote,omitempty"`
	RemoteType string `json:"remoteType,omitempty"`
}

// StreamView is one stream that the viewer receives.
type StreamView struct {
	Kind        string   `json:"kind"`
	Codec       string   `json:"codec,omitempty"`
	PayloadType uint8    `json:"payloadType,omitempty"`
	ClockRate   float64  `json:"clockRate,omitempty"`
	SSRC        uint32   `json:"ssrc,omitempty"`
	Packets     uint64   `json:"packets"`
	Bytes       uint64   `json:"bytes,omitempty"`
	Lost        uint64   `json:"lost,omitempty"`
	Repaired    uint64   `json:"repaired,omitempty"`
	Late        uint64   `json:"late,omitempty"`
	JitterMs    *float64 `json:"jitterMs,omitempty"`
}

func (a *Audience) viewer(params ViewerParams) (DetailView, error) {
	j, err := a.find(params.Job)
	if err != nil {
		return DetailView{}, err
	}
	if params.Viewer < 1 || params.Viewer > j.params.Viewers {
		return DetailView{}, link.BadRequest("The job %q has viewers 1 to %d, and no viewer %d.", params.Job, j.params.Viewers, params.Viewer)
	}
	return j.detail(params.Viewer), nil
}

// detail looks at one viewer only: what it costs does not depend on how many there are.
func (j *job) detail(number int) DetailView {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	m := &j.members[number-1]
	now := j.now()
	view := DetailView{Viewer: m.view(number, now), Timeline: []MomentView{}, Missed: m.history.missed}
	if m.state == Waiting {
		return view
	}
	known := m.detail
	if known == nil {
		detail := m.viewer.Detail()
		known = &detail
	}
	view.Timeline = m.timeline(known.Steps, &view.Viewer)
	view.Route, view.Counters = routeView(known.Route), known.Counters
	for i := range known.Streams {
		view.Streams = append(view.Streams, streamView(&known.Streams[i]))
	}
	return view
}

// timeline is what happened to a viewer, in order.
func (m *member) timeline(steps []viewer.Step, figures *ViewerView) []MomentView {
	moments := []MomentView{{Name: "arrived"}}
	add := func(name string, at int64) {
		if at != 0 {
			moments = append(moments, MomentView{AtMs: ms(at - m.arrivedAt), Name: name})
		}
	}
	for _, step := range steps {
		add(string(step.Name), step.At)
	}
	if figures.ConnectMs != nil {
		moments = append(moments, MomentView{AtMs: *figures.ConnectMs, Name: "first-packet"})
	}
	if figures.FirstFrameMs != nil {
		moments = append(moments, MomentView{AtMs: *figures.FirstFrameMs, Name: "first-frame"})
	}
	for _, mark := range m.history.marks {
		moment := MomentView{AtMs: ms(mark.at - m.arrivedAt), Name: [...]string{"degraded", "recovered", "freeze"}[mark.kind], Because: reasons[mark.because]}
		if mark.lasted > 0 {
			lasted := ms(mark.lasted)
			moment.ForMs = &lasted
		}
		moments = append(moments, moment)
	}
	if m.state == Failed {
		add("failed", m.leavingAt)
	} else {
		add("leaving", m.leavingAt)
	}
	add("left", m.leftAt)
	slices.SortStableFunc(moments, func(a, b MomentView) int {
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

func routeView(route viewer.Route) *RouteView {
	if route.Protocol == "" {
		return nil
	}
	text := func(address netip.AddrPort) string {
		if !address.IsValid() {
			return ""
		}
		return address.String()
	}
	return &RouteView{Protocol: route.Protocol, Local: text(route.Local), LocalType: route.LocalType, Remote: text(route.Remote), RemoteType: route.RemoteType}
}

func streamView(s *viewer.Stream) StreamView {
	view := StreamView{Kind: s.Kind, Codec: s.Codec, PayloadType: s.PayloadType, ClockRate: s.ClockRate, SSRC: s.SSRC,
		Packets: s.Packets, Bytes: s.Bytes, Lost: s.Lost, Repaired: s.Repaired, Late: s.Late}
	if s.HasJitter {
		view.JitterMs = &s.JitterMs
	}
	return view
}
