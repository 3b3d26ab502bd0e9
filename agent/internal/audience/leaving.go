package audience

import (
	"context"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/viewer"
)

// fail records why a viewer ended and frees what it holds. The caller holds the mutex.
func (j *job) fail(i int, f *failure.Failure) {
	m := &j.members[i]
	if m.state != Connecting && m.state != Connected {
		return
	}
	m.state, m.failure = Failed, f
	m.end(j.now().UnixNano())
	number := i + 1
	for k := range j.failures {
		if known := &j.failures[k]; known.Stage == f.Stage && known.Cause == f.Cause {
			known.Count++
			j.goHome(i)
			return
		}
	}
	j.failures = append(j.failures, FailureView{Stage: f.Stage, Cause: f.Cause, Count: 1,
		Example: Example{Viewer: number, TimeMs: j.now().UnixMilli(), Detail: f.Detail}})
	j.goHome(i)
}

// depart lets a viewer leave that came this far. The caller holds the mutex.
func (j *job) depart(i int) {
	m := &j.members[i]
	if m.state != Connecting && m.state != Connected {
		return
	}
	m.state = Leaving
	m.end(j.now().UnixNano())
	j.goHome(i)
}

func (j *job) goHome(i int) {
	m := &j.members[i]
	j.work.Add(1)
	go func() {
		defer j.work.Done()
		j.leaveSlots <- struct{}{}
		defer func() { <-j.leaveSlots }()
		ctx, cancel := context.WithTimeout(j.goodbye, deletePatience)
		defer cancel()
		j.mutex.Lock()
		force := j.force
		j.mutex.Unlock()
		err := m.viewer.Leave(ctx, force)
		j.mutex.Lock()
		defer j.mutex.Unlock()
		if err != nil && !j.force {
			j.goodbyeErrors++
			j.goodbyeError = err
		}
		m.present, m.leftAt = false, j.now().UnixNano()
		m.last = keepFailure(m.last, m.viewer.Read(j.now()))
		detail := m.viewer.Detail()
		m.detail = &detail
		m.viewer = nil // a job that ended can be listed for long, but what its viewers held need not stay
		if m.state == Leaving {
			m.state = Left
		}
	}()
}

// keepFailure takes the final figures, but not a gap or a failure that the goodbye itself made.
func keepFailure(before, final viewer.Reading) viewer.Reading {
	final.Failure, final.GapNs, final.Freezes, final.FrozenNs = before.Failure, before.GapNs, before.Freezes, before.FrozenNs
	return final
}
