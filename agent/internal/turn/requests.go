package turn

import (
	"context"
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/pion/stun/v3"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/protocol"
)

const (
	// retransmitAfter is the first timeout of a request over UDP, doubled each time (RFC 8489, 6.2.1).
	retransmitAfter = 500 * time.Millisecond
	// maxChallenges is how often a request is repeated with new credentials: once for the realm, and for nonces that
	// became stale meanwhile.
	maxChallenges = 4
	// maxPending bounds requests without a response.
	maxPending = 2 * maxPeers
	udpNumber  = 17 // of the protocol, in REQUESTED-TRANSPORT
	familyIPv6 = 2
)

// transaction is a request that waits for its response.
type transaction struct {
	kind       stun.Method
	peer       netip.AddrPort
	channel    uint16
	lifetime   int64 // nanoseconds
	ipv6       bool
	id         [stun.TransactionIDSize]byte
	message    []byte
	challenges int
	// done gets the result; nil if the caller does not wait.
	done chan *failure.Failure
}

// build makes the message, with the credentials of the session.
func (a *Allocation) build(t *transaction) error {
	m := stun.New()
	if err := m.NewTransactionID(); err != nil {
		return err
	}
	m.SetType(stun.NewType(t.kind, stun.ClassRequest))
	m.WriteHeader()
	switch t.kind {
	case stun.MethodAllocate:
		m.Add(stun.AttrRequestedTransport, []byte{udpNumber, 0, 0, 0})
		addSeconds(m, lifetimeNs)
		if t.ipv6 {
			m.Add(stun.AttrRequestedAddressFamily, []byte{familyIPv6, 0, 0, 0})
		}
	case stun.MethodRefresh:
		addSeconds(m, t.lifetime)
		if a.relayed.Addr().Is6() {
			m.Add(stun.AttrRequestedAddressFamily, []byte{familyIPv6, 0, 0, 0})
		}
	case stun.MethodChannelBind:
		m.Add(stun.AttrChannelNumber, []byte{byte(t.channel >> 8), byte(t.channel), 0, 0})
	}
	if t.peer.IsValid() {
		if err := addressOf(t.peer).AddToAs(m, stun.AttrXORPeerAddress); err != nil {
			return err
		}
	}
	if err := a.session.sign(m); err != nil {
		return err
	}
	t.id, t.message = m.TransactionID, m.Raw
	return nil
}

func addSeconds(m *stun.Message, nanoseconds int64) {
	m.Add(stun.AttrLifetime, binary.BigEndian.AppendUint32(nil, uint32(nanoseconds/1e9)))
}

func addressOf(peer netip.AddrPort) stun.XORMappedAddress {
	return stun.XORMappedAddress{IP: peer.Addr().AsSlice(), Port: int(peer.Port())}
}

// begin sends a request whose result is taken when it arrives. The caller holds the mutex.
func (a *Allocation) begin(t *transaction) {
	if len(a.pending) >= maxPending || a.build(t) != nil {
		return
	}
	a.pending = append(a.pending, t)
	_ = a.send(t.message) // sent again by Tick
}

func (a *Allocation) isPending(kind stun.Method) bool {
	return slices.ContainsFunc(a.pending, func(t *transaction) bool { return t.kind == kind })
}

// perform sends a request and waits for its result.
func (a *Allocation) perform(ctx context.Context, t *transaction) *failure.Failure {
	t.done = make(chan *failure.Failure, 1)
	startTime := time.Now()
	a.mutex.Lock()
	if ended := a.failure; ended != nil {
		a.mutex.Unlock()
		return ended
	}
	err := a.build(t)
	if err == nil {
		a.pending = append(a.pending, t)
		err = a.send(t.message)
	}
	a.mutex.Unlock()
	defer a.forget(t)
	for wait := retransmitAfter; ; wait *= 2 {
		timer := time.NewTimer(wait)
		select {
		case f := <-t.done:
			timer.Stop()
			return f
		case <-ctx.Done():
			timer.Stop()
			return a.noResponse(ctx, t, err, failure.Elapsed(startTime))
		case <-timer.C:
		}
		if a.stream != nil {
			continue // TCP repeats it
		}
		a.mutex.Lock()
		err = a.send(t.message)
		a.mutex.Unlock()
	}
}

func (a *Allocation) forget(t *transaction) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.pending = slices.DeleteFunc(a.pending, func(one *transaction) bool { return one == t })
}

func (a *Allocation) noResponse(ctx context.Context, t *transaction, err error, elapsed time.Duration) *failure.Failure {
	if context.Cause(ctx) == context.Canceled {
		return failure.New(failure.TURN, protocol.CauseCancelled, "%s at %s was cancelled after %s.", t.kind, a.server, elapsed)
	}
	detail := ""
	if err != nil {
		detail = fmt.Sprintf("; sending failed: %v", err)
	}
	return failure.New(failure.TURN, protocol.CauseTimeout, "%s did not respond to %s within %s%s.", a.server, t.kind, elapsed, detail)
}

// respond handles a response. The caller holds the mutex.
func (a *Allocation) respond(m *stun.Message) {
	i := slices.IndexFunc(a.pending, func(t *transaction) bool { return t.id == m.TransactionID && t.kind == m.Type.Method })
	if i < 0 {
		return
	}
	t := a.pending[i]
	if a.session.key != nil && m.Type.Class == stun.ClassSuccessResponse && a.session.key.Check(m) != nil {
		a.dropped++
		return
	}
	if m.Type.Class == stun.ClassSuccessResponse {
		a.finish(i, a.accept(t, m))
		return
	}
	var code stun.ErrorCodeAttribute
	if code.GetFrom(m) != nil {
		a.finish(i, failure.New(failure.TURN, protocol.CauseNoCode, "%s refused %s without a code.", a.server, t.kind))
		return
	}
	again := (code.Code == stun.CodeUnauthorized && t.challenges == 0 || code.Code == stun.CodeStaleNonce) && t.challenges < maxChallenges
	if again && a.session.username != "" && a.session.challenged(m) {
		t.challenges++
		if err := a.build(t); err != nil {
			a.finish(i, failure.New(failure.TURN, protocol.CauseCredentials, "The credentials for %s are not usable: %v.", a.server, err))
			return
		}
		_ = a.send(t.message) // sent again after its timeout
		return
	}
	a.finish(i, a.refused(t, code))
}

// finish ends a transaction: its caller gets the failure, or the allocation has it.
func (a *Allocation) finish(i int, f *failure.Failure) {
	t := a.pending[i]
	a.pending = slices.Delete(a.pending, i, i+1)
	if f != nil && t.kind == stun.MethodCreatePermission {
		a.refusal = f
	}
	switch {
	case t.done != nil:
		t.done <- f
	case f != nil && a.failure == nil && t.kind != stun.MethodCreatePermission:
		a.failure = f
	}
}

// accept takes over what a success response grants.
func (a *Allocation) accept(t *transaction, m *stun.Message) *failure.Failure {
	now := monotonic.Nano()
	switch t.kind {
	case stun.MethodAllocate:
		var relayed, mapped stun.XORMappedAddress
		if err := relayed.GetFromAs(m, stun.AttrXORRelayedAddress); err != nil {
			return failure.New(failure.TURN, protocol.CauseNoAddress, "%s accepted Allocate without a relayed address.", a.server)
		}
		a.relayed = addrPort(relayed)
		if mapped.GetFrom(m) == nil {
			a.mapped = addrPort(mapped)
		}
		a.granted(m, now)
	case stun.MethodRefresh:
		a.granted(m, now)
	case stun.MethodCreatePermission:
		if state := a.state(t.peer.Addr()); state != nil {
			state.permitted = true
		}
	case stun.MethodChannelBind:
		if a.bound.Load() == nil {
			a.bound.Store(&channel{number: t.channel, peer: t.peer})
		}
		a.bindAt = now + bindingNs
	}
	return nil
}

// granted sets when to refresh: well before the end of the granted lifetime.
func (a *Allocation) granted(m *stun.Message, now int64) {
	lifetime := lifetimeNs
	if value, err := m.Get(stun.AttrLifetime); err == nil && len(value) == 4 {
		lifetime = int64(binary.BigEndian.Uint32(value)) * 1e9
	}
	lifetime = min(lifetime, int64(24*time.Hour))
	a.refreshAt, a.expiresAt = now+lifetime/2, now+max(lifetime, int64(time.Second))
}

func addrPort(of stun.XORMappedAddress) netip.AddrPort {
	address, _ := netip.AddrFromSlice(of.IP)
	return netip.AddrPortFrom(address.Unmap(), uint16(of.Port))
}

// refusals are the usual meanings of error codes, with what to do (RFC 8656, 18 and 20.4).
var refusals = map[stun.ErrorCode]string{
	stun.CodeUnauthorized:     "user name or password are wrong, or expired",
	stun.CodeTryAlternate:     "it refers to another server, which is not followed",
	403:                       "the server does not allow this peer; coturn refuses loopback, and addresses by denied-peer-ip",
	437:                       "an allocation of this address and port exists already",
	stun.CodeStaleNonce:       "its nonces expire faster than they can be used",
	440:                       "it has no relay address of this family",
	441:                       "the credentials are not those of the allocation",
	442:                       "it does not relay UDP",
	486:                       "the quota of allocations of this user or server is used up",
	508:                       "no relay port or bandwidth is left",
	stun.CodeUnknownAttribute: "it does not know an attribute of the request",
}

// refused is the failure of an error response.
func (a *Allocation) refused(t *transaction, code stun.ErrorCodeAttribute) *failure.Failure {
	reason := failure.Excerpt(string(code.Reason))
	if known := refusals[code.Code]; known != "" {
		reason += "; " + known
	}
	if code.Code == stun.CodeUnauthorized && a.session.username == "" {
		reason += "; no credentials are given"
	}
	peer := ""
	if t.peer.IsValid() {
		peer = " for " + t.peer.String()
	}
	return failure.New(failure.TURN, protocol.TURNCause(int(code.Code)), "%s refused %s%s: %d %s.", a.server, t.kind, peer, code.Code, reason)
}
