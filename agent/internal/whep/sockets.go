package whep

import (
	"errors"
	"net/netip"
	"sync/atomic"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/udpreader"
)

// dualStackSocket is two sockets, one of each family, until it is known which is used.
type dualStackSocket struct {
	udpreader.Socket
	other udpreader.Socket
}

// of is the socket of a family.
func (f *dualStackSocket) of(ipv6 bool) udpreader.Socket {
	if f.other.IPv6() == ipv6 {
		return f.other
	}
	return f.Socket
}

func (f *dualStackSocket) SendTo(data []byte, to netip.AddrPort) error {
	return f.of(to.Addr().Is6()).SendTo(data, to)
}

func (f *dualStackSocket) Close() error { return errors.Join(f.Socket.Close(), f.other.Close()) }

// movableSocket is a socket whose peer selects the pair and may change it (it won a role conflict): it receives from
// all addresses, and sends to the pair in use. If we are controlling, as with every server that follows the standard,
// the pair does not change once selected, so the socket receives from the selected peer only.
type movableSocket struct {
	udpreader.Socket
	peer atomic.Pointer[netip.AddrPort]
}

func (r *movableSocket) Send(data []byte) error { return r.SendTo(data, *r.peer.Load()) }

func (r *movableSocket) move(to netip.AddrPort) { r.peer.Store(&to) }

// fixPeer keeps the socket of the pair in use and fixes its peer, unless the peer may move.
func (v *Viewer) fixPeer() *failure.Failure {
	var selected netip.AddrPort
	var socket udpreader.Socket
	v.locked(func() { selected, socket = v.ice.Selected, v.socket })
	var err error
	if both, isDual := socket.(*dualStackSocket); isDual {
		socket = both.of(selected.Addr().Is6())
		v.locked(func() { v.socket = socket })
		if err := both.of(!selected.Addr().Is6()).Close(); err != nil {
			return failure.New(failure.ICE, protocol.CauseNoSocket, "Closing a socket failed: %v.", err)
		}
	}
	v.locked(func() {
		if !v.ice.Controlled {
			err = socket.Connect(selected)
			return
		}
		moving := &movableSocket{Socket: socket}
		moving.move(selected)
		v.socket, v.ice.Moved = moving, moving.move
	})
	if err != nil {
		return failure.New(failure.ICE, protocol.CauseUnreachable, "%s is unreachable: %v.", selected, err)
	}
	return nil
}
