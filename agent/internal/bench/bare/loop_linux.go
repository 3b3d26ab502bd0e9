// Package bare is an origin that does as little as possible, to feed audiences that the lab could not. WHEP, ICE and
// DTLS are the lab's, and each viewer has its own SRTP keys. One thread then sends the same prepared packets to all, in
// batches. It sends no RTCP and no retransmissions.
package bare

import (
	"encoding/binary"
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pion/rtp"
	"golang.org/x/sys/unix"

	"fullhouse/agent/internal/lab/fanout"
	"fullhouse/agent/internal/lab/udp"
	"fullhouse/agent/internal/media"
)

const (
	// The viewers are in groups that get each packet one step after another, spread over a frame: an origin that sends
	// one packet to thousands takes about as long.
	groups    = 20
	groupStep = 2 * time.Millisecond

	// An origin that is later than this continues from where it is, slower than it should and without a gap: catching
	// up would make it even later.
	maxLate = 200 * time.Millisecond

	rtpHeaderBytes = 12
	markerBit      = 0x80
)

// Loop sends the sample to all viewers. Its steady state allocates nothing.
type Loop struct {
	batch   *batch
	sample  *media.Sample
	ordinal []int64 // of each packet among its kind
	inLoop  [media.Kinds]int64
	plain   []byte
	header  rtp.Header // scratch for EncryptRTP

	sealErrors uint64

	started      time.Time
	latestOfTick time.Duration
	groups       [groups]group
	places       map[*fanout.Viewer]place

	mutex   sync.Mutex
	pending []command
	spare   []command
	closed  bool
	done    chan struct{}

	packets, bytes, errors atomic.Uint64
	latest                 atomic.Int64
}

type group struct {
	members []member
	next    int64 // number of the next packet since the loop started
}

type member struct {
	*fanout.Viewer
	to  *udp.Destination // what raw was made from
	raw *unix.RawSockaddrInet4
}

type place struct{ group, index int }

type command struct {
	viewer    *fanout.Viewer
	isRemoval bool
}

// Start starts the loop that sends the sample from the socket.
func Start(socket *net.UDPConn, sample *media.Sample) (*Loop, error) {
	l := &Loop{sample: sample, plain: make([]byte, udp.DatagramBytes), started: time.Now(), places: map[*fanout.Viewer]place{}, done: make(chan struct{})}
	for _, p := range sample.Packets {
		l.ordinal = append(l.ordinal, l.inLoop[p.Kind])
		l.inLoop[p.Kind]++
	}
	var err error
	if l.batch, err = newBatch(socket); err != nil {
		return nil, err
	}
	go l.run()
	return l, nil
}

// Add starts sending to the viewer.
func (l *Loop) Add(v *fanout.Viewer) { l.enqueue(command{viewer: v}) }

// Remove stops sending to it.
func (l *Loop) Remove(v *fanout.Viewer) { l.enqueue(command{viewer: v, isRemoval: true}) }

// Resend does nothing: loss here is meant to show in the audience's figures.
func (l *Loop) Resend(*fanout.Viewer, media.Kind, uint16, uint16) {}

func (l *Loop) enqueue(o command) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.pending = append(l.pending, o)
}

// Totals of all that was sent.
func (l *Loop) Totals() udp.Totals {
	return udp.Totals{Packets: l.packets.Load(), Bytes: l.bytes.Load(), Errors: l.errors.Load()}
}

// TakeLatest is the maximum lateness of a packet since the last call. Much more than a tick means that this origin is
// the limit.
func (l *Loop) TakeLatest() time.Duration { return time.Duration(l.latest.Swap(0)) }

// Close ends the loop and waits for it.
func (l *Loop) Close() {
	l.mutex.Lock()
	l.closed = true
	l.mutex.Unlock()
	<-l.done
	_ = l.batch.close() // nothing is lost
}

func (l *Loop) run() {
	defer close(l.done)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for l.runCommands() {
		late := l.latestOfTick
		if l.latestOfTick = 0; late > maxLate {
			l.started = l.started.Add(late)
		}
		now := time.Since(l.started)
		for i := range l.groups {
			l.send(&l.groups[i], time.Duration(i)*groupStep, now)
			l.batch.flush()
			l.packets.Store(l.batch.totals.Packets)
			l.bytes.Store(l.batch.totals.Bytes)
			l.errors.Store(l.batch.totals.Errors + l.sealErrors)
		}
		next := (time.Since(l.started)/groupStep + 1) * groupStep
		pause := unix.NsecToTimespec(int64(next - time.Since(l.started)))
		_ = unix.Nanosleep(&pause, nil) // a signal only shortens this tick
	}
}

// runCommands applies the pending commands; false when the loop is to end.
func (l *Loop) runCommands() bool {
	l.mutex.Lock()
	commands, closed := l.pending, l.closed
	l.pending, l.spare = l.spare[:0], commands
	l.mutex.Unlock()
	for _, o := range commands {
		if o.isRemoval {
			l.remove(o.viewer)
		} else {
			l.add(o.viewer)
		}
	}
	return !closed
}

func (l *Loop) add(v *fanout.Viewer) {
	minimum := 0
	for i := range l.groups {
		if len(l.groups[i].members) < len(l.groups[minimum].members) {
			minimum = i
		}
	}
	g := &l.groups[minimum]
	l.places[v] = place{group: minimum, index: len(g.members)}
	g.members = append(g.members, member{Viewer: v})
}

func (l *Loop) remove(v *fanout.Viewer) {
	at, present := l.places[v]
	if !present {
		return
	}
	delete(l.places, v)
	g := &l.groups[at.group]
	last := len(g.members) - 1
	if moved := g.members[last]; moved.Viewer != v {
		g.members[at.index] = moved
		l.places[moved.Viewer] = at
	}
	g.members[last], g.members = member{}, g.members[:last]
}

func (l *Loop) due(number int64) time.Duration {
	perLoop := int64(len(l.sample.Packets))
	return time.Duration(number/perLoop)*l.sample.Duration + l.sample.Packets[number%perLoop].At
}

// send adds all that is due for the group to the batch.
func (l *Loop) send(g *group, delay, now time.Duration) {
	perLoop := int64(len(l.sample.Packets))
	for ; ; g.next++ {
		late := now - delay - l.due(g.next)
		if late < 0 {
			return
		}
		if len(g.members) == 0 {
			continue
		}
		l.latestOfTick = max(l.latestOfTick, late)
		if int64(late) > l.latest.Load() {
			l.latest.Store(int64(late))
		}
		round, at := g.next/perLoop, g.next%perLoop
		p := &l.sample.Packets[at]
		sequence := uint16(round*l.inLoop[p.Kind] + l.ordinal[at])
		timestamp := uint32(int64(l.due(g.next)) / int64(time.Millisecond) * p.Kind.ClockRate() / 1000)
		length := rtpHeaderBytes + copy(l.plain[rtpHeaderBytes:], p.Payload)
		l.plain[0] = 2 << 6
		binary.BigEndian.PutUint16(l.plain[2:], sequence)
		binary.BigEndian.PutUint32(l.plain[4:], timestamp)
		for i := range g.members {
			l.sendTo(&g.members[i], p, length)
		}
	}
}

func (l *Loop) sendTo(m *member, p *media.Packet, length int) {
	payloadType := m.PayloadType[p.Kind]
	if payloadType == 0 {
		return
	}
	if to := m.To.Load(); to != m.to {
		m.to, m.raw = to, address(to.Address)
	}
	if p.Marker {
		payloadType |= markerBit
	}
	l.plain[1] = payloadType
	binary.BigEndian.PutUint32(l.plain[8:], m.Stream.SSRC[p.Kind])
	sealed, err := m.Keys.EncryptRTP(l.batch.buffer(), l.plain[:length], &l.header)
	if err != nil {
		l.sealErrors++
		return
	}
	l.batch.add(len(sealed), m.raw)
}
