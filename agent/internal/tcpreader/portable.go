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
}

func (s *plainStream) read(handler Handler) {
	defer close(s.done)
	buffer := make([]byte, plainBuffer)
	for {
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

func (s *plainStream) Send(data []byte) error {
	s.sending.Lock()
	defer s.sending.Unlock()
	if err := s.connection.SetWriteDeadline(time.Now().Add(sendTimeout)); err != nil {
		return err
	}
	_, err := s.connection.Write(data)
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return ErrFull
	}
	return err
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
		if abort {
			err = transport(s.connection).Close()
		} else {
			err = s.connection.Close()
		}
		<-s.done
	})
	return err
}
