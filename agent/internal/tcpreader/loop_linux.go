package tcpreader

import (
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"fullhouse/agent/internal/monotonic"
)

// recordSize is the maximum of one TLS record.
const recordSize = 16 << 10

// eventsSize is how many readable connections one query returns.
const eventsSize = 512

// streamLoop reads all connections on one thread, as soon as enough data is waiting.
type streamLoop struct {
	epoll  int
	mutex  sync.Mutex
	known  map[int32]*tcpStream
	filled *sync.Cond // signalled when the first stream is added, and at the end
	closed bool
	done   chan struct{}
	thread atomic.Int32
}

// New makes the best reader of this system: one thread for all TCP connections, and for TLS over connections
// prepared by UnderTLS. Any other connection gets a goroutine.
func New() (Streams, error) {
	epoll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("epoll: %w", err)
	}
	l := &streamLoop{epoll: epoll, known: map[int32]*tcpStream{}, done: make(chan struct{})}
	l.filled = sync.NewCond(&l.mutex)
	go l.run()
	return l, nil
}

// Thread is the kernel's number of the reading thread, 0 until it runs.
func (l *streamLoop) Thread() int { return int(l.thread.Load()) }

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
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.closed {
		return ErrClosed
	}
	event := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLRDHUP, Fd: int32(s.descriptor)}
	if err := unix.EpollCtl(l.epoll, unix.EPOLL_CTL_ADD, s.descriptor, &event); err != nil {
		return fmt.Errorf("epoll: %w", err)
	}
	l.known[event.Fd] = s
	l.filled.Signal()
	return nil
}

// Close stops the thread; the streams must have been closed before.
func (l *streamLoop) Close() error {
	l.mutex.Lock()
	l.closed = true
	l.filled.Signal()
	l.mutex.Unlock()
	<-l.done
	return unix.Close(l.epoll)
}

// waitForStreams blocks while there is nothing to read; false means the end.
func (l *streamLoop) waitForStreams() bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for len(l.known) == 0 && !l.closed {
		l.filled.Wait()
	}
	return !l.closed
}

func (l *streamLoop) run() {
	defer close(l.done)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	l.thread.Store(int32(unix.Gettid()))
	events := make([]unix.EpollEvent, eventsSize)
	reader := newStreamReader()
	var ready []*tcpStream
	var swept time.Time
	for l.waitForStreams() {
		n, err := unix.EpollWait(l.epoll, events, int(sweepEvery.Milliseconds()))
		if err != nil {
			n = 0 // a signal; nothing else is possible
		}
		ready = ready[:0]
		l.mutex.Lock()
		for _, event := range events[:n] {
			if s := l.known[event.Fd]; s != nil {
				ready = append(ready, s)
			}
		}
		l.mutex.Unlock()
		isBehind := false
		for _, s := range ready {
			isBehind = s.drain(reader) == streamBuffer || isBehind
		}
		if n > 0 && !isBehind {
			pause := unix.NsecToTimespec(int64(streamTick))
			_ = unix.Nanosleep(&pause, nil) // a signal only shortens it
		}
		now := monotonic.Now()
		if now.Sub(swept) < sweepEvery {
			continue
		}
		swept = now
		ready = ready[:0]
		l.mutex.Lock()
		for _, s := range l.known {
			ready = append(ready, s)
		}
		l.mutex.Unlock()
		for _, s := range ready {
			s.sweep(reader, now.UnixNano())
		}
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
