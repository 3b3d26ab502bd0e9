// Package viewer is the interface between a job and one viewer, independent of the protocol. A protocol is a package
// with a Group.
package viewer

import (
	"context"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/protocol"
)

// Group makes the viewers of one job, which share an address and other resources.
type Group interface {
	// New makes a viewer that does nothing yet.
	New() Viewer
	// Tick does what is due for all viewers of the group, such as requests for missing packets; it is called every 20
	// ms.
	Tick(now time.Time)
}

// Again makes the viewer that connects in place of one that was lost, with the same identity at servers that have
// identities.
func Again(group Group, lost Viewer) Viewer {
	if v, ok := lost.(interface{ Again() Viewer }); ok {
		return v.Again()
	}
	return group.New()
}

// Viewer is one viewer: Connect once, Tick every second, Disconnect at the end. Read may be called at any time, from
// any goroutine.
type Viewer interface {
	// Connect establishes a session that can receive media. Disconnect must be called whatever it returns. The end of
	// ctx cancels it properly; the end of force also cancels requests that close the session.
	Connect(ctx, force context.Context) *failure.Failure
	// Tick does what is due each second and returns the failure that ended the viewer.
	Tick(now time.Time) *failure.Failure
	// Disconnect ends the session; with force without closing it at the server. A second call does nothing.
	Disconnect(ctx context.Context, force bool) error
	// Read returns the current figures.
	Read(now time.Time) Reading
	// ReadInterval is Read, and the longest gap between complete frames that ended since the last call.
	ReadInterval(now time.Time) (reading Reading, longestGapNs int64)
	// Times are those of its steps so far.
	Times() Times
	// Detail has more about this one viewer. It costs nothing until it is called.
	Detail() Detail
}

// Resumer is a viewer with timeouts that outlast the time in which pending input is read after a pause of this process.
type Resumer interface {
	// Resumed starts them anew.
	Resumed(now time.Time)
}

// Reading is what a viewer has received so far. Counters start with the viewer and cover all streams unless stated
// otherwise; times are Unix nanoseconds, 0 if it has not happened. What a protocol can't measure stays 0.
type Reading struct {
	FirstPacketAt int64
	FirstFrameAt  int64
	// Packets are RTP packets; messages with media where the protocol has no packets.
	Packets  uint64
	Bytes    uint64
	Expected uint64 // 0 where nothing can be lost
	Lost     uint64 // after repair
	Repaired uint64
	// AudioOnly: there is no video, and Frames are 0. FirstFrameAt, stalls and gaps are those of the audio.
	AudioOnly bool
	// Repairs are what the server sent in addition, to repair loss; HasRepairs is true for WebRTC.
	Repairs    Repairs
	HasRepairs bool
	Overflowed uint64 // dropped at this machine's own socket
	Damaged    uint64 // could not be decrypted with the session's keys
	Frames     uint64
	// Stalls are gaps of stats.StallNs or more.
	Stalls    uint64
	StalledNs int64
	// FreezeCount and FreezeMs are of freezes by the rule of W3C webrtc-stats that have ended, of whole frames instead of
	// rendered ones; 0 without video.
	FreezeCount, FreezeMs uint32
	GapNs                 int64 // without a complete frame until now
	JitterMs              float64
	HasJitter             bool
	RoundTripNs           int64
	// DelayNs is from the sender's time of the latest packet to its arrival; unknown if DelayMethod is empty.
	// ClocksDiffer: the sender has a time of day, but it is far from ours.
	DelayNs      int64
	DelayMethod  protocol.DelayMethod
	ClocksDiffer bool
	// AllocationNs is how long the TURN server took to allocate a relayed address; 0 for direct viewers.
	AllocationNs int64
	// OverTCP: media comes over TCP by a protocol that usually uses UDP, without a TURN server.
	OverTCP bool
	// Width and Height are the size of the layer being received of a simulcast or scalable video; 0 for other video.
	Width, Height uint16
	// Buffer is that of a player; nil where media is shown as it arrives.
	Buffer *Buffer
	// Sent is what a viewer sends; nil if it only receives.
	Sent    *Sent
	Failure *failure.Failure
}

// Repairs are counters of retransmissions and forward error correction.
type Repairs struct {
	// Retransmitted are packets on streams for retransmissions (RFC 4588), also those that came in vain.
	Retransmitted, RetransmittedBytes uint64
	// FEC are packets of forward error correction on a stream of its own (RFC 8627).
	FEC, FECBytes uint64
	// Recovered are lost packets of video that were retransmitted in time, on a stream of their own or on the same one:
	// with Lost, the loss before repair.
	Recovered uint64
}

// Sent is what a participant or a publisher has sent so far. Counters cover all streams.
type Sent struct {
	Packets, Bytes, Frames uint64
	// Requested are packets that the server requested again, Retransmitted those that were sent again.
	Requested, Retransmitted uint64
	KeyframeRequests         uint64
	// LossPercent and RoundTripNs are of the server's latest report about the video; Reported if it has sent one.
	LossPercent float64
	RoundTripNs int64
	Reported    bool
	// OverTCP: the system reports the round trip, segments sent again, and what is waiting for its acknowledgement.
	OverTCP             bool
	UnacknowledgedBytes uint64
	// Layers are those of simulcast that the server receives; 0 without simulcast.
	Layers int
	Loop   Loop
	// RespondedAt is when the server last responded to an ICE check or sent a report; 0 if unknown.
	RespondedAt int64
}

// Loop is when a sample is sent, in monotonic Unix nanoseconds.
type Loop struct {
	// StartNs is when time 0 of the sample was due in the current loop. That holds since SinceNs.
	StartNs, SinceNs int64
	LengthNs         int64 // 0 if unknown
}

// Buffer is the state of a player's buffer.
type Buffer struct {
	// AheadNs is the received media that has not been played yet.
	AheadNs int64
	// BehindNs is how far playback is behind the source, by the times of day in the stream; HasBehind if it has any.
	BehindNs  int64
	HasBehind bool
}
