package recorder

import (
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/pion/stun/v3"
)

// describe is a STUN message's type and its attributes with their lengths; the user name's length is that of our names.
func describe(m *stun.Message) string {
	parts := []string{m.Type.Class.String()}
	for _, a := range m.Attributes {
		name := a.Type.String()
		if strings.HasPrefix(name, "0x") || strings.Contains(name, "unexpected") {
			name = fmt.Sprintf("0x%04x", uint16(a.Type))
		}
		if a.Type != stun.AttrUsername {
			name += fmt.Sprintf("/%d", a.Length)
		}
		parts = append(parts, name)
	}
	return strings.Join(parts, " ")
}

func (o *Origin) check(data []byte, from netip.AddrPort) {
	message := &stun.Message{}
	if stun.Decode(data, message) != nil {
		return
	}
	s := o.byAddress[from]
	if message.Type == stun.BindingRequest {
		var username stun.Username
		if username.GetFrom(message) != nil {
			return
		}
		local, _, _ := strings.Cut(username.String(), ":")
		if s = o.byUser[local]; s == nil || stun.NewShortTermIntegrity(s.password).Check(message) != nil {
			return
		}
	}
	if s == nil {
		return
	}
	if s.firstAt.IsZero() {
		s.firstAt = time.Now()
	}
	s.stun.add(describe(message), sinceMs(s.firstAt))
	if message.Type != stun.BindingRequest {
		return
	}
	if s.address != from {
		s.address = from
		o.byAddress[from] = s
	}
	response, err := stun.Build(message, stun.BindingSuccess, &stun.XORMappedAddress{IP: from.Addr().AsSlice(), Port: int(from.Port())},
		stun.NewShortTermIntegrity(s.password), stun.Fingerprint)
	if err == nil {
		_ = s.sendRaw(response.Raw) // a lost response is requested again
	}
	if o.conditions.FullICE && len(s.stun) > 0 && len(s.stun[0].at) <= 3 {
		s.sendCheck()
	}
}

// sendCheck sends a check of our own, as a controlled full agent does.
func (s *session) sendCheck() {
	request, err := stun.Build(stun.TransactionID, stun.BindingRequest, stun.NewUsername(s.offer.ufrag+":"+s.ufrag),
		stun.RawAttribute{Type: stun.AttrICEControlled, Value: make([]byte, 8)}, stun.RawAttribute{Type: stun.AttrPriority, Value: []byte{0x6e, 0, 0, 0xff}},
		stun.NewShortTermIntegrity(s.offer.password), stun.Fingerprint)
	if err == nil {
		_ = s.sendRaw(request.Raw) // a lost check does not matter
	}
}
