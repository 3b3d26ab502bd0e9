package publish

import (
	"sync"

	"fullhouse/agent/internal/viewer"
)

// meter counts what one publisher has sent, over all its connections.
type meter struct {
	mutex   sync.Mutex
	earlier viewer.Sent // by connections that have ended
	current func() viewer.Sent
}

// follow counts a connection until the returned function is called.
func (m *meter) follow(read func() viewer.Sent) (end func()) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.current = read
	return func() {
		m.mutex.Lock()
		defer m.mutex.Unlock()
		m.earlier = m.total()
		m.earlier.Reported, m.earlier.RoundTripNs, m.earlier.UnacknowledgedBytes, m.earlier.Loop = false, 0, 0, viewer.Loop{}
		m.current = nil
	}
}

func (m *meter) read() viewer.Sent {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.total()
}

// total are the counts of all connections, and the latest report about the present one.
func (m *meter) total() viewer.Sent {
	sum := m.earlier
	if m.current == nil {
		return sum
	}
	now := m.current()
	now.Packets += sum.Packets
	now.Bytes += sum.Bytes
	now.Frames += sum.Frames
	now.Requested += sum.Requested
	now.Retransmitted += sum.Retransmitted
	now.KeyframeRequests += sum.KeyframeRequests
	return now
}
