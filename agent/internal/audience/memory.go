package audience

import (
	"fmt"
	"os"
	"runtime/debug"
	"sync/atomic"
	"time"

	"fullhouse/agent/internal/budget"
	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/tester"
)

const (
	// collectPercent of the limit makes the collector work harder, fullPercent refuses new viewers, and overPercent ends
	// the jobs.
	collectPercent = 85
	fullPercent    = 90
	overPercent    = 97
	// memoryInterval is between two looks: an input can take much memory within a second.
	memoryInterval = 100 * time.Millisecond
)

// memoryGuard keeps the agent below its limit of memory: the kernel would end it without a word, with all of its viewers.
type memoryGuard struct {
	limit  uint64 // 0 for none
	used   func() uint64
	isFull atomic.Bool
	stop   chan struct{}
	done   chan struct{}
}

// start watches the memory; over is called each time that the limit is reached, and not again before it was left.
func (g *memoryGuard) start(limit uint64, over func(sentence string)) {
	g.limit, g.stop, g.done = limit, make(chan struct{}), make(chan struct{})
	if g.used == nil {
		g.used = tester.MemoryUsed
	}
	if limit != 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(limit / 100 * collectPercent))
	}
	go func() {
		defer close(g.done)
		ticker := time.NewTicker(memoryInterval)
		defer ticker.Stop()
		for wasOver := false; limit != 0; {
			select {
			case <-g.stop:
				return
			case <-ticker.C:
			}
			wasOver = g.check(wasOver, over)
		}
	}()
}

func (g *memoryGuard) check(wasOver bool, over func(sentence string)) (isOver bool) {
	used := g.used()
	if used >= g.limit/100*overPercent && !wasOver {
		debug.FreeOSMemory() // the last resort before jobs are ended
		used = g.used()
	}
	g.isFull.Store(used >= g.limit/100*fullPercent)
	if isOver = used >= g.limit/100*overPercent; isOver && !wasOver {
		over(g.sentence())
	}
	return isOver
}

func (g *memoryGuard) close() {
	close(g.stop)
	<-g.done
}

// sentence has the figures and what to do, without a full stop.
func (g *memoryGuard) sentence() string {
	return fmt.Sprintf("the agent uses %s of the %s of memory that it may; use fewer viewers here, or another tester, or raise \"Memory of an agent\" in Settings (--memory-limit)",
		budget.Size(int64(g.used())), budget.Size(int64(g.limit)))
}

// failure is that of a viewer that is refused or ended; nil while there is memory.
func (g *memoryGuard) failure() *failure.Failure {
	if !g.isFull.Load() {
		return nil
	}
	return exhausted(g.sentence())
}

func exhausted(sentence string) *failure.Failure {
	return failure.New(failure.Name, protocol.CauseTesterMemory, "The tester is at its limit: %s.", sentence)
}

// fill replaces the machine's memory in a sample where the agent's own limit leaves less.
func (g *memoryGuard) fill(s *protocol.TesterSample) {
	if g.limit == 0 {
		return
	}
	limit := g.limit
	left := limit - min(limit, g.used())
	if s.MemoryAvailableBytes == nil || left < *s.MemoryAvailableBytes {
		s.MemoryAvailableBytes, s.MemoryTotalBytes = &left, &limit
	}
}

// outOfMemory ends all jobs before the kernel ends the agent. Their viewers fail with the reason.
func (a *Audience) outOfMemory(sentence string) {
	a.config.Event(protocol.AgentEvent{Name: protocol.EventWarning, Message: fmt.Sprintf("The agent ends its jobs before the system ends the agent: %s.", sentence)})
	f := exhausted(sentence)
	for _, j := range a.all() {
		j.exhaust(f)
	}
	a.published.EndAll(false)
}

// exhaust fails all viewers, and ends the job.
func (j *job) exhaust(f *failure.Failure) {
	j.mutex.Lock()
	if j.state != protocol.JobEnded {
		j.exhausted = f
		for i := range j.viewerStates {
			if !j.viewerStates[i].handshaking {
				j.fail(i, f)
			}
		}
	}
	j.mutex.Unlock()
	j.stop(false)
}

// refuse notes that a viewer did not start. The caller holds the mutex.
func (j *job) refuse(i int, f *failure.Failure) {
	now := j.now().UnixNano()
	j.viewerStates[i] = viewerState{state: protocol.ViewerFailed, failure: f, startedAt: now, disconnectingAt: now, disconnectedAt: now}
	j.countFailure(i, f)
}
