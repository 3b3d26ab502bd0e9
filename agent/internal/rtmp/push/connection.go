package push

import (
	"crypto/tls"
	"net"
	"time"
)

// Connection are the system's figures of the TCP connection.
type Connection struct {
	RoundTrip     time.Duration
	Retransmitted uint64 // segments
	// Unacknowledged are the bytes that the server has not acknowledged, sent or not.
	Unacknowledged uint64
}

// Connection reads the state of the connection, as far as the system reports it.
func (s *Session) Connection() (state Connection, known bool) {
	socket := s.socket
	if secure, isTLS := socket.(*tls.Conn); isTLS {
		socket = secure.NetConn()
	}
	plain, isTCP := socket.(*net.TCPConn)
	if !isTCP {
		return Connection{}, false
	}
	raw, err := plain.SyscallConn()
	if err != nil {
		return Connection{}, false
	}
	return s.connection(raw)
}
