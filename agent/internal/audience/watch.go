package audience

import (
	"time"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/draws"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/stats"
	"fullhouse/agent/internal/viewer"
)

// visit is how long a viewer watches; a new viewer in its place has the next number.
type visit struct {
	number  uint64
	leaveAt int64 // 0 before its first media
}

func checkWatch(watch *protocol.JobWatch) error {
	if watch == nil {
		return nil
	}
	if watch.MinMs < protocol.MinWatchMs || watch.MaxMs < watch.MinMs || watch.MaxMs > protocol.MaxWatchMs {
		return control.BadRequest("watch is %d to %d ms; it must be within %d and %d.", watch.MinMs, watch.MaxMs,
			int64(protocol.MinWatchMs), int64(protocol.MaxWatchMs))
	}
	return nil
}

// arrive draws how long a viewer watches whose first media has just been received. The caller holds the mutex.
func (j *job) arrive(i int, at int64) {
	watch := j.params.Watch
	if watch == nil {
		return
	}
	m := &j.viewerStates[i]
	draw := draws.New(uint64(i), m.visit.number)
	ms := float64(watch.MinMs) + draw.Next()*float64(watch.MaxMs-watch.MinMs)
	m.visit.leaveAt = at + int64(ms*float64(time.Millisecond))
}

// replaceIfDue has a viewer leave that has watched for its time, and a new one take its place. The caller holds the
// mutex.
func (j *job) replaceIfDue(i int) {
	m := &j.viewerStates[i]
	now := j.now().UnixNano()
	if m.visit.leaveAt == 0 || now < m.visit.leaveAt || m.state != protocol.ViewerConnected || m.loss.at != 0 ||
		j.state == protocol.JobTearingDown || j.ramping.Err() != nil {
		return
	}
	j.replaced++
	m.visit = visit{number: m.visit.number + 1}
	m.keepCounts()
	m.history.end(now)
	left, next := m.viewer, viewer.Again(j.group, m.viewer)
	m.state, m.viewer, m.last, m.degraded = protocol.ViewerConnecting, nil, viewer.Reading{}, ""
	m.stages = [viewer.StageCount]bool{}
	j.work.Add(1)
	go func() {
		defer j.work.Done()
		j.close(left)
		j.follow(i, next)
	}()
}

// follow connects a new viewer in place of one that has left, unless the job ends before.
func (j *job) follow(i int, next viewer.Viewer) {
	m := &j.viewerStates[i]
	j.mutex.Lock()
	m.present = false
	j.mutex.Unlock()
	hasSlot := false
	select {
	case j.connecting <- struct{}{}:
		hasSlot = true
		defer func() { <-j.connecting }()
	case <-j.ramping.Done():
	}
	j.mutex.Lock()
	if !hasSlot || j.ramping.Err() != nil {
		m.state, m.detail, m.disconnectedAt = protocol.ViewerDisconnected, &viewer.Detail{}, j.now().UnixNano()
		j.mutex.Unlock()
		return
	}
	m.viewer, m.startedAt, m.window = next, j.now().UnixNano(), stats.Window{}
	m.present, m.handshaking = true, true
	j.mutex.Unlock()
	j.connect(i)
}

// keepCounts adds the counts of a viewer that is replaced to those of its place.
func (m *viewerState) keepCounts() {
	m.loss.stalls += m.last.Stalls
	m.loss.freezes += uint64(m.last.FreezeCount)
	m.loss.freezeMs += float64(m.last.FreezeMs)
	m.loss.damaged += m.last.Damaged
	m.loss.overflowed += m.last.Overflowed
}
