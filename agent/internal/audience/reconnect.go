package audience

import (
	"fmt"
	"time"

	"fullhouse/agent/internal/draws"
	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/stats"
	"fullhouse/agent/internal/viewer"
)

// A lost viewer connects again after firstRetry, doubled after each failed attempt up to maxRetry, each varied by half:
// so do players, and a server that restarts does not meet all of its viewers in the same millisecond.
const (
	firstRetry = time.Second
	maxRetry   = 8 * time.Second
)

// loss is what a viewer that reconnects has lost.
type loss struct {
	at       int64            // since when it is not connected; 0 while it is
	attempts int              // since then
	cause    *failure.Failure // the last one
	// These counts are those of its earlier connections, and of earlier viewers in its place.
	stalls, freezes, damaged, overflowed uint64
	freezeMs                             float64
}

// outage is from the first viewer lost until all are connected again.
type outage struct {
	since   int64
	lost    int // in this outage
	missing int // now
	cause   *failure.Failure
	// Since the job's start.
	reconnects                 int
	withoutFiles, withoutPorts uint64 // attempts that failed for lack of them here
	// lasted is the length of an outage that ended in this interval.
	lasted *float64 // ms
}

// lose has a viewer that was connected connect again; false if it is to fail instead. The caller holds the mutex.
func (j *job) lose(i int, f *failure.Failure) bool {
	m := &j.viewerStates[i]
	wasConnected := m.state == protocol.ViewerConnected || m.loss.at != 0
	if !j.params.Reconnect || f.Cause == protocol.CauseTesterMemory || !wasConnected || j.state == protocol.JobTearingDown || j.ramping.Err() != nil {
		return false
	}
	now := j.now().UnixNano()
	if m.loss.at == 0 {
		m.loss.at = now
		j.missOne(now, f)
	}
	j.outage.countLocal(f)
	m.loss.attempts++
	m.loss.cause = f
	m.visit.leaveAt = 0
	m.keepCounts()
	m.history.end(now)
	lost, next := m.viewer, viewer.Again(j.group, m.viewer) // before it forgets who it is
	m.state, m.viewer, m.last, m.degraded = protocol.ViewerConnecting, nil, viewer.Reading{}, ""
	m.stages = [viewer.StageCount]bool{}
	j.work.Add(1)
	go func() {
		defer j.work.Done()
		j.close(lost)
		j.reconnect(i, next)
	}()
	return true
}

// countLocal counts an attempt that failed because of this machine: a viewer that tries again is in no other count.
func (o *outage) countLocal(f *failure.Failure) {
	switch f.Cause {
	case protocol.CauseTesterOpenFiles:
		o.withoutFiles++
	case protocol.CauseTesterPorts:
		o.withoutPorts++
	}
}

func (j *job) missOne(now int64, f *failure.Failure) {
	o := &j.outage
	if o.missing == 0 {
		o.since, o.lost, o.cause = now, 0, f
		j.event(protocol.AgentEvent{Name: protocol.EventWarning, Job: j.params.Job,
			Message: fmt.Sprintf("Viewers lost their connection and connect again. The first one: %s", f.Detail)})
	}
	o.lost++
	o.missing++
}

// reconnect connects a lost viewer again, unless the job ends before.
func (j *job) reconnect(i int, next viewer.Viewer) {
	m := &j.viewerStates[i]
	j.mutex.Lock()
	m.present = false
	attempts := m.loss.attempts
	j.mutex.Unlock()
	if !sleep(j.ramping, retryAfter(i, attempts)) {
		j.giveUp(i)
		return
	}
	select {
	case j.connecting <- struct{}{}:
	case <-j.ramping.Done():
		j.giveUp(i)
		return
	}
	defer func() { <-j.connecting }()
	j.mutex.Lock()
	if j.ramping.Err() != nil {
		j.mutex.Unlock()
		j.giveUp(i)
		return
	}
	m.viewer, m.startedAt, m.window = next, j.now().UnixNano(), stats.Window{}
	m.present, m.handshaking = true, true
	j.mutex.Unlock()
	j.connect(i)
}

func retryAfter(i, attempts int) time.Duration {
	after := firstRetry
	for range attempts - 1 {
		after = min(2*after, maxRetry)
	}
	draw := draws.New(uint64(i), uint64(attempts))
	return time.Duration((0.5 + draw.Next()) * float64(after))
}

// giveUp has a viewer fail that is lost when its job ends.
func (j *job) giveUp(i int) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	m := &j.viewerStates[i]
	m.state, m.failure, m.detail = protocol.ViewerFailed, m.loss.cause, &viewer.Detail{}
	m.disconnectingAt, m.disconnectedAt = m.loss.at, j.now().UnixNano()
	j.forget(m)
	j.countFailure(i, m.loss.cause)
}

// forget ends the loss of a viewer that does not return.
func (j *job) forget(m *viewerState) {
	if m.loss.at != 0 {
		m.loss.at = 0
		j.outage.missing--
	}
}

// isBack ends the loss of a viewer whose first packet has arrived. The caller holds the mutex.
func (j *job) isBack(m *viewerState, at int64) {
	if m.loss.at == 0 {
		return
	}
	m.loss.at, m.loss.attempts, m.loss.cause = 0, 0, nil
	o := &j.outage
	o.reconnects++
	if o.missing--; o.missing > 0 {
		return
	}
	lasted := ms(max(0, at-o.since))
	o.lasted = &lasted
	j.event(protocol.AgentEvent{Name: protocol.EventReconnected, Job: j.params.Job,
		Message: fmt.Sprintf("All %d viewers that lost their connection are connected again, the last one after %.1f s.", o.lost, lasted/1000)})
}
