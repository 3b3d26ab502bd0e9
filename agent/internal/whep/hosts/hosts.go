// Package hosts bounds what viewers send to hosts that a server names besides itself: in the candidates of its answers,
// and as TURN servers. A server could otherwise make every viewer of a test send to a host that has no part in it.
package hosts

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"fullhouse/agent/internal/monotonic"
)

const (
	// FirstViewers is how many viewers may send to another host before one of them has connected through it.
	FirstViewers = 10
	// forgetAfter is how long a host is kept without a question about it, so that a repeated test starts anew.
	forgetAfter = 30 * time.Second
	// keepProven is the same for a host through which a viewer has connected.
	keepProven = 10 * time.Minute
	// maxHosts bounds the hosts of one server of which none has connected a viewer.
	maxHosts = 1000
	// maxNamed bounds the hosts in a sentence.
	maxNamed = 5
)

// Hosts are the other hosts of all servers. The zero value knows none.
type Hosts struct {
	mutex   sync.Mutex
	servers map[string]*server
}

// server is what is known of the hosts that one server names.
type server struct {
	hosts map[netip.Addr]*host
	// reportedAt is when the latest refusal was reported.
	reportedAt int64
}

type host struct {
	viewers  int // that were allowed to send there
	pending  int // of them those that have neither connected nor failed
	isProven bool
	askedAt  int64
	waiting  []func() // called once pending ones have ended or one has connected
}

func (h *host) isExpired(now int64) bool {
	limit := forgetAfter
	if h.isProven {
		limit = keepProven
	}
	return h.pending == 0 && now-h.askedAt > int64(limit)
}

// Server is one server whose viewers ask.
type Server struct {
	// Name is how sentences call it.
	Name string
	// Own are its addresses, to which viewers send in any case.
	Own []netip.Addr
	// AllowsAll permits all hosts.
	AllowsAll bool
	// Report is called once in a while with a sentence about hosts that are not used.
	Report func(sentence string)
}

// Visit is one viewer's way to its connection. A nil Visit allows everything.
type Visit struct {
	all    *Hosts
	server Server

	granted map[netip.Addr]*host // guarded by the mutex of all
	refused []netip.Addr
	isOver  bool
}

// Visit starts a viewer's visit; its End must be called.
func (h *Hosts) Visit(server Server) *Visit {
	if h == nil || server.AllowsAll {
		return nil
	}
	return &Visit{all: h, server: server}
}

// find is the entry of a host, without what has expired. The caller holds the mutex.
func (h *Hosts) find(name string, address netip.Addr, now int64) (of *server, match *host) {
	if h.servers == nil {
		h.servers = map[string]*server{}
	}
	if of = h.servers[name]; of == nil {
		of = &server{hosts: map[netip.Addr]*host{}}
		h.servers[name] = of
	}
	if match = of.hosts[address]; match != nil && match.isExpired(now) {
		match = nil
	}
	if match == nil && len(of.hosts) >= maxHosts {
		maps.DeleteFunc(of.hosts, func(_ netip.Addr, one *host) bool { return one.isExpired(now) })
	}
	if match == nil && len(of.hosts) < maxHosts {
		match = &host{}
		of.hosts[address] = match
	}
	if match != nil {
		match.askedAt = now
	}
	return of, match
}

// take reports whether the viewer may send to a host; isKnown is false while other viewers find out whether it may. The
// caller holds the mutex.
func (v *Visit) take(address netip.Addr) (may, isKnown bool, match *host) {
	if slices.Contains(v.server.Own, address) || v.granted[address] != nil {
		return true, true, nil
	}
	_, match = v.all.find(v.server.Name, address, monotonic.Nano())
	switch {
	case v.isOver || match == nil:
		return match != nil && match.isProven, true, nil
	case match.isProven || match.viewers < FirstViewers:
		match.viewers++
		match.pending++
		if v.granted == nil {
			v.granted = map[netip.Addr]*host{}
		}
		v.granted[address] = match
		return true, true, match
	}
	return false, match.pending == 0, match
}

// May reports whether the viewer may send to a host now, such as one that sent it a check.
func (v *Visit) May(address netip.Addr) bool {
	if v == nil {
		return true
	}
	v.all.mutex.Lock()
	defer v.all.mutex.Unlock()
	may, _, _ := v.take(address)
	return may
}

// Ask calls decide once it is known whether the viewer may send to a host: at once, or when one of the first viewers has
// connected through it, or all of them have failed. It holds no lock meanwhile.
func (v *Visit) Ask(address netip.Addr, decide func(may bool)) {
	if v == nil {
		decide(true)
		return
	}
	v.all.mutex.Lock()
	may, isKnown, match := v.take(address)
	report := ""
	if !isKnown {
		match.waiting = append(match.waiting, func() { v.Ask(address, decide) })
	} else if !may {
		report = v.refuse(address)
	}
	v.all.mutex.Unlock()
	if report != "" {
		v.server.Report(report)
	}
	if isKnown {
		decide(may)
	}
}

// refuse notes a host that the viewer does not use, and returns the sentence to report. The caller holds the mutex.
func (v *Visit) refuse(address netip.Addr) (report string) {
	if v.isOver {
		return ""
	}
	if !slices.Contains(v.refused, address) {
		v.refused = append(v.refused, address)
	}
	of := v.all.servers[v.server.Name]
	now := monotonic.Nano()
	isNew := of != nil && (of.reportedAt == 0 || now-of.reportedAt > int64(forgetAfter))
	if of != nil {
		of.reportedAt = now
	}
	if !isNew || v.server.Report == nil {
		return ""
	}
	return fmt.Sprintf("%s names another host for media, %s. The first %d viewers checked it and none has connected through it, so further viewers do not send there; to allow it, set allowCrossOrigin: true on the node.",
		v.server.Name, address, FirstViewers)
}

// Wait is Ask for a viewer that can wait: it returns those of the addresses that it may send to, at the latest when done
// is closed.
func (v *Visit) Wait(done <-chan struct{}, addresses []netip.AddrPort) (allowed []netip.AddrPort) {
	if v == nil {
		return addresses
	}
	for _, address := range addresses {
		decided := make(chan bool, 1)
		v.Ask(address.Addr(), func(may bool) { decided <- may })
		select {
		case may := <-decided:
			if may {
				allowed = append(allowed, address)
			}
		case <-done:
			return allowed
		}
	}
	return allowed
}

// Split divides addresses into those that the viewer may send to now, and those of which it is not known or not so.
func (v *Visit) Split(addresses []netip.AddrPort) (now, later []netip.AddrPort) {
	for _, address := range addresses {
		if v.May(address.Addr()) {
			now = append(now, address)
		} else {
			later = append(later, address)
		}
	}
	return now, later
}

// Connected records that the viewer has connected through a host: its response was authentic, so the host has a part in
// the test.
func (v *Visit) Connected(address netip.Addr) {
	if v == nil {
		return
	}
	v.all.mutex.Lock()
	granted := v.granted[address]
	var waiting []func()
	if granted != nil {
		granted.isProven = true
		waiting, granted.waiting = granted.waiting, nil
	}
	v.all.mutex.Unlock()
	for _, ask := range waiting {
		ask()
	}
}

// End ends the visit: the viewer has connected, or failed.
func (v *Visit) End() {
	if v == nil {
		return
	}
	v.all.mutex.Lock()
	var waiting []func()
	isFirst := !v.isOver
	v.isOver = true
	for _, one := range v.granted {
		if isFirst {
			one.pending--
		}
		if one.pending == 0 {
			waiting = append(waiting, one.waiting...)
			one.waiting = nil
		}
	}
	v.all.mutex.Unlock()
	for _, ask := range waiting {
		ask()
	}
}

// Refused are the hosts that the viewer does not send to, for its failure; empty for none.
func (v *Visit) Refused() string {
	if v == nil {
		return ""
	}
	v.all.mutex.Lock()
	defer v.all.mutex.Unlock()
	return names(v.refused)
}

// Names are the hosts of addresses for a sentence.
func Names(addresses []netip.AddrPort) string {
	var all []netip.Addr
	for _, one := range addresses {
		if !slices.Contains(all, one.Addr()) {
			all = append(all, one.Addr())
		}
	}
	return names(all)
}

func names(addresses []netip.Addr) string {
	var list []string
	for _, address := range addresses[:min(len(addresses), maxNamed)] {
		list = append(list, address.String())
	}
	if more := len(addresses) - maxNamed; more > 0 {
		list = append(list, fmt.Sprintf("%d more", more))
	}
	return strings.Join(list, ", ")
}
