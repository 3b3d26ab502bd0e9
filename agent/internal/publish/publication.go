// Package publish sends the sample to media servers: a stream to try them with where nobody publishes one.
package publish

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fullhouse/agent/internal/link"
	"fullhouse/agent/internal/steady"
)

const (
	// stagePatience is how long each step on the way to a live stream may take.
	stagePatience = 10 * time.Second
	// A stream that was lost is tried again, this soon at first, and given up after that long.
	firstRetry    = 500 * time.Millisecond
	mostRetry     = 10 * time.Second
	retryPatience = 2 * time.Minute
)

// State is where a publication stands.
type State string

// The states of a publication. Connecting may come again after Live.
const (
	Connecting State = "connecting"
	Live       State = "live"
	Failed     State = "failed"
	Ended      State = "ended"
)

// View is a publication as a sample tells it.
type View struct {
	Job         string  `json:"job"`
	Protocol    string  `json:"protocol"`
	State       State   `json:"state"`
	BitrateKbps float64 `json:"bitrateKbps"`
	FPS         float64 `json:"fps"`
	SinceMs     int64   `json:"sinceMs"`
	Problem     string  `json:"problem,omitempty"`
}

// meter counts what was sent.
type meter struct {
	bytes, frames atomic.Uint64
}

// attempt is one connection that publishes until it is lost.
type attempt struct {
	meter *meter
	// live is to be called when the server takes the stream.
	live func()
	// forced ends a goodbye that is under way.
	forced context.Context
}

// protocol makes one attempt. It returns nil when ctx ended and the server was told so, or a sentence (not a capital letter
// first, no full stop last) about why there is no stream, or about a goodbye that failed.
type protocol func(ctx context.Context, a attempt) error

// Publication is one stream that is published.
type Publication struct {
	job, protocol string
	publish       protocol
	event         func(link.Event)
	meter         meter
	stop, force   context.CancelFunc
	done          chan struct{}

	mutex   sync.Mutex
	state   State
	since   time.Time
	problem string
	// before are the meter's counts at the last sample; endedSamples is in how many it showed since it ended.
	before       struct{ bytes, frames uint64 }
	endedSamples int
}

func begin(job, name string, publish protocol, event func(link.Event)) *Publication {
	ctx, stop := context.WithCancel(context.Background())
	forced, force := context.WithCancel(context.Background())
	p := &Publication{job: job, protocol: name, publish: publish, event: event, stop: stop, force: force, done: make(chan struct{}),
		state: Connecting, since: steady.Now()}
	go p.run(ctx, forced)
	return p
}

// run publishes, again when the stream is lost, until it is stopped or nothing helps.
func (p *Publication) run(ctx, forced context.Context) {
	defer close(p.done)
	defer p.stop()
	defer p.force()
	wait, lostAt := firstRetry, time.Time{}
	for {
		err := p.publish(ctx, attempt{meter: &p.meter, forced: forced, live: func() {
			p.enter(Live, "")
			if !lostAt.IsZero() {
				p.event(link.Event{Name: "publication-live", Job: p.job, Message: fmt.Sprintf("The stream is published again, after %s.", time.Since(lostAt).Round(100*time.Millisecond))})
			}
			wait, lostAt = firstRetry, time.Time{}
		}})
		if ctx.Err() != nil {
			p.finish(err, forced)
			return
		}
		if p.now() == Live {
			lostAt = time.Now()
			p.event(link.Event{Name: "publication-lost", Job: p.job, Message: fmt.Sprintf("The stream is no longer published: %v. It is tried again.", err)})
		}
		if lostAt.IsZero() || time.Since(lostAt) > retryPatience {
			p.enter(Failed, sentence(err))
			p.event(link.Event{Name: "job-ended", Job: p.job, Message: fmt.Sprintf("The stream is not published: %v.", err)})
			return
		}
		p.enter(Connecting, sentence(err))
		select {
		case <-time.After(wait):
			wait = min(2*wait, mostRetry)
		case <-ctx.Done():
			p.finish(nil, forced)
			return
		}
	}
}

func (p *Publication) finish(goodbye error, forced context.Context) {
	if goodbye != nil && !errors.Is(goodbye, context.Canceled) && forced.Err() == nil {
		p.event(link.Event{Name: "warning", Job: p.job, Message: fmt.Sprintf("The server was not told that the stream ends: %v.", goodbye)})
	}
	p.enter(Ended, "")
	p.event(link.Event{Name: "job-ended", Job: p.job, Message: "The stream is no longer published, as asked."})
}

// sentence makes one of an error's words. The name of a host stays as it is.
func sentence(err error) string {
	text := err.Error()
	word, _, _ := strings.Cut(text, " ")
	if first := text[0]; first >= 'a' && first <= 'z' && !strings.ContainsAny(word, ".:") {
		text = string(first-'a'+'A') + text[1:]
	}
	return text + "."
}

func (p *Publication) enter(state State, problem string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.state != state {
		p.since = steady.Now()
	}
	p.state, p.problem = state, problem
}

func (p *Publication) now() State {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.state
}

func (p *Publication) hasEnded() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// leave begins to end the publication; with force the server is not told.
func (p *Publication) leave(force bool) {
	if force {
		p.force()
	}
	p.stop()
}

// view ends the interval; false when the publication no longer shows.
func (p *Publication) view(interval time.Duration) (View, bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.state == Failed || p.state == Ended {
		if p.endedSamples++; p.endedSamples > endedSamples {
			return View{}, false
		}
	}
	v := View{Job: p.job, Protocol: p.protocol, State: p.state, SinceMs: p.since.UnixMilli(), Problem: p.problem}
	bytes, frames := p.meter.bytes.Load(), p.meter.frames.Load()
	if seconds := interval.Seconds(); seconds > 0 {
		v.BitrateKbps = float64(bytes-p.before.bytes) * 8 / 1000 / seconds
		v.FPS = float64(frames-p.before.frames) / seconds
	}
	p.before.bytes, p.before.frames = bytes, frames
	return v, true
}
