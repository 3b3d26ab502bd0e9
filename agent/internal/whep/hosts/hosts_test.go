package hosts

import (
	"net/netip"
	"strings"
	"testing"
	"time"
)

var own, other, third = netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")

// ask is the decision of one question; nil while there is none.
func ask(v *Visit, address netip.Addr) func() *bool {
	var decided *bool
	v.Ask(address, func(may bool) { decided = &may })
	return func() *bool { return decided }
}

func is(decision *bool, want bool) bool { return decision != nil && *decision == want }

func TestOthersWaitForTheFirstViewers(t *testing.T) {
	for _, connects := range []bool{true, false} {
		var all Hosts
		var reports []string
		server := Server{Name: "server:80", Own: []netip.Addr{own}, Report: func(sentence string) { reports = append(reports, sentence) }}
		var first []*Visit
		for range FirstViewers {
			v := all.Visit(server)
			for range 2 { // several candidates of a host count once
				if !is(ask(v, other)(), true) {
					t.Fatal("one of the first viewers may not send")
				}
			}
			first = append(first, v)
		}
		late, another := all.Visit(server), all.Visit(server)
		decisions := []func() *bool{ask(late, other), ask(another, other)}
		if decisions[0]() != nil || decisions[1]() != nil || another.May(other) || !is(ask(late, own)(), true) || !is(ask(late, third)(), true) {
			t.Fatal("decided before any of the first viewers was")
		}
		if connects {
			first[3].Connected(other)
		}
		for _, v := range first {
			if !connects && decisions[0]() != nil {
				t.Fatal("decided before all of the first viewers had failed")
			}
			v.End()
			v.End()
		}
		for _, decision := range decisions {
			if !is(decision(), connects) {
				t.Errorf("connected %t: the decision is %v", connects, decision())
			}
		}
		if reported := len(reports) == 1 && strings.HasPrefix(reports[0], "server:80 names another host for media, 192.0.2.1. The first 10 viewers checked it and none has connected through it"); reported == connects || len(reports) > 1 {
			t.Errorf("connected %t: %q", connects, reports)
		}
		if refused := late.Refused(); (refused == "192.0.2.1") == connects {
			t.Errorf("connected %t: refused %q", connects, refused)
		}
		if may := all.Visit(Server{Name: "another server", Own: nil}).May(other); !may {
			t.Error("the viewers of another server wait too")
		}
		// A test that is repeated later starts anew.
		all.servers["server:80"].hosts[other].askedAt -= int64(forgetAfter + time.Second)
		if !all.Visit(server).May(other) {
			t.Error("a host is refused for ever")
		}
	}
}

func TestHostsOfOneServerAreBounded(t *testing.T) {
	var all Hosts
	v := all.Visit(Server{Name: "server"})
	for i := range 3 * maxHosts {
		if may := v.May(netip.AddrFrom4([4]byte{10, 1, byte(i >> 8), byte(i)})); may != (i < maxHosts) {
			t.Fatalf("host %d: %t", i, may)
		}
	}
	if all.Visit(Server{AllowsAll: true}) != nil {
		t.Error("a node that allows other hosts is bounded")
	}
}
