package audience

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pion/dtls/v3"
	"github.com/pion/webrtc/v4"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/link"
	"fullhouse/agent/internal/process"
)

// patience is what a slow, busy machine may need; nothing here waits for it when all is well.
const patience = 40 * time.Second

type stage struct {
	*Audience
	t      *testing.T
	mutex  sync.Mutex
	events []link.Event
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{t: t}
	a, err := New(Config{Samples: "../../../assets/lab",
		Event: func(e link.Event) { s.mutex.Lock(); s.events = append(s.events, e); s.mutex.Unlock() }})
	if err != nil {
		t.Fatal(err)
	}
	s.Audience = a
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
		for deadline := time.Now().Add(patience); lingering() != ""; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Errorf("goroutines of the audience are left behind:\n%s", lingering())
				return
			}
		}
	})
	return s
}

// lingering are the stacks of goroutines that the audience's packages started; the origin's are not looked at.
func lingering() string {
	stacks := make([]byte, 4<<20)
	var found []string
	for _, one := range strings.Split(string(stacks[:runtime.Stack(stacks, true)]), "\n\n") {
		for _, of := range []string{"audience.(*job)", "internal/whep", "internal/livekit", "internal/rtmp/play", "internal/signalling.", "internal/harvest."} {
			if strings.Contains(one, of) && !strings.Contains(one, "testing.tRunner") {
				found = append(found, one)
				break
			}
		}
	}
	return strings.Join(found, "\n\n")
}

func (s *stage) call(name string, params any) (any, error) {
	raw, err := json.Marshal(params)
	if err != nil {
		s.t.Fatal(err)
	}
	return s.Call(context.Background(), name, raw)
}

func (s *stage) mustCall(name string, params any) any {
	s.t.Helper()
	result, err := s.call(name, params)
	if err != nil {
		s.t.Fatalf("%s: %v", name, err)
	}
	return result
}

// until samples every 200 ms until the first job's sample fits, and returns it.
func (s *stage) until(what string, fits func(JobSample) bool) JobSample {
	s.t.Helper()
	const interval = 200 * time.Millisecond
	var last JobSample
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(interval) {
		sample := s.Sample(process.Sample{}, interval).(Sample)
		if len(sample.Jobs) > 0 {
			if last = sample.Jobs[0]; fits(last) {
				return last
			}
		}
	}
	s.t.Fatalf("waited in vain: %s; last sample %+v", what, last)
	return last
}

func startParams(o *origin, viewers int) StartParams {
	return StartParams{Job: "pull-1", Protocol: "whep", URL: o.URL + "/whep/cam", Viewers: viewers, RatePerSecond: 100}
}

// list is all viewers of the job.
func (s *stage) list() []ViewerView {
	s.t.Helper()
	return s.mustCall("audience.viewers", ViewersParams{Job: "pull-1", Limit: 1000}).(ViewersResult).Viewers
}

func TestTwentyViewersComeWatchAndLeave(t *testing.T) {
	s, o := newStage(t), newOrigin(t)
	s.mustCall("audience.start", startParams(o, 20))
	connectTimes, firstFrames := 0, 0
	full := s.until("20 with a picture", func(j JobSample) bool {
		if j.ConnectMs != nil {
			connectTimes++
		}
		if j.FirstFrameMs != nil {
			firstFrames++
		}
		for _, v := range s.list() {
			if v.Frames < 5 || v.RoundTripMs == nil {
				return false
			}
		}
		return j.Connected == 20
	})
	if full.Failed != 0 || full.State != JobHolding || full.Present != 20 || connectTimes == 0 || firstFrames == 0 || full.JitterMs == nil {
		t.Errorf("all connected, but the sample is %+v", full)
	}
	for _, v := range s.list() {
		if v.State != Connected || v.ConnectMs == nil || v.FirstFrameMs == nil || *v.FirstFrameMs < *v.ConnectMs || v.Lost != 0 {
			t.Errorf("viewer %d is %+v", v.Viewer, v)
		}
	}
	s.mustCall("audience.stop", StopParams{Job: "pull-1"})
	gone := s.until("nobody left", func(j JobSample) bool { return j.State == JobEnded })
	if gone.Left != 20 || gone.Present != 0 || o.deletes.Load() != 20 || o.present() != 0 {
		t.Errorf("after leaving: %+v, %d DELETEs, %d sessions at the origin", gone, o.deletes.Load(), o.present())
	}
	for i, m := range s.all()[0].members {
		if m.viewer != nil || m.last.Frames < 5 {
			t.Errorf("viewer %d has left, with its figures only: is kept %v, figures %+v", i+1, m.viewer != nil, m.last)
		}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	// A busy machine may add warnings, that the viewers came slower than asked; they come before the end.
	last := s.events[len(s.events)-1]
	if last.Name != "job-ended" || last.Message != "The job ended: 20 viewers left, 0 had failed." {
		t.Errorf("events %+v", s.events)
	}
	for _, event := range s.events[:len(s.events)-1] {
		if event.Name != "warning" {
			t.Errorf("an event beside warnings and the end: %+v", event)
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
		{"reached by name", func(*webrtc.SettingEngine) {}, "localhost"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, o := newStage(t), newOrigin(t, test.change)
			params := startParams(o, 3)
			params.URL = strings.Replace(params.URL, "127.0.0.1", test.host, 1)
			s.mustCall("audience.start", params)
			s.until("3 with a picture", func(j JobSample) bool {
				if j.Failed > 0 {
					t.Fatalf("failures %+v", j.Failures)
				}
				return j.Connected == 3 && j.FrameRate != nil && j.FrameRate.P5 > 5
			})
			s.mustCall("audience.stop", StopParams{Job: "pull-1"})
			s.until("the end", func(j JobSample) bool { return j.State == JobEnded && o.present() == 0 })
		})
	}
}

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
		{"nobody answers at the candidate", func(o *origin) {
			o.tamper = func(sdp string) string {
				return replaceLine(sdp, "a=ice-pwd:", func(v string) string { return flip(v) })
			}
		}, failure.ICE, "timeout", 3, 3},
		{"no H.264", func(o *origin) {
			o.tamper = func(sdp string) string { return strings.ReplaceAll(sdp, "H264/90000", "AV1/90000") }
		}, failure.Signalling, "no-h264", 3, 3},
		{"no media", func(o *origin) { o.mute.Store(true) }, failure.FirstPacket, "silent", 3, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, o := newStage(t), newOrigin(t)
			test.prepare(o)
			params := startParams(o, test.viewers)
			timeout := int64(1500)
			params.StageTimeoutMs = &timeout
			s.mustCall("audience.start", params)
			all := s.until("all failed and gone", func(j JobSample) bool { return j.Failed == test.viewers && j.Present == 0 })
			if len(all.Failures) != 1 {
				t.Fatalf("failures %+v", all.Failures)
			}
			if f := all.Failures[0]; f.Stage != test.stage || f.Cause != test.cause || f.Count != test.viewers || f.Example.Viewer == 0 || f.Example.Detail == "" {
				t.Errorf("%+v, want %s %s", f, test.stage, test.cause)
			}
			for _, v := range s.list() {
				if v.State != Failed || v.Failure == nil || v.Failure.Cause != test.cause {
					t.Errorf("viewer %+v", v)
				}
			}
			if o.deletes.Load() != test.deletions {
				t.Errorf("%d DELETEs, want %d", o.deletes.Load(), test.deletions)
			}
		})
	}
}

// replaceLine changes what follows prefix in all lines that begin with it.
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
	s, o := newStage(t), newOrigin(t)
	s.mustCall("audience.start", startParams(o, 2))
	s.until("2 connected", func(j JobSample) bool { return j.Connected == 2 })
	o.mutex.Lock()
	for _, session := range o.sessions {
		_ = session.Close() // a DTLS alert goes out
	}
	o.mutex.Unlock()
	all := s.until("2 failed", func(j JobSample) bool { return j.Failed == 2 })
	if f := all.Failures[0]; f.Stage != failure.Media || f.Cause != "alert" {
		t.Errorf("%+v", f)
	}
}

func TestLossIsSeenAndDegrades(t *testing.T) {
	s, o := newStage(t), newOrigin(t)
	o.drop.Store(40)
	params, fps := startParams(o, 2), float64(originFps)
	params.NominalFps = &fps
	s.mustCall("audience.start", params)
	lossy := s.until("both degraded", func(j JobSample) bool {
		return j.Connected == 2 && j.Degraded == 2 && j.LossPercent != nil && *j.LossPercent > 0
	})
	if lossy.Failed != 0 {
		t.Errorf("%+v", lossy)
	}
	for _, v := range s.list() {
		if !v.Degraded || v.DegradedBecause == "" || v.LossPercent < 10 {
			t.Errorf("%+v", v)
		}
	}
}

func TestStoppingWhileTheyArrive(t *testing.T) {
	for _, force := range []bool{false, true} {
		t.Run(fmt.Sprintf("force %t", force), func(t *testing.T) { stopWhileTheyArrive(t, force) })
	}
}

func stopWhileTheyArrive(t *testing.T, force bool) {
	s, o := newStage(t), newOrigin(t)
	params := startParams(o, 1000)
	params.RatePerSecond = 20
	s.mustCall("audience.start", params)
	s.until("some came", func(j JobSample) bool { return j.Connected >= 3 })
	s.StopAll(force)
	gone := s.until("the end", func(j JobSample) bool { return j.State == JobEnded })
	if gone.Present != 0 || gone.Failed != 0 || gone.Left == 0 || gone.Left+gone.Waiting != 1000 {
		t.Errorf("force %t: %+v", force, gone)
	}
	if force && o.deletes.Load() != 0 {
		t.Errorf("with force there were %d DELETEs", o.deletes.Load())
	}
	if !force && (o.deletes.Load() < int64(gone.Left) || o.present() != 0) {
		t.Errorf("%d left with %d DELETEs, %d sessions remain", gone.Left, o.deletes.Load(), o.present())
	}
}

func TestARateThatIsNotReachedIsSaid(t *testing.T) {
	s, o := newStage(t), newOrigin(t)
	params := startParams(o, 5)
	one := 1
	params.Parallel, params.RatePerSecond = &one, 1e6
	s.mustCall("audience.start", params)
	held := s.until("all have come", func(j JobSample) bool { return j.State == JobHolding })
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.events) != 1 || s.events[0].Name != "warning" || !strings.Contains(s.events[0].Message, "instead of 1000000/s") {
		t.Errorf("%.0f/s of %.0f/s, events %+v", held.ArrivalRateAchieved, held.ArrivalRateAsked, s.events)
	}
}

func TestAJobEndsAfterItsHold(t *testing.T) {
	s, o := newStage(t), newOrigin(t)
	params := startParams(o, 2)
	params.HoldMs = 300
	s.mustCall("audience.start", params)
	gone := s.until("the end", func(j JobSample) bool { return j.State == JobEnded })
	if gone.Left != 2 || o.deletes.Load() != 2 {
		t.Errorf("%+v", gone)
	}
}

func TestWhatCannotBeDoneIsRefusedInASentence(t *testing.T) {
	s, o := newStage(t), newOrigin(t)
	s.limit = limit{viewers: 50, files: 306}
	hour := int64(0)
	change := func(change func(*StartParams)) StartParams {
		params := startParams(o, 10)
		params.RatePerSecond = 1
		change(&params)
		return params
	}
	s.mustCall("audience.start", change(func(p *StartParams) { p.Job = "first"; p.HoldMs = hour }))
	for _, test := range []struct {
		name     string
		params   StartParams
		code     string
		sentence string
	}{
		{"the same name", change(func(p *StartParams) { p.Job = "first" }), "duplicate-job", "first"},
		{"too many", change(func(p *StartParams) { p.Viewers = 51 }), "too-many-viewers", "ulimit -n"},
		{"too many together", change(func(p *StartParams) { p.Viewers = 41 }), "too-many-viewers", "beside the 10"},
		{"none", change(func(p *StartParams) { p.Viewers = 0 }), "bad-request", "0 viewers"},
		{"no rate", change(func(p *StartParams) { p.RatePerSecond = 0 }), "bad-request", "rate"},
		{"negative hold", change(func(p *StartParams) { p.HoldMs = -1 }), "bad-request", "holdMs"},
		{"other protocol", change(func(p *StartParams) { p.Protocol = "rtmp" }), "bad-request", "rtmp"},
		{"unknown realism", change(func(p *StartParams) { p.Realism = "most" }), "bad-request", "lean or full"},
		{"more than everything decrypted", change(func(p *StartParams) { tooMuch := 100.5; p.DecryptPercent = &tooMuch }), "bad-request", "decryptPercent"},
		{"realism of RTMP", change(func(p *StartParams) { p.Protocol, p.URL, p.Realism = "rtmp", "rtmp://127.0.0.1/live/cam", "full" }), "bad-request", "realism"},
		{"no address", change(func(p *StartParams) { p.URL = "cam" }), "bad-request", "cam"},
		{"other scheme", change(func(p *StartParams) { p.URL = "ftp://127.0.0.1/x" }), "bad-request", "ftp"},
		{"no name", change(func(p *StartParams) { p.Job = "" }), "bad-request", "name"},
	} {
		_, err := s.call("audience.start", test.params)
		var refusal *link.Error
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
	s, o := newStage(t), newOrigin(t)
	params := startParams(o, 6)
	params.RatePerSecond = 0.001 // one comes at once, the others never
	s.mustCall("audience.start", params)
	s.until("1 connected", func(j JobSample) bool { return j.Connected == 1 })
	for _, test := range []struct {
		params              ViewersParams
		total, shown, first int
	}{
		{ViewersParams{Limit: 1000}, 6, 6, 1},
		{ViewersParams{Offset: 4, Limit: 1000}, 6, 2, 5},
		{ViewersParams{Limit: 2, State: Waiting}, 5, 2, 2},
		{ViewersParams{Limit: 2, State: Connected}, 1, 1, 1},
		{ViewersParams{Limit: 2, State: Failed}, 0, 0, 0},
	} {
		test.params.Job = "pull-1"
		result := s.mustCall("audience.viewers", test.params).(ViewersResult)
		if result.Total != test.total || len(result.Viewers) != test.shown || test.shown > 0 && result.Viewers[0].Viewer != test.first {
			t.Errorf("%+v: %+v", test.params, result)
		}
	}
}
