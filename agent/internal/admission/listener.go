// Package admission bounds the connections of a listener whose peers have not shown yet that they are allowed: in
// number, in time, and of other users of this machine.
package admission

import (
	"context"
	"net"
	"slices"
	"sync"
	"time"
)

// Limits bound the connections that wait for admission.
type Limits struct {
	// Waiting is their number. A further one closes the oldest, so that one that is allowed gets its turn.
	Waiting int
	// Foreign is how many of them may come from other users of this machine.
	Foreign int
	// PerPeer is how many of them may come from one address of another machine; 0: as Waiting.
	PerPeer int
	// Time is how long each may wait; 0: unlimited.
	Time time.Duration
}

// Listener counts every accepted connection as waiting until Admit.
type Listener struct {
	net.Listener
	limits Limits
	// owner returns the user of the peer; tests replace it.
	owner func(net.Conn) owner

	mutex   sync.Mutex
	waiting []*connection // oldest first
	refused Refusals
}

// owner is the user of this machine at the other end of a connection.
type owner struct {
	uid uint32
	// isKnown is set if the peer is a process of this machine whose user the system reports.
	isKnown bool
	// isForeign is set if that user is neither the one of this process nor root.
	isForeign bool
}

// Refusals are the connections that were closed or left without having been admitted.
type Refusals struct {
	Count int
	// Surplus is how many of them were closed because more connections than allowed were waiting.
	Surplus int
	// Users has those of other users of this machine, by uid.
	Users map[uint32]int
}

// connection is an accepted connection, admitted or waiting.
type connection struct {
	net.Conn
	listener *Listener
	owner    owner
	timer    *time.Timer
}

// IsForeign reports whether the other end of a connection over loopback belongs to another user of this machine; false
// where the system does not tell.
func IsForeign(conn net.Conn) bool { return peerOwner(conn).isForeign }

// NewListener bounds the connections of a listener.
func NewListener(listener net.Listener, limits Limits) *Listener {
	return &Listener{Listener: listener, limits: limits, owner: peerOwner}
}

// Accept returns the next connection, and closes those that are too many.
func (l *Listener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &connection{Conn: conn, listener: l, owner: l.owner(conn)}
	l.mutex.Lock()
	l.waiting = append(l.waiting, c)
	surplus := l.surplus(c)
	if surplus != nil {
		l.refused.Surplus++
	}
	if l.limits.Time > 0 {
		c.timer = time.AfterFunc(l.limits.Time, func() { _ = c.Close() }) // it may have been admitted or closed just now
	}
	l.mutex.Unlock()
	if surplus != nil {
		_ = surplus.Close() // the peer sees the end either way
	}
	return c, nil
}

// surplus is the oldest waiting connection of a group that exceeds its limit by the new one. The caller holds the mutex.
func (l *Listener) surplus(added *connection) *connection {
	groups := []struct {
		limit int
		has   func(*connection) bool
	}{
		{l.limits.Foreign, func(c *connection) bool { return c.owner.isForeign }},
		{l.limits.PerPeer, func(c *connection) bool { return !c.owner.isKnown && c.host() == added.host() }},
		{l.limits.Waiting, func(*connection) bool { return true }},
	}
	for _, group := range groups {
		if group.limit == 0 || !group.has(added) {
			continue
		}
		count := 0
		var oldest *connection
		for _, c := range l.waiting {
			if group.has(c) {
				count++
				if oldest == nil {
					oldest = c
				}
			}
		}
		if count > group.limit {
			return oldest
		}
	}
	return nil
}

// TakeRefused returns the refusals since the last call.
func (l *Listener) TakeRefused() Refusals {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	refused := l.refused
	l.refused = Refusals{}
	return refused
}

func (c *connection) host() string {
	host, _, err := net.SplitHostPort(c.RemoteAddr().String())
	if err != nil {
		return c.RemoteAddr().String()
	}
	return host
}

// leave removes it from the waiting ones; false if it was admitted or has left before.
func (c *connection) leave() bool {
	l := c.listener
	at := slices.Index(l.waiting, c)
	if at < 0 {
		return false
	}
	l.waiting = slices.Delete(l.waiting, at, at+1)
	if c.timer != nil {
		c.timer.Stop()
	}
	return true
}

// Close counts it as refused unless it was admitted.
func (c *connection) Close() error {
	l := c.listener
	l.mutex.Lock()
	if c.leave() {
		l.refused.Count++
		if c.owner.isForeign && c.owner.isKnown {
			if l.refused.Users == nil {
				l.refused.Users = map[uint32]int{}
			}
			l.refused.Users[c.owner.uid]++
		}
	}
	l.mutex.Unlock()
	return c.Conn.Close()
}

// CloseWrite lets net/http deliver its last response.
func (c *connection) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

type contextKey struct{}

// Context is the ConnContext of an http.Server on a Listener.
func Context(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, contextKey{}, conn)
}

// Admit takes the connection of a request out of the bounds; false if it was closed meanwhile.
func Admit(ctx context.Context) bool {
	c, ok := ctx.Value(contextKey{}).(*connection)
	if !ok {
		return true
	}
	c.listener.mutex.Lock()
	defer c.listener.mutex.Unlock()
	return c.leave()
}
