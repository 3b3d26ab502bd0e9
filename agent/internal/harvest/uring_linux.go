package harvest

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"fullhouse/agent/internal/steady"
)

const (
	// The ring counts as locked memory, of which a plain user may have as little as 64 KB.
	ringEntries     = 32
	ringCompletions = 1024
	// ringBuffers hold what comes within a beat; when they are all full, the rest waits in the sockets.
	ringBuffers    = 1024
	ringBufferSize = 2048
	// ringBeat is where it costs least.
	ringBeat = 5 * time.Millisecond
	// ringMost sockets are read at a time. Whoever then finds no buffer must be armed anew, which costs as much as a read, so that a
	// reader who fell behind would stay behind. So after a want of buffers only ringFew are read at a time, for a while: there
	// are buffers for several datagrams of each then.
	ringMost  = ringBuffers * 3 / 4
	ringFew   = ringBuffers / 8
	careTurns = 1000
	// cancelling marks the completion of a cancel, which says nothing.
	cancelling = 1 << 63
)

// receive is what the kernel holds for a slot.
type receive byte

const (
	none receive = iota
	armed
	cancelled // its end is still to come
)

// receivedHeader is struct io_uring_recvmsg_out, which precedes sender, control data and datagram in a buffer.
type receivedHeader struct {
	nameLength, controlLength, payloadLength, flags uint32
}

const (
	headerSize = int(unsafe.Sizeof(receivedHeader{}))
	nameSize   = unix.SizeofSockaddrInet6
	payloadAt  = headerSize + nameSize + controlSize
)

// uringLoop lets the kernel put the datagrams of all sockets into one ring of buffers (multishot receive, Linux 6.1): a beat costs
// one call however many sockets have something, instead of one for each of them and one to ask which.
type uringLoop struct {
	beating
	ring    *ring
	stamps  steady.Stamps // only the thread touches it
	pattern *unix.Msghdr  // how much room sender and control data get; read when an operation is submitted

	// The beat's mutex guards these.
	slots   []*udpSocket // by slot, nil when free or closed
	free    []uint32
	joining []*udpSocket
	leaving []uint32

	// Only the thread touches these.
	receives  []receive // by slot
	completed []completion
	owners    []*udpSocket
	care      int // turns in which few are read at a time
}

func newUring() (Loop, error) {
	l := &uringLoop{pattern: &unix.Msghdr{Namelen: nameSize}}
	l.pattern.SetControllen(controlSize)
	made := make(chan error)
	first := true
	l.begin(ringBeat, func(beat time.Duration) {
		switch {
		case first: // the ring belongs to the thread that makes it
			first = false
			var err error
			l.ring, err = newRing(ringEntries, ringCompletions, ringBuffers, ringBufferSize)
			made <- err
		case l.ring != nil:
			l.turn(beat)
		}
	})
	l.occupy(1) // the thread has the ring to make
	err := <-made
	if err == nil {
		err = l.try()
	}
	l.occupy(-1)
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

func (l *uringLoop) occupy(change int) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.busy += change
	l.filled.Signal()
}

// probe takes the datagram of try.
type probe chan string

func (p probe) Datagram(data []byte, _ netip.AddrPort, _ int64) { p <- string(data) }
func (p probe) Overflow(uint32)                                 {}
func (p probe) SocketError(err error)                           { p <- err.Error() }

// tryPatience is long for a datagram to ourselves, and short for a start.
const tryPatience = 2 * time.Second

// try receives one datagram, because kernels differ in what of io_uring they have, and rules in what they allow.
func (l *uringLoop) try() error {
	came := make(probe, 4)
	socket, err := l.Open(false, came)
	if err != nil {
		return err
	}
	defer socket.Close()
	to := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), socket.Port())
	const text = "does io_uring work here?"
	if err := socket.SendTo([]byte(text), to); err != nil {
		return err
	}
	select {
	case got := <-came:
		if got != text {
			return fmt.Errorf("io_uring receives something else: %.40s", got)
		}
		return nil
	case <-time.After(tryPatience):
		return errors.New("io_uring receives nothing")
	}
}

func (l *uringLoop) Reader() Reader { return IOUring }

func (l *uringLoop) Close() error {
	l.end()
	if l.ring == nil {
		return nil
	}
	return l.ring.close()
}

func (l *uringLoop) Open(ipv6 bool, handler Handler) (Socket, error) {
	return l.admit(ipv6, handler, l.part, func(s *udpSocket) error {
		if last := len(l.free) - 1; last >= 0 {
			s.slot, l.free = l.free[last], l.free[:last]
		} else {
			s.slot = uint32(len(l.slots))
			l.slots = append(l.slots, nil)
		}
		l.slots[s.slot] = s
		l.joining = append(l.joining, s)
		return nil
	})
}

// part lets the thread end the kernel's receive; until that is done the slot stays taken and the thread awake.
func (l *uringLoop) part(s *udpSocket) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.slots[s.slot] = nil
	l.leaving = append(l.leaving, s.slot)
}

func (l *uringLoop) turn(beat time.Duration) {
	l.arrange()
	most := ringMost
	if l.care > 0 {
		l.care--
		most = ringFew
	}
	l.completed = l.ring.collect(most, beat, l.completed[:0])
	l.stamps.Look()
	l.identify()
	for i, one := range l.completed {
		if socket := l.owners[i]; socket != nil {
			l.deliver(socket, one)
		}
		if id, filled := one.buffer(); filled {
			l.ring.giveBack(id)
		}
	}
	l.ring.publish()
	for _, one := range l.completed {
		if one.last() {
			l.ended(uint32(one.userData))
		}
	}
}

// arrange takes in those who joined and cancels the receives of those who left.
func (l *uringLoop) arrange() {
	l.mutex.Lock()
	joining, leaving := l.joining, l.leaving
	l.joining, l.leaving = nil, nil
	for len(l.receives) < len(l.slots) {
		l.receives = append(l.receives, none)
	}
	l.mutex.Unlock()
	for _, socket := range joining {
		l.arm(socket)
	}
	for _, slot := range leaving {
		if l.receives[slot] == none {
			l.release(slot)
			continue
		}
		l.receives[slot] = cancelled
		if err := l.ring.submit(submission{operation: opAsyncCancel, descriptor: -1, address: uint64(slot), userData: cancelling}); err != nil {
			l.mutex.Lock()
			l.leaving = append(l.leaving, slot) // tried again at the next beat
			l.mutex.Unlock()
		}
	}
}

// arm gives the kernel a receive that lasts until it is cancelled.
func (l *uringLoop) arm(s *udpSocket) {
	s.reading.Lock()
	defer s.reading.Unlock()
	if s.descriptor < 0 {
		return
	}
	err := l.ring.submit(submission{operation: opRecvMsg, flags: flagBufferSelect, ioPriority: recvMultishot, descriptor: int32(s.descriptor),
		address: uint64(uintptr(unsafe.Pointer(l.pattern))), length: 1, userData: uint64(s.slot)})
	if err != nil {
		l.mutex.Lock()
		l.joining = append(l.joining, s) // tried again at the next beat
		l.mutex.Unlock()
		return
	}
	l.receives[s.slot] = armed
}

func (l *uringLoop) release(slot uint32) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.free = append(l.free, slot)
	l.busy--
}

// identify finds the sockets of what was completed; the ends of cancels say nothing and are dropped.
func (l *uringLoop) identify() {
	l.completed = slices.DeleteFunc(l.completed, func(one completion) bool { return one.userData == cancelling })
	l.owners = l.owners[:0]
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, one := range l.completed {
		l.owners = append(l.owners, l.slots[one.userData])
	}
}

// deliver hands on what came for a socket, a datagram or an error.
func (l *uringLoop) deliver(s *udpSocket, one completion) {
	s.reading.Lock()
	defer s.reading.Unlock()
	if s.descriptor < 0 {
		return
	}
	id, filled := one.buffer()
	switch {
	case filled && int(one.result) >= payloadAt:
		content := l.ring.content(id, int(one.result))
		header := (*receivedHeader)(unsafe.Pointer(&content[0]))
		control := content[headerSize+nameSize:][:min(int(header.controlLength), controlSize)]
		s.receive(content[payloadAt:], control, (*unix.RawSockaddrInet6)(unsafe.Pointer(&content[headerSize])), &l.stamps)
	case one.result < 0 && one.last():
		switch number := unix.Errno(-one.result); number {
		case unix.ENOBUFS: // no fault of the network
			l.care = careTurns
		case unix.ECANCELED:
		default:
			s.handler.SocketError(number)
		}
	}
}

// ended follows the end of a receive: the socket was closed, or the kernel gave up for a reason that passes.
func (l *uringLoop) ended(slot uint32) {
	before := l.receives[slot]
	l.receives[slot] = none
	l.mutex.Lock()
	socket := l.slots[slot]
	l.mutex.Unlock()
	switch {
	case before == cancelled:
		l.release(slot)
	case socket != nil:
		l.arm(socket)
	}
}
