//go:build !linux

package harvest

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync/atomic"
	"time"
)

// Loop makes sockets with a goroutine each.
type Loop struct{}

// New makes a Loop.
func New() (*Loop, error) { return &Loop{}, nil }

// Close does nothing: each socket ends its own goroutine.
func (l *Loop) Close() error { return nil }

// Connecting does nothing: there is no beat to quicken.
func (l *Loop) Connecting(int) {}

// Thread is 0: there is no thread that reads for all.
func (l *Loop) Thread() int { return 0 }

// Socket is one viewer's UDP socket.
type Socket struct {
	conn *net.UDPConn
	ipv6 bool
	peer atomic.Pointer[netip.AddrPort]
}

// Open makes a socket on any local port. The handler may be called before Open returns.
func (l *Loop) Open(ipv6 bool, handler Handler) (*Socket, error) {
	network := "udp4"
	if ipv6 {
		network = "udp6"
	}
	conn, err := net.ListenUDP(network, nil)
	if err != nil {
		return nil, fmt.Errorf("a UDP socket can't be made: %w", err)
	}
	s := &Socket{conn: conn, ipv6: ipv6}
	go s.read(handler)
	return s, nil
}

func (s *Socket) read(handler Handler) {
	buffer := make([]byte, maxDatagram)
	for {
		n, from, err := s.conn.ReadFromUDPAddrPort(buffer)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			handler.SocketError(err)
			continue
		}
		from = netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
		if peer := s.peer.Load(); peer != nil && *peer != from {
			continue
		}
		handler.Datagram(buffer[:n], from, time.Now().UnixNano())
	}
}

// Port is the local port.
func (s *Socket) Port() uint16 { return uint16(s.conn.LocalAddr().(*net.UDPAddr).Port) }

// IPv6 tells the socket's family.
func (s *Socket) IPv6() bool { return s.ipv6 }

// Connect fixes the peer: datagrams of others are no longer received.
func (s *Socket) Connect(to netip.AddrPort) error {
	s.peer.Store(&to)
	return nil
}

// SendTo sends to an address, before Connect.
func (s *Socket) SendTo(data []byte, to netip.AddrPort) error {
	_, err := s.conn.WriteToUDPAddrPort(data, to)
	if errors.Is(err, net.ErrClosed) {
		return ErrClosed
	}
	return err
}

// Send sends to the peer, after Connect.
func (s *Socket) Send(data []byte) error {
	return s.SendTo(data, *s.peer.Load())
}

// Close frees the socket. A second call does nothing.
func (s *Socket) Close() error {
	if err := s.conn.Close(); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}
