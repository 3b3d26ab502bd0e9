// Package shaper gives the viewers of a job a simulated network: it delays, drops and queues what they receive and send
// by the rules of package netshape. One thread and one timer wheel serve all viewers. A job without a network does not
// use it, and pays nothing.
package shaper

import (
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/timerwheel"
)

const (
	// wheelSlots is the range of the wheel in ms: longer than the longest delay, queue and jitter together.
	wheelSlots = 8192
	// maxHeld bounds the packets of all viewers that are on their way: a thousand viewers at 130 packets a second and a
	// delay of a second.
	maxHeld = 1 << 17
	// smallPacket and largePacket are the sizes of buffers.
	smallPacket = 256
	largePacket = 2048
	// maxFree is how many unused buffers of each size are kept.
	maxFree = 1 << 12
)

// held is a packet on its way.
type held struct {
	owner   owner
	data    []byte
	address netip.AddrPort // from or to
	at      int64
	err     error // of ended
	kind    kind
}

// kind is what is held.
type kind uint8

const (
	down   kind = iota // a packet to the viewer
	up                 // a packet from the viewer
	ended              // the end of a connection
	resume             // a connection may be read again
)

// owner is the socket of held packets.
type owner interface {
	// release passes on a packet that is due.
	release(p *held)
}

// Shaper holds the packets of all jobs.
type Shaper struct {
	mutex  sync.Mutex
	wheel  timerwheel.Wheel[held]
	small  [][]byte
	large  [][]byte
	filled *sync.Cond // signalled with the first packet, and at the end
	closed bool
	done   chan struct{}
	// released is the time until which all that was due has been released.
	released atomic.Int64
}

// New starts the thread; it sleeps while nothing is held.
func New() *Shaper {
	s := &Shaper{wheel: timerwheel.New[held](wheelSlots, maxHeld), done: make(chan struct{})}
	s.filled = sync.NewCond(&s.mutex)
	go s.run()
	return s
}

// Close releases all that is held at once, and stops the thread.
func (s *Shaper) Close() {
	s.mutex.Lock()
	s.closed = true
	s.filled.Signal()
	s.mutex.Unlock()
	<-s.done
}

// hold copies a packet and releases it at its time; false if too many are held.
func (s *Shaper) hold(p held) bool {
	now := monotonic.Nano()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.closed {
		return false
	}
	buffer := append(s.buffer(len(p.data)), p.data...)
	p.data = buffer
	if !s.wheel.Add(now, p.at, p) {
		s.recycle(buffer)
		return false
	}
	if s.wheel.Count() == 1 {
		s.filled.Signal()
	}
	return true
}

// buffer is called with the mutex held, like recycle.
func (s *Shaper) buffer(size int) []byte {
	free, capacity := &s.small, smallPacket
	if size > smallPacket {
		free, capacity = &s.large, max(largePacket, size)
	}
	if last := len(*free) - 1; last >= 0 && capacity <= largePacket {
		buffer := (*free)[last]
		*free = (*free)[:last]
		return buffer
	}
	return make([]byte, 0, capacity)
}

func (s *Shaper) recycle(buffer []byte) {
	switch cap(buffer) {
	case smallPacket:
		if len(s.small) < maxFree {
			s.small = append(s.small, buffer[:0])
		}
	case largePacket:
		if len(s.large) < maxFree {
			s.large = append(s.large, buffer[:0])
		}
	}
}

func (s *Shaper) run() {
	defer close(s.done)
	for {
		s.mutex.Lock()
		for s.wheel.Count() == 0 && !s.closed {
			s.filled.Wait()
		}
		closed := s.closed
		s.mutex.Unlock()
		now := monotonic.Nano()
		if closed {
			s.releaseUntil(now + wheelSlots*timerwheel.Slot)
			return
		}
		s.releaseUntil(now)
		// Not by a raw system call, as the readers sleep: two threads that bypass the scheduler and share a mutex delay each
		// other by tens of ms on a busy machine.
		time.Sleep(time.Duration(timerwheel.Slot - now%timerwheel.Slot))
	}
}

func (s *Shaper) releaseUntil(now int64) {
	var batch []held
	for {
		s.mutex.Lock()
		for i := range batch {
			s.recycle(batch[i].data)
			batch[i] = held{}
		}
		batch = s.wheel.Take(now)
		s.mutex.Unlock()
		if batch == nil {
			s.released.Store(now)
			return
		}
		for i := range batch {
			batch[i].owner.release(&batch[i])
		}
	}
}
