package audience

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
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
		if measured(j).TURNAllocationMs != "" {
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

// TestALostTurnServerFailsItsViewers is one over TCP: its connections end with it. Direct viewers stay.
func TestALostTurnServerFailsItsViewers(t *testing.T) {
	server := coturn.Start(t, coturn.Users()...)
	origin := startLab(t)
	s := newHarness(t)
	s.mustCall("audience.start", protocol.AudienceStartParams{Job: "pull-1", Protocol: "whep", URL: "http://" + origin.HTTP() + "/whep/cam",
		Viewers: 4, RatePerSecond: 100, TURN: &protocol.JobTURN{SharePercent: 50, Server: &protocol.TURNServer{
			URL: fmt.Sprintf("turn:127.0.0.1:%d?transport=tcp", server.Port), Username: coturn.User, Password: coturn.Password}}})
	s.until("4 viewers", func(j protocol.JobSample) bool { return j.Connected == 4 && j.TURN.Viewers == 2 })
	server.Kill()
	failed := s.until("2 failures", func(j protocol.JobSample) bool { return j.Failed == 2 })
	if f := failed.Failures[0]; len(failed.Failures) != 1 || f.Stage != "turn" || f.Cause.String() != "closed" || failed.Connected != 2 || failed.TURN.Viewers != 0 {
		t.Errorf("%+v", failed)
	}
}

// TestTheTurnServerThatTheOriginLists uses the Link header of the answer. The offer has no candidate then.
func TestTheTurnServerThatTheOriginLists(t *testing.T) {
	const secret = "north"
	server := coturn.Start(t, coturn.Secret(secret)...)
	origin := startLab(t)
	target, err := url.Parse("http://" + origin.HTTP())
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	lists := true
	proxy.ModifyResponse = func(r *http.Response) error {
		if r.StatusCode == http.StatusCreated && lists {
			user := fmt.Sprint(time.Now().Add(time.Hour).Unix())
			sum := hmac.New(sha1.New, []byte(secret))
			sum.Write([]byte(user))
			r.Header.Add("Link", `<stun:127.0.0.1>; rel="ice-server"`)
			r.Header.Add("Link", fmt.Sprintf(`<turn:127.0.0.1:%d?transport=tcp>; rel="ice-server"; username="%s"; credential="%s"; credential-type="password"`,
				server.Port, user, base64.StdEncoding.EncodeToString(sum.Sum(nil))))
		}
		return nil
	}
	front := httptest.NewServer(proxy)
	defer front.Close()
	s := newHarness(t)
	params := protocol.AudienceStartParams{Job: "pull-1", Protocol: "whep", URL: front.URL + "/whep/cam", Viewers: 3, RatePerSecond: 100,
		TURN: &protocol.JobTURN{SharePercent: 100}}
	s.mustCall("audience.start", params)
	s.until("3 relayed viewers with video", func(j protocol.JobSample) bool {
		for _, v := range s.list() {
			if v.Frames < 10 {
				return j.Failed > 0
			}
		}
		return j.TURN.Viewers == 3
	})
	s.mustCall("audience.stop", protocol.AudienceStopParams{Job: "pull-1"})
	s.until("the end", func(j protocol.JobSample) bool { return j.State == protocol.JobEnded })
	lists = false
	s.mustCall("audience.start", params)
	failed := s.until("failures", func(j protocol.JobSample) bool { return j.Failed == 3 })
	if f := failed.Failures[0]; f.Stage != "turn" || f.Cause.String() != "no-server" {
		t.Errorf("%+v", f)
	}
}

// TestATurnServerAlone loads coturn with pairs of allocations, over each transport.
func TestATurnServerAlone(t *testing.T) {
	server := coturn.Start(t, coturn.Users()...)
	for _, transport := range []string{"udp", "tcp"} {
		t.Run(transport, func(t *testing.T) {
			before := server.Counts()
			s := newHarness(t)
			rate := 1000.0
			s.mustCall("audience.start", protocol.AudienceStartParams{Job: "pull-1", Protocol: "turn", URL: "turn:", Viewers: 4, RatePerSecond: 100,
				TURN: &protocol.JobTURN{SharePercent: 100, BitrateKbps: &rate, Server: &protocol.TURNServer{
					URL: fmt.Sprintf("turn:127.0.0.1:%d?transport=%s", server.Port, transport), Username: coturn.User, Password: coturn.Password}}})
			full := s.until("4 pairs with round trips", func(j protocol.JobSample) bool {
				for _, v := range s.list() {
					if v.Packets < 100 || v.RoundTripMs == nil || v.JitterMs == nil {
						return j.Failed > 0
					}
				}
				return j.TURN.Viewers == 4 && j.LossPercent != nil
			})
			// Each pair sends 1,000 kbit/s. A busy machine may be late.
			if full.BitrateKbps < 2000 || full.BitrateKbps > 5000 || *full.LossPercent > 20 || full.Failed != 0 {
				t.Errorf("%+v", full)
			}
			detail := s.mustCall("audience.viewer", protocol.AudienceViewerParams{Job: "pull-1", Viewer: 1}).(protocol.AudienceViewerResult)
			if detail.Route.Protocol != transport || detail.Route.LocalType != "relay" || detail.Route.RemoteType != "relay" || detail.Route.Relay == "" {
				t.Errorf("%+v", detail.Route)
			}
			s.mustCall("audience.stop", protocol.AudienceStopParams{Job: "pull-1"})
			s.until("the end", func(j protocol.JobSample) bool { return j.State == protocol.JobEnded })
			packets := 0
			for _, v := range s.list() {
				packets += int(v.Packets)
			}
			waitFor(t, "coturn to end 8 sessions", func() bool { return server.Counts().Ended == before.Ended+8 })
			relayed := server.Counts().PeerPackets - before.PeerPackets
			t.Logf("%d packets received; coturn relayed %d", packets, relayed)
			// The echoes, one a second, pass it too.
			if relayed < packets || relayed > packets+packets/5+40 {
				t.Errorf("%d packets received, but coturn relayed %d", packets, relayed)
			}
		})
	}
	s := newHarness(t)
	for says, turn := range map[string]*protocol.JobTURN{"needs turn.server": nil, "must be 100": {SharePercent: 5, Server: &protocol.TURNServer{URL: "turn:a"}},
		"not a TURN address": {SharePercent: 100, Server: &protocol.TURNServer{URL: "http://a"}}} {
		_, err := s.call("audience.start", protocol.AudienceStartParams{Job: "pull-1", Protocol: "turn", Viewers: 4, RatePerSecond: 100, TURN: turn})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
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
