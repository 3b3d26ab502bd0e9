package tcpreader

import (
	"crypto/tls"
	"errors"
	"net"
	"sync"
	"time"

	"fullhouse/agent/internal/monotonic"
)

// plainBuffer is small, because each stream has one.
const plainBuffer = 4 << 10

// plainStreams reads each connection in its own goroutine: for systems without epoll, and for TLS.
type plainStreams struct{}

// NewPortable reads with a goroutine for each connection, on any system.
func NewPortable() Streams { return plainStreams{} }

func (plainStreams) Take(connection net.Conn, handler Handler) (Stream, error) {
	s := &plainStream{connection: connection, done: make(chan struct{})}
	s.goingOn = sync.NewCond(&s.pausing)
	if err := connection.SetDeadline(time.Time{}); err != nil {
		return nil, errors.Join(err, connection.Close())
	}
	go s.read(handler)
	return s, nil
}

func (plainStreams) Thread() int  { return 0 }
func (plainStreams) Close() error { return nil }

type plainStream struct {
	connection net.Conn
	done       chan struct{}
	closing    sync.Once
	sending    sync.Mutex

	pausing sync.Mutex
	goingOn *sync.Cond // signalled when reading continues
	paused  bool
	closed  bool
}

func (s *plainStream) read(handler Handler) {
	defer close(s.done)
	buffer := make([]byte, plainBuffer)
	for s.waitToRead() {
		n, err := s.connection.Read(buffer)
		if n > 0 && !handler.Bytes(buffer[:n], monotonic.Nano()) {
			return
		}
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			handler.Ended(err)
			return
		}
	}
}

// waitToRead blocks while reading is stopped; false means the end.
func (s *plainStream) waitToRead() bool {
	s.pausing.Lock()
	defer s.pausing.Unlock()
	for s.paused && !s.closed {
		s.goingOn.Wait()
	}
	return !s.closed
}

func (s *plainStream) SetReading(on bool) {
	s.pausing.Lock()
	defer s.pausing.Unlock()
	s.paused = !on
	s.goingOn.Signal()
}

func (s *plainStream) BoundBuffer(bytes int) {
	if plain, ok := transport(s.connection).(*net.TCPConn); ok {
		_ = plain.SetReadBuffer(bytes) // else the kernel stores more
	}
}

func (s *plainStream) Send(data []byte) error {
	s.sending.Lock()
	defer s.sending.Unlock()
	if err := s.connection.SetWriteDeadline(time.Now().Add(sendTimeout)); err != nil {
		return err
	}
	n, err := s.connection.Write(data)
	var timeout net.Error
	switch {
	case !errors.As(err, &timeout) || !timeout.Timeout():
		return err
	case n > 0:
		return ErrPart
	}
	return ErrFull
}

// Tune does nothing: data is read as it arrives.
func (s *plainStream) Tune(float64) {}

// Flush does nothing: nothing waits.
func (s *plainStream) Flush() {}

// SeenUntil is now, apart from scheduling delays.
func (s *plainStream) SeenUntil(now int64) int64 { return now }

func (s *plainStream) RoundTrip() time.Duration { return roundTrip(transport(s.connection)) }

// transport is what TLS runs over.
func transport(connection net.Conn) net.Conn {
	if secure, ok := connection.(*tls.Conn); ok {
		return secure.NetConn()
	}
	return connection
}

func (s *plainStream) Close(abort bool) (err error) {
	s.closing.Do(func() {
		s.pausing.Lock()
		s.closed = true
		s.goingOn.Signal()
		s.pausing.Unlock()
		if abort {
			err = transport(s.connection).Close()
		} else {
			err = s.connection.Close()
		}
		<-s.done
	})
	return err
}
