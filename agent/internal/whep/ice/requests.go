package ice

import (
	"encoding/binary"
	"fmt"
	"net/netip"

	"github.com/pion/stun/v3"
)

// priority is that of a peer-reflexive candidate of our host candidate.
const priority = 1845501695

// networkInfo is an attribute of Chromium with the network and its cost; servers ignore it. With it, and in this order,
// our checks are like a browser's.
const networkInfo stun.AttrType = 0xc057

// Error codes of responses to checks (RFC 8445, RFC 7675).
const (
	forbidden    = 403
	roleConflict = 487
)

type attribute struct {
	kind  stun.AttrType
	value []byte
}

func (a attribute) AddTo(m *stun.Message) error {
	m.Add(a.kind, a.value)
	return nil
}

// request sends a check, nominating the pair or not.
func (a *Agent) request(to netip.AddrPort, nominate bool, now int64) error {
	role := stun.AttrICEControlling
	if a.Controlled {
		role = stun.AttrICEControlled
	}
	setters := []stun.Setter{stun.TransactionID, stun.BindingRequest,
		stun.NewUsername(a.RemoteUfrag + ":" + a.LocalUfrag),
		attribute{networkInfo, []byte{0, 1, 0, 0}},
		attribute{role, binary.BigEndian.AppendUint64(nil, a.TieBreaker)}}
	if nominate {
		setters = append(setters, attribute{stun.AttrUseCandidate, nil})
	}
	message, err := stun.Build(append(setters, attribute{stun.AttrPriority, binary.BigEndian.AppendUint32(nil, priority)},
		stun.NewShortTermIntegrity(a.RemotePassword), stun.Fingerprint)...)
	if err != nil {
		return fmt.Errorf("encoding an ICE check failed: %w", err)
	}
	a.addPending(check{id: message.TransactionID, to: to, sentAt: now, nominate: nominate, controlled: a.Controlled})
	a.sent++
	return a.Send(message.Raw, to)
}

// addPending keeps a pending check, replacing the oldest one when full.
func (a *Agent) addPending(one check) {
	oldest := 0
	for i := range a.checks {
		if a.checks[i].sentAt < a.checks[oldest].sentAt { // 0 is a free slot
			oldest = i
		}
	}
	if len(a.checks) < maxChecks && (len(a.checks) == 0 || a.checks[oldest].sentAt != 0) {
		a.checks = append(a.checks, one)
		return
	}
	a.checks[oldest] = one
}

// take finds the check of a response and forgets it.
func (a *Agent) take(id [stun.TransactionIDSize]byte) (check, bool) {
	for i := range a.checks {
		if a.checks[i].sentAt != 0 && a.checks[i].id == id {
			pending := a.checks[i]
			a.checks[i] = check{}
			return pending, true
		}
	}
	return check{}, false
}

// pending reports whether a response belongs to a pending check.
func (a *Agent) pending(id [stun.TransactionIDSize]byte) bool {
	for i := range a.checks {
		if a.checks[i].sentAt != 0 && a.checks[i].id == id {
			return true
		}
	}
	return false
}

// succeeded handles the response to a check of ours.
func (a *Agent) succeeded(message *stun.Message, from netip.AddrPort, at int64) {
	done, found := a.take(message.TransactionID)
	if !found {
		return
	}
	if from != done.to {
		// RFC 8445 7.2.5.2.1: such a pair does not work in both directions.
		a.refusal = fmt.Sprintf("a check sent to %s got its response from %s", done.to, from)
		return
	}
	if !a.Selected.IsValid() || from == a.Selected {
		a.ConsentAt = at
		a.RoundTripNs = max(at-done.sentAt, 1)
	}
	a.refusal, a.refused = "", false // it is resolved
	p := a.find(done.to)
	if p == nil {
		return // consent of an agent that was made with a pair
	}
	p.answered, p.failed = true, false
	switch {
	case a.Controlled:
		if p.nominated && a.Selected != done.to {
			a.choose(done.to, at)
		}
	case a.Selected.IsValid():
	case done.nominate && !done.controlled:
		a.choose(done.to, at)
	case !a.nominating.IsValid():
		a.nominating = done.to
		p.sent, p.interval = 0, 0
		a.test(p, at)
	}
}

// failed handles an error response to a check of ours. Only an authentic one may change anything.
func (a *Agent) failed(message *stun.Message, at int64) {
	if !a.pending(message.TransactionID) {
		return
	}
	var code stun.ErrorCodeAttribute
	if code.GetFrom(message) != nil {
		return
	}
	a.refusal = fmt.Sprintf("the server responded to a check with %s", code)
	if !authentic(message, a.RemotePassword) {
		return
	}
	done, _ := a.take(message.TransactionID)
	switch code.Code {
	case forbidden:
		a.revoked = a.revoked || done.to == a.Selected
	case roleConflict:
		if done.controlled == a.Controlled {
			a.changeRole(!a.Controlled)
		}
		if p := a.find(done.to); p != nil && !a.Selected.IsValid() {
			a.test(p, at)
		}
	}
}

// changeRole switches the role, and discards the selection made in the old one.
func (a *Agent) changeRole(controlled bool) {
	a.Controlled = controlled
	a.nominating = netip.AddrPort{}
}
