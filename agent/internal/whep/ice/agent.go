// Package ice is a full ICE agent with one host candidate, as a viewer needs it (RFC 8445, RFC 7675).
package ice

import (
	"net/netip"
	"slices"
	"time"

	"github.com/pion/stun/v3"

	"fullhouse/agent/internal/monotonic"
)

const (
	checkInterval    = 50 * time.Millisecond
	maxCheckInterval = 800 * time.Millisecond
	// pacing keeps the first checks of several pairs apart (RFC 8445 14.2 requires at least 5 ms).
	pacing = 5 * time.Millisecond
	// maxChecks is the maximum of pending checks; beyond it the oldest is forgotten.
	maxChecks = 64
	// maxPairs bounds the memory for the pairs of an answer and of a flood of checks.
	maxPairs = 24
	// maxFailedNominations is how many nominating checks may stay unanswered by a pair that had responded.
	maxFailedNominations = 5
)

// check is a pending binding request.
type check struct {
	id         [stun.TransactionIDSize]byte
	to         netip.AddrPort
	sentAt     int64
	nominate   bool
	controlled bool
}

// pair is our one candidate with one of the peer's.
type pair struct {
	to        netip.AddrPort
	answered  bool // a check of ours got a response
	nominated bool // by the peer, if it is controlling
	failed    bool
	sent      int
	dueAt     int64
	interval  time.Duration
}

// Agent is a full agent with one host candidate, controlling unless a role conflict is resolved otherwise. Its owner
// locks it.
type Agent struct {
	LocalUfrag, LocalPassword   string
	RemoteUfrag, RemotePassword string
	TieBreaker                  uint64
	Send                        func(data []byte, to netip.AddrPort) error

	// Permits reports whether checks may be sent to an address; nil for all.
	Permits func(to netip.Addr) bool
	// Trickles is true if candidates are added one by one, so that the first is not the only one. Two pairs must never be
	// nominated at once: the peer may use the other one.
	Trickles bool
	// Controlled is true if the peer selects the pair. It may then select another at any time, see Selected.
	Controlled bool
	// Selected is the pair in use.
	Selected netip.AddrPort
	// Moved, if set, is called when the peer selected another pair than before.
	Moved func(to netip.AddrPort)
	// Selection is closed once a pair is selected.
	Selection chan struct{}
	// ConsentAt is the time of the last response to a check of the pair in use.
	ConsentAt int64
	// ResumedAt is when this process last ran again after a pause, in which it could neither ask nor read.
	ResumedAt int64
	// ConsentSentAt is the time of the last consent check.
	ConsentSentAt int64
	// RoundTripNs is the latest round trip; 0 before the first.
	RoundTripNs int64
	// Dropped counts messages that were not authentic.
	Dropped uint64

	pairs      []pair
	nominating netip.AddrPort // the pair we selected
	wake       chan struct{}
	checks     []check
	sent       int
	answers    int    // given to the peer's checks
	refusal    string // the latest error response or network error, for the failure's sentence
	refused    bool
	revoked    bool
	consentDue int64
	// restartedAt is when the peer last restarted ICE.
	restartedAt int64
}

// New makes an agent that already responds to checks: a server may send them before its answer arrives.
func New(ufrag, password string, tieBreaker uint64, send func([]byte, netip.AddrPort) error) Agent {
	return Agent{LocalUfrag: ufrag, LocalPassword: password, TieBreaker: tieBreaker, Send: send, Selection: make(chan struct{}), wake: make(chan struct{}, 1)}
}

// Start sets the peer's data from the answer. If a later answer has others, the peer restarted ICE: all pairs are checked
// again, and the one in use stays so meanwhile (RFC 8839 4.4.1.1.1, RFC 8445 9).
func (a *Agent) Start(ufrag, password string, candidates []netip.AddrPort) {
	if a.RemoteUfrag != "" && (ufrag != a.RemoteUfrag || password != a.RemotePassword) {
		a.restart()
	}
	a.RemoteUfrag, a.RemotePassword = ufrag, password
	a.Add(candidates)
}

// restart forgets what the peer's former data led to. Our own data stay, since the peer did not get others.
func (a *Agent) restart() {
	a.checks, a.nominating = nil, netip.AddrPort{}
	for i := range a.pairs {
		a.pairs[i] = pair{to: a.pairs[i].to}
	}
	a.restartedAt = monotonic.Nano()
}

// Renominate nominates the pair in use after a restart by the peer, and reports whether to call it again: the peer sends
// nothing until it has responded.
func (a *Agent) Renominate(now int64) (isPending bool) {
	if !a.Selected.IsValid() || a.restartedAt == 0 || a.ConsentAt > a.restartedAt {
		return false
	}
	a.RecordSendError(a.request(a.Selected, !a.Controlled, now))
	return true
}

// Add adds trickled candidates of the peer, best first.
func (a *Agent) Add(candidates []netip.AddrPort) {
	for _, candidate := range candidates {
		a.addPeerReflexive(candidate)
	}
	a.wakeSender()
}

// Drop removes candidates of a family that turned out not to be used, before Connect.
func (a *Agent) Drop(isIPv6 bool) {
	a.pairs = slices.DeleteFunc(a.pairs, func(p pair) bool { return p.to.Addr().Is6() == isIPv6 })
}

// Candidates is how many addresses of the peer are known.
func (a *Agent) Candidates() int { return len(a.pairs) }

// wakeSender makes Connect process the pairs at once.
func (a *Agent) wakeSender() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

func (a *Agent) find(to netip.AddrPort) *pair {
	if i := slices.IndexFunc(a.pairs, func(p pair) bool { return p.to == to }); i >= 0 {
		return &a.pairs[i]
	}
	return nil
}

// addPeerReflexive finds or adds a pair; nil when the maximum is reached, or if the address is not permitted.
func (a *Agent) addPeerReflexive(to netip.AddrPort) *pair {
	if known := a.find(to); known != nil {
		return known
	}
	if len(a.pairs) >= maxPairs || a.Permits != nil && !a.Permits(to.Addr()) {
		return nil
	}
	a.pairs = append(a.pairs, pair{to: to})
	return &a.pairs[len(a.pairs)-1]
}

// sendDue sends the checks that are due and returns the time until the next.
func (a *Agent) sendDue(now int64) time.Duration {
	next, begun := maxCheckInterval, false
	for i := range a.pairs {
		p := &a.pairs[i]
		switch {
		case p.failed || a.nominating.IsValid() && p.to != a.nominating:
			continue
		case p.sent == 0 && begun:
			next = min(next, pacing)
			continue
		case p.dueAt <= now:
			begun = begun || p.sent == 0
			a.test(p, now)
		}
		if !p.failed && a.RemotePassword != "" {
			next = min(next, max(time.Duration(p.dueAt-now), 0))
		}
	}
	return next
}

// test sends a check of a pair. The only pair is nominated at once.
func (a *Agent) test(p *pair, now int64) {
	if a.RemotePassword == "" {
		return // a check before the answer; the answer will wake us
	}
	nominate := !a.Controlled && (p.to == a.nominating || len(a.pairs) == 1 && !a.Trickles)
	if p.to == a.nominating && p.sent >= maxFailedNominations {
		a.abandon(p)
		return
	}
	p.sent++
	p.interval = min(max(2*p.interval, checkInterval), maxCheckInterval)
	p.dueAt = now + int64(p.interval)
	a.RecordSendError(a.request(p.to, nominate, now))
}

// abandon gives up a pair that stopped responding, and turns to the others.
func (a *Agent) abandon(p *pair) {
	p.failed = len(a.pairs) > 1
	p.answered, p.sent, p.interval = false, 0, 0
	a.nominating = netip.AddrPort{}
	for i := range a.pairs {
		other := &a.pairs[i]
		other.dueAt, other.interval = 0, 0
		if other.answered && !other.failed && !a.nominating.IsValid() {
			a.nominating, other.sent = other.to, 0
		}
	}
	a.wakeSender()
}

// choose selects a pair for use.
func (a *Agent) choose(to netip.AddrPort, at int64) {
	first := !a.Selected.IsValid()
	a.Selected, a.ConsentAt = to, at
	switch {
	case first && a.Selection != nil:
		close(a.Selection)
	case !first && a.Moved != nil:
		a.Moved(to)
	}
}

// SendCheck sends one check, even if none is due.
func (a *Agent) SendCheck(to netip.AddrPort, now int64) { a.RecordSendError(a.request(to, false, now)) }
