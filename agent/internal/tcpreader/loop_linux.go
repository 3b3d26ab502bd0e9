package tcpreader

import (
	"errors"
	"fmt"
	"io"
	"net"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/readerthread"
)

// recordSize is the maximum of one TLS record.
const recordSize = 16 << 10

// eventsSize is how many readable connections one query returns.
const eventsSize = 512

// streamLoop reads all connections on one thread, as soon as enough data is waiting.
type streamLoop struct {
	readerthread.Worker
	epoll int
	known map[int32]*tcpStream // guarded by the thread's mutex

	// Used by the thread only.
	events   []unix.EpollEvent
	reader   *streamReader
	ready    []*tcpStream
	swept    time.Time
	isBehind bool
}

// New makes the best reader of this system: one thread for all TCP connections, and for TLS over connections
// prepared by UnderTLS. Any other connection gets a goroutine.
func New() (Streams, error) {
	epoll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("epoll: %w", err)
	}
	l := &streamLoop{epoll: epoll, known: map[int32]*tcpStream{}, events: make([]unix.EpollEvent, eventsSize), reader: newStreamReader()}
	l.Start(l.turn)
	return l, nil
}

func (l *streamLoop) Thread() int { return l.ID() }

func (l *streamLoop) Take(connection net.Conn, handler Handler) (Stream, error) {
	plain, secure, under := underlyingTCP(connection)
	if plain == nil {
		return plainStreams{}.Take(connection, handler)
	}
	// The duplicated descriptor is not in Go's own poller, which would wake a thread at each arrival.
	descriptor, err := duplicate(plain)
	if err = errors.Join(err, plain.Close()); err != nil {
		if descriptor >= 0 {
			err = errors.Join(err, unix.Close(descriptor))
		}
		return nil, fmt.Errorf("taking over the connection failed: %w", err)
	}
	s := &tcpStream{loop: l, handler: handler, descriptor: descriptor, secure: secure, under: under}
	s.mark.Store(1)
	if under != nil {
		under.stream = s
	}
	if err := l.add(s); err != nil {
		return nil, errors.Join(err, unix.Close(descriptor))
	}
	if under != nil {
		go s.drainTLS() // not here: the handler may wait for this to return
	}
	return s, nil
}

func duplicate(connection *net.TCPConn) (descriptor int, err error) {
	raw, err := connection.SyscallConn()
	if err != nil {
		return -1, err
	}
	descriptor = -1
	controlErr := raw.Control(func(original uintptr) {
		descriptor, err = unix.FcntlInt(original, unix.F_DUPFD_CLOEXEC, 0)
	})
	return descriptor, errors.Join(controlErr, err)
}

func (l *streamLoop) add(s *tcpStream) error {
	if err := unix.SetsockoptInt(s.descriptor, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1); err != nil {
		return fmt.Errorf("the kernel does not report arrival times: %w", err)
	}
	l.Mutex.Lock()
	defer l.Mutex.Unlock()
	if l.IsClosed() {
		return ErrClosed
	}
	event := eventOf(s.descriptor)
	if err := unix.EpollCtl(l.epoll, unix.EPOLL_CTL_ADD, s.descriptor, &event); err != nil {
		return fmt.Errorf("epoll: %w", err)
	}
	l.known[event.Fd] = s
	l.Occupy(1)
	return nil
}

func eventOf(descriptor int) unix.EpollEvent {
	return unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLRDHUP, Fd: int32(descriptor)}
}

// Close stops the thread; the streams must have been closed before.
func (l *streamLoop) Close() error {
	l.Stop()
	return unix.Close(l.epoll)
}

// turn reads what is worth a read after a tick, and checks all others from time to time.
func (l *streamLoop) turn() {
	if !l.isBehind {
		readerthread.Sleep(streamTick)
	}
	n := readerthread.ReadyNow(l.epoll, l.events)
	l.ready = l.ready[:0]
	l.Mutex.Lock()
	for _, event := range l.events[:n] {
		if s := l.known[event.Fd]; s != nil {
			l.ready = append(l.ready, s)
		}
	}
	l.Mutex.Unlock()
	l.isBehind = false
	for _, s := range l.ready {
		l.isBehind = s.drain(l.reader) == streamBuffer || l.isBehind
	}
	if now := monotonic.Now(); now.Sub(l.swept) >= sweepEvery {
		l.swept = now
		l.sweep(now.UnixNano())
	}
}

func (l *streamLoop) sweep(now int64) {
	l.ready = l.ready[:0]
	l.Mutex.Lock()
	for _, s := range l.known {
		if s.mark.Load() != 1 { // else every byte is reported
			l.ready = append(l.ready, s)
		}
	}
	l.Mutex.Unlock()
	for _, s := range l.ready {
		s.sweep(l.reader, now)
	}
}

// streamReader contains what one read needs; all streams share it.
type streamReader struct {
	header  unix.Msghdr
	vector  unix.Iovec
	data    [streamBuffer]byte
	plain   [recordSize]byte // decrypted TLS data
	control [monotonic.ControlSize]byte
	stamps  monotonic.Stamps
}

func newStreamReader() *streamReader {
	r := &streamReader{}
	r.vector.Base = &r.data[0]
	r.vector.SetLen(len(r.data))
	r.header.Iov = &r.vector
	r.header.SetIovlen(1)
	r.header.Control = &r.control[0]
	return r
}

// read reads what a connection holds; no data and no error mean that it is empty. The time is that of the last byte.
func (r *streamReader) read(descriptor int) (data []byte, at int64, err error) {
	r.header.SetControllen(monotonic.ControlSize)
	r.stamps.Sync()
	n, _, number := unix.RawSyscall(unix.SYS_RECVMSG, uintptr(descriptor), uintptr(unsafe.Pointer(&r.header)), unix.MSG_DONTWAIT)
	switch {
	case number == unix.EAGAIN || number == unix.EINTR:
		return nil, 0, nil
	case number != 0:
		return nil, 0, number
	case n == 0:
		return nil, 0, io.EOF
	}
	at, _ = r.stamps.ReadControl(r.control[:r.header.Controllen])
	return r.data[:n], at, nil
}
