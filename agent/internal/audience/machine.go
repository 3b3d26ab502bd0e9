package audience

import (
	"sync"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/harvest"
	"fullhouse/agent/internal/tester"
)

// machine is what the audience's own machine did to its viewers.
type machine struct {
	meter *tester.Meter
	mutex sync.Mutex
	drops uint64 // in this interval
	total ofMachine
}

// ofMachine counts what is not the server's doing.
type ofMachine struct {
	drops  uint64 // packets at the viewers' own sockets
	failed int64  // viewers that this machine had nothing left for
}

func newMachine(loop harvest.Loop, streams harvest.Streams) machine {
	threads := func() []int { return []int{loop.Thread(), streams.Thread()} }
	return machine{meter: tester.NewMeter(tester.Config{Threads: threads})}
}

// ofMachine is what the job has counted since the last call.
func (j *job) ofMachine() ofMachine {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	now := ofMachine{drops: j.overflowed}
	for _, view := range j.failures {
		if failure.IsHere(view.Cause) {
			now.failed += int64(view.Count)
		}
	}
	news := ofMachine{drops: now.drops - j.told.drops, failed: now.failed - j.told.failed}
	j.told = now
	return news
}

func (m *machine) add(news ofMachine) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.drops += news.drops
	m.total.failed += news.failed
}

// sample ends the interval; nil while there are no jobs to be doubted.
func (m *machine) sample(openFiles int, limit uint64, playing bool) *tester.Sample {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	s := m.meter.Sample()
	if tester.CountsDrops {
		drops := m.drops
		s.SocketDrops = &drops
	}
	m.drops = 0
	s.OpenFiles, s.OpenFilesLimit, s.FailedHere = openFiles, limit, m.total.failed
	if !playing {
		return nil
	}
	return &s
}
