// Package push publishes H.264 video to an RTMP server: just what a publisher needs of the protocol.
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
	"syscall"
	"time"

	"fullhouse/agent/internal/rtmp"
)

const (
	// outChunkSize holds most frames of a small stream in one chunk.
	outChunkSize = 4096
	// writePatience is how long a server may take nothing before it counts as gone.
	writePatience = 10 * time.Second
	// goodbyePatience is how long the last words may take.
	goodbyePatience = 2 * time.Second

	controlChunks = 2
	commandChunks = 3
	videoChunks   = 4

	// Transactions of the publisher's commands, in their order.
	connecting, releasing, announcing, creating, publishing = 1, 2, 3, 4, 5
)

// Session publishes one stream.
type Session struct {
	address rtmp.Address
	socket  net.Conn
	stream  uint32 // the message stream that the server gave us
	// commands are the server's; the channel closes when its connection has ended, for the reason in lost.
	commands chan rtmp.Command
	lost     error
	reading  sync.WaitGroup

	mutex    sync.Mutex // of writing: the reader answers pings
	patience time.Duration
}

// Open connects and asks to publish. It returns one sentence (of its stage) as error. Each stage may take as long as told.
func Open(ctx context.Context, address rtmp.Address, stage time.Duration) (*Session, error) {
	s := &Session{address: address, commands: make(chan rtmp.Command, 16), patience: writePatience}
	if err := s.dial(ctx, stage); err != nil {
		return nil, err
	}
	// The end of ctx ends whatever is waited for.
	release := context.AfterFunc(ctx, func() { _ = s.socket.SetDeadline(time.Unix(1, 0)) })
	err := s.handshake(ctx, stage)
	if err == nil {
		s.reading.Add(1)
		go s.read()
		err = s.negotiate(ctx, stage)
	}
	if !release() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		_ = s.close() // why it is of no use is told
		return nil, err
	}
	return s, nil
}

func (s *Session) dial(ctx context.Context, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var dialer net.Dialer
	socket, err := dialer.DialContext(ctx, "tcp", s.address.Host)
	if err != nil {
		return s.noConnection(err, patience)
	}
	s.socket = socket
	if !s.address.Secure {
		return nil
	}
	secure := tls.Client(socket, &tls.Config{ServerName: s.address.Name()})
	if err := secure.HandshakeContext(ctx); err != nil {
		_ = socket.Close() // why it is of no use is told
		return fmt.Errorf("no TLS with %s: %w", s.address.Host, err)
	}
	s.socket = secure
	return nil
}

func (s *Session) noConnection(err error, patience time.Duration) error {
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns):
		return fmt.Errorf("the name %s was not resolved: %s", dns.Name, dns.Err)
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("%s refused the connection; no RTMP server listens there", s.address.Host)
	case isTimeout(err):
		return fmt.Errorf("%s did not take the connection within %s", s.address.Host, patience)
	}
	return fmt.Errorf("no connection to %s: %w", s.address.Host, err)
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
}

// handshake gives the exchange its patience.
func (s *Session) handshake(ctx context.Context, patience time.Duration) error {
	if err := errors.Join(s.socket.SetDeadline(time.Now().Add(patience)), ctx.Err()); err != nil {
		return err
	}
	if err := rtmp.Handshake(s.socket); err != nil {
		return s.noHandshake(err, patience)
	}
	return s.socket.SetDeadline(time.Time{})
}

func (s *Session) noHandshake(err error, patience time.Duration) error {
	var other *rtmp.NotRTMPError
	if errors.As(err, &other) {
		return fmt.Errorf("%s %w", s.address.Host, other)
	}
	if isTimeout(err) {
		return fmt.Errorf("%s did not answer the RTMP handshake within %s; it may be no RTMP server", s.address.Host, patience)
	}
	return fmt.Errorf("%s ended the connection during the RTMP handshake (%w); it may be no RTMP server, or want rtmps", s.address.Host, plain(err))
}

// plain leaves out the addresses that net puts around the system's word.
func plain(err error) error {
	var number syscall.Errno
	if errors.As(err, &number) {
		return number
	}
	return err
}

// read takes the server's messages until its connection ends.
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
				default: // nobody waits for so many of them
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

// matters tells answers from the chatter of servers, such as onBWDone.
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

// put writes a message and tells the bytes that it took.
func (s *Session) put(chunkStream byte, m rtmp.Message) (bytes int, err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err := s.socket.SetWriteDeadline(time.Now().Add(s.patience)); err != nil {
		return 0, err
	}
	return s.socket.Write(rtmp.AppendChunks(nil, chunkStream, m, outChunkSize))
}

func (s *Session) command(stream uint32, values ...any) error {
	return s.write(commandChunks, rtmp.Message{Kind: rtmp.TypeCommand, Stream: stream, Payload: rtmp.AppendAMF(nil, values...)})
}

// close ends the connection and waits until nothing of it is left.
func (s *Session) close() error {
	err := s.socket.Close()
	s.reading.Wait()
	return err
}
