package whep

import (
	"sort"

	"fullhouse/agent/internal/lab/fanout"
	"fullhouse/agent/internal/lab/truth"
	"fullhouse/agent/internal/media"
)

// mostRemembered is how many sessions that ended can still be looked at.
const mostRemembered = 2000

// View is one viewer as the lab knows it: what was sent to it, and what it said.
type View struct {
	Session string `json:"session"`
	// State is "connecting", "playing" or "ended".
	State     string `json:"state"`
	Address   string `json:"address,omitempty"`
	ArrivedMs int64  `json:"arrivedMs"` // Unix time
	// Codecs are those of its offer.
	Codecs []string `json:"codecs"`
	// RTX tells whether lost video comes again as RTX; else it comes as it was.
	RTX bool `json:"rtx"`
	// Measured is whether the figures of what was sent are kept: from the stream's first conditions on.
	Measured bool `json:"measured"`
	truth.Figures
	Heard

	stream uint32 // the SSRC of its video, which holds no memory of a stream that ended
}

func (s *Session) view() View {
	v := View{Session: s.ID, State: "ended", ArrivedMs: s.arrived.UnixMilli(), Codecs: s.codecs,
		RTX: s.viewer.RepairType != 0, Heard: s.heardOf.heard(), stream: s.Stream.SSRC[media.Video]}
	v.Figures, v.Measured = s.viewer.Truth()
	switch s.State() {
	case Connecting:
		v.State = "connecting"
	case Playing:
		v.State = "playing"
	}
	if to := s.viewer.To.Load(); to != nil {
		v.Address = to.Address.String()
	}
	return v
}

// remember keeps what there is to say of a session that ended.
func (p *Peers) remember(s *Session) {
	view := s.view()
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if len(p.ended) >= mostRemembered {
		p.ended = append(p.ended[:0], p.ended[len(p.ended)-mostRemembered/2:]...)
	}
	p.ended = append(p.ended, view)
}

// Views are the viewers of a stream, those that ended too, in the order of their coming.
func (p *Peers) Views(stream *fanout.Stream) []View {
	var views []View
	for _, s := range p.Sessions() {
		if s.Stream == stream {
			views = append(views, s.view())
		}
	}
	p.mutex.RLock()
	for _, view := range p.ended {
		if view.stream == stream.SSRC[media.Video] {
			views = append(views, view)
		}
	}
	p.mutex.RUnlock()
	sort.SliceStable(views, func(i, j int) bool { return views[i].ArrivedMs < views[j].ArrivedMs })
	return views
}
