package httpstream

import (
	"crypto/rand"
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"net/http"
)

// Opcodes of WebSocket frames (RFC 6455, 5.2).
const (
	opContinuation = 0
	opText         = 1
	opBinary       = 2
	opClose        = 8
	opPing         = 9
	opPong         = 10
)

// maxControlFrame is the maximum payload of a control frame (RFC 6455, 5.5).
const maxControlFrame = 125

// acceptSuffix is appended to the key before it is hashed (RFC 6455, 1.3).
const acceptSuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

// ErrNotWebSocket is the error of a server that violates RFC 6455.
var ErrNotWebSocket = errors.New("the server sent invalid WebSocket frames")

// NewKey makes a request's Sec-WebSocket-Key.
func NewKey() string {
	var key [16]byte
	_, _ = rand.Read(key[:]) // never fails
	return base64.StdEncoding.EncodeToString(key[:])
}

// AcceptsKey reports whether a response opens the WebSocket that a request with this key asked for.
func AcceptsKey(response *http.Response, key string) bool {
	sum := sha1.Sum([]byte(key + acceptSuffix))
	return response.StatusCode == http.StatusSwitchingProtocols &&
		response.Header.Get("Sec-WebSocket-Accept") == base64.StdEncoding.EncodeToString(sum[:])
}

// FrameSink receives what Frames finds. An error ends parsing.
type FrameSink interface {
	// Data gets the next bytes of the current message, valid only during the call.
	Data(data []byte) error
	// EndOfMessage reports that the current message is complete.
	EndOfMessage() error
	// Ping gets the payload of a ping, which must be returned in a pong.
	Ping(payload []byte) error
	// Close reports that the server closes the connection: its code, 0 without one, and its words.
	Close(code int, words string) error
}

// Frames parses the frames of a server, which are not masked.
type Frames struct {
	header  [10]byte
	have    int
	left    uint64
	control []byte
	inFrame bool
	isOpen  bool // a message has started and is not complete
}

// Write parses the next bytes; after an error it must not be called again.
func (f *Frames) Write(sink FrameSink, data []byte) error {
	for len(data) > 0 {
		if !f.inFrame {
			f.header[f.have] = data[0]
			f.have++
			data = data[1:]
			if f.have >= 2 && f.have == f.headerSize() {
				if err := f.start(); err != nil {
					return err
				}
				if f.left == 0 {
					if err := f.finish(sink); err != nil {
						return err
					}
				}
			}
			continue
		}
		count := int(min(f.left, uint64(len(data))))
		f.left -= uint64(count)
		if f.isControl() {
			f.control = append(f.control, data[:count]...)
		} else if err := sink.Data(data[:count]); err != nil {
			return err
		}
		data = data[count:]
		if f.left == 0 {
			if err := f.finish(sink); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *Frames) opcode() byte    { return f.header[0] & 0x0f }
func (f *Frames) isControl() bool { return f.opcode() >= opClose }
func (f *Frames) isFinal() bool   { return f.header[0]&0x80 != 0 }

func (f *Frames) headerSize() int {
	switch f.header[1] & 0x7f {
	case 126:
		return 4
	case 127:
		return 10
	}
	return 2
}

// start begins a frame whose header is complete.
func (f *Frames) start() error {
	switch length := f.header[1] & 0x7f; length {
	case 126:
		f.left = uint64(binary.BigEndian.Uint16(f.header[2:]))
	case 127:
		f.left = binary.BigEndian.Uint64(f.header[2:])
	default:
		f.left = uint64(length)
	}
	f.inFrame, f.control = true, f.control[:0]
	isContinuation := f.opcode() == opContinuation
	switch {
	case f.header[0]&0x70 != 0, f.header[1]&0x80 != 0, f.left > 1<<62,
		f.isControl() && (f.left > maxControlFrame || !f.isFinal()),
		!f.isControl() && (isContinuation != f.isOpen || f.opcode() > opBinary):
		return ErrNotWebSocket
	}
	if !f.isControl() {
		f.isOpen = true
	}
	return nil
}

func (f *Frames) finish(sink FrameSink) error {
	f.inFrame, f.have = false, 0
	switch f.opcode() {
	case opPing:
		return sink.Ping(f.control)
	case opClose:
		code, words := 0, ""
		if len(f.control) >= 2 {
			code, words = int(binary.BigEndian.Uint16(f.control)), string(f.control[2:])
		}
		return sink.Close(code, words)
	case opContinuation, opText, opBinary:
		if f.isFinal() {
			f.isOpen = false
			return sink.EndOfMessage()
		}
	}
	return nil
}

// Pong makes the frame that responds to a ping; frames of a client are masked.
func Pong(payload []byte) []byte { return clientFrame(opPong, payload) }

// CloseFrame makes the frame by which a client leaves (code 1000).
func CloseFrame() []byte { return clientFrame(opClose, []byte{0x03, 0xe8}) }

func clientFrame(opcode byte, payload []byte) []byte {
	frame := []byte{0x80 | opcode, 0x80 | byte(len(payload)), 0, 0, 0, 0}
	_, _ = rand.Read(frame[2:6]) // never fails
	for i, b := range payload {
		frame = append(frame, b^frame[2+i%4])
	}
	return frame
}
