// Package ice is a full, controlling ICE agent with one host candidate, as a viewer needs it (RFC 8445).
package ice

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"syscall"
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

// Agent is a full, controlling agent with one host candidate. Its owner locks it.
type Agent struct {
	LocalUfrag, LocalPassword   string
	RemoteUfrag, RemotePassword string
	TieBreaker                  uint64
	Send                        func(data []byte, to netip.AddrPort) error

	checks    [rememberedChecks]check
	nextCheck int
	sent      int
	refusal   string // the latest error response or network error, for the failure's sentence
	refused   bool
	valid     netip.AddrPort // answered a check
	Selected  netip.AddrPort // answered a nominating check
	Selection chan struct{}  // closed when selected
	// ConsentAt is when a check was answered last.
	ConsentAt int64
	// ConsentAskedAt is when consent was last asked for.
	ConsentAskedAt int64
	// RoundTripNs is the latest round trip; 0 before the first.
	RoundTripNs int64
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
func (a *Agent) request(to netip.AddrPort, nominate bool, now int64) error {
	priority := []byte{hostPriority >> 24, hostPriority >> 16 & 0xff, hostPriority >> 8 & 0xff, hostPriority & 0xff}
	setters := []stun.Setter{stun.TransactionID, stun.BindingRequest,
		stun.NewUsername(a.RemoteUfrag + ":" + a.LocalUfrag),
		attribute{stun.AttrICEControlling, bigEndian64(a.TieBreaker)},
		attribute{stun.AttrPriority, priority}}
	if nominate {
		setters = append(setters, attribute{stun.AttrUseCandidate, nil})
	}
	message, err := stun.Build(append(setters, stun.NewShortTermIntegrity(a.RemotePassword), stun.Fingerprint)...)
	if err != nil {
		return fmt.Errorf("an ICE check can't be written: %w", err)
	}
	a.checks[a.nextCheck%rememberedChecks] = check{id: message.TransactionID, to: to, sentAt: now, nominate: nominate}
	a.nextCheck++
	a.sent++
	return a.Send(message.Raw, to)
}

// Message takes a STUN message from the socket. What is not authentic is dropped, as it must be.
func (a *Agent) Message(data []byte, from netip.AddrPort, at int64) {
	message := &stun.Message{}
	if a.Send == nil || stun.Decode(data, message) != nil {
		return
	}
	switch message.Type {
	case stun.BindingRequest:
		a.answer(message, from)
	case stun.BindingSuccess:
		if stun.NewShortTermIntegrity(a.RemotePassword).Check(message) == nil {
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
func (a *Agent) answer(request *stun.Message, from netip.AddrPort) {
	var username stun.Username
	if username.GetFrom(request) != nil || !strings.HasPrefix(username.String(), a.LocalUfrag+":") ||
		stun.NewShortTermIntegrity(a.LocalPassword).Check(request) != nil {
		return
	}
	response, err := stun.Build(request, stun.BindingSuccess,
		&stun.XORMappedAddress{IP: from.Addr().AsSlice(), Port: int(from.Port())},
		stun.NewShortTermIntegrity(a.LocalPassword), stun.Fingerprint)
	if err != nil {
		return // an address that STUN can't write does not exist
	}
	_ = a.Send(response.Raw, from) // the server asks again
}

func (a *Agent) find(id [stun.TransactionIDSize]byte) *check {
	for i := range a.checks {
		if a.checks[i].sentAt != 0 && a.checks[i].id == id {
			return &a.checks[i]
		}
	}
	return nil
}

func (a *Agent) succeeded(id [stun.TransactionIDSize]byte, at int64) {
	done := a.find(id)
	if done == nil {
		return
	}
	a.ConsentAt = at
	a.RoundTripNs = max(at-done.sentAt, 1)
	to, nominate := done.to, done.nominate
	*done = check{}
	switch {
	case a.Selected.IsValid():
	case nominate:
		a.Selected = to
		close(a.Selection)
	case !a.valid.IsValid():
		a.valid = to
		a.NoteSend(a.request(to, true, at))
	}
}

// KeepConsent asks the peer whether it still wants us, when that is due (RFC 7675).
func (a *Agent) KeepConsent(at int64) {
	if at-a.ConsentAskedAt >= int64(consentInterval) {
		a.ConsentAskedAt = at
		a.NoteSend(a.request(a.Selected, false, at))
	}
}

// ConsentLost tells that the peer has not answered for too long.
func (a *Agent) ConsentLost(at int64) bool { return at-a.ConsentAt > int64(consentPatience) }

// NetworkError keeps what the network reported of the socket.
func (a *Agent) NetworkError(err error) {
	a.refusal = "the network answered: " + err.Error()
	a.refused = errors.Is(err, syscall.ECONNREFUSED)
}

// Refusal is the latest bad news for a failure's sentence, empty when there was none, and whether it was that the port is closed.
func (a *Agent) Refusal() (sentence string, refused bool) { return a.refusal, a.refused }

// NoteSend keeps what the network said of a send, for the sentence of a failure.
func (a *Agent) NoteSend(err error) {
	if err != nil {
		a.refusal = "sending failed: " + err.Error()
		a.refused = errors.Is(err, syscall.ECONNREFUSED)
	}
}

// Connect checks the candidates until one answers a nominating check. lock guards the agent.
func (a *Agent) Connect(ctx context.Context, lock func(func()), candidates []netip.AddrPort) *failure.Failure {
	began := time.Now()
	for interval := checkInterval; ; interval = min(2*interval, maxCheckInterval) {
		lock(func() {
			now := time.Now().UnixNano()
			if a.valid.IsValid() {
				a.NoteSend(a.request(a.valid, true, now))
				return
			}
			for _, to := range candidates {
				// With a single candidate there is nothing to choose, so it is nominated at once.
				a.NoteSend(a.request(to, len(candidates) == 1, now))
			}
		})
		select {
		case <-a.Selection:
			return nil
		case <-ctx.Done():
			return a.timedOut(ctx, lock, candidates, began)
		case <-time.After(interval):
		}
	}
}

func (a *Agent) timedOut(ctx context.Context, lock func(func()), candidates []netip.AddrPort, began time.Time) *failure.Failure {
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
		detail = fmt.Sprintf("%d checks sent to %s, no answer within %s", a.sent, strings.Join(targets, ", "), failure.Elapsed(began))
		if a.refusal != "" {
			detail += "; " + a.refusal
		}
	})
	return failure.New(failure.ICE, cause, "%s.", detail)
}
