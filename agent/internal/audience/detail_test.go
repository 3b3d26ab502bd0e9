package audience

import (
	"net/netip"
	"slices"
	"testing"
	"unsafe"

	"fullhouse/agent/internal/protocol"
)

func (s *harness) detail(number int) protocol.AudienceViewerResult {
	s.t.Helper()
	return s.mustCall("audience.viewer",
		protocol.AudienceViewerParams{Job: "pull-1", Viewer: number}).(protocol.AudienceViewerResult)
}

// names are those of the timeline, which has to be in order.
func names(t *testing.T, detail protocol.AudienceViewerResult) []string {
	t.Helper()
	var found []string
	last := 0.0
	for _, moment := range detail.Timeline {
		if moment.AtMs < last {
			t.Errorf("the timeline is out of order: %+v", detail.Timeline)
		}
		last = moment.AtMs
		found = append(found, moment.Name)
	}
	return found
}

func TestOneViewerInFull(t *testing.T) {
	s, o := newHarness(t), newOrigin(t)
	s.mustCall("audience.start", startParams(o, 3))
	s.until("3 viewers with video", func(j protocol.JobSample) bool {
		for _, v := range s.list() {
			if v.Frames < 5 {
				return false
			}
		}
		return j.Connected == 3
	})
	way := []string{"arrived", "tcp", "offer", "answer", "ice", "dtls", "first-packet", "first-frame"}
	detail := s.detail(2)
	if found := names(t, detail); !slices.Equal(found, way) || detail.Viewer.Viewer != 2 ||
		detail.Viewer.State != protocol.ViewerConnected {
		t.Errorf("viewer 2: %v, %+v", found, detail)
	}
	route := detail.Route
	if route == nil || route.Protocol != "udp" || route.LocalType != "host" || route.RemoteType != "host" {
		t.Fatalf("the route is %+v", route)
	}
	for _, address := range []string{route.Local, route.Remote} {
		if at, err := netip.ParseAddrPort(address); err != nil || !at.Addr().IsLoopback() || at.Port() == 0 {
			t.Errorf("%q is not a loopback address: %v", address, err)
		}
	}
	if len(detail.Streams) == 0 || detail.Streams[0].Kind != "video" || detail.Streams[0].Codec != "H264" || detail.Streams[0].PayloadType == 0 ||
		detail.Streams[0].SSRC == 0 || detail.Streams[0].Packets == 0 || detail.Streams[0].ClockRate != 90000 {
		t.Errorf("streams %+v", detail.Streams)
	}
	if other := s.detail(3); other.Route.Local == route.Local {
		t.Errorf("two viewers share %s", route.Local)
	}
	s.mustCall("audience.stop", protocol.AudienceStopParams{Job: "pull-1"})
	s.until("all viewers disconnected", func(j protocol.JobSample) bool { return j.State == protocol.JobEnded })
	after := s.detail(2)
	if found := names(t, after); !slices.Equal(found, append(way, "disconnecting", "disconnected")) || *after.Route != *route || after.Streams[0].SSRC != detail.Streams[0].SSRC {
		t.Errorf("after disconnecting: %v, %+v", found, after)
	}
	for _, params := range []protocol.AudienceViewerParams{{Job: "pull-1", Viewer: 4}, {Job: "pull-1"},
		{Job: "none", Viewer: 1}} {
		if _, err := s.call("audience.viewer", params); err == nil {
			t.Errorf("%+v was accepted", params)
		}
	}
}

func TestAFailedViewerHasItsCompletedSteps(t *testing.T) {
	s := newHarness(t)
	s.mustCall("audience.start", protocol.AudienceStartParams{Job: "pull-1", Protocol: "whep",
		URL: "http://127.0.0.1:1/whep/cam", Viewers: 1, RatePerSecond: 100})
	s.until("a failure", func(j protocol.JobSample) bool { return j.Failed == 1 && j.Present == 0 })
	detail := s.detail(1)
	found := names(t, detail)
	if detail.Viewer.Failure == nil || detail.Route != nil || !slices.Contains(found, "failed") || slices.Contains(found, "ice") {
		t.Errorf("%v, %+v", found, detail)
	}
}

func TestHistoryRecordsWhenAViewerWasDegraded(t *testing.T) {
	const second = 1_000_000_000
	var h history
	h.judged("", 1*second)
	h.stalled(0, 40e6, 1*second)
	if h.marks != nil || h.degradedFor(9*second) != 0 {
		t.Errorf("without events: %+v", h)
	}
	h.stalled(1, 700e6, 2*second)
	h.judged(protocol.DegradedCauseStall, 2*second)
	h.stalled(0, 1700e6, 3*second)
	h.judged(protocol.DegradedCauseFrameRate, 3*second)
	if during := h.degradedFor(4 * second); during != 2*second {
		t.Errorf("degraded for %d ns up to now", during)
	}
	h.judged("", 7*second)
	want := []mark{{at: 1300e6, lasted: 1700e6, kind: markStall}, {at: 2 * second, kind: markDegraded, brokenRule: 1}, {at: 7 * second, lasted: 5 * second, kind: markRecovered}}
	if !slices.Equal(h.marks, want) || h.degradedFor(99*second) != 5*second {
		t.Errorf("%+v, want %+v", h, want)
	}
	for at := int64(10); at < 200; at += 2 {
		h.judged(protocol.DegradedCauseLoss, at*second)
		h.judged("", (at+1)*second)
	}
	if len(h.marks) != maxMarks || h.missed != 3+2*95-maxMarks || h.degradedFor(0) != (5+95)*second {
		t.Errorf("%d marks, %d missed, degraded for %d ns", len(h.marks), h.missed, h.degradedFor(0))
	}
}

// The memory of a viewer without events must not grow: there are thousands.
func TestAViewerWithoutHistoryIsSmall(t *testing.T) {
	if size := unsafe.Sizeof(history{}); size > 48 {
		t.Errorf("a history without marks takes %d bytes", size)
	}
	if size := unsafe.Sizeof(mark{}); size > 24 {
		t.Errorf("a mark takes %d bytes", size)
	}
}
