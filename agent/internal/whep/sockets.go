package whep

import (
	"errors"
	"net/netip"
	"sync/atomic"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/harvest"
)

// fork is two sockets, one of each family, until it is known which is of use.
type fork struct {
	harvest.Socket
	other harvest.Socket
}

// of is the socket of a family.
func (f *fork) of(ipv6 bool) harvest.Socket {
	if f.other.IPv6() == ipv6 {
		return f.other
	}
	return f.Socket
}

func (f *fork) SendTo(data []byte, to netip.AddrPort) error {
	return f.of(to.Addr().Is6()).SendTo(data, to)
}

func (f *fork) Close() error { return errors.Join(f.Socket.Close(), f.other.Close()) }

// roving is a socket whose peer chooses the pair and may choose another (it won the choice in a conflict of roles): it hears everybody,
// and sends to the pair in use. Where the choice is ours, as it is with every server that answers an offer by the book, no other pair
// comes into use once one is selected, so the socket hears the selected peer only.
type roving struct {
	harvest.Socket
	peer atomic.Pointer[netip.AddrPort]
}

func (r *roving) Send(data []byte) error { return r.SendTo(data, *r.peer.Load()) }

func (r *roving) move(to netip.AddrPort) { r.peer.Store(&to) }

// settle keeps the socket of the pair in use and fixes its peer, unless the peer may move.
func (v *Viewer) settle() *failure.Failure {
	var selected netip.AddrPort
	var socket harvest.Socket
	v.locked(func() { selected, socket = v.ice.Selected, v.socket })
	var err error
	if both, forked := socket.(*fork); forked {
		socket = both.of(selected.Addr().Is6())
		v.locked(func() { v.socket = socket })
		if err := both.of(!selected.Addr().Is6()).Close(); err != nil {
			return failure.New(failure.ICE, "no-socket", "A socket can't be closed: %v.", err)
		}
	}
	v.locked(func() {
		if !v.ice.Controlled {
			err = socket.Connect(selected)
			return
		}
		moving := &roving{Socket: socket}
		moving.move(selected)
		v.socket, v.ice.Moved = moving, moving.move
	})
	if err != nil {
		return failure.New(failure.ICE, "unreachable", "There is no way to %s: %v.", selected, err)
	}
	return nil
}
