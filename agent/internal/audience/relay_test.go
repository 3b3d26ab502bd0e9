package audience

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/testing/coturn"
)

// TestViewersThroughCoturn pulls from the lab, half of the viewers through a real TURN server.
func TestViewersThroughCoturn(t *testing.T) {
	server := coturn.Start(t, coturn.Users()...)
	origin := startLab(t)
	s := newHarness(t)
	s.mustCall("audience.start", protocol.AudienceStartParams{Job: "pull-1", Protocol: "whep", URL: "http://" + origin.HTTP() + "/whep/cam",
		Viewers: 8, RatePerSecond: 100, TURN: &protocol.JobTURN{SharePercent: 50, Server: &protocol.TURNServer{
			URL: fmt.Sprintf("turn:127.0.0.1:%d", server.Port), Username: coturn.User, Password: coturn.Password}}})
	allocationTimes := 0
	s.until("8 viewers with video, 4 of them relayed", func(j protocol.JobSample) bool {
		if j.TURN.AllocationMs != nil {
			allocationTimes++
		}
		for _, v := range s.list() {
			if v.Frames < 10 || v.RoundTripMs == nil {
				return j.Failed > 0
			}
		}
		return j.Connected == 8 && j.TURN.Viewers == 4
	})
	if allocationTimes == 0 {
		t.Error("no allocation time")
	}
	relayed := 0
	for i := 1; i <= 8; i++ {
		detail := s.mustCall("audience.viewer", protocol.AudienceViewerParams{Job: "pull-1", Viewer: i}).(protocol.AudienceViewerResult)
		if detail.Route.Relay == "" {
			continue
		}
		relayed++
		if detail.Route.LocalType != "relay" || !strings.HasSuffix(detail.Route.Relay, fmt.Sprintf(":%d (UDP)", server.Port)) || detail.Timeline[1].Name != "turn" {
			t.Errorf("%+v, %+v", detail.Route, detail.Timeline)
		}
	}
	s.mustCall("audience.stop", protocol.AudienceStopParams{Job: "pull-1"})
	s.until("the end", func(sample protocol.JobSample) bool { return sample.State == protocol.JobEnded })
	packets := 0
	for _, v := range s.list() {
		packets += int(v.Packets)
	}
	waitFor(t, "coturn to end 4 sessions", func() bool { return server.Counts().Ended == 4 })
	counts := server.Counts()
	t.Logf("%d packets of 8 viewers; coturn relayed %d to 4", packets, counts.PeerPackets)
	if relayed != 4 || counts.Allocations != 4 || counts.PeerPackets < packets*3/10 || counts.PeerPackets > packets*8/10 {
		t.Errorf("%d viewers relayed, %d packets; coturn: %+v", relayed, packets, counts)
	}
}

func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(testTimeout); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timed out: %s", what)
		}
	}
}
