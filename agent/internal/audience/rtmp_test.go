package audience

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fullhouse/agent/internal/link"
	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/rtmp/standin"
)

// television is an RTMP server that sends 25 frames a second to whoever plays, until the test ends or it is told to stop.
type television struct {
	*standin.Server
	mute  atomic.Bool
	cut   atomic.Bool
	ended sync.WaitGroup
	stop  chan struct{}
}

func newTelevision(t *testing.T) *television {
	tv := &television{stop: make(chan struct{})}
	t.Cleanup(func() { close(tv.stop); tv.ended.Wait() })
	tv.Server = standin.Start(t, func(c *standin.Client, name string) bool {
		if name == "play" {
			c.Agree()
			tv.ended.Add(1)
			go func() { defer tv.ended.Done(); tv.show(c) }()
		}
		return name == "play"
	})
	return tv
}

func (tv *television) show(c *standin.Client) {
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

func (tv *television) params(viewers int) StartParams {
	return StartParams{Job: "pull-1", Protocol: "rtmp", URL: "rtmp://" + tv.Address().Host + "/live/cam?key=secret", Viewers: viewers, RatePerSecond: 100}
}

func TestTwentyViewersWatchByRTMPAndLeave(t *testing.T) {
	s, tv := newStage(t), newTelevision(t)
	s.mustCall("audience.start", tv.params(20))
	full := s.until("20 with a picture at its rate", func(j JobSample) bool {
		if j.Connected != 20 || j.Failed > 0 || j.FrameRate == nil {
			return false
		}
		for _, v := range s.list() {
			if v.Frames < 30 || v.Fps == nil || *v.Fps < 15 {
				return false
			}
		}
		return true
	})
	if full.LossPercent != nil || full.JitterMs != nil || full.BitrateKbps < 20*100 || full.PacketsPerSecond < 20*15 {
		t.Errorf("%+v", full)
	}
	for _, v := range s.list() {
		if v.ConnectMs == nil || v.FirstFrameMs == nil || v.Lost != 0 || v.Bytes < 30*800 {
			t.Errorf("viewer %d is %+v", v.Viewer, v)
		}
	}
	detail := s.detail(1)
	if found := names(t, detail); !slices.Equal(found, []string{"arrived", "tcp", "play", "first-packet", "first-frame"}) {
		t.Errorf("the timeline of a viewer by RTMP: %v", found)
	}
	if route := detail.Route; route == nil || route.Protocol != "tcp" || route.Remote != tv.Address().Host || route.RemoteType != "" {
		t.Errorf("the way of a viewer by RTMP: %+v", detail.Route)
	}
	s.mustCall("audience.stop", StopParams{Job: "pull-1"})
	gone := s.until("nobody left", func(j JobSample) bool { return j.State == JobEnded })
	if gone.Left != 20 || gone.Present != 0 {
		t.Errorf("after leaving: %+v", gone)
	}
	tv.Stop() // when all its clients have gone
	deletions := 0
	for _, name := range tv.Names() {
		if name == "deleteStream" {
			deletions++
		}
	}
	if deletions != 20 {
		t.Errorf("%d of 20 ended their streams", deletions)
	}
}

func TestAFrozenRTMPStreamDegradesItsViewersAndACutOneFailsThem(t *testing.T) {
	s, tv := newStage(t), newTelevision(t)
	s.mustCall("audience.start", tv.params(3))
	s.until("3 with a picture", func(j JobSample) bool { return j.Connected == 3 && j.FrameRate != nil && j.FrameRate.P5 > 5 })
	tv.mute.Store(true)
	s.until("all frozen", func(j JobSample) bool { return j.Degraded == 3 && j.Freezes >= 3 })
	tv.mute.Store(false)
	s.until("all well again", func(j JobSample) bool { return j.Degraded == 0 && j.Connected == 3 })
	tv.cut.Store(true)
	s.until("all failed and gone", func(j JobSample) bool {
		return j.Failed == 3 && j.Present == 0 && len(j.Failures) == 1 && j.Failures[0].Stage == "media" && j.Failures[0].Cause == "closed"
	})
}

func TestAddressesThatRTMPCantPlayAreRefusedWithoutTheirKey(t *testing.T) {
	s := newStage(t)
	for name, change := range map[string]func(*StartParams){
		"no stream":       func(p *StartParams) { p.URL = "rtmp://host/secret" },
		"another scheme":  func(p *StartParams) { p.URL = "http://host/live/secret" },
		"a bearer token":  func(p *StartParams) { p.BearerToken = "secret" },
		"a user":          func(p *StartParams) { p.URL = "rtmp://me:secret@host/live/cam" },
		"an odd protocol": func(p *StartParams) { p.Protocol = "rtp" },
	} {
		params := StartParams{Job: "pull-1", Protocol: "rtmp", URL: "rtmp://host/live/secret", Viewers: 1, RatePerSecond: 1}
		change(&params)
		_, err := s.call("audience.start", params)
		refusal, ok := err.(*link.Error)
		if !ok || refusal.Code != "bad-request" || strings.Contains(refusal.Message, "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
