package whep

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"fullhouse/agent/internal/whep/sdp"
)

const (
	// nameTimeout bounds the resolution of a candidate's name: mDNS names of other networks have no answer.
	nameTimeout = 3 * time.Second
	// maxNames bounds the names of one job that are resolved.
	maxNames = 100
	// maxNameAddresses bounds the addresses of one name that are checked.
	maxNameAddresses = 4
)

// names are the host names in the candidates of a group's servers, each resolved once for all viewers, whatever the
// result. The zero value knows none.
type names struct {
	mutex sync.Mutex
	known map[string]*lookup
}

type lookup struct {
	done      chan struct{}
	addresses []netip.Addr
	problem   string
}

// resolve returns the addresses of a name, or why there are none. It waits until ctx ends, and the lookup goes on.
func (n *names) resolve(ctx context.Context, host string, find func(context.Context, string) ([]netip.Addr, error)) ([]netip.Addr, string) {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	n.mutex.Lock()
	one := n.known[host]
	if one == nil && len(n.known) < maxNames {
		if n.known == nil {
			n.known = map[string]*lookup{}
		}
		one = &lookup{done: make(chan struct{})}
		n.known[host] = one
		go one.run(host, find)
	}
	n.mutex.Unlock()
	if one == nil {
		return nil, fmt.Sprintf("more than %d names", maxNames)
	}
	select {
	case <-one.done:
		return one.addresses, one.problem
	case <-ctx.Done():
		return nil, "no response yet"
	}
}

func (l *lookup) run(host string, find func(context.Context, string) ([]netip.Addr, error)) {
	defer close(l.done)
	ctx, cancel := context.WithTimeout(context.Background(), nameTimeout)
	defer cancel()
	found, err := find(ctx, host)
	addresses := slices.DeleteFunc(slices.Clone(found), func(one netip.Addr) bool { return !sdp.IsUsable(one) })
	switch {
	case ctx.Err() != nil:
		l.problem = fmt.Sprintf("no response within %s", nameTimeout)
	case err != nil || len(found) == 0:
		l.problem = "unknown to the resolver of this machine"
	case len(addresses) == 0:
		l.problem = "no address that viewers can send to"
	}
	if l.problem != "" && strings.HasSuffix(host, ".local") {
		l.problem += ", which mDNS of the network of the server would know"
	}
	l.addresses = addresses[:min(len(addresses), maxNameAddresses)]
}

// resolveNamed returns the candidates with the addresses of their names. Unresolved names are noted for the sentence of
// a failure.
func (c *connecting) resolveNamed(ctx context.Context, named []sdp.Named) (candidates []sdp.Candidate) {
	v := c.viewer
	found, problems := make([][]netip.Addr, len(named)), make([]string, len(named))
	var waiting sync.WaitGroup
	for i, one := range named {
		waiting.Go(func() { found[i], problems[i] = v.group.names.resolve(ctx, one.Host, v.group.findName) })
	}
	waiting.Wait()
	for i, one := range named {
		for _, address := range found[i] {
			candidates = append(candidates, sdp.Candidate{Address: netip.AddrPortFrom(address, one.Port), Type: one.Type})
		}
		if text := fmt.Sprintf("%s (%s)", one.Host, problems[i]); problems[i] != "" && !slices.Contains(c.unresolved, text) {
			c.unresolved = append(c.unresolved, text)
		}
	}
	return candidates
}

func (c *Group) findName(ctx context.Context, host string) ([]netip.Addr, error) {
	addresses, f := c.Client.Addresses(ctx, host)
	if f != nil {
		return nil, f
	}
	return addresses, nil
}
