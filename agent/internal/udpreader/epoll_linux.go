package udpreader

import (
	"fmt"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/readerthread"
)

const (
	// epollTick is where reading a thousand sockets costs least: at longer ticks, received data has left the CPU
	// caches.
	epollTick  = 2 * time.Millisecond
	batchSize  = 8
	eventsSize = 512
	// A socket that is never empty must not starve the others.
	maxBatchesPerTurn = 8
)

// message is the kernel's struct mmsghdr.
type message struct {
	header unix.Msghdr
	length uint32
}

// epollLoop queries which sockets are readable, and then reads each of them.
type epollLoop struct {
	ticker
	epoll   int
	sockets []*udpSocket // by descriptor; guarded by the ticker's mutex

	events  []unix.EpollEvent
	ready   []*udpSocket // to be read; used by the thread only
	batches *batches
}

func newEpoll() (Loop, error) {
	epoll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("epoll: %w", err)
	}
	l := &epollLoop{epoll: epoll, events: make([]unix.EpollEvent, eventsSize), batches: newBatches()}
	l.start(epollTick, l.turn)
	return l, nil
}

func (l *epollLoop) Reader() Reader { return Epoll }

func (l *epollLoop) Close() error {
	l.Stop()
	return unix.Close(l.epoll)
}

func (l *epollLoop) Open(ipv6 bool, handler Handler) (Socket, error) {
	return l.addSocket(ipv6, handler, l.detach, func(s *udpSocket) error {
		// Edge-triggered: level-triggered, the kernel would check each socket once more after it was drained.
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

// detach removes a socket; once closed, it leaves the epoll set by itself.
func (l *epollLoop) detach(s *udpSocket) {
	l.Mutex.Lock()
	defer l.Mutex.Unlock()
	l.sockets[s.descriptor] = nil
	l.Occupy(-1)
}

func (l *epollLoop) turn(tick time.Duration) {
	readerthread.Sleep(tick)
	for full := true; full; {
		n := readerthread.ReadyNow(l.epoll, l.events)
		full = n == len(l.events)
		l.find(l.events[:n])
		l.ready = l.batches.drainAll(l.ready)
	}
}

// find adds the sockets of events to those to be read.
func (l *epollLoop) find(events []unix.EpollEvent) {
	l.Mutex.Lock()
	defer l.Mutex.Unlock()
	for _, event := range events {
		if socket := l.sockets[event.Fd]; socket != nil {
			l.ready = append(l.ready, socket)
		}
	}
}

// batches contains the buffers of one read.
type batches struct {
	messages [batchSize]message
	vectors  [batchSize]unix.Iovec
	data     [batchSize][maxDatagram]byte
	control  [batchSize][monotonic.ControlSize]byte
	senders  [batchSize]unix.RawSockaddrInet6 // the larger of the two families
	stamps   monotonic.Stamps
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

// drainAll reads the sockets and returns those that are not empty yet: edge-triggered, they are not reported again.
func (b *batches) drainAll(list []*udpSocket) (unfinished []*udpSocket) {
	b.stamps.Sync()
	unfinished = list[:0]
	for _, socket := range list {
		if !b.drain(socket) {
			unfinished = append(unfinished, socket)
		}
	}
	clear(list[len(unfinished):])
	return unfinished
}

// drain reads what a socket holds, false when it may hold more. The socket stays locked against Close meanwhile,
// because its descriptor may be reused at once.
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
			header.SetControllen(monotonic.ControlSize)
			// The kernel need not write a known sender.
			if header.Name, header.Namelen = nil, 0; !connected {
				header.Name, header.Namelen = (*byte)(unsafe.Pointer(&b.senders[i])), unix.SizeofSockaddrInet6
			}
		}
		// The raw syscall bypasses the scheduler: with MSG_DONTWAIT it never blocks.
		n, _, number := unix.RawSyscall6(unix.SYS_RECVMMSG, uintptr(s.descriptor), uintptr(unsafe.Pointer(&b.messages[0])), batchSize, unix.MSG_DONTWAIT, 0, 0)
		if number == unix.EAGAIN {
			return true
		}
		if number != 0 {
			s.handler.SocketError(number) // the error is cleared by reading it; datagrams may follow
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
