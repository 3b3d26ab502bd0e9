package udpreader

import (
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"fullhouse/agent/internal/monotonic"
)

// udpSocket is common to both readers.
type udpSocket struct {
	// What every datagram touches comes first.
	reading sync.Mutex // held while the handler is called, so that nothing follows a Close
	dropped uint32     // as last reported by the kernel; used by the reader only
	slot    uint32     // in its loop
	handler Handler
	// peer is the only accepted sender, once Connect has fixed it.
	peer atomic.Pointer[netip.AddrPort]
	// descriptor is written with both locks held; -1 when closed.
	descriptor int

	// detach removes the socket from its loop, with both locks held and before the descriptor is freed.
	detach  func(*udpSocket)
	port    uint16
	ipv6    bool
	sending sync.RWMutex // held shared by senders, so that Close can't free the descriptor under them
}

// openSocket opens a socket that no loop reads yet.
func openSocket(ipv6 bool, handler Handler) (*udpSocket, error) {
	family, any := unix.AF_INET, unix.Sockaddr(&unix.SockaddrInet4{})
	if ipv6 {
		family, any = unix.AF_INET6, &unix.SockaddrInet6{}
	}
	descriptor, err := unix.Socket(family, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("opening a UDP socket failed: %w", err)
	}
	s := &udpSocket{handler: handler, ipv6: ipv6, descriptor: descriptor}
	if err := s.prepare(any); err != nil {
		return nil, errors.Join(err, unix.Close(descriptor))
	}
	return s, nil
}

func (s *udpSocket) prepare(any unix.Sockaddr) error {
	if err := unix.Bind(s.descriptor, any); err != nil {
		return fmt.Errorf("no local UDP port is free: %w", err)
	}
	if err := unix.SetsockoptInt(s.descriptor, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1); err != nil {
		return fmt.Errorf("the kernel does not report arrival times: %w", err)
	}
	if err := unix.SetsockoptInt(s.descriptor, unix.SOL_SOCKET, unix.SO_RXQ_OVFL, 1); err != nil {
		return fmt.Errorf("the kernel does not report overflows: %w", err)
	}
	local, err := unix.Getsockname(s.descriptor)
	if err != nil {
		return fmt.Errorf("the local port is unknown: %w", err)
	}
	switch address := local.(type) {
	case *unix.SockaddrInet4:
		s.port = uint16(address.Port)
	case *unix.SockaddrInet6:
		s.port = uint16(address.Port)
	}
	return nil
}

func (s *udpSocket) Port() uint16 { return s.port }

func (s *udpSocket) IPv6() bool { return s.ipv6 }

func sockaddr(to netip.AddrPort) unix.Sockaddr {
	if to.Addr().Is4() {
		return &unix.SockaddrInet4{Port: int(to.Port()), Addr: to.Addr().As4()}
	}
	return &unix.SockaddrInet6{Port: int(to.Port()), Addr: to.Addr().As16()}
}

func (s *udpSocket) Connect(to netip.AddrPort) error {
	s.sending.RLock()
	defer s.sending.RUnlock()
	if s.descriptor < 0 {
		return ErrClosed
	}
	if err := unix.Connect(s.descriptor, sockaddr(to)); err != nil {
		return err
	}
	s.peer.Store(&to)
	return nil
}

func (s *udpSocket) SendTo(data []byte, to netip.AddrPort) error {
	s.sending.RLock()
	defer s.sending.RUnlock()
	if s.descriptor < 0 {
		return ErrClosed
	}
	return unix.Sendto(s.descriptor, data, unix.MSG_DONTWAIT, sockaddr(to))
}

func (s *udpSocket) Send(data []byte) error {
	s.sending.RLock()
	defer s.sending.RUnlock()
	if s.descriptor < 0 {
		return ErrClosed
	}
	_, err := unix.Write(s.descriptor, data)
	return err
}

func (s *udpSocket) Close() error {
	s.reading.Lock()
	defer s.reading.Unlock()
	s.sending.Lock()
	defer s.sending.Unlock()
	if s.descriptor < 0 {
		return nil
	}
	s.detach(s)
	err := unix.Close(s.descriptor)
	s.descriptor = -1
	return err
}

// receive passes a datagram on. The caller holds the reading lock.
func (s *udpSocket) receive(data, control []byte, from *unix.RawSockaddrInet6, stamps *monotonic.Stamps) {
	at, dropped := stamps.ReadControl(control)
	if dropped != s.dropped {
		s.dropped = dropped
		s.handler.Overflow(dropped)
	}
	peer := s.peer.Load()
	if peer == nil {
		address := sender(from)
		peer = &address
	}
	s.handler.Datagram(data, *peer, at)
}

func sender(raw *unix.RawSockaddrInet6) netip.AddrPort {
	port := (*[2]byte)(unsafe.Pointer(&raw.Port)) // network byte order; at the same place in both families
	address := netip.AddrFrom16(raw.Addr)
	if raw.Family == unix.AF_INET {
		address = netip.AddrFrom4((*unix.RawSockaddrInet4)(unsafe.Pointer(raw)).Addr)
	}
	return netip.AddrPortFrom(address, uint16(port[0])<<8|uint16(port[1]))
}
