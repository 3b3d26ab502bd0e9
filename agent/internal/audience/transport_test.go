package audience

import (
	"strings"
	"testing"

	"fullhouse/agent/internal/protocol"
)

func TestOnlyWebRTCHasAChoiceOfTransport(t *testing.T) {
	s := newHarness(t)
	start := protocol.AudienceStartParams{Job: "pull-1", Protocol: "rtmp", URL: "rtmp://127.0.0.1/live/cam", Viewers: 1, RatePerSecond: 1, Transport: protocol.ICETransportTCP}
	if _, err := s.call("audience.start", start); err == nil || !strings.Contains(err.Error(), "no choice of transport") {
		t.Errorf("%v", err)
	}
	start.Protocol, start.URL, start.Transport = "whep", "http://127.0.0.1/whep/cam", "sctp"
	if _, err := s.call("audience.start", start); err == nil || !strings.Contains(err.Error(), "udp or tcp") {
		t.Errorf("%v", err)
	}
}

func TestAServerWithoutTCPFailsViewersOverTCP(t *testing.T) {
	origin, s := startLab(t), newHarness(t)
	s.mustCall("audience.start", protocol.AudienceStartParams{Job: "pull-1", Protocol: "whep", URL: "http://" + origin.HTTP() + "/whep/cam",
		Viewers: 1, RatePerSecond: 1, Transport: protocol.ICETransportTCP})
	s.until("a failure", func(j protocol.JobSample) bool { return j.Failed == 1 })
	if f := s.list()[0].Failure; f.Stage != protocol.StageSignalling || f.Cause.String() != "no-candidate" || !strings.Contains(f.Detail, "no TCP candidate") {
		t.Errorf("%+v", f)
	}
}
