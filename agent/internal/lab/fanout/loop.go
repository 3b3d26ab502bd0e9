package fanout

import (
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pion/rtp"

	"fullhouse/agent/internal/lab/udp"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/timerwheel"
)

// The loop ticks ticksPerPeriod times per tickPeriod. The period very nearly divides a 40 ms frame and a 60 ms Opus
// packet, so that the tick adds almost no jitter. It is longer by 1/2000, because hosts account CPU time by sampling
// the running process at each clock tick of 4 (or 1) ms: a tick with a fixed phase would be counted always or never.
// This one drifts through all phases once a second.
const (
	tickPeriod     = 20*time.Millisecond + 10*time.Microsecond
	ticksPerPeriod = 7
)

const (
	// wheelSlots are 4 s: longer than any delay.
	wheelSlots = 4096
	// maxHeld bounds the held packets of all viewers: a thousand viewers with a second of delay, and some.
	maxHeld = 1 << 17
)

// Loop is the one sender to the viewers of all streams: a locked thread on an absolute schedule. Sending media
// allocates nothing, so a thousand viewers hardly trigger garbage collection.
type Loop struct {
	batch      *udp.Batch
	header     rtp.Header // scratch for EncryptRTP
	sealErrors uint64
	viewers    []*Viewer
	startTime  time.Time
	held       timerwheel.Wheel[delayedPacket]

	mutex   sync.Mutex
	pending []command
	spare   []command
	closed  bool
	wake    chan struct{}
	done    chan struct{}

	packets, bytes, errors atomic.Uint64
}

// command is a request to the loop; requests are handled in order.
type command struct {
	kind     commandKind
	viewer   *Viewer
	media    media.Kind
	sequence uint16
	mask     uint16
}

type commandKind uint8

const (
	commandAdd commandKind = iota
	commandRemove
	commandResend
)

// Start starts the loop that sends from the socket.
func Start(socket *net.UDPConn) (*Loop, error) {
	l := newLoop()
	var err error
	if l.batch, err = udp.NewBatch(socket); err != nil {
		return nil, err
	}
	go l.run()
	return l, nil
}

func newLoop() *Loop {
	return &Loop{startTime: time.Now(), held: timerwheel.New[delayedPacket](wheelSlots, maxHeld), wake: make(chan struct{}, 1), done: make(chan struct{})}
}

// Add starts sending to the viewer.
func (l *Loop) Add(v *Viewer) { l.enqueue(command{kind: commandAdd, viewer: v}) }

// Remove stops it. Packets may still be sent within the current tick.
func (l *Loop) Remove(v *Viewer) { l.enqueue(command{kind: commandRemove, viewer: v}) }

// Resend retransmits the packets of a NACK: the sequence number and those after it in the mask.
func (l *Loop) Resend(v *Viewer, kind media.Kind, sequence, mask uint16) {
	l.enqueue(command{kind: commandResend, viewer: v, media: kind, sequence: sequence, mask: mask})
}

func (l *Loop) enqueue(o command) {
	l.mutex.Lock()
	l.pending = append(l.pending, o)
	l.mutex.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Totals of all that was sent.
func (l *Loop) Totals() udp.Totals {
	return udp.Totals{Packets: l.packets.Load(), Bytes: l.bytes.Load(), Errors: l.errors.Load()}
}

// Close ends the loop and waits for it.
func (l *Loop) Close() {
	l.mutex.Lock()
	l.closed = true
	l.mutex.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
	<-l.done
}

func (l *Loop) run() {
	defer close(l.done)
	runtime.LockOSThread() // and never unlocked: the thread ends with the loop, and so does its priority
	raisePriority()
	start, ticks := time.Now(), time.Duration(0)
	for {
		if !l.runCommands() {
			return
		}
		if len(l.viewers) == 0 {
			<-l.wake
			start, ticks = time.Now(), 0
			continue
		}
		l.tick()
		ticks++
		next := start.Add(ticks * tickPeriod / ticksPerPeriod)
		if now := time.Now(); next.Before(now) {
			// Late by a whole tick: send what is due now, and continue the schedule from here.
			start, ticks = now, 0
			continue
		}
		sleepUntil(next)
	}
}

// runCommands applies the pending commands; false when the loop is to end.
func (l *Loop) runCommands() bool {
	l.mutex.Lock()
	commands, closed := l.pending, l.closed
	l.pending, l.spare = l.spare[:0], commands
	l.mutex.Unlock()
	if closed {
		return false
	}
	for i := range commands {
		o := &commands[i]
		switch v := o.viewer; o.kind {
		case commandAdd:
			l.add(v)
		case commandRemove:
			l.remove(v)
		case commandResend:
			l.resend(v, o)
		}
		o.viewer = nil
	}
	return true
}

func (l *Loop) add(v *Viewer) {
	s := v.Stream
	v.index, v.present = len(l.viewers), true
	s.playing.Add(1)
	l.viewers = append(l.viewers, v)
	s.mutex.Lock()
	v.number = s.arrivals
	s.arrivals++
	now := s.clock()
	if s.sample != nil {
		s.fillSample(now)
	}
	v.start(now)
	s.mutex.Unlock()
	if v.waiting {
		s.WantKeyframe()
	}
}

func (l *Loop) remove(v *Viewer) {
	if !v.present {
		return
	}
	last := len(l.viewers) - 1
	l.viewers[v.index] = l.viewers[last]
	l.viewers[v.index].index = v.index
	l.viewers[last], l.viewers = nil, l.viewers[:last]
	v.present = false
	v.Stream.playing.Add(-1)
}

func (l *Loop) resend(v *Viewer, o *command) {
	s := v.Stream
	c := s.Conditions()
	// An overloaded stream has no capacity for retransmissions.
	if !v.present || c.NoRepair || c.Ceiling.Overloaded(int(s.playing.Load())) {
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	now := s.clock()
	if now < s.pausedUntil.Load() {
		return // nothing passes; the viewer requests again
	}
	for offset := uint16(0); offset <= 16; offset++ {
		if offset > 0 && o.mask>>(offset-1)&1 == 0 {
			continue
		}
		// Only what this viewer got before: its keys start with its first packet.
		position, found := s.find(o.media, o.sequence+offset)
		if found && position >= v.first && position < v.cursor {
			l.sendPacket(v, position, now, true)
		}
	}
}

// tick sends what is due now to all viewers.
func (l *Loop) tick() {
	if l.held.Count() > 0 {
		l.release()
	}
	var last *Stream
	var now, paused int64
	for _, v := range l.viewers {
		s := v.Stream
		if s != last { // viewers of a stream are mostly adjacent, and reading the clock costs more than the rest
			last, now, paused = s, s.clock(), s.pausedUntil.Load()
			s.stalled = s.Conditions().Ceiling.Stalled(int(s.playing.Load()), now)
		}
		if v.nextDue > now || paused > now {
			continue
		}
		s.mutex.Lock()
		if s.sample != nil {
			s.fillSample(now)
		}
		l.send(v, now)
		if now >= v.nextReport && v.hasSent() {
			l.report(v, now)
		}
		s.mutex.Unlock()
	}
	l.batch.Flush()
	totals := l.batch.Totals()
	l.packets.Store(totals.Packets)
	l.bytes.Store(totals.Bytes)
	l.errors.Store(totals.Errors + l.sealErrors)
}

// clock is the loop's own, for held packets: nanoseconds since it was made.
func (l *Loop) clock() int64 { return int64(time.Since(l.startTime)) }
