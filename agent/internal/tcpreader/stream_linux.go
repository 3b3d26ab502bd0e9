package tcpreader

import (
	"crypto/tls"
	"net"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"fullhouse/agent/internal/monotonic"
)

// tcpStream is a connection whose descriptor is ours.
type tcpStream struct {
	loop    *streamLoop
	handler Handler
	reading sync.Mutex // held during the handler's calls
	over    bool       // nothing more is read
	paused  atomic.Bool
	seen    atomic.Int64
	// mark is the low-water mark: this many bytes, or the end, wake the thread. It is written with marking held.
	mark    atomic.Int64
	marking sync.Mutex
	// sending is held shared by all users of the descriptor besides the reader, so that Close can't free it under them.
	sending sync.RWMutex
	writing sync.Mutex // of whole messages
	// descriptor is written with reading and sending held; -1 when closed.
	descriptor int
	// secure is TLS, if used; it reads and writes through under.
	secure *tls.Conn
	under  *underTLS
}

// drain reads once and returns how much there was. The next epoll_wait reports what remains, so that a stream that is
// never empty starves no other.
func (s *tcpStream) drain(r *streamReader) (count int) {
	s.reading.Lock()
	defer s.reading.Unlock()
	count, _ = s.read(r)
	return count
}

func (s *tcpStream) read(r *streamReader) (count int, lastAt int64) {
	if s.over || s.descriptor < 0 || s.paused.Load() {
		return 0, 0
	}
	data, at, err := r.read(s.descriptor)
	now := monotonic.Nano()
	switch {
	case err != nil:
		s.leaveLoop()
		s.handler.Ended(err)
	case len(data) > 0 && s.secure != nil:
		s.decrypt(r, data, at)
	case len(data) > 0 && !s.handler.Bytes(data, at):
		s.leaveLoop()
	}
	s.seen.Store(now)
	return len(data), at
}

// sweep checks a stream without recent data. While it is silent, its next byte is reported at once.
func (s *tcpStream) sweep(r *streamReader, now int64) {
	if now-s.seen.Load() < int64(sweepAfter) {
		return
	}
	s.reading.Lock()
	defer s.reading.Unlock()
	if s.mark.Load() == 1 {
		return // nothing new
	}
	if _, lastAt := s.read(r); lastAt < now-int64(silentAfter) {
		s.marking.Lock()
		defer s.marking.Unlock()
		s.setMark(1)
	}
}

// spare are readers for goroutines other than the thread.
var spare = sync.Pool{New: func() any { return newStreamReader() }}

func (s *tcpStream) Flush() {
	if s.mark.Load() == 1 {
		return
	}
	r := spare.Get().(*streamReader)
	defer spare.Put(r)
	s.drain(r)
}

// setMark is called with marking held.
func (s *tcpStream) setMark(mark int) {
	s.sending.RLock()
	defer s.sending.RUnlock()
	if s.descriptor < 0 {
		return
	}
	if unix.SetsockoptInt(s.descriptor, unix.SOL_SOCKET, unix.SO_RCVLOWAT, mark) == nil { // else reading stays as expensive as it is
		s.mark.Store(int64(mark))
	}
}

// Tune ignores small changes: each is a system call.
func (s *tcpStream) Tune(bytesPerSecond float64) {
	mark := lowWater(bytesPerSecond)
	s.marking.Lock()
	defer s.marking.Unlock()
	if now := int(s.mark.Load()); mark > now+now/4 || mark < now-now/4 {
		s.setMark(mark)
	}
}

// SetReading takes the descriptor out of the epoll set: an event that is not read would be reported again at once.
func (s *tcpStream) SetReading(on bool) {
	s.sending.RLock()
	defer s.sending.RUnlock()
	s.loop.Mutex.Lock()
	defer s.loop.Mutex.Unlock()
	if s.descriptor < 0 || s.paused.Load() != on || s.loop.known[int32(s.descriptor)] != s {
		return
	}
	operation := unix.EPOLL_CTL_DEL
	if on {
		operation = unix.EPOLL_CTL_ADD
	}
	event := eventOf(s.descriptor)
	if unix.EpollCtl(s.loop.epoll, operation, s.descriptor, &event) == nil { // else reading goes on as it is
		s.paused.Store(!on)
	}
}

func (s *tcpStream) BoundBuffer(bytes int) {
	s.sending.RLock()
	defer s.sending.RUnlock()
	if s.descriptor >= 0 {
		_ = unix.SetsockoptInt(s.descriptor, unix.SOL_SOCKET, unix.SO_RCVBUF, bytes) // else the kernel stores more
	}
}

func (s *tcpStream) SeenUntil(now int64) int64 {
	if s.mark.Load() == 1 {
		return now
	}
	return s.seen.Load()
}

// leaveLoop is called with reading held.
func (s *tcpStream) leaveLoop() {
	if s.over {
		return
	}
	s.over = true
	s.loop.Mutex.Lock()
	delete(s.loop.known, int32(s.descriptor))
	s.loop.Occupy(-1)
	s.loop.Mutex.Unlock()
	_ = unix.EpollCtl(s.loop.epoll, unix.EPOLL_CTL_DEL, s.descriptor, nil) // it is registered
}

func (s *tcpStream) Send(data []byte) error {
	s.sending.RLock()
	defer s.sending.RUnlock()
	if s.descriptor < 0 {
		return ErrClosed
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.secure != nil {
		_, err := s.secure.Write(data)
		return err
	}
	return s.put(data)
}

// put is called with a lock held that keeps the descriptor open.
func (s *tcpStream) put(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	// The raw syscall bypasses the scheduler: with MSG_DONTWAIT it never blocks.
	n, _, number := unix.RawSyscall6(unix.SYS_SENDTO, uintptr(s.descriptor), uintptr(unsafe.Pointer(&data[0])), uintptr(len(data)),
		unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL, 0, 0)
	switch {
	case number == unix.EAGAIN:
		return ErrFull
	case number == 0 && int(n) < len(data):
		return ErrPart
	case number != 0:
		return number
	}
	return nil
}

func (s *tcpStream) RoundTrip() time.Duration {
	s.sending.RLock()
	defer s.sending.RUnlock()
	if s.descriptor < 0 {
		return 0
	}
	return descriptorRoundTrip(s.descriptor)
}

func (s *tcpStream) Close(abort bool) error {
	s.reading.Lock()
	defer s.reading.Unlock()
	s.sending.Lock()
	defer s.sending.Unlock()
	if s.descriptor < 0 {
		return nil
	}
	s.leaveLoop()
	if s.secure != nil && !abort {
		_ = s.secure.CloseWrite() // a peer that misses the close_notify sees the end of the connection
	}
	err := unix.Close(s.descriptor)
	s.descriptor = -1
	return err
}

func roundTrip(connection net.Conn) (trip time.Duration) {
	if under, ok := connection.(*underTLS); ok {
		connection = under.Conn
	}
	plain, ok := connection.(*net.TCPConn)
	if !ok {
		return 0
	}
	raw, err := plain.SyscallConn()
	if err != nil {
		return 0
	}
	if raw.Control(func(descriptor uintptr) { trip = descriptorRoundTrip(int(descriptor)) }) != nil {
		return 0
	}
	return trip
}

func descriptorRoundTrip(descriptor int) time.Duration {
	info, err := unix.GetsockoptTCPInfo(descriptor, unix.SOL_TCP, unix.TCP_INFO)
	if err != nil {
		return 0
	}
	return time.Duration(info.Rtt) * time.Microsecond
}
