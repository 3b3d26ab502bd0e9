// Package viewer is what a job needs of one viewer, whatever protocol it speaks. A protocol is a package with a Crowd.
package viewer

import (
	"context"
	"time"

	"fullhouse/agent/internal/failure"
)

// Crowd makes the viewers of one job, which share an address and what else can be shared.
type Crowd interface {
	// New makes a viewer that does nothing yet.
	New() Viewer
	// Tick does what is due for the crowd as a whole, such as requests for missing packets; it is called every 20 ms.
	Tick(now time.Time)
}

// Viewer is one viewer: Connect once, Pulse every second, Leave at the end. Reads may come at any time, from anywhere.
type Viewer interface {
	// Connect goes as far as a session that media can come by. Whatever it returns, Leave must be called. The end of ctx
	// ends it politely; the end of force ends also what the server would have to be told.
	Connect(ctx, force context.Context) *failure.Failure
	// Pulse does what is due each second and returns the failure that ended the viewer.
	Pulse(now time.Time) *failure.Failure
	// Leave ends the session, with force without a word to the server. A second call does nothing.
	Leave(ctx context.Context, force bool) error
	// Read takes the figures as they are now.
	Read(now time.Time) Reading
	// ReadInterval is Read, and the longest gap between complete frames that ended since the last call.
	ReadInterval(now time.Time) (reading Reading, longestGapNs int64)
	// Detail tells more of this one viewer. It costs nothing until it is called.
	Detail() Detail
}

// Reading is what a viewer has seen so far. Counters run from its start, all streams together unless said otherwise; times are
// Unix nanoseconds, 0 when it has not happened. What a protocol can't know stays 0.
type Reading struct {
	FirstPacketAt int64
	FirstFrameAt  int64
	// Packets are RTP packets; messages with media where the protocol has no packets.
	Packets     uint64
	Bytes       uint64
	Expected    uint64 // 0 where nothing can be lost
	Lost        uint64 // after repair
	Repaired    uint64
	Overflowed  uint64 // dropped at this machine's own socket
	Damaged     uint64 // could not be decrypted with the session's keys
	Frames      uint64
	Freezes     uint64
	FrozenNs    int64
	GapNs       int64 // without a complete frame until now
	JitterMs    float64
	HasJitter   bool
	RoundTripNs int64
	Failure     *failure.Failure
}
