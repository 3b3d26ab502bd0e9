package udpreader

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync/atomic"

	"fullhouse/agent/internal/monotonic"
)

// portableLoop opens sockets with a goroutine each.
type portableLoop struct{}

// Close does nothing: each socket ends its own goroutine.
func (l *portableLoop) Close() error { return nil }

// Connecting does nothing: there is no tick to shorten.
func (l *portableLoop) Connecting(int) {}

func (l *portableLoop) Reader() Reader { return Portable }
func (l *portableLoop) Thread() int    { return 0 }

type portableSocket struct {
	conn *net.UDPConn
	ipv6 bool
	peer atomic.Pointer[netip.AddrPort]
	done chan struct{}
}

func (l *portableLoop) Open(ipv6 bool, handler Handler) (Socket, error) {
	network := "udp4"
	if ipv6 {
		network = "udp6"
	}
	conn, err := net.ListenUDP(network, nil)
	if err != nil {
		return nil, fmt.Errorf("opening a UDP socket failed: %w", err)
	}
	s := &portableSocket{conn: conn, ipv6: ipv6, done: make(chan struct{})}
	go s.read(handler)
	return s, nil
}

func (s *portableSocket) read(handler Handler) {
	defer close(s.done)
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
		handler.Datagram(buffer[:n], from, monotonic.Nano())
	}
}

func (s *portableSocket) Port() uint16 { return uint16(s.conn.LocalAddr().(*net.UDPAddr).Port) }

func (s *portableSocket) IPv6() bool { return s.ipv6 }

func (s *portableSocket) Connect(to netip.AddrPort) error {
	s.peer.Store(&to)
	return nil
}

func (s *portableSocket) SendTo(data []byte, to netip.AddrPort) error {
	_, err := s.conn.WriteToUDPAddrPort(data, to)
	if errors.Is(err, net.ErrClosed) {
		return ErrClosed
	}
	return err
}

func (s *portableSocket) Send(data []byte) error {
	return s.SendTo(data, *s.peer.Load())
}

func (s *portableSocket) Close() error {
	err := s.conn.Close()
	<-s.done
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
