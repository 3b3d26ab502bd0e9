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

// Socket is one viewer's UDP socket.
type Socket struct {
	loop    *Loop
	handler Handler
	port    uint16
	ipv6    bool
	reading sync.Mutex
	dropped uint32       // as the kernel last told; only the reader touches it
	sending sync.RWMutex // held shared by senders, so that Close can't free the descriptor under them
	// descriptor is written with both locks held; -1 when closed.
	descriptor int
}

// Open makes a socket on any local port. The handler may be called before Open returns.
func (l *Loop) Open(ipv6 bool, handler Handler) (*Socket, error) {
	family, any := unix.AF_INET, unix.Sockaddr(&unix.SockaddrInet4{})
	if ipv6 {
		family, any = unix.AF_INET6, &unix.SockaddrInet6{}
	}
	descriptor, err := unix.Socket(family, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("a UDP socket can't be made: %w", err)
	}
	s := &Socket{loop: l, handler: handler, ipv6: ipv6, descriptor: descriptor}
	if err := s.prepare(any); err != nil {
		return nil, errors.Join(err, unix.Close(descriptor))
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.closed {
		return nil, errors.Join(ErrClosed, unix.Close(descriptor))
	}
	event := unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(descriptor)}
	if err := unix.EpollCtl(l.epoll, unix.EPOLL_CTL_ADD, descriptor, &event); err != nil {
		return nil, errors.Join(fmt.Errorf("epoll: %w", err), unix.Close(descriptor))
	}
	l.sockets[int32(descriptor)] = s
	l.filled.Signal()
	return s, nil
}

func (s *Socket) prepare(any unix.Sockaddr) error {
	if err := unix.Bind(s.descriptor, any); err != nil {
		return fmt.Errorf("no local UDP port is free: %w", err)
	}
	if err := unix.SetsockoptInt(s.descriptor, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1); err != nil {
		return fmt.Errorf("the kernel gives no arrival times: %w", err)
	}
	if err := unix.SetsockoptInt(s.descriptor, unix.SOL_SOCKET, unix.SO_RXQ_OVFL, 1); err != nil {
		return fmt.Errorf("the kernel does not tell of overflows: %w", err)
	}
	local, err := unix.Getsockname(s.descriptor)
	if err != nil {
		return fmt.Errorf("the local port is not known: %w", err)
	}
	switch address := local.(type) {
	case *unix.SockaddrInet4:
		s.port = uint16(address.Port)
	case *unix.SockaddrInet6:
		s.port = uint16(address.Port)
	}
	return nil
}

// Port is the local port.
func (s *Socket) Port() uint16 { return s.port }

// IPv6 tells the socket's family.
func (s *Socket) IPv6() bool { return s.ipv6 }

func sockaddr(to netip.AddrPort) unix.Sockaddr {
	if to.Addr().Is4() {
		return &unix.SockaddrInet4{Port: int(to.Port()), Addr: to.Addr().As4()}
	}
	return &unix.SockaddrInet6{Port: int(to.Port()), Addr: to.Addr().As16()}
}

// Connect fixes the peer: datagrams of others are no longer received, and its refusals become known.
func (s *Socket) Connect(to netip.AddrPort) error {
	s.sending.RLock()
	defer s.sending.RUnlock()
	if s.descriptor < 0 {
		return ErrClosed
	}
	return unix.Connect(s.descriptor, sockaddr(to))
}

// SendTo sends to an address, before Connect.
func (s *Socket) SendTo(data []byte, to netip.AddrPort) error {
	s.sending.RLock()
	defer s.sending.RUnlock()
	if s.descriptor < 0 {
		return ErrClosed
	}
	return unix.Sendto(s.descriptor, data, unix.MSG_DONTWAIT, sockaddr(to))
}

// Send sends to the peer, after Connect.
func (s *Socket) Send(data []byte) error {
	s.sending.RLock()
	defer s.sending.RUnlock()
	if s.descriptor < 0 {
		return ErrClosed
	}
	_, err := unix.Write(s.descriptor, data)
	return err
}

// Close frees the socket. It must not be called from the Handler. A second call does nothing.
func (s *Socket) Close() error {
	s.reading.Lock()
	defer s.reading.Unlock()
	s.sending.Lock()
	defer s.sending.Unlock()
	if s.descriptor < 0 {
		return nil
	}
	s.loop.mutex.Lock()
	delete(s.loop.sockets, int32(s.descriptor))
	s.loop.mutex.Unlock()
	err := unix.Close(s.descriptor) // leaves the epoll set by itself
	s.descriptor = -1
	return err
}
