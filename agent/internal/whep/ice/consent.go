package ice

import (
	"math/rand/v2"
	"time"

	"fullhouse/agent/internal/failure"
)

// RFC 7675: consent is asked for every 5 s, more or less a fifth at random, and lost after 30 s.
const (
	consentInterval = 5 * time.Second
	consentPatience = 30 * time.Second
	// beat is how often we are called; a check is due at the beat that is nearest.
	beat = time.Second
)

// KeepConsent asks the peer whether it still wants us, when that is due.
func (a *Agent) KeepConsent(at int64) {
	if a.consentDue == 0 {
		a.consentDue = a.ConsentAskedAt + nextConsent()
	}
	if at+int64(beat/2) < a.consentDue || a.revoked {
		return
	}
	a.ConsentAskedAt = at
	a.consentDue = at + nextConsent()
	a.NoteSend(a.request(a.Selected, !a.Controlled, at)) // a browser goes on nominating the pair in use
}

func nextConsent() int64 {
	const spread = consentInterval / 5
	return int64(consentInterval-spread) + rand.Int64N(int64(2*spread)+1)
}

// Lost is the end of the peer's consent, or nil.
func (a *Agent) Lost(at int64) *failure.Failure {
	silent := time.Duration(at - a.ConsentAt)
	switch {
	case a.revoked:
		return failure.New(failure.Media, "consent-revoked", "The server %s answered an ICE check with 403, by which it wants nothing more of this viewer.", a.Selected)
	case silent > consentPatience:
		return failure.New(failure.Media, "consent-lost", "The server answered no ICE check for %s.", silent.Round(time.Millisecond))
	}
	return nil
}
