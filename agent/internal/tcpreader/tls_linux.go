package tcpreader

import (
	"crypto/tls"
	"errors"
	"net"
	"os"
	"time"

	"fullhouse/agent/internal/monotonic"
)

// underTLS is a connection below TLS. TLS reads from it as from any other until a stream takes it over. Then it gets
// what the thread has read, and would have to wait when that is used up.
type underTLS struct {
	net.Conn
	stream  *tcpStream
	waiting []byte
}

// UnderTLS prepares a connection for TLS, so that Streams can read it at the cost of a plain one.
func UnderTLS(connection net.Conn) net.Conn {
	if _, ok := connection.(*net.TCPConn); ok {
		return &underTLS{Conn: connection}
	}
	return connection
}

// Read returns the waiting data. If there is none, it reports a timeout, which TLS treats as temporary.
func (u *underTLS) Read(to []byte) (int, error) {
	if u.stream == nil {
		return u.Conn.Read(to)
	}
	if len(u.waiting) == 0 {
		return 0, os.ErrDeadlineExceeded
	}
	n := copy(to, u.waiting)
	u.waiting = u.waiting[n:]
	return n, nil
}

// Write is called with a lock held that keeps the descriptor open.
func (u *underTLS) Write(data []byte) (int, error) {
	if u.stream == nil {
		return u.Conn.Write(data)
	}
	if err := u.stream.put(data); err != nil {
		return 0, err
	}
	return len(data), nil
}

func (u *underTLS) SetDeadline(at time.Time) error { return u.untilTakenOver(u.Conn.SetDeadline, at) }
func (u *underTLS) SetReadDeadline(at time.Time) error {
	return u.untilTakenOver(u.Conn.SetReadDeadline, at)
}
func (u *underTLS) SetWriteDeadline(at time.Time) error {
	return u.untilTakenOver(u.Conn.SetWriteDeadline, at)
}

func (u *underTLS) untilTakenOver(set func(time.Time) error, at time.Time) error {
	if u.stream != nil {
		return nil // nothing waits there
	}
	return set(at)
}

// decrypt hands over the content of data, which was read at that time. It is called with reading held.
func (s *tcpStream) decrypt(r *streamReader, data []byte, at int64) {
	s.under.waiting = data
	for !s.over {
		n, err := s.secure.Read(r.plain[:])
		if n > 0 && !s.handler.Bytes(r.plain[:n], at) {
			s.leaveLoop()
			return
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return
		}
		if err != nil {
			s.leaveLoop()
			s.handler.Ended(err)
		}
	}
}

// drainTLS hands over what TLS had read before its connection was taken over.
func (s *tcpStream) drainTLS() {
	r := spare.Get().(*streamReader)
	defer spare.Put(r)
	s.reading.Lock()
	defer s.reading.Unlock()
	if !s.over && s.descriptor >= 0 {
		s.decrypt(r, nil, monotonic.Nano())
	}
}

// underlyingTCP finds the TCP connection of a connection to take over; nil if it has none.
func underlyingTCP(connection net.Conn) (*net.TCPConn, *tls.Conn, *underTLS) {
	switch of := connection.(type) {
	case *net.TCPConn:
		return of, nil, nil
	case *tls.Conn:
		if under, ok := of.NetConn().(*underTLS); ok {
			return under.Conn.(*net.TCPConn), of, under
		}
	}
	return nil, nil, nil
}
