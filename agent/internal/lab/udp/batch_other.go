//go:build !linux

package udp

import (
	"net"
	"net/netip"
)

// Destination is a viewer's address.
type Destination struct {
	Address netip.AddrPort
}

// NewDestination makes the destination of one viewer.
func NewDestination(to netip.AddrPort) *Destination { return &Destination{Address: to} }

type sender struct {
	socket       *net.UDPConn
	buffers      *[batchSize][]byte
	lengths      [batchSize]int
	destinations [batchSize]*Destination
}

func (s *sender) open(socket *net.UDPConn, buffers *[batchSize][]byte) error {
	s.socket, s.buffers = socket, buffers
	return nil
}

func (s *sender) set(i, length int, to *Destination) {
	s.lengths[i], s.destinations[i] = length, to
}

func (s *sender) send(from, to int) (sent, bytes int, err error) {
	for i := from; i < to; i++ {
		n, err := s.socket.WriteToUDPAddrPort(s.buffers[i][:s.lengths[i]], s.destinations[i].Address)
		if err != nil {
			return sent, bytes, err
		}
		sent++
		bytes += n
	}
	return sent, bytes, nil
}
