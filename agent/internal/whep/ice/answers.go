package ice

import (
	"encoding/binary"
	"net/netip"
	"strings"
	"time"

	"github.com/pion/stun/v3"
)

// triggeredPause keeps the checks that the peer's own set off apart.
const triggeredPause = 20 * time.Millisecond

// Message takes a STUN message from the socket. What is not authentic is dropped, as it must be.
func (a *Agent) Message(data []byte, from netip.AddrPort, at int64) {
	message := &stun.Message{}
	if a.Send == nil || stun.Decode(data, message) != nil || message.Contains(stun.AttrFingerprint) && stun.Fingerprint.Check(message) != nil {
		a.Dropped++
		return
	}
	switch message.Type {
	case stun.BindingRequest:
		a.asked(message, from, at)
	case stun.BindingSuccess:
		if !a.pending(message.TransactionID) {
			return // an answer that came twice
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

// authentic checks a message's integrity, and cuts off what it does not cover.
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

// unknown lists the attributes that must be understood and are not (RFC 8489 5).
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

// asked answers the peer's own check, and checks its address in turn.
func (a *Agent) asked(request *stun.Message, from netip.AddrPort, at int64) {
	var username stun.Username
	if username.GetFrom(request) != nil || !strings.HasPrefix(username.String(), a.LocalUfrag+":") || !authentic(request, a.LocalPassword) {
		a.Dropped++
		return
	}
	if list := unknown(request); len(list) > 0 {
		a.respond(request, from, stun.BindingError, stun.CodeUnknownAttribute, stun.UnknownAttributes(list))
		return
	}
	if !a.settleRole(request) {
		a.respond(request, from, stun.BindingError, stun.CodeRoleConflict)
		return
	}
	a.respond(request, from, stun.BindingSuccess, &stun.XORMappedAddress{IP: from.Addr().AsSlice(), Port: int(from.Port())})
	a.answers++
	p := a.learn(from)
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
		// The choice is made; the check was only to be answered.
	case at-(p.dueAt-int64(p.interval)) >= int64(triggeredPause):
		p.failed = false
		a.test(p, at)
		a.stir()
	}
}

// settleRole finds out whether the peer's idea of who chooses the pair fits ours, and gives in to the greater tie breaker. It is false
// when the peer is to give in (RFC 8445 7.3.1.1).
func (a *Agent) settleRole(request *stun.Message) bool {
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

// respond answers a check. An answer that is lost on the way is asked for again.
func (a *Agent) respond(request *stun.Message, to netip.AddrPort, kind stun.MessageType, content ...stun.Setter) {
	setters := append([]stun.Setter{stun.NewTransactionIDSetter(request.TransactionID), kind}, content...)
	response, err := stun.Build(append(setters, stun.NewShortTermIntegrity(a.LocalPassword), stun.Fingerprint)...)
	if err != nil {
		return // an address that STUN can't write does not exist
	}
	_ = a.Send(response.Raw, to)
}
