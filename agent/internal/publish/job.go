package publish

import (
	"context"
	"fmt"
	"sync"
	"time"

	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/stats"
)

// job is one publisher, or several that start at a rate.
type job struct {
	name       string
	protocol   protocol.PublishProtocol
	isOne      bool // it was ordered as a single one
	perSecond  float64
	publishers []*onePublisher
	event      func(protocol.AgentEvent)
	stop       context.CancelFunc
	force      context.CancelFunc
	done       chan struct{}

	mutex        sync.Mutex
	endedSamples int // in how many samples it was included since it ended
	since        time.Time
	state        protocol.PublicationState
	// lost and resumed are the numbers of interruptions and of their ends since the last sample, with an example.
	lost, resumed int
	// warnings since the last sample, the latest of them in warning.
	warnings int
	warning  string
	example  string
}

func startJob(j *job) {
	ctx, stop := context.WithCancel(context.Background())
	forced, force := context.WithCancel(context.Background())
	j.stop, j.force, j.done = stop, force, make(chan struct{})
	go j.run(ctx, forced)
}

func (j *job) run(ctx, forced context.Context) {
	defer close(j.done)
	defer j.stop()
	defer j.force()
	var running sync.WaitGroup
	var mutex sync.Mutex
	failures, failure := 0, ""
	begin := time.Now()
	for i, one := range j.publishers {
		if !waitUntil(ctx, begin.Add(time.Duration(float64(i)/j.perSecond*float64(time.Second)))) {
			break
		}
		running.Go(func() {
			problem := one.run(ctx, forced)
			mutex.Lock()
			defer mutex.Unlock()
			if problem != "" {
				failures, failure = failures+1, problem
			}
		})
	}
	running.Wait()
	for _, one := range j.publishers {
		if one.now() == protocol.PublisherWaiting {
			one.setState(protocol.PublisherEnded, "")
		}
	}
	message := "Publishing stopped."
	switch {
	case j.isOne && failure != "":
		message = failure
	case failures > 0:
		message = fmt.Sprintf("Publishing stopped; %d of %d publishers failed, the last: %s", failures, len(j.publishers), failure)
	}
	j.event(protocol.AgentEvent{Name: protocol.EventJobEnded, Job: j.name, Message: message})
}

func waitUntil(ctx context.Context, at time.Time) bool {
	if wait := time.Until(at); wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	return ctx.Err() == nil
}

// report passes on the events of a single publisher; those of several are counted until the next sample.
func (j *job) report(name protocol.EventName, sentence string) {
	if j.isOne {
		event := protocol.AgentEvent{Name: name, Job: j.name, Message: sentence}
		if name == protocol.EventPublicationLost {
			event.SilentMs = j.publishers[0].silentMs()
		}
		j.event(event)
		return
	}
	j.mutex.Lock()
	defer j.mutex.Unlock()
	switch name {
	case protocol.EventPublicationLost:
		j.lost++
		j.example = sentence
	case protocol.EventPublicationLive:
		j.resumed++
	case protocol.EventWarning:
		j.warnings++
		j.warning = sentence
	}
}

// reportCounted sends one event for all interruptions since the last sample, one for all that have ended, and one for
// all warnings.
func (j *job) reportCounted() {
	j.mutex.Lock()
	lost, resumed, example, warnings, warning := j.lost, j.resumed, j.example, j.warnings, j.warning
	j.lost, j.resumed, j.warnings = 0, 0, 0
	j.mutex.Unlock()
	if lost > 0 {
		j.event(protocol.AgentEvent{Name: protocol.EventPublicationLost, Job: j.name, Message: fmt.Sprintf("%d publishers were interrupted. One of them: %s", lost, example)})
	}
	if resumed > 0 {
		j.event(protocol.AgentEvent{Name: protocol.EventPublicationLive, Job: j.name, Message: fmt.Sprintf("%d publishers resumed.", resumed)})
	}
	if warnings > 0 {
		j.event(protocol.AgentEvent{Name: protocol.EventWarning, Job: j.name, Message: fmt.Sprintf("A warning of %d publishers: %s", warnings, warning)})
	}
}

func (j *job) hasEnded() bool {
	select {
	case <-j.done:
		return true
	default:
		return false
	}
}

// leave starts to end the job; with force the sessions are not closed at the server.
func (j *job) leave(force bool) {
	if force {
		j.force()
	}
	j.stop()
}

// view ends the interval; false once the job is no longer included.
func (j *job) view(interval time.Duration) (protocol.AgentPublication, bool) {
	ended := j.hasEnded()
	j.reportCounted()
	if ended {
		if j.endedSamples++; j.endedSamples > endedSamples {
			return protocol.AgentPublication{}, false
		}
	}
	v := protocol.AgentPublication{Job: j.name, Protocol: j.protocol}
	var roundTrips []float64
	var loss, unacknowledged float64
	var losses, connections int
	seconds := interval.Seconds()
	for _, one := range j.publishers {
		sent := one.meter.read()
		one.mutex.Lock()
		state, problem, since, silent, before := one.state, one.problem, one.since, one.silent, one.before
		one.before = sent
		wasInterrupted := one.interruptions > one.reported
		one.reported = one.interruptions
		one.mutex.Unlock()
		// Of several, those are live that were live throughout: one that was away between two samples is an outage too.
		if wasInterrupted && !j.isOne && state == protocol.PublisherLive {
			state = protocol.PublisherConnecting
		}
		j.count(&v, state)
		if v.Problem == "" || problem != "" && since.UnixMilli() > v.SinceMs {
			v.Problem = problem
		}
		v.SinceMs = max(v.SinceMs, since.UnixMilli())
		v.SilentMs = max(v.SilentMs, silent.Milliseconds())
		if seconds > 0 {
			v.BitrateKbps += float64(sent.Bytes-before.Bytes) * 8 / 1000 / seconds
			v.FPS += float64(sent.Frames-before.Frames) / seconds
			v.PacketsPerSecond += float64(sent.Packets-before.Packets) / seconds
		}
		v.Retransmissions += sent.Retransmitted - before.Retransmitted
		v.KeyframeRequests += sent.KeyframeRequests - before.KeyframeRequests
		if state != protocol.PublisherLive {
			continue
		}
		if loop := sent.Loop; j.isOne && loop.LengthNs > 0 {
			v.MediaClock = &protocol.MediaClock{StartMs: milliseconds(loop.StartNs), SinceMs: milliseconds(loop.SinceNs), DurationMs: int(milliseconds(loop.LengthNs))}
		}
		lost, waiting, roundTrip := reported(sent)
		if lost != nil {
			loss, losses = loss+*lost, losses+1
		}
		if waiting != nil {
			unacknowledged, connections = unacknowledged+*waiting, connections+1
		}
		if roundTrip != nil {
			roundTrips = append(roundTrips, *roundTrip)
		}
	}
	if p := stats.Percentiles(roundTrips, 50, 95, 99); p != nil {
		v.RoundTripMs = &protocol.Percentiles{P50: p[0], P95: p[1], P99: p[2]}
	}
	if losses > 0 {
		mean := loss / float64(losses)
		v.LossPercent = &mean
	}
	if connections > 0 {
		v.UnacknowledgedKb = &unacknowledged
	}
	j.summarize(&v, ended)
	return v, true
}

// milliseconds rounds.
func milliseconds(nanoseconds int64) int64 { return (nanoseconds + 5e5) / 1e6 }

func (j *job) count(v *protocol.AgentPublication, state protocol.PublisherState) {
	v.Requested++
	switch state {
	case protocol.PublisherWaiting:
		v.Waiting++
	case protocol.PublisherConnecting:
		v.Connecting++
	case protocol.PublisherLive:
		v.Live++
	case protocol.PublisherFailed:
		v.Failed++
	}
}

// summarize gives the job one state: live as soon as one publisher is. The frame rate is that of one publisher.
func (j *job) summarize(v *protocol.AgentPublication, ended bool) {
	switch {
	case v.Failed == v.Requested:
		v.State = protocol.PublicationFailed
	case ended:
		v.State = protocol.PublicationEnded
	case v.Live > 0:
		v.State = protocol.PublicationLive
	default:
		v.State = protocol.PublicationConnecting
	}
	v.FPS /= float64(max(1, v.Live))
	if j.isOne {
		v.Requested, v.Waiting, v.Connecting, v.Live, v.Failed = 0, 0, 0, 0, 0
		return
	}
	if v.State != j.state {
		j.state, j.since = v.State, time.UnixMilli(v.SinceMs)
	}
	v.SinceMs = j.since.UnixMilli()
}
