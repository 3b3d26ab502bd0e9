package udpreader

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"fullhouse/agent/internal/monotonic"
)

const (
	// The ring counts as locked memory, of which an ordinary user may have as little as 64 KB.
	ringEntries     = 32
	ringCompletions = 1024
	// ringBuffers contain what arrives within a tick; when all are full, the rest waits in the sockets.
	ringBuffers    = 1024
	ringBufferSize = 2048
	// ringTick is where it costs least.
	ringTick = 5 * time.Millisecond
	// ringMost sockets are read at a time. A socket that then finds no buffer must be armed again, which costs as much
	// as a read, so a reader that fell behind would stay behind. So after a shortage only ringFew are read at a time,
	// for a while: then each has several buffers.
	ringMost    = ringBuffers * 3 / 4
	ringFew     = ringBuffers / 8
	cautiousFor = 1000
	// cancelling marks the completion of a cancel, which contains nothing.
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
	payloadAt  = headerSize + nameSize + monotonic.ControlSize
)

// uringLoop lets the kernel put the datagrams of all sockets into one ring of buffers (multishot receive, Linux 6.1). A
// tick costs one call however many sockets are readable, instead of one for each of them and one to find them.
type uringLoop struct {
	ticker
	ring    *ring
	stamps  monotonic.Stamps // used by the thread only
	pattern *unix.Msghdr     // the room for sender and control data; read when an operation is submitted

	// Guarded by the ticker's mutex.
	slots   []*udpSocket // by slot, nil when free or closed
	free    []uint32
	joining []*udpSocket
	leaving []uint32

	// Used by the thread only.
	receives      []receive // by slot
	completed     []completion
	owners        []*udpSocket
	cautiousTurns int // turns in which few are read at a time
}

func newUring() (Loop, error) {
	l := &uringLoop{pattern: &unix.Msghdr{Namelen: nameSize}}
	l.pattern.SetControllen(monotonic.ControlSize)
	created := make(chan error)
	first := true
	l.start(ringTick, func(tick time.Duration) {
		switch {
		case first: // the ring belongs to the thread that makes it
			first = false
			var err error
			l.ring, err = newRing(ringEntries, ringCompletions, ringBuffers, ringBufferSize)
			created <- err
		case l.ring != nil:
			l.turn(tick)
		}
	})
	l.occupy(1) // the thread has the ring to make
	err := <-created
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
	l.Mutex.Lock()
	defer l.Mutex.Unlock()
	l.Occupy(change)
}

// probe takes the datagram of try.
type probe chan string

func (p probe) Datagram(data []byte, _ netip.AddrPort, _ int64) { p <- string(data) }
func (p probe) Overflow(uint32)                                 {}
func (p probe) SocketError(err error)                           { p <- err.Error() }

// tryTimeout is long for a loopback datagram, and short for a start.
const tryTimeout = 2 * time.Second

// try receives one datagram: kernels differ in their io_uring support, and security rules may forbid it.
func (l *uringLoop) try() error {
	probed := make(probe, 4)
	socket, err := l.Open(false, probed)
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
	case got := <-probed:
		if got != text {
			return fmt.Errorf("io_uring received something else: %.40s", got)
		}
		return nil
	case <-time.After(tryTimeout):
		return errors.New("io_uring received nothing")
	}
}

func (l *uringLoop) Reader() Reader { return IOUring }

func (l *uringLoop) Close() error {
	l.Stop()
	if l.ring == nil {
		return nil
	}
	return l.ring.close()
}

func (l *uringLoop) Open(ipv6 bool, handler Handler) (Socket, error) {
	return l.addSocket(ipv6, handler, l.detach, func(s *udpSocket) error {
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

// detach lets the thread end the kernel's receive; until that is done the slot stays taken and the thread awake.
func (l *uringLoop) detach(s *udpSocket) {
	l.Mutex.Lock()
	defer l.Mutex.Unlock()
	l.slots[s.slot] = nil
	l.leaving = append(l.leaving, s.slot)
}

func (l *uringLoop) turn(tick time.Duration) {
	l.arrange()
	maximum := ringMost
	if l.cautiousTurns > 0 {
		l.cautiousTurns--
		maximum = ringFew
	}
	l.completed = l.ring.collect(maximum, tick, l.completed[:0])
	l.stamps.Sync()
	l.identify()
	for i, one := range l.completed {
		if socket := l.owners[i]; socket != nil {
			l.deliver(socket, one)
		}
		if id, filled := one.buffer(); filled {
			l.ring.recycle(id)
		}
	}
	l.ring.publish()
	for _, one := range l.completed {
		if one.last() {
			l.ended(uint32(one.userData))
		}
	}
}

// arrange adds the sockets that joined and cancels the receives of those that left.
func (l *uringLoop) arrange() {
	l.Mutex.Lock()
	joining, leaving := l.joining, l.leaving
	l.joining, l.leaving = nil, nil
	for len(l.receives) < len(l.slots) {
		l.receives = append(l.receives, none)
	}
	l.Mutex.Unlock()
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
			l.Mutex.Lock()
			l.leaving = append(l.leaving, slot) // tried again at the next tick
			l.Mutex.Unlock()
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
		l.Mutex.Lock()
		l.joining = append(l.joining, s) // tried again at the next tick
		l.Mutex.Unlock()
		return
	}
	l.receives[s.slot] = armed
}

func (l *uringLoop) release(slot uint32) {
	l.Mutex.Lock()
	defer l.Mutex.Unlock()
	l.free = append(l.free, slot)
	l.Occupy(-1)
}

// identify finds the sockets of the completions; the ends of cancels contain nothing and are dropped.
func (l *uringLoop) identify() {
	l.completed = slices.DeleteFunc(l.completed, func(one completion) bool { return one.userData == cancelling })
	l.owners = l.owners[:0]
	l.Mutex.Lock()
	defer l.Mutex.Unlock()
	for _, one := range l.completed {
		l.owners = append(l.owners, l.slots[one.userData])
	}
}

// deliver passes on what arrived for a socket, a datagram or an error.
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
		control := content[headerSize+nameSize:][:min(int(header.controlLength), monotonic.ControlSize)]
		s.receive(content[payloadAt:], control, (*unix.RawSockaddrInet6)(unsafe.Pointer(&content[headerSize])), &l.stamps)
	case one.result < 0 && one.last():
		switch number := unix.Errno(-one.result); number {
		case unix.ENOBUFS: // not caused by the network
			l.cautiousTurns = cautiousFor
		case unix.ECANCELED:
		default:
			s.handler.SocketError(number)
		}
	}
}

// ended handles the end of a receive: the socket was closed, or the kernel stopped for a temporary reason.
func (l *uringLoop) ended(slot uint32) {
	before := l.receives[slot]
	l.receives[slot] = none
	l.Mutex.Lock()
	socket := l.slots[slot]
	l.Mutex.Unlock()
	switch {
	case before == cancelled:
		l.release(slot)
	case socket != nil:
		l.arm(socket)
	}
}
