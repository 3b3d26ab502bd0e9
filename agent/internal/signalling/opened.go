package signalling

import (
	"context"
	"sync/atomic"

	"fullhouse/agent/internal/monotonic"
)

// Opened is when the steps to an open connection were completed, in Unix nanoseconds; 0 without the step. An address
// without a name, and a name that was resolved for an earlier viewer, have no NameAt.
type Opened struct{ NameAt, TCPAt, TLSAt int64 }

// Opening observes the first connection that is opened with its context. Later ones, as after a redirect, change
// nothing. net/http may dial in a goroutine of its own that outlives the request.
type Opening struct{ name, tcp, tls atomic.Int64 }

type openingKey struct{}

// In returns a context whose connections are observed.
func (o *Opening) In(ctx context.Context) context.Context {
	return context.WithValue(ctx, openingKey{}, o)
}

// Opened returns the steps so far.
func (o *Opening) Opened() Opened { return Opened{o.name.Load(), o.tcp.Load(), o.tls.Load()} }

// completed records a step of the observed connection, if there is one.
func completed(ctx context.Context, step func(*Opening) *atomic.Int64) {
	if o, ok := ctx.Value(openingKey{}).(*Opening); ok {
		step(o).CompareAndSwap(0, monotonic.Nano())
	}
}

func nameStep(o *Opening) *atomic.Int64 { return &o.name }
func tcpStep(o *Opening) *atomic.Int64  { return &o.tcp }
func tlsStep(o *Opening) *atomic.Int64  { return &o.tls }
