package turn

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pion/stun/v3"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/tcpreader"
	"fullhouse/agent/internal/testing/coturn"
	"fullhouse/agent/internal/testing/crafted"
	"fullhouse/agent/internal/udpreader"
)

const testTimeout = 20 * time.Second

// received is a handler that keeps what peers sent.
type received struct {
	mutex    sync.Mutex
	contents []string
	from     netip.AddrPort
	arrived  chan struct{}
}

func newReceived() *received { return &received{arrived: make(chan struct{}, 100)} }

func (r *received) Datagram(data []byte, from netip.AddrPort, _ int64) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.contents, r.from = append(r.contents, string(data)), from
	r.arrived <- struct{}{}
}
func (r *received) Overflow(uint32)   {}
func (r *received) SocketError(error) {}

// next waits for the next datagram.
func (r *received) next(t *testing.T) string {
	t.Helper()
	select {
	case <-r.arrived:
	case <-time.After(testTimeout):
		t.Fatal("nothing arrived")
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.contents[len(r.contents)-1]
}

func (r *received) sender() netip.AddrPort {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.from
}

// client makes servers of a test, with readers that it closes.
func client(t *testing.T) Server {
	t.Helper()
	loop, err := udpreader.New()
	if err != nil {
		t.Fatal(err)
	}
	streams, err := tcpreader.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(loop.Close(), streams.Close()); err != nil {
			t.Error(err)
		}
	})
	return Server{Client: signalling.NewClient(), Loop: loop, Streams: streams}
}

func (s Server) of(t *testing.T, text string, credentials Credentials) Server {
	t.Helper()
	address, err := ParseAddress(text)
	if err != nil {
		t.Fatal(err)
	}
	s.Address, s.Credentials = address, credentials
	return s
}

// echo responds to each datagram with itself.
func echo(t *testing.T) netip.AddrPort {
	t.Helper()
	socket, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.Close() })
	go func() {
		buffer := make([]byte, 2000)
		for {
			n, from, err := socket.ReadFromUDPAddrPort(buffer)
			if err != nil {
				return
			}
			_, _ = socket.WriteToUDPAddrPort(buffer[:n], from)
		}
	}()
	return socket.LocalAddr().(*net.UDPAddr).AddrPort()
}

func allocate(t *testing.T, server Server, handler udpreader.Handler) (*Allocation, *failure.Failure) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), testTimeout)
	defer cancel()
	a, f := Allocate(ctx, server, false, handler)
	if f == nil {
		t.Cleanup(func() { _ = a.Close() })
	}
	return a, f
}

var user = Credentials{Username: coturn.User, Password: coturn.Password}

func TestDataThroughCoturn(t *testing.T) {
	server := coturn.Start(t, coturn.Users()...)
	peer := echo(t)
	base := client(t)
	base.TLS = server.TLS
	unknown := base
	unknown.TLS = nil
	if _, f := allocate(t, unknown.of(t, fmt.Sprintf("turns:127.0.0.1:%d", server.TLSPort), user), newReceived()); f == nil || f.Cause.String() != "tls-certificate" || !strings.Contains(f.Detail, "selfSigned: true") {
		t.Errorf("%v", f)
	}
	for _, address := range []string{fmt.Sprintf("turn:127.0.0.1:%d", server.Port), fmt.Sprintf("turn:127.0.0.1:%d?transport=tcp", server.Port),
		fmt.Sprintf("turns:127.0.0.1:%d", server.TLSPort)} {
		t.Run(address[:5]+address[len(address)-3:], func(t *testing.T) {
			got := newReceived()
			a, f := allocate(t, base.of(t, address, user), got)
			if f != nil {
				t.Fatal(f)
			}
			if !a.Relayed().Addr().IsLoopback() || a.Relayed().Port() == 0 || !a.Mapped().IsValid() || a.Took() <= 0 || a.IPv6() {
				t.Errorf("%s, %s, %s", a.Relayed(), a.Mapped(), a.Took())
			}
			ctx, cancel := context.WithTimeout(context.Background(), testTimeout)
			defer cancel()
			if f := a.Permit(ctx, []netip.AddrPort{peer, netip.MustParseAddrPort("[::1]:9")}); f != nil {
				t.Fatal(f)
			}
			if err := a.SendTo([]byte("by indication"), peer); err != nil || got.next(t) != "by indication" || got.sender() != peer {
				t.Errorf("%v, from %s", err, got.sender())
			}
			if f := a.Bind(ctx, peer); f != nil {
				t.Fatal(f)
			}
			if err := a.Connect(peer); err != nil {
				t.Fatal(err)
			}
			for _, content := range []string{"by channel", "1", strings.Repeat("x", 1300)} {
				if err := a.Send([]byte(content)); err != nil || got.next(t) != content || got.sender() != peer {
					t.Errorf("%v, from %s", err, got.sender())
				}
			}
			// All that is due is refreshed.
			now := monotonic.Nano()
			a.mutex.Lock()
			a.refreshAt, a.bindAt = now-1, now-1
			a.mutex.Unlock()
			for deadline := time.Now().Add(testTimeout); ; time.Sleep(5 * time.Millisecond) {
				if f := a.Tick(monotonic.Nano()); f != nil {
					t.Fatal(f)
				}
				a.mutex.Lock()
				done := a.refreshAt > now && a.bindAt > now && len(a.pending) == 0
				a.mutex.Unlock()
				if done {
					break
				}
				if time.Now().After(deadline) {
					t.Fatal("not refreshed")
				}
			}
			if err := errors.Join(a.Close(), a.Close()); err != nil || a.SendTo([]byte("late"), peer) == nil {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestASharedSecretMakesTemporaryCredentials(t *testing.T) {
	const secret = "north"
	server := coturn.Start(t, coturn.Secret(secret)...)
	address := fmt.Sprintf("turn:127.0.0.1:%d", server.Port)
	base := client(t)
	for _, name := range []string{"", "viewer"} {
		if _, f := allocate(t, base.of(t, address, Credentials{Username: name, Secret: secret}), newReceived()); f != nil {
			t.Error(f)
		}
	}
	if _, f := allocate(t, base.of(t, address, Credentials{Secret: "south"}), newReceived()); f == nil || f.Cause.String() != "turn-401" {
		t.Errorf("a wrong secret: %v", f)
	}
}

func TestRefusalsHaveTheirCode(t *testing.T) {
	server := coturn.Start(t, append(coturn.Users(), "--user-quota=1", "--denied-peer-ip=127.0.0.2")...)
	base := client(t)
	address := fmt.Sprintf("turn:127.0.0.1:%d", server.Port)
	for _, test := range []struct {
		name        string
		credentials Credentials
		says        string
	}{
		{"a wrong password", Credentials{Username: coturn.User, Password: "wrong"}, "wrong, or expired"},
		{"no credentials", Credentials{}, "no credentials are given"},
	} {
		if _, f := allocate(t, base.of(t, address, test.credentials), newReceived()); f == nil || f.Stage != failure.TURN || f.Cause.String() != "turn-401" || !strings.Contains(f.Detail, test.says) {
			t.Errorf("%s: %v", test.name, f)
		}
	}
	a, f := allocate(t, base.of(t, address, user), newReceived())
	if f != nil {
		t.Fatal(f)
	}
	if _, f := allocate(t, base.of(t, address, user), newReceived()); f == nil || f.Cause.String() != "turn-486" {
		t.Errorf("beyond the quota: %v", f)
	}
	ctx, cancel := context.WithTimeout(context.Background(), testTimeout)
	defer cancel()
	denied := netip.MustParseAddrPort("127.0.0.2:9")
	if f := a.Permit(ctx, []netip.AddrPort{denied}); f == nil || f.Cause.String() != "turn-403" || a.Refusal() == nil {
		t.Errorf("a denied peer: %v", f)
	}
	if f := a.Bind(ctx, denied); f == nil || f.Cause.String() != "turn-403" {
		t.Errorf("a channel to a denied peer: %v", f)
	}
}

func TestServersThatCannotBeReached(t *testing.T) {
	base := client(t)
	silent, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := closed.Addr().(*net.TCPAddr).Port
	_ = closed.Close()
	web, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	go func() {
		for {
			connection, err := web.Accept()
			if err != nil {
				return
			}
			_, _ = connection.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n"))
		}
	}()
	for address, cause := range map[string]string{
		"turn:" + silent.LocalAddr().String():                "timeout",
		fmt.Sprintf("turn:127.0.0.1:%d", port):               "refused",
		fmt.Sprintf("turn:127.0.0.1:%d?transport=tcp", port): "tcp-refused",
		"turn:" + web.Addr().String() + "?transport=tcp":     "not-turn",
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		_, f := Allocate(ctx, base.of(t, address, user), false, newReceived())
		cancel()
		if f == nil || f.Stage != failure.TURN || f.Cause.String() != cause {
			t.Errorf("%s: %v, want %s", address, f, cause)
		}
	}
}

// answering is an allocation whose server is the test: what it sends is kept.
func answering(handler udpreader.Handler) (*Allocation, *[][]byte) {
	var sent [][]byte
	a := &Allocation{handler: handler, under: &fakeSocket{sent: &sent}}
	a.session.username, a.session.password = "u", "p"
	return a, &sent
}

type fakeSocket struct {
	udpreader.Socket
	sent *[][]byte
}

func (s *fakeSocket) Send(data []byte) error {
	*s.sent = append(*s.sent, append([]byte(nil), data...))
	return nil
}

func respondTo(t testing.TB, request []byte, setters ...stun.Setter) []byte {
	t.Helper()
	asked := &stun.Message{Raw: request}
	if err := asked.Decode(); err != nil {
		t.Fatal(err)
	}
	m, err := stun.Build(append([]stun.Setter{stun.NewTransactionIDSetter(asked.TransactionID)}, setters...)...)
	if err != nil {
		t.Fatal(err)
	}
	return m.Raw
}

func TestAStaleNonceIsRenewed(t *testing.T) {
	a, sent := answering(newReceived())
	a.relayed, a.expiresAt = netip.MustParseAddrPort("192.0.2.1:5000"), 1e18
	a.session.realm, a.session.nonce, a.session.key = "r", "old", stun.NewLongTermIntegrity("u", "r", "p")
	a.Tick(1)
	if len(*sent) != 1 {
		t.Fatalf("%d messages", len(*sent))
	}
	refreshError := stun.NewType(stun.MethodRefresh, stun.ClassErrorResponse)
	a.Datagram(respondTo(t, (*sent)[0], refreshError, stun.CodeStaleNonce, stun.NewRealm("r"), stun.NewNonce("new")), netip.AddrPort{}, 1)
	again := &stun.Message{Raw: (*sent)[len(*sent)-1]}
	var nonce stun.Nonce
	if err := again.Decode(); err != nil || nonce.GetFrom(again) != nil || nonce.String() != "new" || a.failure != nil {
		t.Fatalf("%v, nonce %s, %v", err, nonce, a.failure)
	}
	// A response without integrity is not the server's.
	success := stun.NewType(stun.MethodRefresh, stun.ClassSuccessResponse)
	a.Datagram(respondTo(t, again.Raw, success), netip.AddrPort{}, 1)
	if len(a.pending) != 1 || a.Dropped() != 1 {
		t.Errorf("%d pending, %d dropped", len(a.pending), a.Dropped())
	}
	a.Datagram(respondTo(t, again.Raw, refreshError, stun.ErrorCode(437)), netip.AddrPort{}, 1)
	if f := a.Tick(2); f == nil || f.Cause.String() != "turn-437" {
		t.Errorf("%v", f)
	}
}

func FuzzMessage(f *testing.F) {
	f.Add(byte(0), appendChannelData(nil, firstChannel, []byte("abc"), false))
	f.Add(byte(1), []byte{0, 9, 0, 8, 0, 0, 4, 1, 'n', 'o', 'n', 'e', 0, 0x15, 0, 1, 'n', 0, 0, 0, 0, 0x14, 0, 1, 'r', 0, 0, 0})
	f.Add(byte(2), []byte{0, 0x16, 0, 8, 0, 1, 1, 2, 3, 4, 5, 6, 0, 0xd, 0, 4, 0, 0, 0, 9})
	f.Add(byte(3), []byte{0, 0x12, 0, 8, 0, 1, 1, 2, 3, 4, 5, 6, 0, 0x13, 0, 4, 1, 2, 3, 4})
	peer := netip.MustParseAddrPort("192.0.2.9:9")
	f.Fuzz(func(t *testing.T, kind byte, data []byte) {
		defer crafted.Watch(t)(len(data))
		got := &received{arrived: make(chan struct{}, 2)}
		a, sent := answering(got)
		a.bound.Store(&channel{number: firstChannel, peer: peer})
		a.mutex.Lock()
		a.begin(&transaction{kind: stun.MethodAllocate})
		a.mutex.Unlock()
		types := []stun.MessageType{stun.NewType(stun.MethodAllocate, stun.ClassErrorResponse), stun.NewType(stun.MethodAllocate, stun.ClassSuccessResponse),
			stun.NewType(stun.MethodData, stun.ClassIndication)}
		if kind > 0 { // the attributes of a message of the transaction
			m := &stun.Message{Raw: (*sent)[0]}
			if err := m.Decode(); err != nil {
				t.Fatal(err)
			}
			answer := stun.New()
			answer.TransactionID = m.TransactionID
			answer.SetType(types[int(kind)%len(types)])
			answer.WriteHeader()
			if len(data) > 60000 {
				data = data[:60000]
			}
			data = append(append([]byte(nil), answer.Raw...), data...)
			data[2], data[3] = byte((len(data)-20)>>8), byte(len(data)-20)
		}
		a.Datagram(data, peer, 1)
		if len(*sent) > 2 || len(got.contents) > 1 || len(got.contents) == 1 && len(got.contents[0]) > len(data) {
			t.Errorf("%d messages for one, %q", len(*sent), got.contents)
		}
	})
}
