// Package tally counts the results of a plain group and what it received.
package tally

import (
	"sync"
	"sync/atomic"
)

// Tally is updated by many goroutines. Packets are messages with media where the protocol has no packets.
type Tally struct {
	Connected, Failed, Packets, Bytes atomic.Uint64

	mutex   sync.Mutex
	problem error
}

// Figures are totals since the group started.
type Figures struct {
	Connected, Failed, Packets, Bytes uint64
	// Problem is the first one.
	Problem string
}

// Note keeps the first problem.
func (t *Tally) Note(problem error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.problem == nil {
		t.problem = problem
	}
}

// Figures returns them.
func (t *Tally) Figures() Figures {
	t.mutex.Lock()
	problem := t.problem
	t.mutex.Unlock()
	f := Figures{Connected: t.Connected.Load(), Failed: t.Failed.Load(), Packets: t.Packets.Load(), Bytes: t.Bytes.Load()}
	if problem != nil {
		f.Problem = problem.Error()
	}
	return f
}
