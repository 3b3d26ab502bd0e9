package audience

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/testing/histograms"
	"fullhouse/agent/internal/testing/rtmptest"
)

// rtmpSource is an RTMP server that sends 25 frames a second to each client, until the test ends or it is stopped.
type rtmpSource struct {
	*rtmptest.Server
	mute  atomic.Bool
	cut   atomic.Bool
	ended sync.WaitGroup
	stop  chan struct{}
}

func newRTMPSource(t *testing.T) *rtmpSource {
	tv := &rtmpSource{stop: make(chan struct{})}
	t.Cleanup(func() { close(tv.stop); tv.ended.Wait() })
	tv.Server = rtmptest.Start(t, func(c *rtmptest.Client, name string) bool {
		if name == "play" {
			c.Accept()
			tv.ended.Add(1)
			go func() { defer tv.ended.Done(); tv.show(c) }()
		}
		return name == "play"
	})
	return tv
}

func (tv *rtmpSource) show(c *rtmptest.Client) {
	ticker := time.NewTicker(40 * time.Millisecond)
	defer ticker.Stop()
	for i := 0; ; i++ {
		picture := rtmp.Message{Kind: rtmp.TypeVideo, Stream: 7, Timestamp: uint32(40 * i), Payload: append([]byte{0x27, 1, 0, 0, 0}, make([]byte, 800)...)}
		if i%25 == 0 {
			picture.Payload[0] = 0x17
		}
		if tv.cut.Load() {
			_ = c.Close()
			return
		}
		if !tv.mute.Load() {
			c.Send(6, picture, 50)
		}
		select {
		case <-ticker.C:
		case <-tv.stop:
			return
		}
	}
}

func (tv *rtmpSource) params(viewers int) protocol.AudienceStartParams {
	return protocol.AudienceStartParams{Job: "pull-1", Protocol: "rtmp",
		URL: "rtmp://" + tv.Address().Host + "/live/cam?key=secret", Viewers: viewers, RatePerSecond: 100}
}

func TestTwentyRTMPViewersPlayAndDisconnect(t *testing.T) {
	s, tv := newHarness(t), newRTMPSource(t)
	s.mustCall("audience.start", tv.params(20))
	full := s.until("20 viewers at the stream's frame rate", func(j protocol.JobSample) bool {
		if j.Connected != 20 || j.Failed > 0 || measured(j).FrameRate == "" {
			return false
		}
		for _, v := range s.list() {
			if v.Frames < 30 || v.FPS == nil || *v.FPS < 15 {
				return false
			}
		}
		return true
	})
	if full.LossPercent != nil || measured(full).JitterMs != "" || full.BitrateKbps < 20*100 || full.PacketsPerSecond < 20*15 {
		t.Errorf("%+v", full)
	}
	for _, v := range s.list() {
		if v.ConnectMs == nil || v.FirstFrameMs == nil || v.Lost != 0 || v.Bytes < 30*800 {
			t.Errorf("viewer %d is %+v", v.Viewer, v)
		}
	}
	detail := s.detail(1)
	if found := names(t, detail); !slices.Equal(found, []string{"arrived", "tcp", "play", "first-packet", "first-frame"}) {
		t.Errorf("the timeline of an RTMP viewer: %v", found)
	}
	if route := detail.Route; route == nil || route.Protocol != "tcp" || route.Remote != tv.Address().Host || route.RemoteType != "" {
		t.Errorf("the route of an RTMP viewer: %+v", detail.Route)
	}
	s.mustCall("audience.stop", protocol.AudienceStopParams{Job: "pull-1"})
	disconnected := s.until("all viewers disconnected",
		func(j protocol.JobSample) bool { return j.State == protocol.JobEnded })
	if disconnected.Disconnected != 20 || disconnected.Present != 0 {
		t.Errorf("after disconnecting: %+v", disconnected)
	}
	tv.Stop() // when all its clients have disconnected
	deletions := 0
	for _, name := range tv.Names() {
		if name == "deleteStream" {
			deletions++
		}
	}
	if deletions != 20 {
		t.Errorf("%d of 20 deleted their streams", deletions)
	}
}

func TestAStalledRTMPStreamDegradesItsViewersAndACutOneFailsThem(t *testing.T) {
	s, tv := newHarness(t), newRTMPSource(t)
	s.mustCall("audience.start", tv.params(3))
	s.until("3 viewers with video",
		func(j protocol.JobSample) bool {
			return j.Connected == 3 && measured(j).FrameRate != "" && histograms.Percentile(t, measured(j).FrameRate, 5) > 5
		})
	tv.mute.Store(true)
	s.until("all stalled", func(j protocol.JobSample) bool { return j.Degraded == 3 && j.Stalls >= 3 })
	tv.mute.Store(false)
	s.until("all recovered", func(j protocol.JobSample) bool { return j.Degraded == 0 && j.Connected == 3 })
	tv.cut.Store(true)
	s.until("all failed and disconnected", func(j protocol.JobSample) bool {
		return j.Failed == 3 && j.Present == 0 && len(j.Failures) == 1 && j.Failures[0].Stage == "media" && j.Failures[0].Cause.String() == "closed"
	})
}

func TestInvalidRTMPAddressesAreRefusedWithoutTheirKey(t *testing.T) {
	s := newHarness(t)
	for name, change := range map[string]func(*protocol.AudienceStartParams){
		"no stream":       func(p *protocol.AudienceStartParams) { p.URL = "rtmp://host/secret/" },
		"another scheme":  func(p *protocol.AudienceStartParams) { p.URL = "http://host/live/secret" },
		"a bearer token":  func(p *protocol.AudienceStartParams) { p.BearerToken = "secret" },
		"a user":          func(p *protocol.AudienceStartParams) { p.URL = "rtmp://:secret@host/live/cam" },
		"an odd protocol": func(p *protocol.AudienceStartParams) { p.Protocol = "rtp" },
	} {
		params := protocol.AudienceStartParams{Job: "pull-1", Protocol: "rtmp", URL: "rtmp://host/live/secret",
			Viewers: 1, RatePerSecond: 1}
		change(&params)
		_, err := s.call("audience.start", params)
		refusal, ok := err.(*control.Error)
		if !ok || refusal.Code != "bad-request" || strings.Contains(refusal.Message, "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
