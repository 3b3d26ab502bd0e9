// Package ice is a full ICE agent with one host candidate, as a viewer needs it (RFC 8445, RFC 7675).
package ice

import (
	"net/netip"
	"slices"
	"time"

	"github.com/pion/stun/v3"
)

const (
	checkInterval    = 50 * time.Millisecond
	maxCheckInterval = 800 * time.Millisecond
	// pacing keeps the first checks of several pairs apart (RFC 8445 14.2 wants 5 ms at least).
	pacing = 5 * time.Millisecond
	// mostChecks is how many checks may be under way; of more, the oldest is forgotten.
	mostChecks = 64
	// mostPairs bounds what an answer and a flood of checks can make us remember.
	mostPairs = 24
	// nominationPatience is how many nominating checks a pair that had answered may leave unanswered.
	nominationPatience = 5
)

// check is a binding request under way.
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
	answered  bool // a check of ours
	nominated bool // by the peer, when it is the one to choose
	failed    bool
	sent      int
	dueAt     int64
	interval  time.Duration
}

// Agent is a full agent with one host candidate, controlling until a conflict of roles says otherwise. Its owner locks it.
type Agent struct {
	LocalUfrag, LocalPassword   string
	RemoteUfrag, RemotePassword string
	TieBreaker                  uint64
	Send                        func(data []byte, to netip.AddrPort) error

	// Controlled is true when the peer insisted on choosing the pair. It may then choose another at any time, as Selected tells.
	Controlled bool
	// Selected is the pair in use.
	Selected netip.AddrPort
	// Moved, when it is set, is told when the peer chose another pair than before.
	Moved func(to netip.AddrPort)
	// Selection is closed once there is one.
	Selection chan struct{}
	// ConsentAt is when a check of the pair in use was answered last.
	ConsentAt int64
	// ConsentAskedAt is when consent was last asked for.
	ConsentAskedAt int64
	// RoundTripNs is the latest round trip; 0 before the first.
	RoundTripNs int64
	// Dropped counts messages that were not authentic.
	Dropped uint64

	pairs      []pair
	nominating netip.AddrPort // the pair we chose
	wake       chan struct{}
	checks     []check
	sent       int
	answers    int    // given to the peer's checks
	refusal    string // the latest error response or network error, for the failure's sentence
	refused    bool
	revoked    bool
	consentDue int64
}

// New makes an agent that already answers checks: a server may send them before its answer has come to us.
func New(ufrag, password string, tieBreaker uint64, send func([]byte, netip.AddrPort) error) Agent {
	return Agent{LocalUfrag: ufrag, LocalPassword: password, TieBreaker: tieBreaker, Send: send, Selection: make(chan struct{}), wake: make(chan struct{}, 1)}
}

// Begin tells the agent what the answer says of the peer.
func (a *Agent) Begin(ufrag, password string, candidates []netip.AddrPort) {
	a.RemoteUfrag, a.RemotePassword = ufrag, password
	a.Add(candidates)
}

// Add adds candidates of the peer, best first, as they trickle in.
func (a *Agent) Add(candidates []netip.AddrPort) {
	for _, candidate := range candidates {
		a.learn(candidate)
	}
	a.stir()
}

// Candidates tells how many addresses of the peer are known.
func (a *Agent) Candidates() int { return len(a.pairs) }

// stir makes Connect look at the pairs at once.
func (a *Agent) stir() {
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

// learn finds or adds a pair; nil when there are too many.
func (a *Agent) learn(to netip.AddrPort) *pair {
	if known := a.find(to); known != nil {
		return known
	}
	if len(a.pairs) >= mostPairs {
		return nil
	}
	a.pairs = append(a.pairs, pair{to: to})
	return &a.pairs[len(a.pairs)-1]
}

// pulse sends the checks that are due and tells how long it is until the next.
func (a *Agent) pulse(now int64) time.Duration {
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

// test sends a check of a pair. With a single pair there is nothing to choose, so it is nominated at once.
func (a *Agent) test(p *pair, now int64) {
	if a.RemotePassword == "" {
		return // a check that came before the answer; the answer will wake us
	}
	nominate := !a.Controlled && (p.to == a.nominating || len(a.pairs) == 1)
	if p.to == a.nominating && p.sent >= nominationPatience {
		a.abandon(p)
		return
	}
	p.sent++
	p.interval = min(max(2*p.interval, checkInterval), maxCheckInterval)
	p.dueAt = now + int64(p.interval)
	a.NoteSend(a.request(p.to, nominate, now))
}

// abandon gives up a pair that answered once and then no more, and turns to the others.
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
	a.stir()
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

// Ask sends one check, whatever is due.
func (a *Agent) Ask(to netip.AddrPort, now int64) { a.NoteSend(a.request(to, false, now)) }
