// Package publish sends a sample to media servers: a stream for tests when none is published.
package publish

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/protocol"
)

const (
	// stageTimeout is the timeout of each step until a stream is live.
	stageTimeout = 10 * time.Second
	// A lost stream is retried, at first after this delay, and given up after this time.
	firstRetry   = 500 * time.Millisecond
	maxRetry     = 10 * time.Second
	retryTimeout = 2 * time.Minute
)

// meter counts what was sent.
type meter struct {
	bytes, frames atomic.Uint64
}

// attempt is one connection that publishes until it is lost.
type attempt struct {
	meter *meter
	// live is called when the server accepts the stream.
	live func()
	// forced cancels an active closing of the session.
	forced context.Context
}

// publisher makes one attempt. It returns nil when ctx ended and the session was closed at the server. Otherwise it
// returns a sentence, without leading capital and full stop, about why the stream ended, or why closing the session
// failed.
type publisher func(ctx context.Context, a attempt) error

// Publication is one published stream.
type Publication struct {
	job         string
	protocol    protocol.PublishProtocol
	publish     publisher
	event       func(protocol.Event)
	meter       meter
	stop, force context.CancelFunc
	done        chan struct{}

	mutex   sync.Mutex
	state   protocol.PublicationState
	since   time.Time
	problem string
	// before are the meter's counts at the last sample; endedSamples is in how many samples it was included since it
	// ended.
	before       struct{ bytes, frames uint64 }
	endedSamples int
}

func startPublication(job string, by protocol.PublishProtocol, publish publisher, event func(protocol.Event)) *Publication {
	ctx, stop := context.WithCancel(context.Background())
	forced, force := context.WithCancel(context.Background())
	p := &Publication{job: job, protocol: by, publish: publish, event: event, stop: stop, force: force,
		done: make(chan struct{}), state: protocol.PublicationConnecting, since: monotonic.Now()}
	go p.run(ctx, forced)
	return p
}

// run publishes, and again when the stream is lost, until it is stopped or retries fail.
func (p *Publication) run(ctx, forced context.Context) {
	defer close(p.done)
	defer p.stop()
	defer p.force()
	wait, lostAt := firstRetry, time.Time{}
	for {
		err := p.publish(ctx, attempt{meter: &p.meter, forced: forced, live: func() {
			p.setState(protocol.PublicationLive, "")
			if !lostAt.IsZero() {
				p.event(protocol.Event{Name: protocol.EventPublicationLive, Job: p.job,
					Message: fmt.Sprintf("Publishing resumed after %s.",
						time.Since(lostAt).Round(100*time.Millisecond))})
			}
			wait, lostAt = firstRetry, time.Time{}
		}})
		if ctx.Err() != nil {
			p.finish(err, forced)
			return
		}
		if p.now() == protocol.PublicationLive {
			lostAt = time.Now()
			p.event(protocol.Event{Name: protocol.EventPublicationLost, Job: p.job,
				Message: fmt.Sprintf("Publishing was interrupted: %v. Reconnecting.", err)})
		}
		if lostAt.IsZero() || time.Since(lostAt) > retryTimeout {
			p.setState(protocol.PublicationFailed, sentence(err))
			p.event(protocol.Event{Name: protocol.EventJobEnded, Job: p.job,
				Message: fmt.Sprintf("Publishing failed: %v.", err)})
			return
		}
		p.setState(protocol.PublicationConnecting, sentence(err))
		select {
		case <-time.After(wait):
			wait = min(2*wait, maxRetry)
		case <-ctx.Done():
			p.finish(nil, forced)
			return
		}
	}
}

func (p *Publication) finish(sessionErr error, forced context.Context) {
	if sessionErr != nil && !errors.Is(sessionErr, context.Canceled) && forced.Err() == nil {
		p.event(protocol.Event{Name: protocol.EventWarning, Job: p.job,
			Message: fmt.Sprintf("Closing the publishing session failed: %v.", sessionErr)})
	}
	p.setState(protocol.PublicationEnded, "")
	p.event(protocol.Event{Name: protocol.EventJobEnded, Job: p.job, Message: "Publishing stopped."})
}

// sentence turns an error's text into a sentence. A host name at its start stays as it is.
func sentence(err error) string {
	text := err.Error()
	word, _, _ := strings.Cut(text, " ")
	if first := text[0]; first >= 'a' && first <= 'z' && !strings.ContainsAny(word, ".:") {
		text = string(first-'a'+'A') + text[1:]
	}
	return text + "."
}

func (p *Publication) setState(state protocol.PublicationState, problem string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.state != state {
		p.since = monotonic.Now()
	}
	p.state, p.problem = state, problem
}

func (p *Publication) now() protocol.PublicationState {
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

// leave starts to end the publication; with force the session is not closed at the server.
func (p *Publication) leave(force bool) {
	if force {
		p.force()
	}
	p.stop()
}

// view ends the interval; false once the publication is no longer included.
func (p *Publication) view(interval time.Duration) (protocol.Publication, bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.state == protocol.PublicationFailed || p.state == protocol.PublicationEnded {
		if p.endedSamples++; p.endedSamples > endedSamples {
			return protocol.Publication{}, false
		}
	}
	v := protocol.Publication{Job: p.job, Protocol: p.protocol, State: p.state, SinceMs: p.since.UnixMilli(),
		Problem: p.problem}
	bytes, frames := p.meter.bytes.Load(), p.meter.frames.Load()
	if seconds := interval.Seconds(); seconds > 0 {
		v.BitrateKbps = float64(bytes-p.before.bytes) * 8 / 1000 / seconds
		v.FPS = float64(frames-p.before.frames) / seconds
	}
	p.before.bytes, p.before.frames = bytes, frames
	return v, true
}
