// Package udpreader receives the datagrams of thousands of UDP sockets. On Linux one thread reads them all at a short
// tick, through io_uring where available and epoll elsewhere. That costs at most half of a goroutine per socket. On
// other systems each socket has its goroutine.
package udpreader

import (
	"errors"
	"fmt"
	"net/netip"
	"time"
)

const (
	// connectTick is the tick while viewers connect, since a handshake waits for each response. Arrival times are the
	// kernel's, so the tick does not blur them.
	connectTick = time.Millisecond
	// maxDatagram exceeds the MTU of any path used by WebRTC.
	maxDatagram = 1900
)

// ErrClosed is the error of a socket that has been closed here.
var ErrClosed = errors.New("the socket is closed")

// Handler receives what arrives at a socket. The calls of one socket never overlap.
type Handler interface {
	// Datagram gets one datagram, valid only during the call, its sender, and its arrival in monotonic Unix
	// nanoseconds.
	Datagram(data []byte, from netip.AddrPort, at int64)
	// Overflow gets the number of datagrams dropped so far because this process did not read fast enough. Linux only.
	Overflow(total uint32)
	// SocketError gets an error that the network reported, such as a refused port.
	SocketError(err error)
}

// Loop opens sockets and reads them. Its methods and those of its sockets may be called from any goroutine.
type Loop interface {
	// Open opens a socket on any local port. The handler may be called before Open returns.
	Open(ipv6 bool, handler Handler) (Socket, error)
	// Connecting reports that a handshake started (+1) or ended (-1).
	Connecting(change int)
	// Reader is how the sockets are read.
	Reader() Reader
	// Thread is the system's id of the reading thread; 0 without one.
	Thread() int
	// Close stops reading; the sockets must have been closed before.
	Close() error
}

// Socket is one viewer's UDP socket.
type Socket interface {
	// Port is the local port.
	Port() uint16
	// IPv6 reports the socket's family.
	IPv6() bool
	// Connect fixes the peer: datagrams of others are no longer received, and its refusals are reported. Datagrams that
	// others sent just before may still arrive. It may be called again for another peer.
	Connect(to netip.AddrPort) error
	// SendTo sends to an address, before Connect.
	SendTo(data []byte, to netip.AddrPort) error
	// Send sends to the peer, after Connect.
	Send(data []byte) error
	// Close releases the socket; no call of the handler follows. It must not be called from the handler. A second call
	// does nothing.
	Close() error
}

// Reader names a way to read.
type Reader string

// The ways to read, the least expensive first.
const (
	IOUring  Reader = "io_uring"
	Epoll    Reader = "epoll"
	Portable Reader = "portable"
)

// New starts the least expensive reader that works here.
func New() (Loop, error) {
	readers := Readers()
	for _, reader := range readers[:len(readers)-1] {
		if loop, err := NewOf(reader); err == nil {
			return loop, nil // an error means that this system does not support or allow it; the next one costs more and does the same
		}
	}
	return NewOf(readers[len(readers)-1])
}

// NewOf starts a specific reader.
func NewOf(reader Reader) (Loop, error) {
	if start := starts[reader]; start != nil {
		return start()
	}
	return nil, fmt.Errorf("reader %q does not exist on this system", reader)
}

func newPortable() (Loop, error) { return &portableLoop{}, nil }
