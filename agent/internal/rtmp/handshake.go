package rtmp

import (
	"crypto/rand"
	"fmt"
	"io"
)

const (
	// HandshakeBytes is the size of each part of the handshake but the first byte.
	HandshakeBytes = 1536
	// Version is that first byte.
	Version = 3
)

// NotRTMPError is the first byte of a server that is not an RTMP server.
type NotRTMPError struct{ First byte }

func (e *NotRTMPError) Error() string {
	return fmt.Sprintf("is not an RTMP server: its first byte is %#02x", e.First)
}

// Handshake performs the plain handshake (section 5.2 of the specification) as a client.
func Handshake(socket io.ReadWriter) error {
	hello := make([]byte, 1+HandshakeBytes)
	hello[0] = Version
	if _, err := rand.Read(hello[9:]); err != nil { // four bytes of time and four of zero come first
		return err
	}
	if _, err := socket.Write(hello); err != nil {
		return err
	}
	answer := make([]byte, 1+2*HandshakeBytes)
	if _, err := io.ReadFull(socket, answer[:1]); err != nil {
		return err
	}
	if answer[0] != Version {
		return &NotRTMPError{answer[0]}
	}
	if _, err := io.ReadFull(socket, answer[1:]); err != nil {
		return err
	}
	_, err := socket.Write(answer[1 : 1+HandshakeBytes])
	return err
}
