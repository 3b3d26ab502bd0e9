// Package floor receives packets and does nothing else: it measures the kernel's share of the cost, the minimum for any
// audience.
package floor

import "sync/atomic"

// Mode is a way to receive.
type Mode string

// OneSocket blocks in recvmmsg on a single socket for all viewers, which no real server would send to. SocketEach has a
// socket per viewer, drained once per tick, like our audience.
const (
	OneSocket  Mode = "one"
	SocketEach Mode = "each"
)

// Counters of received packets.
type Counters struct {
	Packets, Bytes, Reads atomic.Uint64
}
