package audience

import (
	"testing"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/tcpreader"
	"fullhouse/agent/internal/udpreader"
)

func TestTheMachineCountsEachJobOnce(t *testing.T) {
	loop, err := udpreader.New()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := loop.Close(); err != nil {
			t.Error(err)
		}
	}()
	streams, err := tcpreader.New()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := streams.Close(); err != nil {
			t.Error(err)
		}
	}()
	m := newMachine(loop, streams)
	j := &job{overflowed: 5, failures: []protocol.JobFailure{{Cause: protocol.CauseTesterOpenFiles, Count: 3},
		{Cause: protocol.CauseTimeout, Count: 9}, {Cause: protocol.CauseTesterPorts, Count: 1}}}
	m.add(j.localCauses())
	if s := m.sample(12, 300, true); s.SocketDrops == nil || *s.SocketDrops != 5 || s.FailedOnTester != 4 || s.OpenFiles != 12 || s.OpenFilesLimit != 300 {
		t.Errorf("%+v", s)
	}
	j.overflowed, j.failures[0].Count = 7, 4
	m.add(j.localCauses())
	m.add((&job{overflowed: 1}).localCauses())
	if s := m.sample(12, 300, true); *s.SocketDrops != 3 || s.FailedOnTester != 5 {
		t.Errorf("drops are of the interval, failures since the start: %+v", s)
	}
	m.add(j.localCauses())
	if s := m.sample(12, 300, true); *s.SocketDrops != 0 || s.FailedOnTester != 5 {
		t.Errorf("nothing is counted twice: %+v", s)
	}
	lost := &job{}
	for _, cause := range []protocol.Cause{protocol.CauseTesterOpenFiles, protocol.CauseTesterOpenFiles, protocol.CauseTesterPorts, protocol.CauseTimeout} {
		lost.outage.countLocal(&failure.Failure{Cause: cause})
	}
	m.add(lost.localCauses())
	if s := m.sample(12, 300, true); s.ReconnectsWithoutFiles != 2 || s.ReconnectsWithoutPorts != 1 || s.FailedOnTester != 5 {
		t.Errorf("attempts that this machine failed are no failed viewers: %+v", s)
	}
	m.add(lost.localCauses())
	if s := m.sample(12, 300, true); s.ReconnectsWithoutFiles != 0 || s.ReconnectsWithoutPorts != 0 {
		t.Errorf("attempts are of the interval: %+v", s)
	}
	if s := m.sample(12, 300, false); s != nil {
		t.Errorf("without jobs: %+v", s)
	}
}
