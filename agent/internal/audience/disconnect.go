package audience

import (
	"context"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/viewer"
)

// fail records why a viewer failed and releases its resources. The caller holds the mutex.
func (j *job) fail(i int, f *failure.Failure) {
	m := &j.viewerStates[i]
	if m.state != protocol.ViewerConnecting && m.state != protocol.ViewerConnected {
		return
	}
	j.figures.addStages(m)
	if j.lose(i, f) {
		return
	}
	m.state, m.failure = protocol.ViewerFailed, f
	m.end(j.now().UnixNano())
	j.countFailure(i, f)
	j.closeSession(i)
}

func (j *job) countFailure(i int, f *failure.Failure) {
	for k := range j.failures {
		if known := &j.failures[k]; known.Stage == f.Stage && known.Cause == f.Cause {
			known.Count++
			return
		}
	}
	j.failures = append(j.failures, protocol.JobFailure{Stage: f.Stage, Cause: f.Cause, Count: 1,
		Example: protocol.FailureExample{Viewer: i + 1, TimeMs: j.now().UnixMilli(), Detail: f.Detail}})
}

// disconnect disconnects a viewer that has started. The caller holds the mutex.
func (j *job) disconnect(i int) {
	m := &j.viewerStates[i]
	if m.viewer == nil || m.state != protocol.ViewerConnecting && m.state != protocol.ViewerConnected {
		return // one that is lost gives up by itself
	}
	// It may have received its first packet since the last sample.
	if m.loss.at != 0 {
		if at := m.viewer.Read(j.now()).FirstPacketAt; at != 0 {
			j.isBack(m, at)
		}
	}
	m.state = protocol.ViewerDisconnecting
	j.forget(m)
	m.end(j.now().UnixNano())
	j.closeSession(i)
}

func (j *job) closeSession(i int) {
	m := &j.viewerStates[i]
	j.work.Add(1)
	go func() {
		defer j.work.Done()
		j.close(m.viewer)
		j.mutex.Lock()
		defer j.mutex.Unlock()
		m.present, m.disconnectedAt = false, j.now().UnixNano()
		m.last = finalFigures(m.last, m.viewer.Read(j.now()))
		detail := m.viewer.Detail()
		m.detail = &detail
		m.viewer = nil // an ended job may be listed for long; what its viewers held need not stay
		if m.state == protocol.ViewerDisconnecting {
			m.state = protocol.ViewerDisconnected
		}
	}()
}

// close disconnects a viewer, of which only so many do at once.
func (j *job) close(v viewer.Viewer) {
	j.closeSlots <- struct{}{}
	defer func() { <-j.closeSlots }()
	ctx, cancel := context.WithTimeout(j.closing, closeTimeout)
	defer cancel()
	j.mutex.Lock()
	force := j.force
	j.mutex.Unlock()
	err := v.Disconnect(ctx, force)
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if err != nil && !j.force {
		j.closeErrors++
		j.closeError = err
	}
}

// finalFigures takes the final figures, without a gap or a failure that closing the session caused.
func finalFigures(before, final viewer.Reading) viewer.Reading {
	final.Failure, final.GapNs, final.Stalls, final.StalledNs = before.Failure, before.GapNs, before.Stalls, before.StalledNs
	return final
}
