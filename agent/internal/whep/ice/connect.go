package ice

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/steady"
)

// Connect checks the pairs until one is selected. lock guards the agent.
func (a *Agent) Connect(ctx context.Context, lock func(func())) *failure.Failure {
	began := time.Now()
	for {
		var next time.Duration
		lock(func() { next = a.pulse(steady.Nano()) })
		timer := time.NewTimer(next)
		select {
		case <-a.Selection:
			timer.Stop()
			return nil
		case <-ctx.Done():
			timer.Stop()
			var f *failure.Failure
			lock(func() { f = a.timedOut(ctx, began) })
			return f
		case <-a.wake:
			timer.Stop()
		case <-timer.C:
		}
	}
}

// timedOut says what was tried.
func (a *Agent) timedOut(ctx context.Context, began time.Time) *failure.Failure {
	cause := "timeout"
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		cause = "cancelled"
	case a.refused:
		cause = "refused"
	case len(a.pairs) == 0:
		cause = "no-candidate"
	}
	elapsed := failure.Elapsed(began)
	detail := fmt.Sprintf("The server named no address for media, and no ICE check of it came within %s", elapsed)
	if len(a.pairs) > 0 {
		targets := make([]string, len(a.pairs))
		for i, p := range a.pairs {
			targets[i] = p.to.String()
		}
		detail = fmt.Sprintf("%d checks sent to %s, no answer within %s", a.sent, strings.Join(targets, ", "), elapsed)
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
