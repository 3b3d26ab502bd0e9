package whep

import (
	"sort"

	"fullhouse/agent/internal/lab/fanout"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/protocol"
)

// maxEnded is how many ended sessions are kept for lab.viewers.
const maxEnded = 2000

// view is one viewer as the lab sees it.
type view struct {
	protocol.LabViewer
	stream uint32 // the SSRC of its video, which keeps no ended stream in memory
}

func (s *Session) view() view {
	v := view{stream: s.Stream.SSRC[media.Video], LabViewer: protocol.LabViewer{Session: s.ID, State: "ended",
		ArrivedMs: s.arrived.UnixMilli(), Codecs: s.codecs, RTX: s.viewer.RepairType != 0,
		LabReceived: s.received.figures()}}
	v.LabSent, v.Measured = s.viewer.Truth()
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

// keepEnded keeps the view of an ended session.
func (p *Peers) keepEnded(s *Session) {
	view := s.view()
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if len(p.ended) >= maxEnded {
		p.ended = append(p.ended[:0], p.ended[len(p.ended)-maxEnded/2:]...)
	}
	p.ended = append(p.ended, view)
}

// Views are the viewers of a stream, including ended ones, in the order in which they connected.
func (p *Peers) Views(stream *fanout.Stream) []protocol.LabViewer {
	var views []protocol.LabViewer
	for _, s := range p.Sessions() {
		if s.Stream == stream {
			views = append(views, s.view().LabViewer)
		}
	}
	p.mutex.RLock()
	for _, view := range p.ended {
		if view.stream == stream.SSRC[media.Video] {
			views = append(views, view.LabViewer)
		}
	}
	p.mutex.RUnlock()
	sort.SliceStable(views, func(i, j int) bool { return views[i].ArrivedMs < views[j].ArrivedMs })
	return views
}
