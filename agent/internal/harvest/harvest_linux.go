package harvest

import (
	"errors"
	"fmt"
	"net/netip"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
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

// Loop owns the thread that reads. Open and Close of sockets may come from anywhere.
type Loop struct {
	epoll   int
	quick   atomic.Int32
	mutex   sync.Mutex
	sockets map[int32]*Socket
	filled  *sync.Cond // signalled when the first socket comes, and at the end
	closed  bool
	done    chan struct{}
	thread  atomic.Int32
}

// New starts the reading thread.
func New() (*Loop, error) {
	epoll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("epoll: %w", err)
	}
	l := &Loop{epoll: epoll, sockets: map[int32]*Socket{}, done: make(chan struct{})}
	l.filled = sync.NewCond(&l.mutex)
	go l.run()
	return l, nil
}

// Close ends the thread; the sockets must have been closed before.
func (l *Loop) Close() error {
	l.mutex.Lock()
	l.closed = true
	l.filled.Signal()
	l.mutex.Unlock()
	<-l.done
	return unix.Close(l.epoll)
}

// Connecting tells that a handshake began (+1) or ended (-1).
func (l *Loop) Connecting(change int) { l.quick.Add(int32(change)) }

// Thread is the kernel's number of the reading thread, 0 until it runs.
func (l *Loop) Thread() int { return int(l.thread.Load()) }

// waitForSockets blocks while there is nothing to read; false means the end.
func (l *Loop) waitForSockets() bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for len(l.sockets) == 0 && !l.closed {
		l.filled.Wait()
	}
	return !l.closed
}

func (l *Loop) run() {
	defer close(l.done)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	l.thread.Store(int32(unix.Gettid()))
	events := make([]unix.EpollEvent, eventsSize)
	reader := newReader()
	ready := make([]*Socket, 0, eventsSize)
	for l.waitForSockets() {
		beat := Beat
		if l.quick.Load() > 0 {
			beat = quickBeat
		}
		pause := unix.NsecToTimespec(int64(beat))
		_ = unix.Nanosleep(&pause, nil) // a signal only makes this beat shorter
		for {
			n, err := unix.EpollWait(l.epoll, events, 0)
			if n <= 0 {
				if errors.Is(err, unix.EINTR) {
					continue
				}
				break
			}
			ready = ready[:0]
			l.mutex.Lock()
			for _, event := range events[:n] {
				if socket := l.sockets[event.Fd]; socket != nil {
					ready = append(ready, socket)
				}
			}
			l.mutex.Unlock()
			for _, socket := range ready {
				reader.drain(socket)
			}
			if n < len(events) {
				break
			}
		}
	}
}

// reader has the buffers of one batch.
type reader struct {
	messages [batchSize]message
	vectors  [batchSize]unix.Iovec
	data     [batchSize][maxDatagram]byte
	control  [batchSize][controlSize]byte
	senders  [batchSize]unix.RawSockaddrInet6 // the larger of the two that can come
}

func newReader() *reader {
	r := &reader{}
	for i := range r.messages {
		r.vectors[i].Base = &r.data[i][0]
		r.vectors[i].SetLen(maxDatagram)
		r.messages[i].header.Iov = &r.vectors[i]
		r.messages[i].header.SetIovlen(1)
		r.messages[i].header.Control = &r.control[i][0]
		r.messages[i].header.Name = (*byte)(unsafe.Pointer(&r.senders[i]))
	}
	return r
}

// drain reads what a socket holds. The socket stays locked against Close meanwhile, because its descriptor's
// number may be given to another file at once.
func (r *reader) drain(s *Socket) {
	s.reading.Lock()
	defer s.reading.Unlock()
	for range maxBatchesPerTurn {
		if s.descriptor < 0 {
			return
		}
		for i := range r.messages {
			r.messages[i].header.SetControllen(controlSize)
			r.messages[i].header.Namelen = unix.SizeofSockaddrInet6
		}
		// The raw call does not tell the scheduler: with MSG_DONTWAIT it never blocks.
		n, _, number := unix.RawSyscall6(unix.SYS_RECVMMSG, uintptr(s.descriptor), uintptr(unsafe.Pointer(&r.messages[0])), batchSize, unix.MSG_DONTWAIT, 0, 0)
		if number == unix.EAGAIN || number == unix.EINTR {
			return
		}
		if number != 0 {
			s.handler.SocketError(number) // reading it has cleared it
			return
		}
		for i := range int(n) {
			m := &r.messages[i]
			at, dropped := readControl(r.control[i][:m.header.Controllen])
			if dropped != s.dropped {
				s.dropped = dropped
				s.handler.Overflow(dropped)
			}
			s.handler.Datagram(r.data[i][:m.length], sender(&r.senders[i]), at)
		}
		if n < batchSize {
			return
		}
	}
}

func sender(raw *unix.RawSockaddrInet6) netip.AddrPort {
	port := (*[2]byte)(unsafe.Pointer(&raw.Port)) // in network order; at the same place in both families
	address := netip.AddrFrom16(raw.Addr)
	if raw.Family == unix.AF_INET {
		address = netip.AddrFrom4((*unix.RawSockaddrInet4)(unsafe.Pointer(raw)).Addr)
	}
	return netip.AddrPortFrom(address, uint16(port[0])<<8|uint16(port[1]))
}

// readControl finds the kernel's time of a datagram, and how many were dropped before it, which is only said when
// there were any. Without a time, it is now.
func readControl(control []byte) (at int64, dropped uint32) {
	for len(control) >= unix.SizeofCmsghdr {
		header := (*unix.Cmsghdr)(unsafe.Pointer(&control[0]))
		size := int(header.Len)
		if size < unix.SizeofCmsghdr || size > len(control) {
			break
		}
		data := control[unix.CmsgLen(0):size]
		switch {
		case header.Level == unix.SOL_SOCKET && header.Type == unix.SO_TIMESTAMPNS && len(data) >= int(unsafe.Sizeof(unix.Timespec{})):
			at = (*unix.Timespec)(unsafe.Pointer(&data[0])).Nano()
		case header.Level == unix.SOL_SOCKET && header.Type == unix.SO_RXQ_OVFL && len(data) >= 4:
			dropped = *(*uint32)(unsafe.Pointer(&data[0]))
		}
		control = control[min(unix.CmsgSpace(size-unix.CmsgLen(0)), len(control)):]
	}
	if at == 0 {
		at = time.Now().UnixNano()
	}
	return at, dropped
}
