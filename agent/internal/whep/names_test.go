package whep_test

import (
	"context"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pion/ice/v4"
	"github.com/pion/webrtc/v4"
	"golang.org/x/net/dns/dnsmessage"

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
	go func() { defer close(done); s.serve(t) }()
	t.Cleanup(func() { _ = connection.Close(); <-done })
	return s
}

func (s *nameServer) serve(t *testing.T) {
	buffer := make([]byte, 2048)
	for {
		count, from, err := s.ReadFrom(buffer)
		if err != nil {
			return
		}
		var message dnsmessage.Message
		if err := message.Unpack(buffer[:count]); err != nil || len(message.Questions) == 0 {
			t.Errorf("%v", err)
			continue
		}
		question := message.Questions[0]
		if question.Type == dnsmessage.TypeA {
			s.queries.Add(1)
		}
		if strings.HasSuffix(question.Name.String(), ".local.") {
			continue
		}
		message.Response, message.RecursionAvailable = true, true
		message.Additionals = nil
		if question.Name.String() != knownName {
			message.RCode = dnsmessage.RCodeNameError
		} else if question.Type == dnsmessage.TypeA {
			message.Answers = []dnsmessage.Resource{{Header: dnsmessage.ResourceHeader{Name: question.Name, Type: question.Type, Class: question.Class, TTL: 60},
				Body: &dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}}}}
		}
		packed, err := message.Pack()
		if err != nil {
			t.Error(err)
			continue
		}
		_, _ = s.WriteTo(packed, from)
	}
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
		if took := time.Since(started); took > waitTimeout/2 {
			t.Errorf("%s took %s", name, took)
		}
	}
}
