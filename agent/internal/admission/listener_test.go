package admission

import (
	"context"
	"net"
	"testing"
	"time"
)

// accepted opens so many connections and returns both ends, in order.
func accepted(t *testing.T, l *Listener, count int) (here []net.Conn, there []net.Conn) {
	t.Helper()
	for range count {
		peer, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = peer.Close() })
		conn, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		here, there = append(here, conn), append(there, peer)
	}
	return here, there
}

func listen(t *testing.T, limits Limits, owners ...owner) *Listener {
	t.Helper()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = inner.Close() })
	l := NewListener(inner, limits)
	if len(owners) > 0 {
		l.owner = func(net.Conn) owner {
			next := owners[0]
			owners = owners[1:]
			return next
		}
	}
	return l
}

// isClosed reports whether the other side closes the connection in time.
func isClosed(conn net.Conn, within time.Duration) bool {
	_ = conn.SetReadDeadline(time.Now().Add(within))
	_, err := conn.Read(make([]byte, 1))
	timeout, ok := err.(net.Error)
	return err != nil && (!ok || !timeout.Timeout())
}

func TestAFurtherConnectionClosesTheOldestThatWaits(t *testing.T) {
	l := listen(t, Limits{Waiting: 3})
	_, there := accepted(t, l, 5)
	for at, want := range []bool{true, true, false, false, false} {
		if got := isClosed(there[at], map[bool]time.Duration{true: 5 * time.Second, false: 30 * time.Millisecond}[want]); got != want {
			t.Errorf("connection %d: closed %t, want %t", at, got, want)
		}
	}
	if refused := l.TakeRefused(); refused.Count != 2 || refused.Surplus != 2 {
		t.Errorf("refused %+v", refused)
	}
	if refused := l.TakeRefused(); refused.Count != 0 {
		t.Errorf("counted again: %+v", refused)
	}
}

func TestAnAdmittedConnectionIsNeverClosedForOthers(t *testing.T) {
	l := listen(t, Limits{Waiting: 2, Time: 50 * time.Millisecond})
	here, there := accepted(t, l, 1)
	if !Admit(Context(context.Background(), here[0])) {
		t.Fatal("not admitted")
	}
	_, others := accepted(t, l, 8)
	for at, other := range others {
		if !isClosed(other, 5*time.Second) {
			t.Errorf("%d may wait forever", at)
		}
	}
	if isClosed(there[0], 100*time.Millisecond) {
		t.Error("the admitted connection was closed")
	}
	_ = here[0].Close()
	if refused := l.TakeRefused(); refused.Count != 8 {
		t.Errorf("refused %+v", refused)
	}
}

func TestAConnectionThatWasClosedIsNotAdmitted(t *testing.T) {
	l := listen(t, Limits{Waiting: 1})
	here, _ := accepted(t, l, 2)
	if Admit(Context(context.Background(), here[0])) {
		t.Error("a closed connection was admitted")
	}
}

func TestOtherUsersTakeNoPlaceOfTheOwnOnes(t *testing.T) {
	own, other := owner{uid: 1000, isKnown: true}, owner{uid: 1001, isKnown: true, isForeign: true}
	l := listen(t, Limits{Waiting: 8, Foreign: 2}, own, other, other, other, other, other, other, other, other, other)
	_, there := accepted(t, l, 10)
	if isClosed(there[0], 50*time.Millisecond) {
		t.Error("the connection of the own user was closed")
	}
	if refused := l.TakeRefused(); refused.Count != 7 || refused.Users[1001] != 7 {
		t.Errorf("refused %+v", refused)
	}
}

func TestOneOtherMachineTakesNoPlacesOfTheRest(t *testing.T) {
	l := listen(t, Limits{Waiting: 8, PerPeer: 2}, owner{}, owner{}, owner{}, owner{}, owner{uid: 1, isKnown: true})
	accepted(t, l, 5)
	if refused := l.TakeRefused(); refused.Count != 2 {
		t.Errorf("refused %+v", refused)
	}
}
