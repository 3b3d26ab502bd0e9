package ice

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pion/stun/v3"
)

const second = int64(time.Second)

var (
	viewerAt = netip.MustParseAddrPort("192.0.2.1:40000")
	serverAt = netip.MustParseAddrPort("192.0.2.9:8000")
	otherAt  = netip.MustParseAddrPort("198.51.100.9:8000")
	deadAt   = netip.MustParseAddrPort("203.0.113.9:8000")
)

type datagram struct {
	data     []byte
	from, to netip.AddrPort
}

// network delivers what agents send, on request.
type network struct {
	t      *testing.T
	queue  []datagram
	agents map[netip.AddrPort]*Agent
	log    []datagram
	now    int64
}

func newNetwork(t *testing.T) *network {
	return &network{t: t, agents: map[netip.AddrPort]*Agent{}, now: 1000 * second}
}

// agent adds an agent that sends from the first of its addresses.
func (n *network) agent(ufrag string, tieBreaker uint64, addresses ...netip.AddrPort) *Agent {
	a := New(ufrag, ufrag+"-password-of-some-length", tieBreaker, func(data []byte, to netip.AddrPort) error {
		from := addresses[0]
		for _, address := range addresses[1:] {
			if address.Addr().Is4() != from.Addr().Is4() && address.Addr().Is4() == to.Addr().Is4() {
				from = address
			}
		}
		one := datagram{slices.Clone(data), from, to}
		n.queue, n.log = append(n.queue, one), append(n.log, one)
		return nil
	})
	for _, address := range addresses {
		n.agents[address] = &a
	}
	return &a
}

// run advances time in steps of 10 ms; everything sent arrives.
func (n *network) run(d time.Duration, pulsing ...*Agent) {
	for end := n.now + int64(d); n.now < end; n.now += int64(10 * time.Millisecond) {
		for _, a := range pulsing {
			if !a.Selected.IsValid() {
				a.sendDue(n.now)
			}
		}
		n.deliver()
	}
}

func (n *network) deliver() {
	for count := 0; len(n.queue) > 0; count++ {
		if count > 1000 {
			n.t.Fatal("the agents never stop sending")
		}
		one := n.queue[0]
		n.queue = n.queue[1:]
		if a := n.agents[one.to]; a != nil {
			a.Message(one.data, one.from, n.now)
		}
	}
}

// pairUp makes a viewer and a full agent as controlled server.
func pairUp(t *testing.T) (*network, *Agent, *Agent) {
	n := newNetwork(t)
	viewer, server := n.agent("viewer", 100, viewerAt), n.agent("server", 50, serverAt)
	server.Controlled = true
	return n, viewer, server
}

func exchangeCandidates(viewer, server *Agent, candidates ...netip.AddrPort) {
	viewer.Start(server.LocalUfrag, server.LocalPassword, candidates)
	server.Start(viewer.LocalUfrag, viewer.LocalPassword, []netip.AddrPort{viewerAt})
}

func selected(t *testing.T, a *Agent, want netip.AddrPort) {
	t.Helper()
	if a.Selected != want {
		t.Errorf("%s selected %s, want %s", a.LocalUfrag, a.Selected, want)
	}
	if want.IsValid() {
		select {
		case <-a.Selection:
		default:
			t.Errorf("%s has selected, but Selection is open", a.LocalUfrag)
		}
	}
}

func TestAPairIsFoundAmongSeveral(t *testing.T) {
	for _, test := range []struct {
		name       string
		candidates []netip.AddrPort
	}{
		{"one", []netip.AddrPort{serverAt}},
		{"the first is dead", []netip.AddrPort{deadAt, serverAt}},
		{"one of many", append(slices.Repeat([]netip.AddrPort{deadAt}, 3), func() (list []netip.AddrPort) {
			for i := range 15 {
				list = append(list, netip.AddrPortFrom(deadAt.Addr(), uint16(i+1)))
			}
			return append(list, serverAt)
		}()...)},
	} {
		t.Run(test.name, func(t *testing.T) {
			n, viewer, server := pairUp(t)
			exchangeCandidates(viewer, server, test.candidates...)
			n.run(time.Second, viewer, server)
			selected(t, viewer, serverAt)
			selected(t, server, viewerAt)
			if viewer.RoundTripNs == 0 || viewer.ConsentAt == 0 {
				t.Errorf("%+v", viewer)
			}
		})
	}
}

func TestAnIPv6PairWhereIPv4IsDead(t *testing.T) {
	n := newNetwork(t)
	viewer6, server6 := netip.MustParseAddrPort("[2001:db8::1]:40000"), netip.MustParseAddrPort("[2001:db8::9]:8000")
	viewer, server := n.agent("viewer", 100, viewerAt, viewer6), n.agent("server", 50, server6)
	server.Controlled = true
	viewer.Start(server.LocalUfrag, server.LocalPassword, []netip.AddrPort{deadAt, server6})
	server.Start(viewer.LocalUfrag, viewer.LocalPassword, nil)
	n.run(time.Second, viewer, server)
	selected(t, viewer, server6)
	selected(t, server, viewer6)
}

// TestAServerWithoutCandidatesReachesUs is trickle ICE without candidates: the server's checks reveal its address.
func TestAServerWithoutCandidatesReachesUs(t *testing.T) {
	n, viewer, server := pairUp(t)
	server.Start(viewer.LocalUfrag, viewer.LocalPassword, []netip.AddrPort{viewerAt})
	n.run(100*time.Millisecond, server) // its checks arrive before its answer
	if viewer.answers == 0 {
		t.Error("a check before the answer got no response")
	}
	selected(t, viewer, netip.AddrPort{})
	viewer.Start(server.LocalUfrag, server.LocalPassword, nil)
	n.run(time.Second, viewer, server)
	selected(t, viewer, serverAt)
	selected(t, server, viewerAt)
}

// restartICE gives the server other data, as pion does on a restart.
func restartICE(viewer, server *Agent) {
	server.LocalUfrag, server.LocalPassword = "again", "again-password-of-some-length"
	server.checks, server.Selected, server.Selection = nil, netip.AddrPort{}, make(chan struct{})
	for i := range server.pairs {
		server.pairs[i] = pair{to: server.pairs[i].to}
	}
	viewer.Start(server.LocalUfrag, server.LocalPassword, nil)
}

func TestALaterAnswerMayRestartICE(t *testing.T) {
	t.Run("before a pair is selected", func(t *testing.T) {
		n, viewer, server := pairUp(t)
		n.agents[serverAt] = nil
		exchangeCandidates(viewer, server, serverAt)
		n.run(time.Second, viewer)
		n.agents[serverAt] = server
		restartICE(viewer, server)
		n.run(300*time.Millisecond, viewer)
		selected(t, viewer, serverAt)
		selected(t, server, viewerAt)
	})
	t.Run("afterwards", func(t *testing.T) {
		n, viewer, server := pairUp(t)
		exchangeCandidates(viewer, server, serverAt)
		n.run(time.Second, viewer, server)
		selected(t, viewer, serverAt)
		restartICE(viewer, server)
		n.now = viewer.restartedAt + second
		if !viewer.Renominate(n.now) {
			t.Error("the pair is not nominated again")
		}
		n.deliver()
		selected(t, server, viewerAt)
		if viewer.Renominate(n.now) || viewer.ConsentAt != n.now || viewer.Selected != serverAt || viewer.Dropped != 0 {
			t.Errorf("consent of %d at %d, pair %s, %d dropped", viewer.ConsentAt, n.now, viewer.Selected, viewer.Dropped)
		}
	})
}

func TestTrickledCandidates(t *testing.T) {
	n, viewer, server := pairUp(t)
	viewer.Start(server.LocalUfrag, server.LocalPassword, nil)
	n.run(100*time.Millisecond, viewer)
	if len(n.log) != 0 {
		t.Errorf("%d checks without a destination", len(n.log))
	}
	server.Start(viewer.LocalUfrag, viewer.LocalPassword, nil)
	viewer.Add([]netip.AddrPort{serverAt})
	n.run(time.Second, viewer, server)
	selected(t, viewer, serverAt)
}

func TestDroppedCandidatesAreNotChecked(t *testing.T) {
	n, viewer, server := pairUp(t)
	exchangeCandidates(viewer, server)
	viewer.Add([]netip.AddrPort{netip.MustParseAddrPort("[2001:db8::1]:9"), serverAt})
	viewer.Drop(true)
	if viewer.Candidates() != 1 {
		t.Errorf("%d candidates", viewer.Candidates())
	}
	n.run(time.Second, viewer, server)
	selected(t, viewer, serverAt)
}

func TestChecksAreSentLessAndLessOften(t *testing.T) {
	n, viewer, server := pairUp(t)
	exchangeCandidates(viewer, server, deadAt)
	n.run(5*time.Second, viewer)
	// 0, 50, 150, 350, 750 ms, then every 800 ms
	if count := len(n.log); count < 9 || count > 11 {
		t.Errorf("%d checks in 5 s", count)
	}
}

func TestOnlyOneOfTrickledPairsIsNominated(t *testing.T) {
	n, viewer, server := pairUp(t)
	other := n.agent("server", 50, otherAt)
	other.Controlled = true
	other.Start(viewer.LocalUfrag, viewer.LocalPassword, nil)
	viewer.Trickles = true
	exchangeCandidates(viewer, server, serverAt)
	viewer.sendDue(n.now)
	viewer.Add([]netip.AddrPort{otherAt})
	viewer.sendDue(n.now)
	slices.Reverse(n.queue) // the response to the later check arrives first
	n.run(time.Second, viewer)
	selected(t, viewer, otherAt)
	for _, one := range n.log {
		if message := (&stun.Message{Raw: one.data}); message.Decode() == nil && message.Contains(stun.AttrUseCandidate) && one.to != otherAt {
			t.Errorf("%s was nominated too", one.to)
		}
	}
}

func TestANominatedPairThatDiesIsGivenUp(t *testing.T) {
	n, viewer, server := pairUp(t)
	other := n.agent("server", 50, otherAt)
	other.Controlled = true
	other.Start(viewer.LocalUfrag, viewer.LocalPassword, nil)
	exchangeCandidates(viewer, server, serverAt, otherAt)
	server.Send = func(data []byte, to netip.AddrPort) error { // responds once
		n.queue = append(n.queue, datagram{slices.Clone(data), serverAt, to})
		server.Send = func([]byte, netip.AddrPort) error { return nil }
		return nil
	}
	n.run(5*time.Second, viewer)
	selected(t, viewer, otherAt)
}

func TestAResponseFromAnotherAddressIsIgnored(t *testing.T) {
	n, viewer, server := pairUp(t)
	exchangeCandidates(viewer, server, serverAt)
	server.Send = func(data []byte, to netip.AddrPort) error {
		n.queue = append(n.queue, datagram{slices.Clone(data), otherAt, to})
		return nil
	}
	n.run(time.Second, viewer)
	selected(t, viewer, netip.AddrPort{})
	if sentence, _ := viewer.Refusal(); !strings.Contains(sentence, "got its response from "+otherAt.String()) {
		t.Errorf("%q", sentence)
	}
}

func TestAFailedConnectListsItsAttempts(t *testing.T) {
	for _, test := range []struct {
		name          string
		prepare       func(*Agent)
		cause, detail string
	}{
		{"no answer", func(a *Agent) { a.Add([]netip.AddrPort{deadAt, otherAt}) }, "timeout", "checks sent to " + deadAt.String() + ", " + otherAt.String() + ", no response within"},
		{"a closed port", func(a *Agent) { a.Add([]netip.AddrPort{deadAt}); a.NetworkError(syscall.ECONNREFUSED) }, "refused", "connection refused"},
		{"a send that fails", func(a *Agent) {
			a.Add([]netip.AddrPort{deadAt})
			a.Send = func([]byte, netip.AddrPort) error { return errors.New("no way") }
		}, "timeout", "sending failed: no way"},
		{"no address", func(*Agent) {}, "no-candidate", "sent no address"},
		{"an unknown sender", func(a *Agent) { a.Message([]byte("garbage"), deadAt, 1) }, "no-candidate", "1 STUN messages were not authentic"},
	} {
		inVirtualTime := func(t *testing.T) {
			a := New("l", "local-password-of-some-length", 1, func([]byte, netip.AddrPort) error { return nil })
			a.Start("r", "remote-password-of-some-length", nil)
			test.prepare(&a)
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			defer cancel()
			var mutex sync.Mutex
			f := a.Connect(ctx, func(action func()) { mutex.Lock(); defer mutex.Unlock(); action() })
			if f == nil || f.Stage != "ice" || f.Cause.String() != test.cause || !strings.Contains(f.Detail, test.detail) {
				t.Errorf("%v", f)
			}
		}
		t.Run(test.name, func(t *testing.T) { synctest.Test(t, inVirtualTime) })
	}
	a := New("l", "p", 1, func([]byte, netip.AddrPort) error { return nil })
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if f := a.Connect(ctx, func(action func()) { action() }); f == nil || f.Cause.String() != "cancelled" {
		t.Errorf("%v", f)
	}
}

func TestPairsAndChecksAreBounded(t *testing.T) {
	n, viewer, server := pairUp(t)
	exchangeCandidates(viewer, server)
	for i := range 1000 {
		viewer.Add([]netip.AddrPort{netip.AddrPortFrom(deadAt.Addr(), uint16(i+1))})
	}
	n.run(3*time.Second, viewer)
	if len(viewer.pairs) != maxPairs || len(viewer.checks) > maxChecks {
		t.Errorf("%d pairs, %d pending checks", len(viewer.pairs), len(viewer.checks))
	}
}
