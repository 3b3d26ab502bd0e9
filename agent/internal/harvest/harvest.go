// Package harvest receives the datagrams of thousands of UDP sockets. On Linux one thread collects them all on a
// short beat, which costs a third of a goroutine per socket; elsewhere each socket has its goroutine.
package harvest

import (
	"errors"
	"net/netip"
	"time"
)

const (
	// Beat is how often the sockets are emptied; arrival times are the kernel's, so the beat does not blur them.
	Beat = 2 * time.Millisecond
	// quickBeat is used while somebody connects, since a handshake waits for each of its answers.
	quickBeat = time.Millisecond
	// maxDatagram is more than any path's MTU that WebRTC uses.
	maxDatagram = 2048
)

// ErrClosed is the error of a socket that has been closed here.
var ErrClosed = errors.New("the socket is closed")

// Handler takes what arrives at a socket. The calls of one socket never overlap.
type Handler interface {
	// Datagram gets one datagram, which is valid during the call only, its sender, and its arrival in Unix nanoseconds.
	Datagram(data []byte, from netip.AddrPort, at int64)
	// Overflow gets the number of datagrams that were dropped so far because this process did not read fast enough.
	// Only Linux tells.
	Overflow(total uint32)
	// SocketError gets an error that the network reported, such as a refused port.
	SocketError(err error)
}
