package whep_test

import (
	"fmt"
	"net"
	"net/netip"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/testing/wheptest"
	"fullhouse/agent/internal/whep"
	"fullhouse/agent/internal/whep/hosts"
)

var candidateAddress = regexp.MustCompile(`(a=candidate:0 1 udp 2130706431) \S+ \d+`)

// otherHost listens on another host than that of the server under test, and notes who sends to it.
func otherHost(t *testing.T) (address netip.AddrPort, senders func() int) {
	t.Helper()
	socket, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 2)})
	if err != nil {
		t.Skipf("this system has one loopback address: %v", err)
	}
	var mutex sync.Mutex
	seen := map[netip.AddrPort]bool{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for buffer := make([]byte, 2048); ; {
			_, from, err := socket.ReadFromUDPAddrPort(buffer)
			if err != nil {
				return
			}
			mutex.Lock()
			seen[from] = true
			mutex.Unlock()
		}
	}()
	t.Cleanup(func() {
		_ = socket.Close()
		<-done
	})
	return socket.LocalAddr().(*net.UDPAddr).AddrPort(), func() int {
		mutex.Lock()
		defer mutex.Unlock()
		return len(seen)
	}
}

// connectAll connects so many viewers at once.
func (a *audience) connectAll(count int) (failures []*failure.Failure) {
	var mutex sync.Mutex
	var all sync.WaitGroup
	for range count {
		all.Go(func() {
			_, f := a.connectViewer()
			mutex.Lock()
			defer mutex.Unlock()
			if f != nil {
				failures = append(failures, f)
			}
		})
	}
	all.Wait()
	return failures
}

// TestAtMostTenViewersSendToAHostThatNobodyReaches: a server can't make a whole audience send to another host.
func TestAtMostTenViewersSendToAHostThatNobodyReaches(t *testing.T) {
	victim, senders := otherHost(t)
	origin := wheptest.NewLite(t, wheptest.Faults{Answer: func(sdp string) string {
		return candidateAddress.ReplaceAllString(sdp, fmt.Sprintf("$1 %s %d", victim.Addr(), victim.Port()))
	}})
	var mutex sync.Mutex
	var warnings []string
	a := newAudience(t, origin.URL+"/whep", stage(time.Second), func(c *whep.Config) {
		c.Warn = func(sentence string) {
			mutex.Lock()
			defer mutex.Unlock()
			warnings = append(warnings, sentence)
		}
	})
	failures := a.connectAll(15)
	failures = append(failures, a.connectAll(15)...)
	if count := senders(); count != hosts.FirstViewers {
		t.Errorf("%d viewers sent to another host", count)
	}
	refused := 0
	for _, f := range failures {
		if f.Cause.String() == "other-host" && strings.HasPrefix(f.Detail, "The server names only other hosts for media: 127.0.0.2. The first 10 viewers checked them and none has connected") {
			refused++
		}
	}
	if len(failures) != 30 || refused != 20 {
		t.Errorf("%d viewers failed, %d of them by the other host: %v", len(failures), refused, failures[len(failures)-1])
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], "names another host for media, 127.0.0.2.") {
		t.Errorf("%q", warnings)
	}
	before := senders()
	allowing := newAudience(t, origin.URL+"/whep", stage(300*time.Millisecond), crossOrigin)
	if failures := allowing.connectAll(12); len(failures) != 12 || senders() != before+12 {
		t.Errorf("%d viewers failed, %d sent although the node allows other hosts", len(failures), senders()-before)
	}
}

// TestViewersFollowTheFirstToAnotherHost: media on another host than signalling is usual.
func TestViewersFollowTheFirstToAnotherHost(t *testing.T) {
	address, _ := otherHost(t)
	origin := wheptest.NewLite(t, wheptest.Faults{Host: address.Addr().AsSlice()})
	a := newAudience(t, origin.URL+"/whep", func(c *whep.Config) {
		c.Warn = func(sentence string) { t.Error(sentence) }
	})
	if failures := a.connectAll(30); len(failures) > 0 {
		t.Errorf("%d of 30 viewers failed: %v", len(failures), failures[0])
	}
}
