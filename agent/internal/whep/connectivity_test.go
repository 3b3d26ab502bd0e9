package whep

import (
	"context"
	"net"
	"net/netip"
	"sync"
	"testing"
	"time"

	"fullhouse/agent/internal/udpreader"
	"fullhouse/agent/internal/whep/ice"
	"fullhouse/agent/internal/whep/sdp"
)

// mover is a controlling server with two addresses.
type mover struct {
	t               *testing.T
	mutex           sync.Mutex
	agent           ice.Agent
	sockets         [2]*net.UDPConn
	current         int
	otherCandidates [2]chan string
	readers         sync.WaitGroup
}

func newMover(t *testing.T) *mover {
	t.Helper()
	m := &mover{t: t}
	m.agent = ice.New("server", "server-password-of-some-length", 1<<63, func(data []byte, to netip.AddrPort) error {
		_, err := m.sockets[m.current].WriteToUDPAddrPort(data, to)
		return err
	})
	for i := range m.sockets {
		socket, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
		if err != nil {
			t.Fatal(err)
		}
		m.sockets[i], m.otherCandidates[i] = socket, make(chan string, 16)
	}
	for i := range m.sockets {
		m.readers.Add(1)
		go m.read(i)
	}
	t.Cleanup(func() {
		_, _ = m.sockets[0].Close(), m.sockets[1].Close()
		m.readers.Wait()
	})
	return m
}

func (m *mover) address(i int) netip.AddrPort {
	return m.sockets[i].LocalAddr().(*net.UDPAddr).AddrPort()
}

func (m *mover) locked(action func()) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	action()
}

func (m *mover) read(i int) {
	defer m.readers.Done()
	buffer := make([]byte, 2048)
	for {
		n, from, err := m.sockets[i].ReadFromUDPAddrPort(buffer)
		if err != nil {
			return
		}
		if buffer[0] > 3 {
			select {
			case m.otherCandidates[i] <- string(buffer[:n]):
			default:
			}
			continue
		}
		m.locked(func() {
			before := m.current
			m.current = i // responses are sent from the address that received the request
			m.agent.Message(buffer[:n], from, time.Now().UnixNano())
			m.current = before
		})
	}
}

// awaitArrival waits until the viewer's data arrives at an address.
func (m *mover) awaitArrival(v *Viewer, i int) {
	m.t.Helper()
	const waitTimeout = 20 * time.Second
	for deadline := time.Now().Add(waitTimeout); time.Now().Before(deadline); {
		var socket udpreader.Socket
		v.locked(func() { socket = v.socket })
		if err := socket.Send([]byte("media")); err != nil {
			m.t.Fatal(err)
		}
		select {
		case <-m.otherCandidates[i]:
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
	m.t.Fatalf("nothing arrives at address %d", i)
}

func TestAControllingServerThatMovesIsFollowed(t *testing.T) {
	for _, reader := range udpreader.Readers() {
		t.Run(string(reader), func(t *testing.T) {
			loop, err := udpreader.NewOf(reader)
			if err != nil {
				t.Logf("%s is not available here: %v", reader, err)
				return
			}
			m := newMover(t)
			v := &Viewer{group: NewGroup(Config{Loop: loop, StageTimeout: 20 * time.Second})}
			if f := v.open(netip.IPv4Unspecified()); f != nil {
				t.Fatal(f)
			}
			t.Cleanup(func() {
				if err := v.socket.Close(); err != nil {
					t.Error(err)
				}
				if err := loop.Close(); err != nil {
					t.Error(err)
				}
			})
			local := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), v.socket.Port())
			v.locked(func() {
				v.answer = sdp.Answer{Candidates: []sdp.Candidate{{Address: m.address(0)}}}
				v.ice = ice.New("viewer", "viewer-password-of-some-length", 1, v.sendTo)
				v.ice.Start("server", "server-password-of-some-length", nil)
			})
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			var server sync.WaitGroup
			server.Add(1)
			go func() {
				defer server.Done()
				m.locked(func() { m.agent.Start("viewer", "viewer-password-of-some-length", []netip.AddrPort{local}) })
				if f := m.agent.Connect(ctx, m.locked); f != nil {
					t.Error(f)
				}
			}()
			c := &connecting{viewer: v}
			if f := c.connectICE(ctx); f != nil {
				t.Fatal(f)
			}
			server.Wait()
			if !v.ice.Controlled {
				t.Fatal("the viewer is controlling")
			}
			m.awaitArrival(v, 0)
			m.locked(func() {
				m.current = 1
				m.agent.KeepConsent(time.Now().Add(time.Hour).UnixNano()) // nominates, from its other address
			})
			m.awaitArrival(v, 1)
		})
	}
}

// TestBothFamiliesAreTriedAndOneSocketIsKept has a dead address of the socket's family and a good one of the other.
func TestBothFamiliesAreTriedAndOneSocketIsKept(t *testing.T) {
	probe, err := net.ListenPacket("udp6", "[::1]:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = probe.Close() }()
	server := ice.New("server", "server-password-of-some-length", 1, func(data []byte, to netip.AddrPort) error {
		_, err := probe.WriteTo(data, net.UDPAddrFromAddrPort(to))
		return err
	})
	server.Controlled = true
	server.Start("viewer", "viewer-password-of-some-length", nil)
	go func() {
		buffer := make([]byte, 2048)
		for {
			n, from, err := probe.ReadFrom(buffer)
			if err != nil {
				return
			}
			server.Message(buffer[:n], from.(*net.UDPAddr).AddrPort(), time.Now().UnixNano())
		}
	}()
	loop, err := udpreader.New()
	if err != nil {
		t.Fatal(err)
	}
	v := &Viewer{group: NewGroup(Config{Loop: loop})}
	if f := v.open(netip.IPv4Unspecified()); f != nil {
		t.Fatal(f)
	}
	good := probe.LocalAddr().(*net.UDPAddr).AddrPort()
	v.answer = sdp.Answer{Candidates: []sdp.Candidate{{Address: netip.MustParseAddrPort("127.0.0.1:9")}, {Address: good}}}
	v.ice = ice.New("viewer", "viewer-password-of-some-length", 2, v.sendTo)
	v.ice.Start("server", "server-password-of-some-length", nil)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if f := (&connecting{viewer: v}).connectICE(ctx); f != nil {
		t.Fatal(f)
	}
	if _, isDual := v.socket.(*dualStackSocket); isDual || !v.socket.IPv6() || v.ice.Selected != good {
		t.Errorf("%T to %s is kept", v.socket, v.ice.Selected)
	}
	if err := v.socket.Close(); err != nil {
		t.Error(err)
	}
	if err := loop.Close(); err != nil {
		t.Error(err)
	}
}
