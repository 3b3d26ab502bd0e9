//go:build !linux

package harvest

import (
	"net"
	"time"
)

// NewStreams makes the reader that is best here: a goroutine for each connection.
func NewStreams() (Streams, error) { return NewPlainStreams(), nil }

// UnderTLS prepares a connection on which TLS is to be spoken; here there is nothing to prepare.
func UnderTLS(connection net.Conn) net.Conn { return connection }

func roundTrip(net.Conn) time.Duration { return 0 }
