package ice

import (
	"syscall"
	"testing"
	"time"

	"github.com/pion/stun/v3"
)

// watching is a viewer with a selected pair, and its server.
func watching(t *testing.T) (*network, *Agent, *Agent) {
	n, viewer, server := pairUp(t)
	exchangeCandidates(viewer, server, serverAt)
	n.run(time.Second, viewer, server)
	selected(t, viewer, serverAt)
	n.log = nil
	return n, viewer, server
}

func TestConsentIsCheckedEveryFourToSixSeconds(t *testing.T) {
	n, viewer, _ := watching(t)
	last, count, intervals := int64(0), 0, map[int64]bool{}
	for range 600 {
		n.now += second
		viewer.KeepConsent(n.now)
		if viewer.ConsentSentAt == n.now {
			if last != 0 {
				interval := n.now - last
				if interval < 4*second || interval > 6*second {
					t.Errorf("checked after %s", time.Duration(interval))
				}
				intervals[interval] = true
			}
			last = n.now
			count++
		}
		n.deliver()
		if f := viewer.ConsentLost(n.now); f != nil {
			t.Fatal(f)
		}
	}
	if count < 100 || count > 150 || len(intervals) < 2 {
		t.Errorf("%d times in 600 s, intervals %v", count, intervals)
	}
	if len(viewer.checks) > 2 {
		t.Errorf("%d checks are kept, though all got a response", len(viewer.checks))
	}
}

func TestConsentIsLostAfterThirtySeconds(t *testing.T) {
	n, viewer, _ := watching(t)
	startTime := viewer.ConsentAt
	delete(n.agents, serverAt)
	for {
		n.now += second
		viewer.KeepConsent(n.now)
		n.deliver()
		f := viewer.ConsentLost(n.now)
		if silent := n.now - startTime; silent <= 30*second && f != nil || silent > 31*second && f == nil {
			t.Fatalf("after %s: %v", time.Duration(silent), f)
		}
		if f != nil {
			if f.Stage != "media" || f.Cause.String() != "consent-lost" {
				t.Errorf("%v", f)
			}
			return
		}
	}
}

func TestConsentIsNotLostWhileTheProcessDoesNotRun(t *testing.T) {
	n, viewer, _ := watching(t)
	n.now += 60 * second
	viewer.ResumedAt = n.now
	if f := viewer.ConsentLost(n.now + second); f != nil {
		t.Fatal(f)
	}
	delete(n.agents, serverAt)
	if f := viewer.ConsentLost(n.now + 31*second); f == nil {
		t.Error("silence after the pause does not count")
	}
}

func TestConsentIsRevokedByAnAuthenticRefusalOnly(t *testing.T) {
	for _, password := range []string{"wrong", "server-password-of-some-length"} {
		n, viewer, _ := watching(t)
		delete(n.agents, serverAt)
		n.now += 10 * second
		viewer.KeepConsent(n.now)
		request := &stun.Message{Raw: n.log[0].data}
		if err := request.Decode(); err != nil {
			t.Fatal(err)
		}
		answer, err := stun.Build(stun.NewTransactionIDSetter(request.TransactionID), stun.BindingError, stun.CodeForbidden, stun.NewShortTermIntegrity(password), stun.Fingerprint)
		if err != nil {
			t.Fatal(err)
		}
		viewer.Message(answer.Raw, serverAt, n.now)
		f := viewer.ConsentLost(n.now)
		if revoked := f != nil && f.Cause.String() == "consent-revoked"; revoked != (password != "wrong") {
			t.Errorf("with the password %q: %v", password, f)
		}
	}
}

func TestARefusalIsForgottenOnceACheckIsAnswered(t *testing.T) {
	n, viewer, _ := watching(t)
	viewer.NetworkError(syscall.ECONNREFUSED)
	if _, refused := viewer.Refusal(); !refused {
		t.Error("a closed port was not recorded")
	}
	viewer.KeepConsent(n.now + 10*second)
	n.deliver()
	if sentence, refused := viewer.Refusal(); refused || sentence != "" {
		t.Errorf("%q", sentence)
	}
}
