// Package turn is a TURN client with one allocation per viewer (RFC 8656), over UDP, TCP or TLS. It has no goroutine of
// its own: the loop that reads the sockets hands over what arrives, and Tick does what is due each second.
package turn

import (
	"context"
	"crypto/tls"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pion/stun/v3"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/tcpreader"
	"fullhouse/agent/internal/udpreader"
)

// Server is a TURN server and how to reach it.
type Server struct {
	Address
	Credentials
	// Client resolves names and makes TCP connections.
	Client *signalling.Client
	// TLS is the configuration of turns: addresses; nil for the system's certificates.
	TLS *tls.Config
	// Loop and Streams read what arrives over UDP, or TCP and TLS.
	Loop    udpreader.Loop
	Streams tcpreader.Streams
}

const (
	// lifetimeNs is the requested lifetime of an allocation; servers may grant another.
	lifetimeNs = int64(10 * time.Minute)
	// bindingNs is when a channel and its permission are refreshed: a permission lasts 5 minutes (RFC 8656, 9).
	bindingNs = int64(4 * time.Minute)
	// maxPeers bounds the permissions that are requested for the candidates of an answer.
	maxPeers = 32
)

// channel is a bound channel.
type channel struct {
	number uint16
	peer   netip.AddrPort
}

// peerState is what is known of a peer's address. A permission is for the address without its port.
type peerState struct {
	address   netip.Addr
	requested bool
	permitted bool
	// requestedAt is when the permission was last requested.
	requestedAt int64
}

// Allocation is a relayed address at a TURN server. It is a socket to its owner.
type Allocation struct {
	// What every datagram touches comes first.
	bound   atomic.Pointer[channel]
	handler udpreader.Handler
	peer    atomic.Pointer[netip.AddrPort] // fixed by Connect

	server   Server
	at       netip.AddrPort // of the server; invalid over TCP
	under    udpreader.Socket
	stream   tcpreader.Stream
	incoming deframer

	mutex     sync.Mutex
	closed    bool
	session   session
	pending   []*transaction
	peers     []peerState
	relayed   netip.AddrPort
	mapped    netip.AddrPort
	took      time.Duration
	refreshAt int64
	expiresAt int64
	bindAt    int64
	failure   *failure.Failure
	refusal   *failure.Failure // the latest refused permission
	dropped   uint64           // messages that were not authentic
}

// Allocate gets a relayed address of a family. The handler receives what peers send to it. Close must be called if there
// is no failure.
func Allocate(ctx context.Context, server Server, ipv6 bool, handler udpreader.Handler) (*Allocation, *failure.Failure) {
	a := &Allocation{server: server, handler: handler}
	a.session.username, a.session.password = server.resolve(time.Now())
	startTime := monotonic.Nano()
	if f := a.connect(ctx); f != nil {
		return nil, f
	}
	f := a.perform(ctx, &transaction{kind: stun.MethodAllocate, ipv6: ipv6})
	if f != nil {
		_ = a.release(true) // the failure is what counts
		return nil, f
	}
	a.took = time.Duration(monotonic.Nano() - startTime)
	return a, nil
}

// Relayed is the address at the server to which peers send.
func (a *Allocation) Relayed() netip.AddrPort { return a.relayed }

// Mapped is our address as the server sees it.
func (a *Allocation) Mapped() netip.AddrPort { return a.mapped }

// Took is the time from the start to the relayed address.
func (a *Allocation) Took() time.Duration { return a.took }

// Server is the address of the TURN server.
func (a *Allocation) Server() Address { return a.server.Address }

// Permit lets peers send to us; it waits for the server's response. It fails if none is permitted.
func (a *Allocation) Permit(ctx context.Context, peers []netip.AddrPort) *failure.Failure {
	var latest *failure.Failure
	permitted := false
	for _, to := range peers {
		if to.Addr().Is6() != a.IPv6() {
			continue
		}
		a.mutex.Lock()
		state := a.state(to.Addr())
		known := state == nil || state.permitted
		if state != nil {
			state.requested, state.requestedAt = true, monotonic.Nano()
		}
		a.mutex.Unlock()
		if known {
			permitted = permitted || state != nil
			continue
		}
		if f := a.perform(ctx, &transaction{kind: stun.MethodCreatePermission, peer: to}); f != nil {
			latest = f
			continue
		}
		permitted = true
	}
	if permitted {
		return nil
	}
	return latest
}

// Bind binds a channel to the peer in use: each packet then has 4 bytes more instead of 36.
func (a *Allocation) Bind(ctx context.Context, to netip.AddrPort) *failure.Failure {
	if bound := a.bound.Load(); bound != nil {
		return nil // to this peer, or the peer moved: then Send and Data indications are used
	}
	return a.perform(ctx, &transaction{kind: stun.MethodChannelBind, peer: to, channel: firstChannel})
}

// Refusal is why a permission was refused; nil if none was.
func (a *Allocation) Refusal() *failure.Failure {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.refusal
}

// Dropped counts messages that were not authentic.
func (a *Allocation) Dropped() uint64 {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.dropped
}

// state finds or adds a peer; nil when the maximum is reached. The caller holds the mutex.
func (a *Allocation) state(address netip.Addr) *peerState {
	for i := range a.peers {
		if a.peers[i].address == address {
			return &a.peers[i]
		}
	}
	if len(a.peers) >= maxPeers {
		return nil
	}
	a.peers = append(a.peers, peerState{address: address})
	return &a.peers[len(a.peers)-1]
}

// Tick refreshes what is due, and repeats requests without a response. It returns the failure that ended the allocation.
func (a *Allocation) Tick(now int64) *failure.Failure {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.failure != nil || a.closed {
		return a.failure
	}
	for _, t := range a.pending {
		if t.done == nil {
			_ = a.send(t.message) // repeated at the next tick
		}
	}
	switch {
	case now > a.expiresAt:
		a.failure = failure.New(failure.TURN, protocol.CauseExpired, "The allocation at %s expired: the server did not respond to its refreshes.", a.server)
	case now > a.refreshAt && !a.isPending(stun.MethodRefresh):
		a.begin(&transaction{kind: stun.MethodRefresh, lifetime: lifetimeNs})
	}
	if bound := a.bound.Load(); bound != nil && now > a.bindAt && !a.isPending(stun.MethodChannelBind) {
		a.begin(&transaction{kind: stun.MethodChannelBind, peer: bound.peer, channel: bound.number})
	}
	return a.failure
}
