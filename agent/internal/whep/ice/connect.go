package ice

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/protocol"
)

// Connect checks the pairs until one is selected. lock guards the agent.
func (a *Agent) Connect(ctx context.Context, lock func(func())) *failure.Failure {
	startTime := time.Now()
	for {
		var next time.Duration
		lock(func() { next = a.sendDue(monotonic.Nano()) })
		timer := time.NewTimer(next)
		select {
		case <-a.Selection:
			timer.Stop()
			return nil
		case <-ctx.Done():
			timer.Stop()
			var f *failure.Failure
			lock(func() { f = a.timedOut(ctx, startTime) })
			return f
		case <-a.wake:
			timer.Stop()
		case <-timer.C:
		}
	}
}

// timedOut reports what was tried.
func (a *Agent) timedOut(ctx context.Context, startTime time.Time) *failure.Failure {
	cause := protocol.CauseTimeout
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		cause = protocol.CauseCancelled
	case a.refused:
		cause = protocol.CauseRefused
	case len(a.pairs) == 0:
		cause = protocol.CauseNoCandidate
	}
	elapsed := failure.Elapsed(startTime)
	detail := fmt.Sprintf("The server sent no address for media, and no ICE check within %s", elapsed)
	if len(a.pairs) > 0 {
		targets := make([]string, len(a.pairs))
		for i, p := range a.pairs {
			targets[i] = p.to.String()
		}
		detail = fmt.Sprintf("%d checks sent to %s, no response within %s", a.sent, strings.Join(targets, ", "), elapsed)
	}
	if a.answers > 0 {
		detail += fmt.Sprintf("; %d checks of the server were answered", a.answers)
	}
	if a.Dropped > 0 {
		detail += fmt.Sprintf("; %d STUN messages were not authentic", a.Dropped)
	}
	if a.refusal != "" {
		detail += "; " + a.refusal
	}
	return failure.New(failure.ICE, cause, "%s.", detail)
}

// NetworkError records an error that the network reported.
func (a *Agent) NetworkError(err error) {
	a.refusal = "the network reported: " + err.Error()
	a.refused = errors.Is(err, syscall.ECONNREFUSED)
}

// Ended records that a connection ended before it was used, for the sentence of a failure.
func (a *Agent) Ended(reason string) { a.refusal = reason }

// Refusal is the latest error for a failure's sentence, empty for none, and whether it was a closed port.
func (a *Agent) Refusal() (sentence string, refused bool) { return a.refusal, a.refused }

// RecordSendError records the error of a send, for the sentence of a failure.
func (a *Agent) RecordSendError(err error) {
	if err != nil {
		a.refusal = "sending failed: " + err.Error()
		a.refused = errors.Is(err, syscall.ECONNREFUSED)
	}
}
