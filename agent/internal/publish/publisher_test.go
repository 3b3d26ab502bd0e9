package publish

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/viewer"
)

// timeout is for a slow, busy machine; no passing test waits that long.
const timeout = 40 * time.Second

// events collects the events.
type events struct {
	mutex sync.Mutex
	list  []protocol.AgentEvent
}

func (e *events) add(event protocol.AgentEvent) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.list = append(e.list, event)
}

func (e *events) names() string {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	var names []string
	for _, event := range e.list {
		names = append(names, string(event.Name))
	}
	return strings.Join(names, " ")
}

func (e *events) last() protocol.AgentEvent {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if len(e.list) == 0 {
		return protocol.AgentEvent{}
	}
	return e.list[len(e.list)-1]
}

func eventually(t *testing.T, what string, fits func() bool) {
	t.Helper()
	for deadline := time.Now().Add(timeout); !fits(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timed out: %s", what)
		}
	}
}

// startOne starts a job of a single publisher.
func startOne(name string, by protocol.PublishProtocol, publish publishing, event func(protocol.AgentEvent)) *job {
	j := &job{name: name, protocol: by, isOne: true, perSecond: defaultRate, event: event}
	j.publishers = []*onePublisher{newPublisher(publish, j.report)}
	startJob(j)
	return j
}

func TestALostStreamIsPublishedAgainAndBothAreReported(t *testing.T) {
	var recorded events
	lose := make(chan error)
	refusals := 2 // by a server that still has the first connection
	attempts := 0
	p := startOne("cam", "whip", func(ctx context.Context, a attempt) error {
		attempts++
		if attempts > 1 && refusals > 0 {
			refusals--
			return errors.New("the name is taken")
		}
		a.live()
		defer a.meter.follow(func() viewer.Sent { return viewer.Sent{Bytes: 1000, Frames: 25} })()
		select {
		case err := <-lose:
			return err
		case <-ctx.Done():
			return nil
		}
	}, recorded.add)
	eventually(t, "publishing is live", func() bool { return p.publishers[0].now() == protocol.PublisherLive })
	v, shows := p.view(time.Second)
	if !shows || v.Job != "cam" || v.Protocol != "whip" || v.BitrateKbps != 8 || v.FPS != 25 || v.Problem != "" || v.SinceMs == 0 {
		t.Errorf("%+v", v)
	}
	lose <- errors.New("the server hung up")
	eventually(t, "the refusal is shown", func() bool {
		v, _ := p.view(time.Second)
		return v.State == protocol.PublicationConnecting && v.Problem == "The name is taken."
	})
	eventually(t, "publishing is live again", func() bool { return p.publishers[0].now() == protocol.PublisherLive })
	p.leave(false)
	<-p.done
	if names := recorded.names(); names != "publication-lost publication-live job-ended" {
		t.Errorf("%s", names)
	}
	for i := range endedSamples + 1 {
		if v, shows := p.view(time.Second); shows != (i < endedSamples) || shows &&
			(v.State != protocol.PublicationEnded || v.Problem != "") {
			t.Errorf("sample %d after the end: %+v, %v", i, v, shows)
		}
	}
}

func TestALossReportsSinceWhenTheServerDidNotRespond(t *testing.T) {
	const silent = 20 * time.Second
	for name, isOne := range map[string]bool{"a single publisher": true, "several": false} {
		var recorded events
		isFirst, blocked := true, make(chan struct{})
		j := &job{name: "cam", protocol: "whip", isOne: isOne, perSecond: defaultRate, event: recorded.add}
		j.publishers = []*onePublisher{newPublisher(func(ctx context.Context, a attempt) error {
			if !isFirst {
				<-blocked
			}
			a.live()
			if isFirst {
				isFirst = false
				return lost{errors.New("it is silent"), monotonic.Nano() - int64(silent)}
			}
			<-ctx.Done()
			return nil
		}, j.report)}
		startJob(j)
		var v protocol.AgentPublication
		eventually(t, name+" is lost", func() bool { v, _ = j.view(time.Second); return v.Problem != "" })
		if v.SilentMs < silent.Milliseconds() {
			t.Errorf("%s: %+v", name, v)
		}
		if event := recorded.list[0]; event.Name != protocol.EventPublicationLost || isOne && event.SilentMs < silent.Milliseconds() {
			t.Errorf("%s: %+v", name, event)
		}
		close(blocked)
		eventually(t, name+" is live again", func() bool { v, _ = j.view(time.Second); return v.State == protocol.PublicationLive })
		if last := recorded.last().Message; v.SilentMs != 0 || isOne && !strings.HasPrefix(last, "Publishing resumed after 2") {
			t.Errorf("%s: %+v, %s", name, v, last)
		}
		j.leave(false)
		<-j.done
	}
}

func TestSentencesKeepHostNames(t *testing.T) {
	for text, want := range map[string]string{"the name is taken": "The name is taken.", "origin.example:1935 refused": "origin.example:1935 refused.", "WebRTC fails": "WebRTC fails."} {
		if got := sentence(errors.New(text)); got != want {
			t.Errorf("%q", got)
		}
	}
}

func TestAStreamRefusedAtOnceIsNotRetried(t *testing.T) {
	var recorded events
	p := startOne("cam", "rtmp", func(context.Context, attempt) error { return errors.New("the name is taken") }, recorded.add)
	<-p.done
	if v, shows := p.view(time.Second); !shows || v.State != protocol.PublicationFailed ||
		v.Problem != "The name is taken." {
		t.Errorf("%+v, %v", v, shows)
	}
	if event := recorded.last(); recorded.names() != "job-ended" || event.Job != "cam" || !strings.Contains(event.Message, "the name is taken") {
		t.Errorf("%s: %+v", recorded.names(), event)
	}
}

func TestAFailedSessionCloseIsReported(t *testing.T) {
	var recorded events
	p := startOne("cam", "whip", func(ctx context.Context, a attempt) error {
		a.live()
		<-ctx.Done()
		return errors.New("DELETE was answered 500")
	}, recorded.add)
	eventually(t, "publishing is live", func() bool { return p.publishers[0].now() == protocol.PublisherLive })
	p.leave(false)
	<-p.done
	if names := recorded.names(); names != "warning job-ended" || p.publishers[0].now() != protocol.PublisherEnded {
		t.Errorf("%s, %s", names, p.publishers[0].now())
	}
}

func TestAJumpContinuesWithoutAGap(t *testing.T) {
	c := newClock()
	c.origin = c.origin.Add(-time.Hour) // everything is due
	before := c.origin
	at, ok := c.wait(context.Background(), time.Second)
	if !ok || at != time.Second || !c.origin.After(before) {
		t.Errorf("%s, %v; after a stall the clock was set back by %v", at, ok, c.origin.Sub(before))
	}
	if ahead := time.Until(c.origin.Add(time.Second)); ahead < -timeout || ahead > 0 {
		t.Errorf("the clock deviates by %s", ahead)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, ok := c.wait(ctx, time.Hour); ok {
		t.Error("the clock continues after its context ended")
	}
}

func TestSeveralPublishersStartAtTheirRateAndAreCounted(t *testing.T) {
	var recorded events
	lose := make(chan error)
	j := &job{name: "many", protocol: "rtmp", perSecond: 100, event: recorded.add}
	started := make(chan time.Time, 10)
	for i := range 6 {
		first := true
		j.publishers = append(j.publishers, newPublisher(func(ctx context.Context, a attempt) error {
			if started <- time.Now(); i == 5 {
				return errors.New("the name is taken")
			}
			sent := viewer.Sent{Bytes: 1000, Frames: 25, Retransmitted: 2, KeyframeRequests: 1, RoundTripNs: int64(i+1) * 1e6, Reported: true, LossPercent: 4}
			defer a.meter.follow(func() viewer.Sent { return sent })()
			if a.live(); first && i == 0 {
				first = false
				select {
				case err := <-lose:
					return err
				case <-ctx.Done():
				}
			}
			<-ctx.Done()
			return nil
		}, j.report))
	}
	startJob(j)
	var v protocol.AgentPublication
	begin := <-started
	for range 5 {
		<-started
	}
	if took := time.Since(begin); took < 50*time.Millisecond {
		t.Errorf("six publishers at 100/s started within %s", took)
	}
	eventually(t, "five are live", func() bool { v, _ = j.view(time.Second); return v.Live == 5 && v.Failed == 1 })
	if v.Requested != 6 || v.State != protocol.PublicationLive || v.Problem != "The name is taken." || v.RoundTripMs == nil || v.RoundTripMs.P50 != 3 ||
		v.LossPercent == nil || *v.LossPercent != 4 || v.UnacknowledgedKb != nil {
		t.Errorf("%+v", v)
	}
	lose <- errors.New("the server hung up")
	eventually(t, "one was interrupted, and resumed", func() bool {
		one := j.publishers[0]
		one.mutex.Lock()
		defer one.mutex.Unlock()
		return one.interruptions == 1 && one.state == protocol.PublisherLive
	})
	// Between two samples, so only this one shows it.
	if v, _ = j.view(time.Second); v.Live != 4 || v.Connecting != 1 {
		t.Errorf("%+v", v)
	}
	if v, _ = j.view(time.Second); v.Live != 5 {
		t.Errorf("%+v", v)
	}
	if names := recorded.names(); names != "publication-lost publication-live" || !strings.Contains(recorded.list[0].Message, "1 publishers were interrupted. One of them: Publishing was interrupted: the server hung up.") {
		t.Errorf("%s: %+v", names, recorded.list)
	}
	// What an ended connection sent still counts.
	if row := j.publishers[0].view(1); row.Interruptions != 1 || row.Bytes != 2000 || row.Retransmissions != 4 || row.RoundTripMs == nil {
		t.Errorf("%+v", row)
	}
	j.leave(false)
	<-j.done
	if event := recorded.last(); event.Message != "Publishing stopped; 1 of 6 publishers failed, the last: Publishing failed: the name is taken." {
		t.Errorf("%+v", event)
	}
}

// Publish prepares and starts a publication.
func (p *Publications) Publish(params protocol.AudiencePublishParams) (protocol.AudiencePublishResult, error) {
	prepared, err := p.Prepare(params)
	if err != nil {
		return prepared.result, err
	}
	return p.Start(prepared)
}
