// Package floor receives packets and does nothing else: what the kernel alone costs, which no audience can go below.
package floor

import "sync/atomic"

// Mode is a way to receive.
type Mode string

// OneSocket blocks in recvmmsg on a single socket for all viewers, which no real server would send to. SocketEach has a socket
// per viewer, emptied on a beat, as ours has.
const (
	OneSocket  Mode = "one"
	SocketEach Mode = "each"
)

// Counters of what came.
type Counters struct {
	Packets, Bytes, Reads atomic.Uint64
}
