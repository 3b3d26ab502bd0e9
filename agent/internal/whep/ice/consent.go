package ice

import (
	"math/rand/v2"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/protocol"
)

// RFC 7675: consent is checked every 5 s, randomized by a fifth, and lost after 30 s.
const (
	consentInterval = 5 * time.Second
	consentTimeout  = 30 * time.Second
	// tickInterval is the interval of calls; a check is sent at the nearest one.
	tickInterval = time.Second
)

// KeepConsent sends a consent check if one is due.
func (a *Agent) KeepConsent(at int64) {
	if a.consentDue == 0 {
		a.consentDue = a.ConsentSentAt + nextConsent()
	}
	if at+int64(tickInterval/2) < a.consentDue || a.revoked {
		return
	}
	a.ConsentSentAt = at
	a.consentDue = at + nextConsent()
	a.RecordSendError(a.request(a.Selected, !a.Controlled, at)) // browsers also keep nominating the pair in use
}

func nextConsent() int64 {
	const spread = consentInterval / 5
	return int64(consentInterval-spread) + rand.Int64N(int64(2*spread)+1)
}

// CheckNow has the next KeepConsent send a check: there are signs that the server is gone.
func (a *Agent) CheckNow() { a.consentDue = 1 }

// ConsentLost is the failure of a lost consent, or nil.
func (a *Agent) ConsentLost(at int64) *failure.Failure {
	silent := time.Duration(at - max(a.ConsentAt, a.ResumedAt))
	switch {
	case a.revoked:
		return failure.New(failure.Media, protocol.CauseConsentRevoked, "The server %s revoked its consent: it responded to an ICE check with 403.", a.Selected)
	case silent > consentTimeout:
		return failure.New(failure.Media, protocol.CauseConsentLost, "The server responded to no ICE check for %s.", silent.Round(time.Millisecond))
	}
	return nil
}
