package audience

import (
	"sync"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/tcpreader"
	"fullhouse/agent/internal/tester"
	"fullhouse/agent/internal/udpreader"
)

// machine is what the audience's machine did to its viewers.
type machine struct {
	meter *tester.Meter
	mutex sync.Mutex
	// These counts are those of this interval.
	drops, withoutFiles, withoutPorts uint64
	total                             localCauses
}

// localCauses counts what the server did not cause.
type localCauses struct {
	drops  uint64 // dropped at the viewers' sockets
	failed int64  // viewers that failed for lack of a resource here
	// Attempts to reconnect that failed for lack of open files or of local ports.
	withoutFiles, withoutPorts uint64
}

func newMachine(loop udpreader.Loop, streams tcpreader.Streams) machine {
	threads := func() []int { return []int{loop.Thread(), streams.Thread()} }
	return machine{meter: tester.NewMeter(tester.Config{Threads: threads})}
}

// localCauses is what the job has counted since the last call.
func (j *job) localCauses() localCauses {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	now := localCauses{drops: j.overflowed, withoutFiles: j.outage.withoutFiles, withoutPorts: j.outage.withoutPorts}
	for _, view := range j.failures {
		if failure.IsLocal(view.Cause) {
			now.failed += int64(view.Count)
		}
	}
	before := j.reportedCauses
	added := localCauses{drops: now.drops - before.drops, failed: now.failed - before.failed,
		withoutFiles: now.withoutFiles - before.withoutFiles, withoutPorts: now.withoutPorts - before.withoutPorts}
	j.reportedCauses = now
	return added
}

func (m *machine) add(added localCauses) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.drops += added.drops
	m.withoutFiles += added.withoutFiles
	m.withoutPorts += added.withoutPorts
	m.total.failed += added.failed
}

// sample ends the interval; nil without jobs.
func (m *machine) sample(openFiles int, limit uint64, playing bool) *protocol.TesterSample {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	s := m.meter.Sample()
	if tester.CountsDrops {
		drops := m.drops
		s.SocketDrops = &drops
	}
	s.ReconnectsWithoutFiles, s.ReconnectsWithoutPorts = m.withoutFiles, m.withoutPorts
	m.drops, m.withoutFiles, m.withoutPorts = 0, 0, 0
	s.OpenFiles, s.OpenFilesLimit, s.FailedOnTester = openFiles, limit, m.total.failed
	if !playing {
		return nil
	}
	return &s
}
