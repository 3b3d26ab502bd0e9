package whep_test

import (
	"context"
	"encoding/binary"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pion/ice/v4"
	"github.com/pion/webrtc/v4"

	"fullhouse/agent/internal/testing/wheptest"
	"fullhouse/agent/internal/whep"
)

// nameServer is a DNS server that knows one name, at 127.0.0.1, and never responds to names of mDNS.
type nameServer struct {
	net.PacketConn
	queries atomic.Int64 // of IPv4 addresses
}

const knownName = "media.example.test."

func newNameServer(t *testing.T) *nameServer {
	t.Helper()
	connection, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &nameServer{PacketConn: connection}
	done := make(chan struct{})
	go func() { defer close(done); s.serve() }()
	t.Cleanup(func() { _ = connection.Close(); <-done })
	return s
}

func (s *nameServer) serve() {
	buffer := make([]byte, 2048)
	for {
		count, from, err := s.ReadFrom(buffer)
		if err != nil {
			return
		}
		name, kind, end := question(buffer[:count])
		if kind == typeA {
			s.queries.Add(1)
		}
		if strings.HasSuffix(name, ".local.") {
			continue
		}
		_, _ = s.WriteTo(response(buffer[:end], name == knownName, kind), from)
	}
}

// typeA is that of IPv4 addresses.
const typeA = 1

// question reads the name and the type of a query, and where it ends (RFC 1035, 4.1).
func question(query []byte) (name string, kind uint16, end int) {
	at := 12 // after the header
	for at < len(query) && query[at] != 0 {
		length := int(query[at])
		name += string(query[at+1:at+1+length]) + "."
		at += 1 + length
	}
	return name, binary.BigEndian.Uint16(query[at+1:]), at + 5
}

// response has 127.0.0.1 for an IPv4 query of a known name, and no answer for other types.
func response(query []byte, isKnown bool, kind uint16) []byte {
	message := append([]byte(nil), query...)
	binary.BigEndian.PutUint16(message[2:], 0x8180) // a response, recursion available
	copy(message[6:12], make([]byte, 6))            // no records
	if !isKnown {
		message[3] |= 3 // no such name
	} else if kind == typeA {
		message[7] = 1
		message = append(message, 0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1)
	}
	return message
}

// asks makes the clients of an audience ask this server.
func (s *nameServer) asks(c *whep.Config) {
	c.Client.Resolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var dialer net.Dialer
		return dialer.DialContext(ctx, "udp", s.LocalAddr().String())
	}}
}

// named is a server whose candidates have a name instead of an address, and that does not check viewers itself.
func named(t *testing.T, name string) *wheptest.Full {
	t.Helper()
	return wheptest.NewFull(t, wheptest.Dialect{Settings: func(e *webrtc.SettingEngine) {
		e.SetICEMulticastDNSMode(ice.MulticastDNSModeDisabled)
		e.SetLite(true)
	}, Offer: withoutCandidates, Answer: func(answer string) string {
		return strings.ReplaceAll(answer, " 127.0.0.1 ", " "+name+" ")
	}})
}

func TestNamesOfCandidatesAreResolvedOnceForAllViewers(t *testing.T) {
	names := newNameServer(t)
	o := named(t, strings.TrimSuffix(knownName, "."))
	a := newAudience(t, o.URL+"/whep", names.asks)
	var playing sync.WaitGroup
	for range 5 {
		s, f := a.connectViewer()
		if f != nil {
			t.Fatal(f)
		}
		playing.Go(func() {
			if f := s.watch(3); f != nil {
				t.Error(f)
			}
		})
		if route := s.Detail().Route; route.RemoteType != "host" || route.Remote.Addr().String() != "127.0.0.1" {
			t.Errorf("%+v", route)
		}
	}
	playing.Wait()
	if count := names.queries.Load(); count != 1 {
		t.Errorf("%d queries for 5 viewers", count)
	}
}

func TestNamesThatAreNotResolvedAreNamed(t *testing.T) {
	names := newNameServer(t)
	for name, reason := range map[string]string{"unknown.example.test": "unknown to the resolver", "0b2d1d6e.local": "mDNS"} {
		o := named(t, name)
		a := newAudience(t, o.URL+"/whep", names.asks, stage(4*time.Second))
		started := time.Now()
		var trying sync.WaitGroup
		for range 2 {
			trying.Go(func() {
				_, f := a.connectViewer()
				if f == nil || f.Stage != "ice" || f.Cause.String() != "no-candidate" || !strings.Contains(f.Detail, name) || !strings.Contains(f.Detail, reason) {
					t.Errorf("%s: %v", name, f)
				}
			})
		}
		trying.Wait()
		before := names.queries.Load()
		if _, f := a.connectViewer(); f == nil || names.queries.Load() != before {
			t.Errorf("%s was resolved again for a later viewer", name)
		}
		if took := time.Since(started); took > waitTimeout/2 {
			t.Errorf("%s took %s", name, took)
		}
	}
}
