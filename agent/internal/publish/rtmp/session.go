// Package rtmp publishes H.264 video to an RTMP server: just what a publisher needs of the protocol.
package rtmp

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

const (
	// outChunkSize holds most frames of a small stream in one chunk.
	outChunkSize = 4096
	// writePatience is how long a server may take nothing before it counts as gone.
	writePatience = 10 * time.Second
	// goodbyePatience is how long the last words may take.
	goodbyePatience = 2 * time.Second
	handshakeBytes  = 1536
	rtmpVersion     = 3

	controlChunks = 2
	commandChunks = 3
	videoChunks   = 4

	// Transactions of the publisher's commands, in their order.
	connecting, releasing, announcing, creating, publishing = 1, 2, 3, 4, 5

	pingRequest, pingResponse = 6, 7
)

// command is one that the server sent: its name, the transaction it answers, and what follows.
type command struct {
	name        string
	transaction float64
	values      []any
}

// Session publishes one stream.
type Session struct {
	address Address
	socket  net.Conn
	stream  uint32 // the message stream that the server gave us
	// commands are the server's; the channel closes when its connection has ended, for the reason in lost.
	commands chan command
	lost     error
	reading  sync.WaitGroup

	mutex    sync.Mutex // of writing: the reader answers pings
	patience time.Duration
}

// Open connects and asks to publish. It returns one sentence (of its stage) as error. Each stage may take as long as told.
func Open(ctx context.Context, address Address, stage time.Duration) (*Session, error) {
	s := &Session{address: address, commands: make(chan command, 16), patience: writePatience}
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
	secure := tls.Client(socket, &tls.Config{ServerName: s.address.name()})
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

// handshake exchanges the plain form of the handshake (section 5.2 of the specification).
func (s *Session) handshake(ctx context.Context, patience time.Duration) error {
	hello := make([]byte, 1+handshakeBytes)
	hello[0] = rtmpVersion
	if _, err := rand.Read(hello[9:]); err != nil { // four bytes of time and four of zero come first
		return err
	}
	if err := errors.Join(s.socket.SetDeadline(time.Now().Add(patience)), ctx.Err()); err != nil {
		return err
	}
	if _, err := s.socket.Write(hello); err != nil {
		return s.noHandshake(err, patience)
	}
	answer := make([]byte, 1+2*handshakeBytes)
	if _, err := io.ReadFull(s.socket, answer[:1]); err != nil {
		return s.noHandshake(err, patience)
	}
	if answer[0] != rtmpVersion {
		return fmt.Errorf("%s does not speak RTMP: it began with byte %#02x", s.address.Host, answer[0])
	}
	if _, err := io.ReadFull(s.socket, answer[1:]); err != nil {
		return s.noHandshake(err, patience)
	}
	if _, err := s.socket.Write(answer[1 : 1+handshakeBytes]); err != nil {
		return s.noHandshake(err, patience)
	}
	return s.socket.SetDeadline(time.Time{})
}

func (s *Session) noHandshake(err error, patience time.Duration) error {
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
	chunks := newChunkReader(s.socket)
	var window, acknowledged uint32
	for {
		m, err := chunks.next()
		if err != nil {
			s.lost = err
			return
		}
		switch m.kind {
		case typeWindowAckSize:
			if len(m.payload) >= 4 {
				window = binary.BigEndian.Uint32(m.payload)
			}
		case typeUserControl:
			if len(m.payload) >= 6 && binary.BigEndian.Uint16(m.payload) == pingRequest {
				err = s.write(controlChunks, message{kind: typeUserControl, payload: append([]byte{0, pingResponse}, m.payload[2:6]...)})
			}
		case typeCommand:
			if c, ok := readCommand(m.payload); ok && c.matters() {
				select {
				case s.commands <- c:
				default: // nobody waits for so many of them
				}
			}
		}
		if window > 0 && chunks.received-acknowledged >= window {
			acknowledged = chunks.received
			err = errors.Join(err, s.write(controlChunks, message{kind: typeAcknowledgement, payload: binary.BigEndian.AppendUint32(nil, acknowledged)}))
		}
		if err != nil {
			s.lost = err
			return
		}
	}
}

// readCommand reads as much of a command as can be understood; a name and a number are the least.
func readCommand(payload []byte) (command, bool) {
	values, err := readAMF(payload)
	if err != nil && len(values) < 3 || len(values) < 2 {
		return command{}, false
	}
	name, isName := values[0].(string)
	transaction, isNumber := values[1].(float64)
	return command{name: name, transaction: transaction, values: values[2:]}, isName && isNumber
}

// matters tells answers from the chatter of servers, such as onBWDone.
func (c command) matters() bool {
	switch c.name {
	case "_result", "_error", "onStatus", "close":
		return true
	}
	return false
}

// info is the last object of an answer, which holds its code and its description.
func (c command) info() (level, code, description string) {
	for _, value := range c.values {
		if properties, ok := value.(map[string]any); ok {
			level, _ = properties["level"].(string)
			code, _ = properties["code"].(string)
			description, _ = properties["description"].(string)
		}
	}
	return level, code, description
}

func (s *Session) write(chunkStream byte, m message) error {
	_, err := s.put(chunkStream, m)
	return err
}

// put writes a message and tells the bytes that it took.
func (s *Session) put(chunkStream byte, m message) (bytes int, err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err := s.socket.SetWriteDeadline(time.Now().Add(s.patience)); err != nil {
		return 0, err
	}
	return s.socket.Write(appendChunks(nil, chunkStream, m, outChunkSize))
}

func (s *Session) command(stream uint32, values ...any) error {
	return s.write(commandChunks, message{kind: typeCommand, stream: stream, payload: appendAMF(nil, values...)})
}

// close ends the connection and waits until nothing of it is left.
func (s *Session) close() error {
	err := s.socket.Close()
	s.reading.Wait()
	return err
}
