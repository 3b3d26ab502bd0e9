package whep

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/pion/stun/v3"

	"fullhouse/agent/internal/failure"
)

const (
	checkInterval    = 50 * time.Millisecond
	maxCheckInterval = 800 * time.Millisecond
	consentInterval  = 5 * time.Second
	consentPatience  = 30 * time.Second // RFC 7675
	hostPriority     = 1845501695       // of a peer-reflexive candidate made from ours
	rememberedChecks = 8
)

// check is a binding request under way.
type check struct {
	id       [stun.TransactionIDSize]byte
	to       netip.AddrPort
	sentAt   int64
	nominate bool
}

// iceAgent is a full, controlling agent with one host candidate. Its owner locks it.
type iceAgent struct {
	localUfrag, localPassword   string
	remoteUfrag, remotePassword string
	tieBreaker                  uint64
	send                        func(data []byte, to netip.AddrPort) error

	checks    [rememberedChecks]check
	nextCheck int
	sent      int
	refusal   string // the latest error response or network error, for the failure's sentence
	refused   bool
	valid     netip.AddrPort // answered a check
	selected  netip.AddrPort // answered a nominating check
	selection chan struct{}  // closed when selected
	consentAt int64          // the latest answer
	// consentAskedAt is when consent was last asked for.
	consentAskedAt int64
	tripNs         int64 // the latest round trip; 0 before the first
}

type attribute struct {
	kind  stun.AttrType
	value []byte
}

func (a attribute) AddTo(m *stun.Message) error {
	m.Add(a.kind, a.value)
	return nil
}

func bigEndian64(value uint64) []byte {
	b := make([]byte, 8)
	for i := range b {
		b[i] = byte(value >> (56 - 8*i))
	}
	return b
}

// request sends a check, nominating the pair or not.
func (a *iceAgent) request(to netip.AddrPort, nominate bool, now int64) error {
	priority := []byte{hostPriority >> 24, hostPriority >> 16 & 0xff, hostPriority >> 8 & 0xff, hostPriority & 0xff}
	setters := []stun.Setter{stun.TransactionID, stun.BindingRequest,
		stun.NewUsername(a.remoteUfrag + ":" + a.localUfrag),
		attribute{stun.AttrICEControlling, bigEndian64(a.tieBreaker)},
		attribute{stun.AttrPriority, priority}}
	if nominate {
		setters = append(setters, attribute{stun.AttrUseCandidate, nil})
	}
	message, err := stun.Build(append(setters, stun.NewShortTermIntegrity(a.remotePassword), stun.Fingerprint)...)
	if err != nil {
		return fmt.Errorf("an ICE check can't be written: %w", err)
	}
	a.checks[a.nextCheck%rememberedChecks] = check{id: message.TransactionID, to: to, sentAt: now, nominate: nominate}
	a.nextCheck++
	a.sent++
	return a.send(message.Raw, to)
}

// message takes a STUN message from the socket. What is not authentic is dropped, as it must be.
func (a *iceAgent) message(data []byte, from netip.AddrPort, at int64) {
	message := &stun.Message{}
	if a.send == nil || stun.Decode(data, message) != nil {
		return
	}
	switch message.Type {
	case stun.BindingRequest:
		a.answer(message, from)
	case stun.BindingSuccess:
		if stun.NewShortTermIntegrity(a.remotePassword).Check(message) == nil {
			a.succeeded(message.TransactionID, at)
		}
	case stun.BindingError:
		if a.find(message.TransactionID) == nil {
			return
		}
		var code stun.ErrorCodeAttribute
		if code.GetFrom(message) == nil {
			a.refusal = fmt.Sprintf("the server answered a check with %s", code)
		}
	}
}

// answer confirms the server's own check. A role conflict is not examined: it offers to receive, we decide.
func (a *iceAgent) answer(request *stun.Message, from netip.AddrPort) {
	var username stun.Username
	if username.GetFrom(request) != nil || !strings.HasPrefix(username.String(), a.localUfrag+":") ||
		stun.NewShortTermIntegrity(a.localPassword).Check(request) != nil {
		return
	}
	response, err := stun.Build(request, stun.BindingSuccess,
		&stun.XORMappedAddress{IP: from.Addr().AsSlice(), Port: int(from.Port())},
		stun.NewShortTermIntegrity(a.localPassword), stun.Fingerprint)
	if err != nil {
		return // an address that STUN can't write does not exist
	}
	_ = a.send(response.Raw, from) // the server asks again
}

func (a *iceAgent) find(id [stun.TransactionIDSize]byte) *check {
	for i := range a.checks {
		if a.checks[i].sentAt != 0 && a.checks[i].id == id {
			return &a.checks[i]
		}
	}
	return nil
}

func (a *iceAgent) succeeded(id [stun.TransactionIDSize]byte, at int64) {
	done := a.find(id)
	if done == nil {
		return
	}
	a.consentAt = at
	a.tripNs = max(at-done.sentAt, 1)
	to, nominate := done.to, done.nominate
	*done = check{}
	switch {
	case a.selected.IsValid():
	case nominate:
		a.selected = to
		close(a.selection)
	case !a.valid.IsValid():
		a.valid = to
		a.noteSend(a.request(to, true, at))
	}
}

func (a *iceAgent) noteSend(err error) {
	if err != nil {
		a.refusal = "sending failed: " + err.Error()
		a.refused = isRefused(err)
	}
}

// connect checks the candidates until one answers a nominating check. lock guards the agent.
func (a *iceAgent) connect(ctx context.Context, lock func(func()), candidates []netip.AddrPort) *failure.Failure {
	began := time.Now()
	for interval := checkInterval; ; interval = min(2*interval, maxCheckInterval) {
		lock(func() {
			now := time.Now().UnixNano()
			if a.valid.IsValid() {
				a.noteSend(a.request(a.valid, true, now))
				return
			}
			for _, to := range candidates {
				// With a single candidate there is nothing to choose, so it is nominated at once.
				a.noteSend(a.request(to, len(candidates) == 1, now))
			}
		})
		select {
		case <-a.selection:
			return nil
		case <-ctx.Done():
			return a.timedOut(ctx, lock, candidates, began)
		case <-time.After(interval):
		}
	}
}

func (a *iceAgent) timedOut(ctx context.Context, lock func(func()), candidates []netip.AddrPort, began time.Time) *failure.Failure {
	cause, detail := "timeout", ""
	if errors.Is(ctx.Err(), context.Canceled) {
		cause = "cancelled"
	}
	lock(func() {
		if a.refused {
			cause = "refused"
		}
		targets := make([]string, len(candidates))
		for i, candidate := range candidates {
			targets[i] = candidate.String()
		}
		detail = fmt.Sprintf("%d checks sent to %s, no answer within %s", a.sent, strings.Join(targets, ", "), elapsed(began))
		if a.refusal != "" {
			detail += "; " + a.refusal
		}
	})
	return failure.New(failure.ICE, cause, "%s.", detail)
}
