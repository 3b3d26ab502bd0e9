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
)

// The loop beats beatsPerPeriod times per beatPeriod. The period very nearly divides a 40 ms frame and a 60 ms Opus
// packet, so that the beat adds almost no jitter of its own. It is longer by a two-thousandth, because hosts count
// their CPU time by looking, at each clock tick of 4 (or 1) ms, who is at work: a beat that keeps its place between
// the ticks is then seen always or never. This one wanders through all places once a second.
const (
	beatPeriod     = 20*time.Millisecond + 10*time.Microsecond
	beatsPerPeriod = 7
)

// Loop is the one sender of all streams' viewers: a locked thread on an absolute schedule. Its steady state
// allocates nothing, so a thousand viewers don't call the garbage collector.
type Loop struct {
	batch      *udp.Batch
	header     rtp.Header // scratch for EncryptRTP
	sealErrors uint64
	viewers    []*Viewer
	began      time.Time
	held       wheel

	mutex   sync.Mutex
	pending []order
	spare   []order
	closed  bool
	wake    chan struct{}
	done    chan struct{}

	packets, bytes, errors atomic.Uint64
}

// order is what others ask of the loop, in the order of their asking.
type order struct {
	kind     orderKind
	viewer   *Viewer
	media    media.Kind
	sequence uint16
	mask     uint16
}

type orderKind uint8

const (
	orderAdd orderKind = iota
	orderRemove
	orderResend
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
	return &Loop{began: time.Now(), wake: make(chan struct{}, 1), done: make(chan struct{})}
}

// Add begins to send to the viewer.
func (l *Loop) Add(v *Viewer) { l.ask(order{kind: orderAdd, viewer: v}) }

// Remove ends it. Packets may still leave within the tick under way.
func (l *Loop) Remove(v *Viewer) { l.ask(order{kind: orderRemove, viewer: v}) }

// Resend sends packets again that a NACK names: the sequence number and those that follow it by the mask's bits.
func (l *Loop) Resend(v *Viewer, kind media.Kind, sequence, mask uint16) {
	l.ask(order{kind: orderResend, viewer: v, media: kind, sequence: sequence, mask: mask})
}

func (l *Loop) ask(o order) {
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
	runtime.LockOSThread() // and never unlocked: the thread ends with the loop, and its precedence with it
	takePrecedence()
	start, beats := time.Now(), time.Duration(0)
	for {
		if !l.obey() {
			return
		}
		if len(l.viewers) == 0 {
			<-l.wake
			start, beats = time.Now(), 0
			continue
		}
		l.beat()
		beats++
		next := start.Add(beats * beatPeriod / beatsPerPeriod)
		if now := time.Now(); next.Before(now) {
			// Late by a whole beat: what is due goes now, and the schedule goes on from here.
			start, beats = now, 0
			continue
		}
		sleepUntil(next)
	}
}

// obey takes the pending orders; false when the loop is to end.
func (l *Loop) obey() bool {
	l.mutex.Lock()
	orders, closed := l.pending, l.closed
	l.pending, l.spare = l.spare[:0], orders
	l.mutex.Unlock()
	if closed {
		return false
	}
	for i := range orders {
		o := &orders[i]
		switch v := o.viewer; o.kind {
		case orderAdd:
			l.add(v)
		case orderRemove:
			l.remove(v)
		case orderResend:
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

func (l *Loop) resend(v *Viewer, o *order) {
	s := v.Stream
	c := s.Conditions()
	// Who can't send what is due has nothing left for what is asked for again.
	if !v.present || c.NoRepair || c.Ceiling.Overloaded(int(s.playing.Load())) {
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	now := s.clock()
	if now < s.pausedUntil.Load() {
		return // nothing goes through; the viewer asks again
	}
	for offset := uint16(0); offset <= 16; offset++ {
		if offset > 0 && o.mask>>(offset-1)&1 == 0 {
			continue
		}
		// Only what this viewer got before: its keys count from its first packet on.
		position, found := s.find(o.media, o.sequence+offset)
		if found && position >= v.first && position < v.cursor {
			l.sendPacket(v, position, now, true)
		}
	}
}

// beat sends what is due now to everybody.
func (l *Loop) beat() {
	if l.held.count > 0 {
		l.release()
	}
	var last *Stream
	var now, paused int64
	for _, v := range l.viewers {
		s := v.Stream
		if s != last { // viewers of a stream mostly follow each other, and reading the clock costs more than the rest
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
		if now >= v.nextReport {
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

// clock is the loop's own, for what it holds back: nanoseconds since it was made.
func (l *Loop) clock() int64 { return int64(time.Since(l.began)) }
