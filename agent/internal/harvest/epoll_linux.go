package harvest

import (
	"errors"
	"fmt"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"fullhouse/agent/internal/steady"
)

const (
	// epollBeat is where reading a thousand sockets costs least: longer, what was received has left the processor's caches.
	epollBeat   = 2 * time.Millisecond
	batchSize   = 8
	controlSize = 64
	eventsSize  = 512
	// A socket that is never empty must not starve the others.
	maxBatchesPerTurn = 8
)

// message is the kernel's struct mmsghdr.
type message struct {
	header unix.Msghdr
	length uint32
}

// epollLoop asks which sockets have something, and then reads each of them.
type epollLoop struct {
	beating
	epoll   int
	sockets []*udpSocket // by descriptor; the beat's mutex guards it

	events  []unix.EpollEvent
	ready   []*udpSocket // to be read; only the thread touches it
	batches *batches
}

func newEpoll() (Loop, error) {
	epoll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("epoll: %w", err)
	}
	l := &epollLoop{epoll: epoll, events: make([]unix.EpollEvent, eventsSize), batches: newBatches()}
	l.begin(epollBeat, l.turn)
	return l, nil
}

func (l *epollLoop) Reader() Reader { return Epoll }

func (l *epollLoop) Close() error {
	l.end()
	return unix.Close(l.epoll)
}

func (l *epollLoop) Open(ipv6 bool, handler Handler) (Socket, error) {
	return l.admit(ipv6, handler, l.part, func(s *udpSocket) error {
		// Edge-triggered, since level-triggered the kernel would look at each socket once more after it was emptied.
		event := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLET, Fd: int32(s.descriptor)}
		if err := unix.EpollCtl(l.epoll, unix.EPOLL_CTL_ADD, s.descriptor, &event); err != nil {
			return fmt.Errorf("epoll: %w", err)
		}
		for len(l.sockets) <= s.descriptor {
			l.sockets = append(l.sockets, nil)
		}
		l.sockets[s.descriptor] = s
		return nil
	})
}

// part forgets a socket; closed, it leaves the epoll set by itself.
func (l *epollLoop) part(s *udpSocket) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.sockets[s.descriptor] = nil
	l.busy--
}

func (l *epollLoop) turn(beat time.Duration) {
	pause := unix.NsecToTimespec(int64(beat))
	_, _, _ = unix.RawSyscall(unix.SYS_NANOSLEEP, uintptr(unsafe.Pointer(&pause)), 0, 0) // a signal only makes it shorter
	for full := true; full; {
		n, err := unix.EpollWait(l.epoll, l.events, 0)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		full = n == len(l.events)
		l.find(l.events[:max(n, 0)])
		l.ready = l.batches.drainAll(l.ready)
	}
}

// find adds the sockets of events to those that are to be read.
func (l *epollLoop) find(events []unix.EpollEvent) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, event := range events {
		if socket := l.sockets[event.Fd]; socket != nil {
			l.ready = append(l.ready, socket)
		}
	}
}

// batches has the buffers of one read.
type batches struct {
	messages [batchSize]message
	vectors  [batchSize]unix.Iovec
	data     [batchSize][maxDatagram]byte
	control  [batchSize][controlSize]byte
	senders  [batchSize]unix.RawSockaddrInet6 // the larger of the two that can come
	stamps   steady.Stamps
}

func newBatches() *batches {
	b := &batches{}
	for i := range b.messages {
		b.vectors[i].Base = &b.data[i][0]
		b.vectors[i].SetLen(maxDatagram)
		b.messages[i].header.Iov = &b.vectors[i]
		b.messages[i].header.SetIovlen(1)
		b.messages[i].header.Control = &b.control[i][0]
	}
	return b
}

// drainAll reads the sockets and returns those that hold still more: as they are watched for changes only, nobody else will tell.
func (b *batches) drainAll(list []*udpSocket) (unfinished []*udpSocket) {
	b.stamps.Look()
	unfinished = list[:0]
	for _, socket := range list {
		if !b.drain(socket) {
			unfinished = append(unfinished, socket)
		}
	}
	clear(list[len(unfinished):])
	return unfinished
}

// drain reads what a socket holds, false when it may hold more. The socket stays locked against Close meanwhile, because its
// descriptor's number may be given to another file at once.
func (b *batches) drain(s *udpSocket) (empty bool) {
	s.reading.Lock()
	defer s.reading.Unlock()
	for range maxBatchesPerTurn {
		if s.descriptor < 0 {
			return true
		}
		connected := s.peer.Load() != nil
		for i := range b.messages {
			header := &b.messages[i].header
			header.SetControllen(controlSize)
			// The kernel need not write a sender that is known.
			if header.Name, header.Namelen = nil, 0; !connected {
				header.Name, header.Namelen = (*byte)(unsafe.Pointer(&b.senders[i])), unix.SizeofSockaddrInet6
			}
		}
		// The raw call does not tell the scheduler: with MSG_DONTWAIT it never blocks.
		n, _, number := unix.RawSyscall6(unix.SYS_RECVMMSG, uintptr(s.descriptor), uintptr(unsafe.Pointer(&b.messages[0])), batchSize, unix.MSG_DONTWAIT, 0, 0)
		if number == unix.EAGAIN {
			return true
		}
		if number != 0 {
			s.handler.SocketError(number) // reading it has cleared it; datagrams may wait behind it
			continue
		}
		for i := range int(n) {
			if m := &b.messages[i]; connected || m.header.Namelen > 0 {
				s.receive(b.data[i][:m.length], b.control[i][:m.header.Controllen], &b.senders[i], &b.stamps)
			}
		}
		if n < batchSize {
			return true
		}
	}
	return false
}
