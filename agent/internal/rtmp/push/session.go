// Package push publishes video to an RTMP server: the part of the protocol that a publisher needs.
package push

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/trust"
)

const (
	// outChunkSize fits most frames of a small stream in one chunk.
	outChunkSize = 4096
	// writeTimeout is how long a server may accept no data before it counts as gone.
	writeTimeout = 10 * time.Second
	// closeTimeout is how long the closing commands may take.
	closeTimeout = 2 * time.Second

	controlChunks = 2
	commandChunks = 3
	videoChunks   = 4
	audioChunks   = 5

	// Transactions of the publisher's commands, in their order.
	connecting, releasing, announcing, creating, publishing = 1, 2, 3, 4, 5
)

// Session publishes one stream.
type Session struct {
	address rtmp.Address
	codec   Codec
	login   *rtmp.Login
	// acceptedAt is when publish was accepted, in monotonic Unix nanoseconds; 0 before.
	acceptedAt atomic.Int64
	// stage is the transaction that is waited for.
	stage  float64
	socket net.Conn
	stream uint32 // the message stream id from the server
	// commands are the server's; the channel closes when its connection has ended, for the reason in lost.
	commands chan rtmp.Command
	lost     error
	reading  sync.WaitGroup

	mutex       sync.Mutex // for writing: the reader responds to pings
	buffer      []byte     // of the latest message
	waitTimeout time.Duration
}

// Dialling is how a connection is opened.
type Dialling struct {
	// Timeout is that of each stage.
	Timeout time.Duration
	// SelfSigned accepts any certificate of the server.
	SelfSigned bool
}

// Open connects and starts to publish. Errors are one sentence.
func Open(ctx context.Context, address rtmp.Address, codec Codec, how Dialling) (*Session, error) {
	var login rtmp.Login
	for {
		s := &Session{address: address, codec: codec, login: &login, commands: make(chan rtmp.Command, 16), waitTimeout: writeTimeout}
		err := s.open(ctx, how)
		if err == nil {
			return s, nil
		}
		if !errors.Is(err, errChallenged) {
			return nil, err
		}
	}
}

func (s *Session) open(ctx context.Context, how Dialling) error {
	stage := how.Timeout
	if err := s.dial(ctx, how); err != nil {
		return err
	}
	// The end of ctx cancels all waiting.
	release := context.AfterFunc(ctx, func() { _ = s.socket.SetDeadline(time.Unix(1, 0)) })
	err := s.handshake(ctx, stage)
	if err == nil {
		s.reading.Add(1)
		go s.read()
		err = s.negotiate(ctx, stage)
		if err == nil {
			s.acceptedAt.Store(monotonic.Nano())
		}
	}
	if !release() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		_ = s.close() // the error is reported already
	}
	return err
}

func (s *Session) dial(ctx context.Context, how Dialling) error {
	waitTimeout := how.Timeout
	ctx, cancel := context.WithTimeout(ctx, waitTimeout)
	defer cancel()
	var dialer net.Dialer
	socket, err := dialer.DialContext(ctx, "tcp", s.address.Host)
	if err != nil {
		return s.noConnection(err, waitTimeout)
	}
	s.socket = socket
	if !s.address.Secure {
		return nil
	}
	config := trust.Config(how.SelfSigned)
	config.ServerName = s.address.Name()
	secure := tls.Client(socket, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		_ = socket.Close() // the error is reported already
		return fmt.Errorf("the TLS handshake with %s failed: %s", s.address.Host, trust.Explain(err))
	}
	s.socket = secure
	return nil
}

func (s *Session) noConnection(err error, waitTimeout time.Duration) error {
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns):
		return fmt.Errorf("the name %s was not resolved: %s", dns.Name, dns.Err)
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("%s refused the connection; no RTMP server listens there", s.address.Host)
	case isTimeout(err):
		return fmt.Errorf("%s did not accept the connection within %s", s.address.Host, waitTimeout)
	}
	return fmt.Errorf("connecting to %s failed: %w", s.address.Host, err)
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
}

// handshake performs the handshake within waitTimeout.
func (s *Session) handshake(ctx context.Context, waitTimeout time.Duration) error {
	if err := errors.Join(s.socket.SetDeadline(time.Now().Add(waitTimeout)), ctx.Err()); err != nil {
		return err
	}
	if err := rtmp.Handshake(s.socket); err != nil {
		return s.noHandshake(err, waitTimeout)
	}
	return s.socket.SetDeadline(time.Time{})
}

func (s *Session) noHandshake(err error, waitTimeout time.Duration) error {
	var other *rtmp.NotRTMPError
	if errors.As(err, &other) {
		return fmt.Errorf("%s %w", s.address.Host, other)
	}
	if isTimeout(err) {
		return fmt.Errorf("%s did not respond to the RTMP handshake within %s; it may not be an RTMP server", s.address.Host, waitTimeout)
	}
	return fmt.Errorf("%s closed the connection during the RTMP handshake (%w); it may not be an RTMP server, require rtmps, or have reached its limit of connections", s.address.Host, plain(err))
}

// plain drops the addresses that net adds to the system's error.
func plain(err error) error {
	var number syscall.Errno
	if errors.As(err, &number) {
		return number
	}
	return err
}

// read handles the server's messages until its connection ends.
func (s *Session) read() {
	defer s.reading.Done()
	defer close(s.commands)
	chunks := rtmp.NewChunkReader(s.socket)
	var window, acknowledged uint32
	for {
		m, err := chunks.Next()
		if err != nil {
			s.lost = err
			return
		}
		switch m.Kind {
		case rtmp.TypeWindowAckSize:
			if len(m.Payload) >= 4 {
				window = binary.BigEndian.Uint32(m.Payload)
			}
		case rtmp.TypeUserControl:
			if len(m.Payload) >= 6 && binary.BigEndian.Uint16(m.Payload) == rtmp.EventPingRequest {
				err = s.write(controlChunks, rtmp.Message{Kind: rtmp.TypeUserControl, Payload: append([]byte{0, rtmp.EventPingResponse}, m.Payload[2:6]...)})
			}
		case rtmp.TypeCommand:
			if c, ok := rtmp.ReadCommand(m.Payload); ok && matters(c) {
				select {
				case s.commands <- c:
				default: // none of these is waited for
				}
			}
		}
		if window > 0 && chunks.Received-acknowledged >= window {
			acknowledged = chunks.Received
			err = errors.Join(err, s.write(controlChunks, rtmp.Message{Kind: rtmp.TypeAcknowledgement, Payload: binary.BigEndian.AppendUint32(nil, acknowledged)}))
		}
		if err != nil {
			s.lost = err
			return
		}
	}
}

// matters separates responses from other commands, such as onBWDone.
func matters(c rtmp.Command) bool {
	switch c.Name {
	case "_result", "_error", "onStatus", "close":
		return true
	}
	return false
}

func (s *Session) write(chunkStream byte, m rtmp.Message) error {
	_, err := s.put(chunkStream, m)
	return err
}

// put writes a message and returns its size in bytes.
func (s *Session) put(chunkStream byte, m rtmp.Message) (bytes int, err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err := s.socket.SetWriteDeadline(time.Now().Add(s.waitTimeout)); err != nil {
		return 0, err
	}
	s.buffer = rtmp.AppendChunks(s.buffer[:0], chunkStream, m, outChunkSize)
	return s.socket.Write(s.buffer)
}

func (s *Session) command(stream uint32, values ...any) error {
	return s.write(commandChunks, rtmp.Message{Kind: rtmp.TypeCommand, Stream: stream, Payload: rtmp.AppendAMF(nil, values...)})
}

// close ends the connection and waits until it is cleaned up.
func (s *Session) close() error {
	err := s.socket.Close()
	s.reading.Wait()
	return err
}
