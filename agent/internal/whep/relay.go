package whep

import (
	"context"
	"math"
	"net/netip"
	"sync/atomic"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/turn"
	"fullhouse/agent/internal/whep/hosts"
)

// Relay makes a share of the viewers use a TURN server, with relayed candidates only, as a browser does with
// iceTransportPolicy "relay".
type Relay struct {
	// Share of the viewers, 0 to 1, spread evenly over them.
	Share float64
	// Server is the TURN server; its Host is empty if the first one is used that the origin lists.
	Server turn.Server

	count atomic.Int64
}

// next reports whether the next viewer is relayed.
func (r *Relay) next() bool {
	if r == nil {
		return false
	}
	n := float64(r.count.Add(1))
	return math.Floor(n*r.Share+1e-9) > math.Floor((n-1)*r.Share+1e-9)
}

// relay is what a relayed viewer keeps of its TURN server.
type relay struct {
	allocation *turn.Allocation // nil until it is allocated
	at         int64            // when it was allocated
	// listed are the servers that the origin lists; dropped once one is used.
	listed []signalling.ICEServer
}

// allocate gets the relayed address, the viewer's only candidate.
func (c *connecting) allocate(ctx context.Context, server turn.Server, ipv6 bool) *failure.Failure {
	v := c.viewer
	allocation, f := turn.Allocate(ctx, server, ipv6, v)
	if f != nil {
		return f
	}
	v.locked(func() {
		v.socket, v.relay.allocation, v.relay.at = allocation, allocation, monotonic.Nano()
		v.local = allocation.Relayed()
		v.ice.Drop(!allocation.IPv6()) // candidates trickled before; a relayed address has one family
	})
	return nil
}

// allocateListed uses the first TURN server that the origin lists. The offer had no candidate: the origin learns the
// relayed address from the viewer's checks (RFC 8445, 7.3.1.3).
func (c *connecting) allocateListed(ctx context.Context) *failure.Failure {
	v := c.viewer
	servers := c.iceServers
	v.locked(func() { servers, v.relay.listed = append(servers, v.relay.listed...), nil })
	for _, listed := range servers {
		if address, err := turn.ParseAddress(listed.URL); err == nil {
			at, f := c.relayHost(ctx, address.Host)
			if f != nil {
				return f
			}
			server := v.group.Relay.Server
			server.Address = address
			if server.TLS == nil && address.Host == v.group.Endpoint.Hostname() {
				server.TLS = v.group.Client.TLS() // the origin itself, whose certificate is trusted or not
			}
			server.Credentials = turn.Credentials{Username: listed.Username, Password: listed.Credential}
			if f = c.allocate(ctx, server, c.local.Is6()); f == nil {
				for _, one := range at {
					v.visit.Connected(one.Addr())
				}
			}
			return f
		}
	}
	return failure.New(failure.TURN, protocol.CauseNoServer, "The server lists no TURN server that viewers support (%d STUN and TURN servers). Give the address of one.", len(servers))
}

// relayHost are the addresses of a TURN server that the origin lists, if the viewer may send to them.
func (c *connecting) relayHost(ctx context.Context, host string) ([]netip.AddrPort, *failure.Failure) {
	v := c.viewer
	resolved, f := v.group.Client.Addresses(ctx, host)
	if f != nil {
		f.Stage = failure.TURN
		return nil, f
	}
	at := make([]netip.AddrPort, len(resolved))
	for i, one := range resolved {
		at[i] = netip.AddrPortFrom(one, 0)
	}
	if allowed := v.visit.Wait(ctx.Done(), at); len(allowed) < len(at) {
		return nil, failure.New(failure.TURN, protocol.CauseOtherHost, "The server lists a TURN server on another host: %s. The first %d viewers sent to it and none has connected, so this one does not; to allow it, set allowCrossOrigin: true on the node.",
			hosts.Names(at), hosts.FirstViewers)
	}
	return at, nil
}

// permit lets the candidates send to the relayed address. If the TURN server allows none of them, the viewer fails.
func (c *connecting) permit(ctx context.Context, candidates []netip.AddrPort, stop context.CancelFunc) {
	if len(candidates) == 0 {
		return
	}
	if f := c.viewer.relay.allocation.Permit(ctx, candidates); f != nil && f.Cause != protocol.CauseCancelled {
		c.relayFailure = f
		stop()
	}
}
