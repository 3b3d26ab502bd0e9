// Package turnload loads a TURN server alone: each viewer has two allocations, and sends data at a bitrate from one
// relayed address to the other. What arrives is counted as the media of a viewer.
package turnload

import (
	"context"
	"encoding/binary"
	"errors"
	"net/netip"
	"sync"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/turn"
	"fullhouse/agent/internal/viewer"
)

const (
	// packetSize is that of a full RTP packet of video.
	packetSize = 1200
	// headerSize is a magic number, the kind, the sequence number and the time of sending.
	headerSize = 4 + 1 + 4 + 8
	magic      = 0x46485452
	// maxBurst bounds what is sent at once after a pause of this process.
	maxBurst = 64
	// silenceTimeout is how long a connected viewer may be without packets.
	silenceTimeout = 10 * time.Second
)

// The kinds of a packet.
const (
	data byte = iota
	echo
)

// Config is common to all viewers of a job.
type Config struct {
	Server       turn.Server
	StageTimeout time.Duration
	// BitsPerSecond is what each viewer sends, without headers below it.
	BitsPerSecond float64
}

// Group are the viewers of one job.
type Group struct {
	Config
	mutex   sync.Mutex
	sending []*Viewer
	buffer  [packetSize]byte // used by Tick only
}

// NewGroup makes a group without viewers.
func NewGroup(config Config) *Group { return &Group{Config: config} }

// New makes a viewer; it does nothing yet.
func (g *Group) New() viewer.Viewer { return &Viewer{group: g} }

// Tick sends what is due of all viewers.
func (g *Group) Tick(now time.Time) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	remaining := g.sending[:0]
	for _, v := range g.sending {
		if v.send(monotonic.Nano(), g.buffer[:]) {
			remaining = append(remaining, v)
		}
	}
	clear(g.sending[len(remaining):])
	g.sending = remaining
}

// Viewer is one pair of allocations.
type Viewer struct {
	group *Group

	mutex            sync.Mutex
	receiver, sender *turn.Allocation
	allocatedAt      int64
	disconnecting    bool
	failure          *failure.Failure
	// sentFrom is when sending started; sent counts packets since then. They are due by the time since pacedFrom.
	sentFrom, pacedFrom int64
	sent                uint32

	firstPacketAt, lastPacketAt int64
	longestGapNs                int64 // since the last ReadInterval
	packets, bytes              uint64
	highest                     uint32
	jitterNs                    float64
	lastTransit                 int64
	roundTripNs                 int64
	echoDueAt                   int64
	overflowed                  [2]uint32
}

// Connect allocates twice, and binds a channel of each allocation to the other.
func (v *Viewer) Connect(ctx, _ context.Context) *failure.Failure {
	ctx, cancel := context.WithTimeout(ctx, v.group.StageTimeout)
	defer cancel()
	v.group.Server.Loop.Connecting(1)
	defer v.group.Server.Loop.Connecting(-1)
	f := v.connect(ctx)
	if f != nil {
		v.mutex.Lock()
		defer v.mutex.Unlock()
		v.fail(f)
	}
	return f
}

func (v *Viewer) connect(ctx context.Context) *failure.Failure {
	receiver, f := turn.Allocate(ctx, v.group.Server, false, (*receiving)(v))
	if f != nil {
		return f
	}
	v.mutex.Lock()
	v.receiver, v.allocatedAt = receiver, monotonic.Nano()
	v.mutex.Unlock()
	sender, f := turn.Allocate(ctx, v.group.Server, false, (*sending)(v))
	if f != nil {
		return f
	}
	v.mutex.Lock()
	v.sender = sender
	v.mutex.Unlock()
	for _, step := range []func() *failure.Failure{
		func() *failure.Failure { return receiver.Permit(ctx, []netip.AddrPort{sender.Relayed()}) },
		func() *failure.Failure { return sender.Permit(ctx, []netip.AddrPort{receiver.Relayed()}) },
		func() *failure.Failure { return receiver.Bind(ctx, sender.Relayed()) },
		func() *failure.Failure { return sender.Bind(ctx, receiver.Relayed()) },
	} {
		if f := step(); f != nil {
			return f
		}
	}
	v.mutex.Lock()
	v.sentFrom = monotonic.Nano()
	v.pacedFrom = v.sentFrom
	v.mutex.Unlock()
	v.group.mutex.Lock()
	defer v.group.mutex.Unlock()
	v.group.sending = append(v.group.sending, v)
	return nil
}

// fail keeps the first failure. The caller holds the mutex.
func (v *Viewer) fail(f *failure.Failure) {
	if v.failure == nil && !v.disconnecting {
		v.failure = f
	}
}

// send sends what is due; false when it will send nothing more.
func (v *Viewer) send(now int64, buffer []byte) bool {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.disconnecting || v.failure != nil {
		return false
	}
	due := uint32(float64(now-v.pacedFrom)/1e9*v.group.BitsPerSecond/8/packetSize) + 1
	if due > v.sent+maxBurst {
		// This process was late: what could not be sent in time is not sent, and not lost.
		v.pacedFrom += int64(float64(due-v.sent-maxBurst) * packetSize * 8e9 / v.group.BitsPerSecond)
		due = v.sent + maxBurst
	}
	for ; v.sent < due; v.sent++ {
		// A packet that can't be sent is lost, as on the network.
		_ = v.sender.SendTo(appendPacket(buffer, data, v.sent, now), v.receiver.Relayed())
	}
	return true
}

// appendPacket writes a packet's header into a buffer of the packet's size.
func appendPacket(buffer []byte, kind byte, sequence uint32, sentAt int64) []byte {
	binary.BigEndian.PutUint32(buffer, magic)
	buffer[4] = kind
	binary.BigEndian.PutUint32(buffer[5:], sequence)
	binary.BigEndian.PutUint64(buffer[9:], uint64(sentAt))
	return buffer
}

// readPacket parses a packet of ours.
func readPacket(packet []byte) (kind byte, sequence uint32, sentAt int64, ok bool) {
	if len(packet) < headerSize || binary.BigEndian.Uint32(packet) != magic {
		return 0, 0, 0, false
	}
	return packet[4], binary.BigEndian.Uint32(packet[5:]), int64(binary.BigEndian.Uint64(packet[9:])), true
}

// Tick refreshes the allocations and checks the timeouts.
func (v *Viewer) Tick(now time.Time) *failure.Failure {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.sentFrom == 0 || v.disconnecting || v.failure != nil {
		return v.failure
	}
	at := now.UnixNano()
	for _, one := range []*turn.Allocation{v.receiver, v.sender} {
		if f := one.Tick(at); f != nil {
			v.fail(f)
		}
	}
	switch {
	case v.firstPacketAt == 0 && at-v.sentFrom > int64(v.group.StageTimeout):
		v.fail(failure.New(failure.FirstPacket, protocol.CauseSilent, "Both channels at %s are bound, but no packet was relayed from %s to %s within %s.",
			v.group.Server.Address, v.sender.Relayed(), v.receiver.Relayed(), failure.Since(v.sentFrom)))
	case v.firstPacketAt != 0 && at-v.lastPacketAt > int64(silenceTimeout):
		v.fail(failure.New(failure.Media, protocol.CauseSilent, "No packet was relayed for %s, after %d packets.", failure.Since(v.lastPacketAt), v.packets))
	}
	return v.failure
}

// Disconnect releases both allocations.
func (v *Viewer) Disconnect(context.Context, bool) error {
	v.mutex.Lock()
	v.disconnecting = true
	receiver, sender := v.receiver, v.sender
	v.mutex.Unlock()
	var err error
	for _, one := range []*turn.Allocation{sender, receiver} {
		if one != nil {
			err = errors.Join(err, one.Close())
		}
	}
	return err
}
