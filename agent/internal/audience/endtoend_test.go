package audience

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pion/dtls/v3"
	"github.com/pion/webrtc/v4"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/testing/histograms"
	"fullhouse/agent/internal/testing/wheptest"
)

// testTimeout is for a slow, busy machine; no passing test waits that long.
const testTimeout = 40 * time.Second

type harness struct {
	*Audience
	t      *testing.T
	mutex  sync.Mutex
	events []protocol.AgentEvent
}

func newHarness(t *testing.T, changes ...func(*Config)) *harness {
	t.Helper()
	s := &harness{t: t}
	config := Config{Samples: "../../../assets/lab",
		Event: func(e protocol.AgentEvent) { s.mutex.Lock(); s.events = append(s.events, e); s.mutex.Unlock() }}
	for _, change := range changes {
		change(&config)
	}
	a, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	s.Audience = a
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
		for deadline := time.Now().Add(testTimeout); leakedGoroutines() != ""; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Errorf("goroutines of the audience remain:\n%s", leakedGoroutines())
				return
			}
		}
	})
	return s
}

// leakedGoroutines are the stacks of goroutines that the audience's packages started; the origin's are excluded.
func leakedGoroutines() string {
	stacks := make([]byte, 4<<20)
	var found []string
	for _, one := range strings.Split(string(stacks[:runtime.Stack(stacks, true)]), "\n\n") {
		for _, of := range []string{"audience.(*job)", "internal/whep", "internal/livekit", "internal/rtmp/play", "internal/signalling.", "internal/udpreader.", "internal/tcpreader.", "internal/shaper.", "internal/ffmpeg"} {
			if strings.Contains(one, of) && !strings.Contains(one, "testing.tRunner") {
				found = append(found, one)
				break
			}
		}
	}
	return strings.Join(found, "\n\n")
}

func (s *harness) call(name string, params any) (any, error) {
	raw, err := json.Marshal(params)
	if err != nil {
		s.t.Fatal(err)
	}
	return s.Call(context.Background(), name, raw)
}

func (s *harness) mustCall(name string, params any) any {
	s.t.Helper()
	result, err := s.call(name, params)
	if err != nil {
		s.t.Fatalf("%s: %v", name, err)
	}
	return result
}

// until samples every 200 ms until the first job's sample fits, and returns it.
func (s *harness) until(what string, fits func(protocol.JobSample) bool) protocol.JobSample {
	s.t.Helper()
	const interval = 200 * time.Millisecond
	var last protocol.JobSample
	for deadline := time.Now().Add(testTimeout); time.Now().Before(deadline); time.Sleep(interval) {
		sample := s.Sample(protocol.ProcessSample{}, interval).(protocol.AudienceSample)
		if len(sample.Jobs) > 0 {
			if last = sample.Jobs[0]; fits(last) {
				return last
			}
		}
	}
	s.t.Fatalf("timed out: %s; last sample %+v", what, last)
	return last
}

// patientMs is a timeout of the stages for a busy machine: none of its viewers may fail for that.
const patientMs = int64(30_000)

func startParams(o *origin, viewers int) protocol.AudienceStartParams {
	return protocol.AudienceStartParams{Job: "pull-1", Protocol: "whep", URL: o.URL + "/whep/cam", Viewers: viewers,
		RatePerSecond: 100, StageTimeoutMs: pointer(patientMs)}
}

// list is all viewers of the job.
func (s *harness) list() []protocol.AudienceViewer {
	s.t.Helper()
	return s.mustCall("audience.viewers",
		protocol.AudienceViewersParams{Job: "pull-1", Limit: 1000}).(protocol.AudienceViewersResult).Viewers
}

func TestTwentyViewersConnectPlayAndDisconnect(t *testing.T) {
	s, o := newHarness(t), newOrigin(t)
	s.mustCall("audience.start", startParams(o, 20))
	connectTimes, firstFrames := 0, 0
	full := s.until("20 viewers with video", func(j protocol.JobSample) bool {
		if measured(j).ConnectMs != "" {
			connectTimes++
		}
		if measured(j).FirstFrameMs != "" {
			firstFrames++
		}
		for _, v := range s.list() {
			if v.Frames < 5 || v.RoundTripMs == nil {
				return false
			}
		}
		return j.Connected == 20
	})
	if full.Failed != 0 || full.State != protocol.JobHolding || full.Present != 20 || connectTimes == 0 ||
		firstFrames == 0 || measured(full).JitterMs == "" {
		t.Errorf("all connected, but the sample is %+v", full)
	}
	for _, v := range s.list() {
		if v.State != protocol.ViewerConnected || v.ConnectMs == nil || v.FirstFrameMs == nil ||
			*v.FirstFrameMs < *v.ConnectMs || v.Lost != 0 {
			t.Errorf("viewer %d is %+v", v.Viewer, v)
		}
	}
	s.mustCall("audience.stop", protocol.AudienceStopParams{Job: "pull-1"})
	disconnected := s.until("all viewers disconnected",
		func(j protocol.JobSample) bool { return j.State == protocol.JobEnded })
	if disconnected.Disconnected != 20 || disconnected.Present != 0 || o.Deletes.Load() != 20 || o.Present() != 0 {
		t.Errorf("after disconnecting: %+v, %d DELETEs, %d sessions at the origin", disconnected, o.Deletes.Load(), o.Present())
	}
	for i, m := range s.all()[0].viewerStates {
		if m.viewer != nil || m.last.Frames < 5 {
			t.Errorf("viewer %d disconnected, so only its figures may be kept: viewer kept %v, figures %+v", i+1, m.viewer != nil, m.last)
		}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	// A busy machine may add warnings about a connection rate below plan; they precede the end.
	last := s.events[len(s.events)-1]
	if last.Name != "job-ended" || last.Message != "Job ended: 20 viewers disconnected, 0 failed." {
		t.Errorf("events %+v", s.events)
	}
	for _, event := range s.events[:len(s.events)-1] {
		if event.Name != "warning" {
			t.Errorf("neither a warning nor the end: %+v", event)
		}
	}
}

func TestServersOfOtherKinds(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*webrtc.SettingEngine)
		host   string
	}{
		{"AES-CM and HMAC-SHA1", func(e *webrtc.SettingEngine) { e.SetSRTPProtectionProfiles(dtls.SRTP_AES128_CM_HMAC_SHA1_80) }, "127.0.0.1"},
		{"several candidates", func(e *webrtc.SettingEngine) { e.SetIPFilter(func(net.IP) bool { return true }) }, "127.0.0.1"},
		{"host name", func(*webrtc.SettingEngine) {}, "localhost"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, o := newHarness(t), newOrigin(t, test.change)
			params := startParams(o, 3)
			params.URL = strings.Replace(params.URL, "127.0.0.1", test.host, 1)
			s.mustCall("audience.start", params)
			s.until("3 viewers with video", func(j protocol.JobSample) bool {
				if j.Failed > 0 {
					t.Fatalf("failures %+v", j.Failures)
				}
				return j.Connected == 3 && measured(j).FrameRate != "" && histograms.Percentile(t, measured(j).FrameRate, 5) > 5
			})
			s.mustCall("audience.stop", protocol.AudienceStopParams{Job: "pull-1"})
			s.until("the end",
				func(j protocol.JobSample) bool { return j.State == protocol.JobEnded && o.Present() == 0 })
		})
	}
}

var codecNames = regexp.MustCompile(`(H264|H265|VP8|VP9|AV1)/90000`)

func TestFailuresAreGroupedWithAnExampleEach(t *testing.T) {
	for _, test := range []struct {
		name      string
		prepare   func(*origin)
		stage     failure.Stage
		cause     string
		viewers   int
		deletions int64
	}{
		{"no such stream", func(o *origin) {
			o.intercept = func(w http.ResponseWriter, _ *http.Request) bool {
				http.Error(w, "no such stream", http.StatusNotFound)
				return true
			}
		}, failure.Signalling, "http-404", 5, 0},
		{"another certificate", func(o *origin) {
			o.tamper = func(sdp string) string {
				return replaceLine(sdp, "a=fingerprint:sha-256 ", func(v string) string { return flip(v) })
			}
		}, failure.DTLS, "fingerprint", 3, 3},
		{"no response from the candidate", func(o *origin) {
			o.tamper = func(sdp string) string {
				return replaceLine(sdp, "a=ice-pwd:", func(v string) string { return flip(v) })
			}
		}, failure.ICE, "timeout", 3, 3},
		{"no supported video", func(o *origin) {
			o.tamper = func(sdp string) string { return codecNames.ReplaceAllString(sdp, "H261/90000") }
		}, failure.Signalling, "no-codec", 3, 3},
		{"no media", func(o *origin) { o.mute.Store(true) }, failure.FirstPacket, "silent", 3, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, o := newHarness(t), newOrigin(t)
			test.prepare(o)
			params := startParams(o, test.viewers)
			timeout := int64(1500)
			params.StageTimeoutMs = &timeout
			s.mustCall("audience.start", params)
			all := s.until("all failed and disconnected",
				func(j protocol.JobSample) bool { return j.Failed == test.viewers && j.Present == 0 })
			if len(all.Failures) != 1 {
				t.Fatalf("failures %+v", all.Failures)
			}
			if f := all.Failures[0]; f.Stage != test.stage || f.Cause.String() != test.cause || f.Count != test.viewers || f.Example.Viewer == 0 || f.Example.Detail == "" {
				t.Errorf("%+v, want %s %s", f, test.stage, test.cause)
			}
			for _, v := range s.list() {
				if v.State != protocol.ViewerFailed || v.Failure == nil || v.Failure.Cause.String() != test.cause {
					t.Errorf("viewer %+v", v)
				}
			}
			if o.Deletes.Load() != test.deletions {
				t.Errorf("%d DELETEs, want %d", o.Deletes.Load(), test.deletions)
			}
		})
	}
}

// replaceLine changes what follows prefix in all lines that start with it.
func replaceLine(sdp, prefix string, change func(string) string) string {
	lines := strings.Split(sdp, "\r\n")
	for i, line := range lines {
		if value, found := strings.CutPrefix(line, prefix); found {
			lines[i] = prefix + change(value)
		}
	}
	return strings.Join(lines, "\r\n")
}

// flip changes the first character into another.
func flip(value string) string {
	if value[0] == 'A' {
		return "B" + value[1:]
	}
	return "A" + value[1:]
}

func TestAStreamThatEndsFailsItsViewersAtMedia(t *testing.T) {
	s, o := newHarness(t), newOrigin(t)
	s.mustCall("audience.start", startParams(o, 2))
	s.until("2 connected", func(j protocol.JobSample) bool { return j.Connected == 2 })
	o.CloseSessions() // sends a DTLS alert
	all := s.until("2 failed", func(j protocol.JobSample) bool { return j.Failed == 2 })
	if f := all.Failures[0]; f.Stage != failure.Media || f.Cause.String() != "alert" {
		t.Errorf("%+v", f)
	}
}

func TestLossIsMeasuredAndDegrades(t *testing.T) {
	s, o := newHarness(t), newOrigin(t)
	o.drop.Store(40)
	params, fps := startParams(o, 2), float64(wheptest.FPS)
	params.NominalFPS = &fps
	s.mustCall("audience.start", params)
	lossy := s.until("both degraded", func(j protocol.JobSample) bool {
		return j.Connected == 2 && j.Degraded == 2 && j.LossPercent != nil && *j.LossPercent > 0
	})
	if lossy.Failed != 0 {
		t.Errorf("%+v", lossy)
	}
	for _, v := range s.list() {
		if !v.Degraded || v.DegradedReason == "" || v.LossPercent < 10 {
			t.Errorf("%+v", v)
		}
	}
}

func TestStoppingDuringRampUp(t *testing.T) {
	for _, force := range []bool{false, true} {
		t.Run(fmt.Sprintf("force %t", force), func(t *testing.T) { stopDuringRampUp(t, force) })
	}
}

func stopDuringRampUp(t *testing.T, force bool) {
	s, o := newHarness(t), newOrigin(t)
	params := startParams(o, 1000)
	params.RatePerSecond = 20
	s.mustCall("audience.start", params)
	s.until("some connected", func(j protocol.JobSample) bool { return j.Connected >= 3 })
	s.StopAll(force)
	disconnected := s.until("the end", func(j protocol.JobSample) bool { return j.State == protocol.JobEnded })
	if disconnected.Present != 0 || disconnected.Failed != 0 || disconnected.Disconnected == 0 || disconnected.Disconnected+disconnected.Waiting != 1000 {
		t.Errorf("force %t: %+v", force, disconnected)
	}
	if force && o.Deletes.Load() != 0 {
		t.Errorf("%d DELETEs despite force", o.Deletes.Load())
	}
	// One that had just started may have sent no offer yet.
	if !force && (o.Deletes.Load() < o.Posts.Load() || o.Posts.Load() < 3 || o.Present() != 0) {
		t.Errorf("%d left after %d POSTs with %d DELETEs, %d sessions remain", disconnected.Disconnected, o.Posts.Load(), o.Deletes.Load(), o.Present())
	}
}

func TestARateBelowPlanIsReported(t *testing.T) {
	s, o := newHarness(t), newOrigin(t)
	params := startParams(o, 5)
	one := 1
	params.Parallel, params.RatePerSecond = &one, 1e6
	s.mustCall("audience.start", params)
	held := s.until("all viewers started", func(j protocol.JobSample) bool { return j.State == protocol.JobHolding })
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.events) != 1 || s.events[0].Name != "warning" || !strings.Contains(s.events[0].Message, "instead of 1000000/s") {
		t.Errorf("%.0f/s of %.0f/s, events %+v", held.ArrivalRateAchieved, held.ArrivalRateTarget, s.events)
	}
}

func TestAJobEndsAfterItsHold(t *testing.T) {
	s, o := newHarness(t), newOrigin(t)
	params := startParams(o, 2)
	params.HoldMs = 300
	s.mustCall("audience.start", params)
	disconnected := s.until("the end", func(j protocol.JobSample) bool { return j.State == protocol.JobEnded })
	if disconnected.Disconnected != 2 || o.Deletes.Load() != 2 {
		t.Errorf("%+v", disconnected)
	}
}

func TestInvalidParametersAreRefusedInASentence(t *testing.T) {
	s, o := newHarness(t), newOrigin(t)
	s.limit = limit{viewers: 50, files: 306}
	hour := int64(0)
	change := func(change func(*protocol.AudienceStartParams)) protocol.AudienceStartParams {
		params := startParams(o, 10)
		params.RatePerSecond = 1
		change(&params)
		return params
	}
	s.mustCall("audience.start", change(func(p *protocol.AudienceStartParams) { p.Job = "first"; p.HoldMs = hour }))
	for _, test := range []struct {
		name     string
		params   protocol.AudienceStartParams
		code     string
		sentence string
	}{
		{"the same name", change(func(p *protocol.AudienceStartParams) { p.Job = "first" }), "duplicate-job", "first"},
		{"too many", change(func(p *protocol.AudienceStartParams) { p.Viewers = 51 }), "too-many-viewers", "ulimit -n"},
		{"too many together", change(func(p *protocol.AudienceStartParams) { p.Viewers = 41 }), "too-many-viewers",
			"in addition to 10"},
		{"none", change(func(p *protocol.AudienceStartParams) { p.Viewers = 0 }), "bad-request", "viewers is 0"},
		{"no rate", change(func(p *protocol.AudienceStartParams) { p.RatePerSecond = 0 }), "bad-request", "rate"},
		{"negative hold", change(func(p *protocol.AudienceStartParams) { p.HoldMs = -1 }), "bad-request", "holdMs"},
		{"other protocol", change(func(p *protocol.AudienceStartParams) { p.Protocol = "rtmp" }), "bad-request",
			"rtmp"},
		{"unknown fidelity", change(func(p *protocol.AudienceStartParams) { p.Fidelity = "most" }), "bad-request",
			"media-only or browser"},
		{"more than everything decrypted",
			change(func(p *protocol.AudienceStartParams) { tooMuch := 100.5; p.DecryptPercent = &tooMuch }),
			"bad-request", "decryptPercent"},
		{"fidelity of RTMP", change(func(p *protocol.AudienceStartParams) {
			p.Protocol, p.URL, p.Fidelity = "rtmp", "rtmp://127.0.0.1/live/cam", "browser"
		}), "bad-request", "fidelity"},
		{"no address", change(func(p *protocol.AudienceStartParams) { p.URL = "cam" }), "bad-request", "cam"},
		{"other scheme", change(func(p *protocol.AudienceStartParams) { p.URL = "ftp://127.0.0.1/x" }), "bad-request",
			"ftp"},
		{"no name", change(func(p *protocol.AudienceStartParams) { p.Job = "" }), "bad-request", "name"},
	} {
		_, err := s.call("audience.start", test.params)
		var refusal *control.Error
		if !errors.As(err, &refusal) || refusal.Code != test.code || !strings.Contains(refusal.Message, test.sentence) {
			t.Errorf("%s: %v, want %s with %q", test.name, err, test.code, test.sentence)
		}
	}
	for name, params := range map[string]string{
		"audience.start":   `{"job":"x","viewer":3}`,
		"audience.stop":    `{"job":"none"}`,
		"audience.viewers": `{"job":"first","offset":0,"limit":1001}`,
		"audience.fly":     `{}`,
	} {
		if _, err := s.Call(context.Background(), name, json.RawMessage(params)); err == nil {
			t.Errorf("%s %s was accepted", name, params)
		}
	}
}

func TestViewersAreListedByStateAndPage(t *testing.T) {
	s, o := newHarness(t), newOrigin(t)
	params := startParams(o, 6)
	params.RatePerSecond = 0.001 // one starts at once, the others never
	s.mustCall("audience.start", params)
	s.until("1 connected", func(j protocol.JobSample) bool { return j.Connected == 1 })
	for _, test := range []struct {
		params              protocol.AudienceViewersParams
		total, shown, first int
	}{
		{protocol.AudienceViewersParams{Limit: 1000}, 6, 6, 1},
		{protocol.AudienceViewersParams{Offset: 4, Limit: 1000}, 6, 2, 5},
		{protocol.AudienceViewersParams{Limit: 2, State: protocol.ViewerWaiting}, 5, 2, 2},
		{protocol.AudienceViewersParams{Limit: 2, State: protocol.ViewerConnected}, 1, 1, 1},
		{protocol.AudienceViewersParams{Limit: 2, State: protocol.ViewerFailed}, 0, 0, 0},
	} {
		test.params.Job = "pull-1"
		result := s.mustCall("audience.viewers", test.params).(protocol.AudienceViewersResult)
		if result.Total != test.total || len(result.Viewers) != test.shown || test.shown > 0 && result.Viewers[0].Viewer != test.first {
			t.Errorf("%+v: %+v", test.params, result)
		}
	}
}
