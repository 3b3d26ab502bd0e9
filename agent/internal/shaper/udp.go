package shaper

import (
	"net/netip"
	"sync"

	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/netshape"
	"fullhouse/agent/internal/udpreader"
)

// Loop opens the sockets of the job's viewers, in front of a loop that reads them.
func (j *Job) Loop(under udpreader.Loop) udpreader.Loop { return &loop{Loop: under, job: j} }

type loop struct {
	udpreader.Loop
	job *Job
}

func (l *loop) Open(ipv6 bool, handler udpreader.Handler) (udpreader.Socket, error) {
	header := netshape.HeaderUDP4
	if ipv6 {
		header = netshape.HeaderUDP6
	}
	s := &socket{path: l.job.enter(handler, header), handler: handler}
	under, err := l.Loop.Open(ipv6, s)
	if err != nil {
		s.path.leave()
		return nil, err
	}
	s.Socket = under
	return s, nil
}

// socket is a viewer's socket behind the simulated network. It handles what the real one receives.
type socket struct {
	udpreader.Socket
	path *path

	delivering sync.Mutex // held during the handler's calls
	handler    udpreader.Handler
	closed     bool

	sending sync.Mutex
	unsent  int  // held packets to be sent
	ending  bool // the socket is closed after the last of them
}

// Datagram takes what has arrived at the real socket.
func (s *socket) Datagram(data []byte, from netip.AddrPort, at int64) {
	outcome := s.path.next(at, len(data), false)
	if outcome.Rule != netshape.Passed {
		return
	}
	if !s.path.job.shaper.hold(held{owner: s, data: data, address: from, at: outcome.At}) {
		s.path.job.overflow()
	}
}

// Overflow passes on what the real socket lost.
func (s *socket) Overflow(total uint32) {
	s.delivering.Lock()
	defer s.delivering.Unlock()
	if !s.closed {
		s.handler.Overflow(total)
	}
}

// SocketError passes on an error at once: a refused port is not what the simulated network is about.
func (s *socket) SocketError(err error) {
	s.delivering.Lock()
	defer s.delivering.Unlock()
	if !s.closed {
		s.handler.SocketError(err)
	}
}

// Send sends to the peer.
func (s *socket) Send(data []byte) error { return s.SendTo(data, netip.AddrPort{}) }

// SendTo sends to an address, or to the peer without one. Errors of a delayed packet go to the handler.
func (s *socket) SendTo(data []byte, to netip.AddrPort) error {
	outcome := s.path.next(monotonic.Nano(), len(data), true)
	if outcome.Rule != netshape.Passed {
		return nil
	}
	s.sending.Lock()
	defer s.sending.Unlock()
	if s.ending {
		return udpreader.ErrClosed
	}
	if s.path.job.shaper.hold(held{owner: s, data: data, address: to, at: outcome.At, kind: up}) {
		s.unsent++
	} else {
		s.path.job.overflow()
	}
	return nil
}

func (s *socket) release(p *held) {
	if p.kind == down {
		s.delivering.Lock()
		defer s.delivering.Unlock()
		if !s.closed {
			s.handler.Datagram(p.data, p.address, p.at)
		}
		return
	}
	var err error
	if p.address.IsValid() {
		err = s.Socket.SendTo(p.data, p.address)
	} else {
		err = s.Socket.Send(p.data)
	}
	s.sending.Lock()
	s.unsent--
	isLast := s.ending && s.unsent == 0
	s.sending.Unlock()
	if isLast {
		_ = s.Socket.Close() // its descriptor is freed in any case
	} else if err != nil {
		s.SocketError(err)
	}
}

// Close ends the calls of the handler. What was sent before is still on its way, such as the end of a session; the real
// socket stays open until then.
func (s *socket) Close() error {
	s.delivering.Lock()
	wasClosed := s.closed
	s.closed = true
	s.delivering.Unlock()
	if wasClosed {
		return nil
	}
	s.path.leave()
	s.sending.Lock()
	s.ending = true
	isUsed := s.unsent > 0
	s.sending.Unlock()
	if isUsed {
		return nil
	}
	return s.Socket.Close()
}
