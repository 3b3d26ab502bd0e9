package harvest

import (
	"errors"
	"fmt"
	"net/netip"
	"sync"

	"golang.org/x/sys/unix"
)

// Socket is one viewer's UDP socket.
type Socket struct {
	loop    *Loop
	handler Handler
	port    uint16
	ipv6    bool
	reading sync.Mutex
	dropped uint32       // as the kernel last told; only the reader touches it
	sending sync.RWMutex // held shared by senders, so that Close can't free the descriptor under them
	// descriptor is written with both locks held; -1 when closed.
	descriptor int
}

// Open makes a socket on any local port. The handler may be called before Open returns.
func (l *Loop) Open(ipv6 bool, handler Handler) (*Socket, error) {
	family, any := unix.AF_INET, unix.Sockaddr(&unix.SockaddrInet4{})
	if ipv6 {
		family, any = unix.AF_INET6, &unix.SockaddrInet6{}
	}
	descriptor, err := unix.Socket(family, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("a UDP socket can't be made: %w", err)
	}
	s := &Socket{loop: l, handler: handler, ipv6: ipv6, descriptor: descriptor}
	if err := s.prepare(any); err != nil {
		return nil, errors.Join(err, unix.Close(descriptor))
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.closed {
		return nil, errors.Join(ErrClosed, unix.Close(descriptor))
	}
	event := unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(descriptor)}
	if err := unix.EpollCtl(l.epoll, unix.EPOLL_CTL_ADD, descriptor, &event); err != nil {
		return nil, errors.Join(fmt.Errorf("epoll: %w", err), unix.Close(descriptor))
	}
	l.sockets[int32(descriptor)] = s
	l.filled.Signal()
	return s, nil
}

func (s *Socket) prepare(any unix.Sockaddr) error {
	if err := unix.Bind(s.descriptor, any); err != nil {
		return fmt.Errorf("no local UDP port is free: %w", err)
	}
	if err := unix.SetsockoptInt(s.descriptor, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1); err != nil {
		return fmt.Errorf("the kernel gives no arrival times: %w", err)
	}
	if err := unix.SetsockoptInt(s.descriptor, unix.SOL_SOCKET, unix.SO_RXQ_OVFL, 1); err != nil {
		return fmt.Errorf("the kernel does not tell of overflows: %w", err)
	}
	local, err := unix.Getsockname(s.descriptor)
	if err != nil {
		return fmt.Errorf("the local port is not known: %w", err)
	}
	switch address := local.(type) {
	case *unix.SockaddrInet4:
		s.port = uint16(address.Port)
	case *unix.SockaddrInet6:
		s.port = uint16(address.Port)
	}
	return nil
}

// Port is the local port.
func (s *Socket) Port() uint16 { return s.port }

// IPv6 tells the socket's family.
func (s *Socket) IPv6() bool { return s.ipv6 }

func sockaddr(to netip.AddrPort) unix.Sockaddr {
	if to.Addr().Is4() {
		return &unix.SockaddrInet4{Port: int(to.Port()), Addr: to.Addr().As4()}
	}
	return &unix.SockaddrInet6{Port: int(to.Port()), Addr: to.Addr().As16()}
}

// Connect fixes the peer: datagrams of others are no longer received, and its refusals become known.
func (s *Socket) Connect(to netip.AddrPort) error {
	s.sending.RLock()
	defer s.sending.RUnlock()
	if s.descriptor < 0 {
		return ErrClosed
	}
	return unix.Connect(s.descriptor, sockaddr(to))
}

// SendTo sends to an address, before Connect.
func (s *Socket) SendTo(data []byte, to netip.AddrPort) error {
	s.sending.RLock()
	defer s.sending.RUnlock()
	if s.descriptor < 0 {
		return ErrClosed
	}
	return unix.Sendto(s.descriptor, data, unix.MSG_DONTWAIT, sockaddr(to))
}

// Send sends to the peer, after Connect.
func (s *Socket) Send(data []byte) error {
	s.sending.RLock()
	defer s.sending.RUnlock()
	if s.descriptor < 0 {
		return ErrClosed
	}
	_, err := unix.Write(s.descriptor, data)
	return err
}

// Close frees the socket. It must not be called from the Handler. A second call does nothing.
func (s *Socket) Close() error {
	s.reading.Lock()
	defer s.reading.Unlock()
	s.sending.Lock()
	defer s.sending.Unlock()
	if s.descriptor < 0 {
		return nil
	}
	s.loop.mutex.Lock()
	delete(s.loop.sockets, int32(s.descriptor))
	s.loop.mutex.Unlock()
	err := unix.Close(s.descriptor) // leaves the epoll set by itself
	s.descriptor = -1
	return err
}
