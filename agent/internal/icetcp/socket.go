// Package icetcp is the active end of ICE over TCP: connections to the passive candidates of a server (RFC 6544), with
// the framing of RFC 4571. To its owner it is a socket of datagrams.
package icetcp

import (
	"context"
	"errors"
	"io"
	"net/netip"
	"sync"
	"sync/atomic"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/tcpreader"
	"fullhouse/agent/internal/udpreader"
)

const (
	// maxConnections bounds the connections of one viewer: servers list few candidates.
	maxConnections = 8
	// maxFrame is more than any packet of ours.
	maxFrame = 2048
)

// ErrTooLong is the error of a packet that fits no frame.
var ErrTooLong = errors.New("the packet is too long for a frame")

// Config is what a socket gets from its owner.
type Config struct {
	Client  *signalling.Client
	Streams tcpreader.Streams
	// Handler receives the contents of the frames.
	Handler udpreader.Handler
	// Connected reports a new connection. It is called from a goroutine of its own.
	Connected func(to netip.AddrPort)
	// Ended reports that a connection ended: the server closed it or reads nothing. No lock of the caller of Send is held.
	Ended func(from netip.AddrPort, reason string)
}

// Socket is the connections of one viewer.
type Socket struct {
	Config
	ipv6 bool
	peer atomic.Pointer[connection] // fixed by Connect

	dialling context.Context
	stop     context.CancelFunc
	work     sync.WaitGroup

	mutex       sync.Mutex
	closed      bool
	connections []*connection // those that are being made included
	failure     *failure.Failure
}

// connection is that to one candidate.
type connection struct {
	socket   *Socket
	to       netip.AddrPort
	local    netip.AddrPort
	stream   atomic.Pointer[tcpreader.Stream] // nil until connected
	broken   atomic.Bool                      // part of a frame was sent
	incoming deframer                         // used by the reader only
}

// New makes a socket without connections; ipv6 is the family over which the server was reached.
func New(ipv6 bool, config Config) *Socket {
	s := &Socket{Config: config, ipv6: ipv6}
	s.dialling, s.stop = context.WithCancel(context.Background())
	return s
}

// Dial starts to connect to candidates, of which those that are known already are left out.
func (s *Socket) Dial(candidates []netip.AddrPort) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, to := range candidates {
		if s.closed || s.find(to) != nil || len(s.connections) == maxConnections {
			continue
		}
		c := &connection{socket: s, to: to}
		s.connections = append(s.connections, c)
		s.work.Add(1)
		go func() {
			defer s.work.Done()
			s.connect(c)
		}()
	}
}

// find is the connection to a candidate. The caller holds the mutex.
func (s *Socket) find(to netip.AddrPort) *connection {
	for _, c := range s.connections {
		if c.to == to {
			return c
		}
	}
	return nil
}

func (s *Socket) connect(c *connection) {
	opened, f := s.Client.Connect(s.dialling, c.to.String(), nil, nil)
	var stream tcpreader.Stream
	if f == nil {
		if local, err := netip.ParseAddrPort(opened.LocalAddr().String()); err == nil {
			c.local = local
		}
		var err error
		if stream, err = s.Streams.Take(opened, (*handler)(c)); err != nil {
			f = failure.New(failure.ICE, protocol.CauseNoSocket, "Reading the connection to %s failed: %v.", c.to, err)
		}
	}
	s.mutex.Lock()
	closed := s.closed
	switch {
	case f != nil:
		s.failure = f
	case !closed:
		c.stream.Store(&stream)
	}
	s.mutex.Unlock()
	switch {
	case f != nil:
	case closed:
		_ = stream.Close(true) // nothing was sent over it
	default:
		s.Connected(c.to)
	}
}

// Failure is why the latest connection that failed did; nil if none has.
func (s *Socket) Failure() *failure.Failure {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.failure
}

// handler is a connection as the handler of its stream.
type handler connection

func (h *handler) Bytes(data []byte, at int64) bool {
	h.incoming.next(data, func(content []byte) { h.socket.Handler.Datagram(content, h.to, at) })
	return true
}

// OwnerOfConnection gives all connections of a viewer the same place on a simulated link.
func (h *handler) OwnerOfConnection() any { return h.socket }

func (h *handler) Ended(err error) {
	reason := "the server closed the connection"
	if !errors.Is(err, io.EOF) {
		reason = "the connection broke: " + err.Error()
	}
	h.socket.Ended(h.to, reason)
}

// send sends a frame. While the peer accepts no data, packets are dropped.
func (c *connection) send(data []byte) error {
	stream := c.stream.Load()
	switch {
	case stream == nil || c.broken.Load():
		return errors.New("the connection is not open")
	case len(data) > maxFrame:
		return ErrTooLong
	}
	buffer := frames.Get().(*[]byte)
	defer frames.Put(buffer)
	*buffer = appendFrame((*buffer)[:0], data)
	err := (*stream).Send(*buffer)
	if errors.Is(err, tcpreader.ErrPart) && !c.broken.Swap(true) {
		go c.socket.Ended(c.to, err.Error()) // the caller may hold what its owner waits for
	}
	return err
}

// frames are for one outgoing frame.
var frames = sync.Pool{New: func() any { buffer := make([]byte, 0, header+maxFrame); return &buffer }}

// Port is the local port of the connection in use; 0 before.
func (s *Socket) Port() uint16 { return s.Local().Port() }

// Local is the local address of the connection in use; invalid before.
func (s *Socket) Local() netip.AddrPort {
	if peer := s.peer.Load(); peer != nil {
		return peer.local
	}
	return netip.AddrPort{}
}

// IPv6 reports the family over which the server was reached.
func (s *Socket) IPv6() bool { return s.ipv6 }

// Connect fixes the peer: the other connections are closed.
func (s *Socket) Connect(to netip.AddrPort) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.closed {
		return udpreader.ErrClosed
	}
	chosen := s.find(to)
	if chosen == nil || chosen.stream.Load() == nil {
		return errors.New("there is no TCP connection to it")
	}
	s.peer.Store(chosen)
	for _, c := range s.connections {
		if stream := c.stream.Load(); c != chosen && stream != nil {
			// Not here: the caller may hold what the handler waits for.
			s.work.Add(1)
			go func() { defer s.work.Done(); _ = (*stream).Close(true) }()
		}
	}
	return nil
}

// SendTo sends to a candidate; to one without a connection nothing.
func (s *Socket) SendTo(data []byte, to netip.AddrPort) error {
	s.mutex.Lock()
	c := s.find(to)
	closed := s.closed
	s.mutex.Unlock()
	switch {
	case closed:
		return udpreader.ErrClosed
	case c == nil:
		return errors.New("there is no TCP connection to it")
	}
	return c.send(data)
}

// Send sends to the peer that Connect fixed.
func (s *Socket) Send(data []byte) error { return s.peer.Load().send(data) }

// Close closes all connections. It must not be called from the handler.
func (s *Socket) Close() error {
	s.mutex.Lock()
	if s.closed {
		s.mutex.Unlock()
		return nil
	}
	s.closed = true
	connections := s.connections
	s.mutex.Unlock()
	s.stop()
	s.work.Wait()
	var err error
	for _, c := range connections {
		if stream := c.stream.Load(); stream != nil {
			err = errors.Join(err, (*stream).Close(false))
		}
	}
	return err
}
