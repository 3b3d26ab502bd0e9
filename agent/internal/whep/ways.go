package whep

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/steady"
	"fullhouse/agent/internal/whep/sdp"
)

const (
	// otherFamilyPause is the lead that candidates of the socket's own family have over those of the other.
	otherFamilyPause = 200 * time.Millisecond
	// mostProbes bounds the ports that are asked whether they are closed, when nothing answered.
	mostProbes     = 4
	probePatience  = 100 * time.Millisecond
	probeInterval  = 5 * time.Millisecond
	mostICEServers = 3
)

// connectICE finds the pair to use.
func (c *connecting) connectICE(ctx context.Context) *failure.Failure {
	v := c.viewer
	candidates := sdp.Addresses(v.answer.Candidates)
	if v.answer.Lite && len(candidates) == 1 && candidates[0].Addr().Is6() == v.socket.IPv6() {
		// A server that never checks us needs no open ear, and a connected socket is told when its port is closed.
		if err := v.socket.Connect(candidates[0]); err != nil {
			return failure.New(failure.ICE, "unreachable", "There is no way to %s: %v.", candidates[0], err)
		}
	}
	helping, stop := context.WithCancel(ctx)
	c.helpers.Add(1)
	go func() {
		defer c.helpers.Done()
		if len(candidates) == 0 {
			candidates = c.trickle(helping)
		}
		c.try(helping, candidates)
	}()
	f := v.ice.Connect(ctx, v.locked)
	stop()
	c.helpers.Wait()
	if f != nil {
		return c.explain(f)
	}
	v.locked(func() { v.selectedAt = steady.Nano() })
	return v.settle()
}

// try checks candidates: first those of the socket's family, which is the one that the server was reached by, then the other.
func (c *connecting) try(ctx context.Context, candidates []netip.AddrPort) {
	v := c.viewer
	var own, other []netip.AddrPort
	for _, candidate := range candidates {
		if candidate.Addr().Is6() == v.socket.IPv6() {
			own = append(own, candidate)
		} else {
			other = append(other, candidate)
		}
	}
	v.locked(func() { v.ice.Add(own) })
	if len(other) == 0 {
		return
	}
	if len(own) > 0 {
		select {
		case <-ctx.Done():
			return
		case <-time.After(otherFamilyPause):
		}
	}
	socket, err := v.crowd.Loop.Open(!v.socket.IPv6(), v)
	v.locked(func() {
		if err != nil {
			v.ice.NoteSend(err) // this machine may have one family only
			return
		}
		v.socket = &fork{Socket: v.socket, other: socket}
		v.ice.Add(other)
	})
}

// trickle asks a server that named no candidate for some, and tells it ours again. Servers that know no trickling may refuse it or never
// answer: then their own checks are what is waited for.
func (c *connecting) trickle(ctx context.Context) []netip.AddrPort {
	v := c.viewer
	if v.session == nil {
		return nil
	}
	fragment := sdp.Fragment{Ufrag: c.offer.Ufrag, Password: c.offer.Password, Candidate: c.offer.Candidate}.String()
	for pause := time.Duration(0); ; pause += 500 * time.Millisecond {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
		body, err := v.crowd.Signaller.Trickle(ctx, v.crowd.Endpoint, v.session, v.crowd.BearerToken, c.entityTag, fragment)
		if err != nil {
			if ctx.Err() == nil {
				c.refusal = err.Error()
			}
			return nil
		}
		if found := sdp.ParseFragment(body, v.answer.Ufrag); len(found) > 0 {
			v.locked(func() { v.hear(found) })
			return sdp.Addresses(found)
		}
	}
}

// explain adds to a failure what else is known: closed ports, what trickling came to, what was passed over.
func (c *connecting) explain(f *failure.Failure) *failure.Failure {
	v := c.viewer
	cause, detail := f.Cause, strings.TrimSuffix(f.Detail, ".")
	if cause == "timeout" && v.probe() {
		sentence, _ := v.ice.Refusal()
		cause, detail = "refused", detail+"; asked once more, "+sentence
	}
	if c.refusal != "" {
		detail += "; it takes no trickled candidates: " + c.refusal
	}
	if passed := v.answer.PassedOver; passed > 0 {
		detail += fmt.Sprintf("; %d candidates are of no use here (TCP, names, link-local addresses)", passed)
	}
	if count := len(c.iceServers); count > 0 {
		detail += fmt.Sprintf("; it names %d STUN or TURN servers (%s), which these viewers don't use", count, strings.Join(c.iceServers[:min(count, mostICEServers)], ", "))
	}
	return &failure.Failure{Stage: f.Stage, Cause: cause, Detail: detail + "."}
}

// probe finds out whether ports that answered nothing are closed: only a connected socket is told.
func (v *Viewer) probe() (closed bool) {
	asked := 0
	for _, to := range sdp.Addresses(v.answer.Candidates) {
		socket := v.socket
		if both, forked := socket.(*fork); forked {
			socket = both.of(to.Addr().Is6())
		}
		if to.Addr().Is6() != socket.IPv6() || asked == mostProbes {
			continue
		}
		asked++
		if socket.Connect(to) != nil {
			continue // another sentence would say less than that nothing answered
		}
		v.locked(func() { v.ice.Ask(to, steady.Nano()) })
		for deadline := time.Now().Add(probePatience); !closed && time.Now().Before(deadline); time.Sleep(probeInterval) {
			v.locked(func() { _, closed = v.ice.Refusal() })
		}
		if closed {
			return true
		}
	}
	return false
}
