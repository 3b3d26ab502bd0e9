package whep

import (
	"net/netip"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/icetcp"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/whep/sdp"
)

// otherTransport names the candidates that viewers of a transport don't use.
var otherTransport = map[sdp.Transport]string{sdp.UDP: "TCP", sdp.TCP: "UDP, active TCP"}

// transport is that of the viewer's candidates. A relayed one is reached over UDP, whatever leads to the TURN server.
func (v *Viewer) transport() sdp.Transport {
	if v.group.Streams != nil && v.relay == nil {
		return sdp.TCP
	}
	return sdp.UDP
}

// openTCP prepares connections to the server's candidates, which are made once they are known.
func (v *Viewer) openTCP(local netip.Addr) {
	socket := icetcp.New(local.Is6(), icetcp.Config{Client: v.group.Client, Streams: v.group.Streams, Handler: v,
		Connected: func(to netip.AddrPort) { v.locked(func() { v.ice.Add([]netip.AddrPort{to}) }) },
		Ended:     v.connectionEnded})
	v.locked(func() { v.socket, v.local = socket, netip.AddrPortFrom(local, 0) })
}

// connectionEnded fails a viewer whose media came over the connection that ended.
func (v *Viewer) connectionEnded(from netip.AddrPort, reason string) {
	v.locked(func() {
		switch {
		case v.disconnecting || v.ice.Selected.IsValid() && v.ice.Selected != from:
		case v.establishedAt != 0:
			v.fail(failure.New(failure.Media, protocol.CauseTCPClosed, "The TCP connection to %s ended %s after the session was set up: %s.", v.ice.Selected, failure.Since(v.establishedAt), reason))
		default:
			v.ice.Ended(reason)
		}
	})
}

// overTCP reports whether the media of a connected viewer comes over TCP without a TURN server.
func (v *Viewer) overTCP() bool { return v.transport() == sdp.TCP && v.ice.Selected.IsValid() }
