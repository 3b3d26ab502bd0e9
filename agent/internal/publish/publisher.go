package publish

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/viewer"
)

const (
	// stageTimeout is the timeout of each step until a stream is live.
	stageTimeout = 10 * time.Second
	// A lost stream is retried, at first after this delay, and given up after this time.
	firstRetry   = 500 * time.Millisecond
	maxRetry     = 10 * time.Second
	retryTimeout = 2 * time.Minute
)

// attempt is one connection that publishes until it is lost.
type attempt struct {
	meter *meter
	// live is called when the server accepts the stream.
	live func()
	// warn reports a limitation of the server.
	warn func(sentence string)
	// forced cancels an active closing of the session.
	forced context.Context
}

// publishing makes one attempt. It returns nil when ctx ended and the session was closed at the server. Otherwise it
// returns a sentence, without leading capital and full stop, about why the stream ended, or why closing the session
// failed.
type publishing func(ctx context.Context, a attempt) error

// onePublisher publishes one stream, and again when it is lost.
type onePublisher struct {
	publish publishing
	event   func(name protocol.EventName, sentence string)
	meter   meter

	mutex         sync.Mutex
	state         protocol.PublisherState
	since         time.Time
	problem       string
	interruptions int
	reported      int           // interruptions at the last sample
	silent        time.Duration // how long the server had not responded at the latest interruption; 0 while live
	before        viewer.Sent   // at the last sample
}

func newPublisher(publish publishing, event func(name protocol.EventName, sentence string)) *onePublisher {
	return &onePublisher{publish: publish, event: event, state: protocol.PublisherWaiting, since: monotonic.Now()}
}

// run publishes until it is stopped or retries fail; failure is why it ended by itself.
func (p *onePublisher) run(ctx, forced context.Context) (failure string) {
	p.setState(protocol.PublisherConnecting, "")
	wait, lostAt, noticedAt := firstRetry, time.Time{}, time.Time{}
	for {
		err := p.publish(ctx, attempt{meter: &p.meter, forced: forced, warn: func(sentence string) { p.event(protocol.EventWarning, sentence) }, live: func() {
			p.setState(protocol.PublisherLive, "")
			if !lostAt.IsZero() {
				p.event(protocol.EventPublicationLive, fmt.Sprintf("Publishing resumed after %s.", time.Since(lostAt).Round(100*time.Millisecond)))
			}
			wait, lostAt = firstRetry, time.Time{}
		}})
		if ctx.Err() != nil {
			p.finish(err, forced)
			return ""
		}
		if p.now() == protocol.PublisherLive {
			silent := silence(err)
			noticedAt = time.Now()
			lostAt = noticedAt.Add(-silent)
			p.mutex.Lock()
			p.interruptions++
			p.silent = silent
			p.mutex.Unlock()
			p.event(protocol.EventPublicationLost, fmt.Sprintf("Publishing was interrupted: %v. Reconnecting.", err))
		}
		if lostAt.IsZero() || time.Since(noticedAt) > retryTimeout {
			p.setState(protocol.PublisherFailed, sentence(err))
			return fmt.Sprintf("Publishing failed: %v.", err)
		}
		p.setState(protocol.PublisherConnecting, sentence(err))
		select {
		case <-time.After(wait):
			wait = min(2*wait, maxRetry)
		case <-ctx.Done():
			p.finish(nil, forced)
			return ""
		}
	}
}

// silence is how long the server had not responded when a publisher noticed that it was lost.
func silence(err error) time.Duration {
	var silent interface{ SilentFor() time.Duration }
	if errors.As(err, &silent) {
		return silent.SilentFor()
	}
	return 0
}

func (p *onePublisher) silentMs() int64 {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.silent.Milliseconds()
}

func (p *onePublisher) finish(sessionErr error, forced context.Context) {
	if sessionErr != nil && !errors.Is(sessionErr, context.Canceled) && forced.Err() == nil {
		p.event(protocol.EventWarning, fmt.Sprintf("Closing the publishing session failed: %v.", sessionErr))
	}
	p.setState(protocol.PublisherEnded, "")
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

func (p *onePublisher) setState(state protocol.PublisherState, problem string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.state != state {
		p.since = monotonic.Now()
	}
	if state == protocol.PublisherLive {
		p.silent = 0
	}
	p.state, p.problem = state, problem
}

func (p *onePublisher) now() protocol.PublisherState {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.state
}

// view is the publisher's row in a list.
func (p *onePublisher) view(number int) protocol.AgentPublisher {
	sent := p.meter.read()
	p.mutex.Lock()
	defer p.mutex.Unlock()
	row := protocol.AgentPublisher{Publisher: number, State: p.state, SinceMs: p.since.UnixMilli(), Bytes: sent.Bytes, Frames: sent.Frames,
		Retransmissions: sent.Retransmitted, KeyframeRequests: sent.KeyframeRequests, Interruptions: p.interruptions, Problem: p.problem}
	if p.state == protocol.PublisherLive {
		row.LossPercent, row.UnacknowledgedKb, row.RoundTripMs = reported(sent)
	}
	return row
}

// reported are the figures that a server or the system has reported, absent before.
func reported(sent viewer.Sent) (lossPercent, unacknowledgedKb, roundTripMs *float64) {
	if sent.Reported && sent.OverTCP {
		value := float64(sent.UnacknowledgedBytes) / 1000
		unacknowledgedKb = &value
	} else if sent.Reported {
		lossPercent = &sent.LossPercent
	}
	if sent.RoundTripNs > 0 {
		value := float64(sent.RoundTripNs) / 1e6
		roundTripMs = &value
	}
	return lossPercent, unacknowledgedKb, roundTripMs
}
