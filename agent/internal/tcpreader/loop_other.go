//go:build !linux

package tcpreader

import (
	"net"
	"time"
)

// New makes the best reader of this system: a goroutine for each connection.
func New() (Streams, error) { return NewPortable(), nil }

// UnderTLS prepares a connection for TLS; here there is nothing to prepare.
func UnderTLS(connection net.Conn) net.Conn { return connection }

func roundTrip(net.Conn) time.Duration { return 0 }
