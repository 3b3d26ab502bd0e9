package ice

import (
	"encoding/binary"
	"net/netip"
	"strings"
	"time"

	"github.com/pion/stun/v3"
)

// triggeredPause keeps the checks triggered by the peer's own apart.
const triggeredPause = 20 * time.Millisecond

// Message handles a STUN message from the socket. Messages that are not authentic are dropped, as required.
func (a *Agent) Message(data []byte, from netip.AddrPort, at int64) {
	message := &stun.Message{}
	if a.Send == nil || stun.Decode(data, message) != nil || message.Contains(stun.AttrFingerprint) && stun.Fingerprint.Check(message) != nil {
		a.Dropped++
		return
	}
	switch message.Type {
	case stun.BindingRequest:
		a.handleCheck(message, from, at)
	case stun.BindingSuccess:
		if !a.pending(message.TransactionID) {
			return // a duplicate response
		}
		if !authentic(message, a.RemotePassword) || len(unknown(message)) > 0 {
			a.Dropped++
			return
		}
		a.succeeded(message, from, at)
	case stun.BindingError:
		a.failed(message, at)
	}
}

// authentic verifies a message's integrity, and cuts off what it does not cover.
func authentic(message *stun.Message, password string) bool {
	if password == "" || stun.NewShortTermIntegrity(password).Check(message) != nil {
		return false
	}
	for i, one := range message.Attributes {
		if one.Type == stun.AttrMessageIntegrity {
			message.Attributes = message.Attributes[:i]
			break
		}
	}
	return true
}

// unknown lists the comprehension-required attributes that are not supported (RFC 8489 5).
func unknown(message *stun.Message) []stun.AttrType {
	var list []stun.AttrType
	for _, one := range message.Attributes {
		switch one.Type {
		case stun.AttrUsername, stun.AttrMessageIntegrity, stun.AttrErrorCode, stun.AttrUnknownAttributes, stun.AttrRealm, stun.AttrNonce,
			stun.AttrMappedAddress, stun.AttrXORMappedAddress, stun.AttrPriority, stun.AttrUseCandidate:
		default:
			if one.Type.Required() {
				list = append(list, one.Type)
			}
		}
	}
	return list
}

// handleCheck responds to the peer's own check, and checks its address in turn.
func (a *Agent) handleCheck(request *stun.Message, from netip.AddrPort, at int64) {
	var username stun.Username
	if username.GetFrom(request) != nil || !strings.HasPrefix(username.String(), a.LocalUfrag+":") || !authentic(request, a.LocalPassword) {
		a.Dropped++
		return
	}
	if list := unknown(request); len(list) > 0 {
		a.respond(request, from, stun.BindingError, stun.CodeUnknownAttribute, stun.UnknownAttributes(list))
		return
	}
	if !a.resolveRoleConflict(request) {
		a.respond(request, from, stun.BindingError, stun.CodeRoleConflict)
		return
	}
	a.respond(request, from, stun.BindingSuccess, &stun.XORMappedAddress{IP: from.Addr().AsSlice(), Port: int(from.Port())})
	a.answers++
	p := a.addPeerReflexive(from)
	if p == nil {
		return
	}
	if a.Controlled && request.Contains(stun.AttrUseCandidate) {
		for i := range a.pairs {
			a.pairs[i].nominated = false
		}
		p.nominated = true
	}
	switch {
	case p.answered:
		if p.nominated && a.Controlled && a.Selected != from {
			a.choose(from, at)
		}
	case a.nominating.IsValid() || !a.Controlled && a.Selected.IsValid():
		// A pair is selected; the check only needed a response.
	case at-(p.dueAt-int64(p.interval)) >= int64(triggeredPause):
		p.failed = false
		a.test(p, at)
		a.wakeSender()
	}
}

// resolveRoleConflict resolves a role conflict, and switches roles for the greater tie breaker. It is false when the
// peer has to switch (RFC 8445 7.3.1.1).
func (a *Agent) resolveRoleConflict(request *stun.Message) bool {
	same := stun.AttrICEControlling
	if a.Controlled {
		same = stun.AttrICEControlled
	}
	value, err := request.Get(same)
	if err != nil || len(value) != 8 {
		return true
	}
	mine := a.TieBreaker >= binary.BigEndian.Uint64(value)
	if mine == !a.Controlled {
		return false
	}
	a.changeRole(!a.Controlled)
	return true
}

// respond responds to a check. If the response is lost, the check is repeated.
func (a *Agent) respond(request *stun.Message, to netip.AddrPort, kind stun.MessageType, content ...stun.Setter) {
	setters := append([]stun.Setter{stun.NewTransactionIDSetter(request.TransactionID), kind}, content...)
	response, err := stun.Build(append(setters, stun.NewShortTermIntegrity(a.LocalPassword), stun.Fingerprint)...)
	if err != nil {
		return // an address that STUN can't encode does not exist
	}
	_ = a.Send(response.Raw, to)
}
