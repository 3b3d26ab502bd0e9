// Package harvest receives the datagrams of thousands of UDP sockets. On Linux one thread collects them all on a short beat, by
// io_uring where the system lets it and by epoll elsewhere, which costs half of a goroutine per socket or less; on other systems each
// socket has its goroutine.
package harvest

import (
	"errors"
	"fmt"
	"net/netip"
	"time"
)

const (
	// quickBeat is how often the sockets are emptied while somebody connects, since a handshake waits for each of its answers.
	// Arrival times are the kernel's, so that no beat blurs them.
	quickBeat = time.Millisecond
	// maxDatagram is more than any path's MTU that WebRTC uses.
	maxDatagram = 1900
)

// ErrClosed is the error of a socket that has been closed here.
var ErrClosed = errors.New("the socket is closed")

// Handler takes what arrives at a socket. The calls of one socket never overlap.
type Handler interface {
	// Datagram gets one datagram, which is valid during the call only, its sender, and its arrival in steady Unix nanoseconds.
	Datagram(data []byte, from netip.AddrPort, at int64)
	// Overflow gets the number of datagrams that were dropped so far because this process did not read fast enough.
	// Only Linux tells.
	Overflow(total uint32)
	// SocketError gets an error that the network reported, such as a refused port.
	SocketError(err error)
}

// Loop makes sockets and reads them. Its methods and those of its sockets may be called from anywhere.
type Loop interface {
	// Open makes a socket on any local port. The handler may be called before Open returns.
	Open(ipv6 bool, handler Handler) (Socket, error)
	// Connecting tells that a handshake began (+1) or ended (-1).
	Connecting(change int)
	// Reader is how the sockets are read.
	Reader() Reader
	// Thread is the reading thread's id in the system; 0 when there is none of that kind.
	Thread() int
	// Close ends the reading; the sockets must have been closed before.
	Close() error
}

// Socket is one viewer's UDP socket.
type Socket interface {
	// Port is the local port.
	Port() uint16
	// IPv6 tells the socket's family.
	IPv6() bool
	// Connect fixes the peer: datagrams of others are no longer received, and its refusals become known. What others sent just
	// before may still come. It may be called again for another peer.
	Connect(to netip.AddrPort) error
	// SendTo sends to an address, before Connect.
	SendTo(data []byte, to netip.AddrPort) error
	// Send sends to the peer, after Connect.
	Send(data []byte) error
	// Close frees the socket; no call of the handler follows. It must not be called from the handler. A second call does nothing.
	Close() error
}

// Reader names a way to read.
type Reader string

// The ways to read, the cheapest first.
const (
	IOUring  Reader = "io_uring"
	Epoll    Reader = "epoll"
	Portable Reader = "portable"
)

// New starts the cheapest reader that works here.
func New() (Loop, error) {
	readers := Readers()
	for _, reader := range readers[:len(readers)-1] {
		if loop, err := NewOf(reader); err == nil {
			return loop, nil // an error means that this system or its rules don't have it; the next costs more and does the same
		}
	}
	return NewOf(readers[len(readers)-1])
}

// NewOf starts a certain reader.
func NewOf(reader Reader) (Loop, error) {
	if start := starts[reader]; start != nil {
		return start()
	}
	return nil, fmt.Errorf("there is no reader %q on this system", reader)
}

func newPortable() (Loop, error) { return &portableLoop{}, nil }
