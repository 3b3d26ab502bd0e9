package icetcp

import (
	"bytes"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/tcpreader"
	"fullhouse/agent/internal/udpreader"
)

// owner is what a socket reports to.
type owner struct {
	received  chan string
	connected chan netip.AddrPort
	ended     chan string
}

func (o *owner) Datagram(data []byte, from netip.AddrPort, _ int64) {
	o.received <- from.String() + " " + string(data)
}
func (o *owner) Overflow(uint32)   {}
func (o *owner) SocketError(error) {}

func newSocket(t *testing.T) (*Socket, *owner) {
	t.Helper()
	streams, err := tcpreader.New()
	if err != nil {
		t.Fatal(err)
	}
	o := &owner{make(chan string, 9), make(chan netip.AddrPort, 9), make(chan string, 9)}
	s := New(false, Config{Client: signalling.NewClient(), Streams: streams, Handler: o, Connected: func(to netip.AddrPort) { o.connected <- to }, Ended: func(_ netip.AddrPort, reason string) { o.ended <- reason }})
	t.Cleanup(func() { _, _ = s.Close(), streams.Close() })
	return s, o
}

// peer accepts one connection at a time.
func peer(t *testing.T) (at netip.AddrPort, accepted chan net.Conn) {
	t.Helper()
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	accepted = make(chan net.Conn, 9)
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			accepted <- connection
		}
	}()
	return netip.MustParseAddrPort(listener.Addr().String()), accepted
}

func take[T any](t *testing.T, from chan T) T {
	t.Helper()
	select {
	case one := <-from:
		return one
	case <-time.After(20 * time.Second):
		t.Fatal("timed out")
	}
	panic("unreachable")
}

func TestASocketHasAConnectionToEachCandidate(t *testing.T) {
	s, o := newSocket(t)
	first, atFirst := peer(t)
	second, atSecond := peer(t)
	s.Dial([]netip.AddrPort{first, second, first})
	take(t, o.connected)
	take(t, o.connected)
	here, there := take(t, atFirst), take(t, atSecond)
	if err := s.SendTo([]byte("check"), second); err != nil {
		t.Fatal(err)
	}
	read := make([]byte, 7)
	if _, err := there.Read(read); err != nil || !bytes.Equal(read, append([]byte{0, 5}, "check"...)) {
		t.Fatalf("%q, %v", read, err)
	}
	_, _ = there.Write([]byte{0, 6, 'a', 'n', 's'}) // in two pieces
	_, _ = there.Write([]byte{'w', 'e', 'r'})
	if got := take(t, o.received); got != second.String()+" answer" {
		t.Errorf("%q", got)
	}
	if err := s.Connect(second); err != nil || s.Port() == 0 || s.Local().String() != there.RemoteAddr().String() {
		t.Errorf("%v, %s", err, s.Local())
	}
	if _, err := here.Read(read); err == nil {
		t.Error("the connection to the other candidate stays open")
	}
	if err := s.Send(make([]byte, maxFrame+1)); err != ErrTooLong {
		t.Errorf("%v", err)
	}
	_ = there.Close()
	if reason := take(t, o.ended); reason != "the server closed the connection" {
		t.Errorf("%q", reason)
	}
	if len(atFirst) > 0 {
		t.Error("a candidate was connected twice")
	}
}

func TestARefusedConnectionIsReported(t *testing.T) {
	s, _ := newSocket(t)
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := netip.MustParseAddrPort(listener.Addr().String())
	_ = listener.Close()
	s.Dial([]netip.AddrPort{closed})
	for deadline := time.Now().Add(20 * time.Second); s.Failure() == nil; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("timed out")
		}
	}
	if f := s.Failure(); f.Cause.String() != "refused" || !strings.Contains(f.Detail, closed.String()) {
		t.Errorf("%v", f)
	}
	if err := s.Connect(closed); err == nil {
		t.Error("connected to a closed port")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := s.SendTo(nil, closed); err != udpreader.ErrClosed {
		t.Errorf("%v", err)
	}
}

// halfSent is a stream whose buffer is nearly full.
type halfSent struct{ tcpreader.Stream }

func (halfSent) Send([]byte) error { return tcpreader.ErrPart }

func TestPartOfAFrameEndsTheConnection(t *testing.T) {
	s, o := newSocket(t)
	to, _ := peer(t)
	s.Dial([]netip.AddrPort{to})
	take(t, o.connected)
	c := s.find(to)
	var half tcpreader.Stream = halfSent{*c.stream.Load()}
	c.stream.Store(&half)
	if err := s.SendTo([]byte("frame"), to); err != tcpreader.ErrPart {
		t.Errorf("%v", err)
	}
	if reason := take(t, o.ended); !strings.Contains(reason, "accepts no more data") {
		t.Errorf("%q", reason)
	}
	if err := s.SendTo([]byte("next"), to); err == nil || len(o.ended) > 0 {
		t.Errorf("a frame follows part of another: %v", err)
	}
}
