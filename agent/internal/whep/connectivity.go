package whep

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/icetcp"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/whep/hosts"
	"fullhouse/agent/internal/whep/sdp"
)

const (
	// otherFamilyPause is the head start of candidates of the socket's own family over the other.
	otherFamilyPause = 200 * time.Millisecond
	// maxProbes bounds the ports that are probed for being closed, after no response.
	maxProbes     = 4
	probeTimeout  = 100 * time.Millisecond
	probeInterval = 5 * time.Millisecond
	maxICEServers = 3
	maxNamedHosts = 3
)

// connectICE finds the pair to use.
func (c *connecting) connectICE(ctx context.Context) *failure.Failure {
	v := c.viewer
	candidates := sdp.Addresses(v.answer.Candidates)
	if v.transport() == sdp.UDP && v.answer.Lite && len(candidates) == 1 && candidates[0].Addr().Is6() == v.socket.IPv6() {
		// A server that never checks us needs no unconnected socket, and a connected one is informed of a closed port.
		if err := v.socket.Connect(candidates[0]); err != nil {
			return failure.New(failure.ICE, protocol.CauseUnreachable, "%s is unreachable: %v.", candidates[0], err)
		}
	}
	helping, stop := context.WithCancel(ctx)
	c.helpers.Add(1)
	go func() {
		defer c.helpers.Done()
		named := v.answer.Named
		if len(candidates)+len(named) == 0 {
			candidates, named = c.trickle(helping)
		}
		if len(named) > 0 {
			v.locked(func() { v.ice.Trickles = true })
			c.helpers.Go(func() { c.tryNamed(helping, stop, named) })
		}
		now, later := v.visit.Split(candidates)
		if len(now) > 0 {
			c.try(helping, stop, now)
		}
		if len(later) == 0 {
			return
		}
		v.locked(func() { v.ice.Trickles = true })
		allowed := v.visit.Wait(helping.Done(), later)
		if len(allowed) > 0 {
			c.try(helping, stop, allowed)
		} else if len(now) == 0 {
			c.refused = otherHosts(later)
			stop()
		}
	}()
	f := v.ice.Connect(helping, v.locked)
	stop()
	c.helpers.Wait()
	if f != nil {
		return c.explain(f)
	}
	v.locked(func() { v.selectedAt = monotonic.Nano() })
	v.visit.Connected(v.ice.Selected.Addr())
	if v.relay != nil {
		if f := v.relay.allocation.Bind(ctx, v.ice.Selected); f != nil {
			return f
		}
	}
	return v.fixPeer()
}

// otherHosts is the failure of a viewer whose candidates are all on hosts to which it does not send.
func otherHosts(candidates []netip.AddrPort) *failure.Failure {
	return failure.New(failure.ICE, protocol.CauseOtherHost, "The server names only other hosts for media: %s. The first %d viewers checked them and none has connected, so this one does not send there; to allow them, set allowCrossOrigin: true on the node.",
		hosts.Names(candidates), hosts.FirstViewers)
}

// tryNamed checks candidates once their names are resolved.
func (c *connecting) tryNamed(ctx context.Context, stop context.CancelFunc, named []sdp.Named) {
	v := c.viewer
	candidates := c.resolveNamed(ctx, named)
	allowed := v.visit.Wait(ctx.Done(), sdp.Addresses(candidates))
	if len(allowed) == 0 || ctx.Err() != nil {
		return
	}
	v.locked(func() { v.addOtherCandidates(candidates) })
	c.try(ctx, stop, allowed)
}

// try checks candidates: first those of the socket's family, over which the server was reached, then the other.
func (c *connecting) try(ctx context.Context, stop context.CancelFunc, candidates []netip.AddrPort) {
	v := c.viewer
	var allowed, other []netip.AddrPort
	for _, candidate := range candidates {
		if candidate.Addr().Is6() == v.socket.IPv6() {
			allowed = append(allowed, candidate)
		} else {
			other = append(other, candidate)
		}
	}
	if socket, ok := v.socket.(*icetcp.Socket); ok {
		socket.Dial(candidates) // ICE checks them once they are connected
		return
	}
	if v.relay != nil {
		c.permit(ctx, allowed, stop)
		v.locked(func() { v.ice.Add(allowed) })
		return // a relayed address has one family
	}
	v.locked(func() { v.ice.Add(allowed) })
	if len(other) == 0 {
		return
	}
	if len(allowed) > 0 {
		select {
		case <-ctx.Done():
			return
		case <-time.After(otherFamilyPause):
		}
	}
	if _, isDual := v.socket.(*dualStackSocket); isDual {
		v.locked(func() { v.ice.Add(other) })
		return
	}
	socket, err := v.group.Loop.Open(!v.socket.IPv6(), v)
	v.locked(func() {
		if err != nil {
			v.ice.RecordSendError(err) // this machine may have one family only
			return
		}
		v.socket = &dualStackSocket{Socket: v.socket, other: socket}
		v.ice.Add(other)
	})
}

// trickle requests candidates from a server that sent none, and sends it ours again. Servers without trickle support
// may refuse it or never respond: then their own checks are waited for.
func (c *connecting) trickle(ctx context.Context) ([]netip.AddrPort, []sdp.Named) {
	v := c.viewer
	if v.session == nil {
		return nil, nil
	}
	fragment := sdp.Fragment{Ufrag: c.offer.Ufrag, Password: c.offer.Password, Candidate: v.local, Relayed: v.relay != nil, Transport: v.transport()}.String()
	for pause := time.Duration(0); ; pause += 500 * time.Millisecond {
		select {
		case <-ctx.Done():
			return nil, nil
		case <-time.After(pause):
		}
		body, err := v.group.Client.Trickle(ctx, v.group.Endpoint, v.session, v.identity, c.entityTag, fragment)
		if err != nil {
			if ctx.Err() == nil {
				c.refusal = err.Error()
			}
			return nil, nil
		}
		if candidates, named := sdp.ParseFragment(body, v.answer.Ufrag, v.transport()); len(candidates)+len(named) > 0 {
			v.locked(func() { v.addOtherCandidates(candidates) })
			return sdp.Addresses(candidates), named
		}
	}
}

// explain adds other known facts to a failure: closed ports, the result of trickling, unsupported candidates.
func (c *connecting) explain(f *failure.Failure) *failure.Failure {
	v := c.viewer
	if c.refused != nil {
		return c.refused
	}
	if v.relay != nil {
		if c.relayFailure != nil {
			return c.relayFailure
		}
		if refusal := v.relay.allocation.Refusal(); refusal != nil {
			return refusal
		}
	}
	cause, detail := f.Cause, strings.TrimSuffix(f.Detail, ".")
	if socket, ok := v.socket.(*icetcp.Socket); ok {
		if refusal := socket.Failure(); refusal != nil && (cause == protocol.CauseTimeout || cause == protocol.CauseNoCandidate) {
			cause, detail = protocol.InnerCause(failure.TCP, refusal.Cause), detail+"; "+strings.TrimSuffix(refusal.Detail, ".")
		}
	}
	if cause == protocol.CauseTimeout && v.relay == nil && v.transport() == sdp.UDP && v.probe() {
		sentence, _ := v.ice.Refusal()
		cause, detail = protocol.CauseRefused, detail+"; probed again, "+sentence
	}
	if refused := v.visit.Refused(); refused != "" {
		detail += fmt.Sprintf("; other hosts that the server names were not checked, since none of the first %d viewers has connected through them: %s", hosts.FirstViewers, refused)
	}
	if c.refusal != "" {
		detail += "; it does not accept trickled candidates: " + c.refusal
	}
	if len(c.unresolved) > 0 {
		detail += "; names of candidates that were not resolved: " + strings.Join(c.unresolved[:min(len(c.unresolved), maxNamedHosts)], ", ")
	}
	if passed := v.answer.PassedOver; passed > 0 {
		detail += fmt.Sprintf("; %d candidates are not supported (%s, link-local addresses)", passed, otherTransport[v.transport()])
	}
	if count := len(c.iceServers); count > 0 && v.relay == nil {
		var addresses []string
		for _, listed := range c.iceServers[:min(count, maxICEServers)] {
			addresses = append(addresses, listed.String())
		}
		detail += fmt.Sprintf("; it lists %d STUN or TURN servers (%s), which viewers use with turn of the audience only", count, strings.Join(addresses, ", "))
	}
	return &failure.Failure{Stage: f.Stage, Cause: cause, Detail: detail + "."}
}

// probe finds out whether silent ports are closed: only a connected socket is informed of that.
func (v *Viewer) probe() (closed bool) {
	probed := 0
	for _, to := range sdp.Addresses(v.answer.Candidates) {
		socket := v.socket
		if both, isDual := socket.(*dualStackSocket); isDual {
			socket = both.of(to.Addr().Is6())
		}
		if to.Addr().Is6() != socket.IPv6() || probed == maxProbes || !v.visit.May(to.Addr()) {
			continue
		}
		probed++
		if socket.Connect(to) != nil {
			continue // any other error is less informative than the lack of a response
		}
		v.locked(func() { v.ice.SendCheck(to, monotonic.Nano()) })
		for deadline := time.Now().Add(probeTimeout); !closed && time.Now().Before(deadline); time.Sleep(probeInterval) {
			v.locked(func() { _, closed = v.ice.Refusal() })
		}
		if closed {
			return true
		}
	}
	return false
}
