package plainrtmp

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
)

// Message types and fields of the chunk header (RTMP specification, 5.3 and 6).
const (
	setChunkSize   = 1
	audioMessage   = 8
	videoMessage   = 9
	commandMessage = 20

	handshakeBytes     = 1536
	version            = 3
	controlChunkStream = 3
	maxMessage         = 16 << 20
)

func handshake(socket net.Conn) error {
	hello := make([]byte, 1+handshakeBytes)
	hello[0] = version
	if _, err := socket.Write(hello); err != nil {
		return err
	}
	answer := make([]byte, 1+2*handshakeBytes)
	if _, err := io.ReadFull(socket, answer); err != nil {
		return fmt.Errorf("RTMP handshake failed: %w", err)
	}
	_, err := socket.Write(answer[1 : 1+handshakeBytes])
	return err
}

// sendPlay sends connect, createStream and play in one go: the first stream's id is 1 on every server that counts from
// 1.
func sendPlay(app, tcURL, stream string) []byte {
	connect := text(nil, "connect")
	connect = number(connect, 1)
	connect = append(connect, 3) // an object
	for _, property := range [][2]string{{"app", app}, {"flashVer", "LNX 9,0,124,2"}, {"tcUrl", tcURL}} {
		connect = binary.BigEndian.AppendUint16(connect, uint16(len(property[0])))
		connect = append(connect, property[0]...)
		connect = text(connect, property[1])
	}
	connect = append(connect, 0, 0, 9)
	create := append(number(text(nil, "createStream"), 2), 5) // null
	play := append(number(text(nil, "play"), 3), 5)
	play = text(play, stream)
	out := command(nil, 0, connect)
	out = command(out, 0, create)
	return command(out, 1, play)
}

func text(b []byte, value string) []byte {
	b = binary.BigEndian.AppendUint16(append(b, 2), uint16(len(value)))
	return append(b, value...)
}

func number(b []byte, value float64) []byte {
	return binary.BigEndian.AppendUint64(append(b, 0), math.Float64bits(value))
}

// command appends one message in chunks of 128 bytes.
func command(out []byte, stream uint32, body []byte) []byte {
	out = append(out, controlChunkStream, 0, 0, 0, byte(len(body)>>16), byte(len(body)>>8), byte(len(body)), commandMessage)
	out = binary.LittleEndian.AppendUint32(out, stream)
	for first := true; len(body) > 0; first = false {
		if !first {
			out = append(out, 3<<6|controlChunkStream)
		}
		size := min(128, len(body))
		out = append(out, body[:size]...)
		body = body[size:]
	}
	return out
}

type message struct {
	kind   byte
	length int
}

type chunkStream struct {
	kind      byte
	length    int
	rest      int // of the current message
	extended  bool
	beginning [4]byte
}

type reader struct {
	input     *bufio.Reader
	chunkSize int
	streams   map[int]*chunkStream
	header    [11]byte
	bytes     uint64
}

func newReader(input io.Reader) *reader {
	return &reader{input: bufio.NewReaderSize(input, bufferBytes), chunkSize: 128, streams: map[int]*chunkStream{}}
}

// takeBytes is what was read since the last call.
func (r *reader) takeBytes() uint64 {
	taken := r.bytes
	r.bytes = 0
	return taken
}

// next reads chunks until a message is complete.
func (r *reader) next() (message, error) {
	for {
		s, size, err := r.chunk()
		if err != nil {
			return message{}, err
		}
		if err := r.body(s, size); err != nil {
			return message{}, err
		}
		if s.rest > 0 {
			continue
		}
		if s.kind == setChunkSize && s.length == 4 {
			if r.chunkSize = int(binary.BigEndian.Uint32(s.beginning[:])); r.chunkSize < 1 || r.chunkSize > maxMessage {
				return message{}, fmt.Errorf("the server set a chunk size of %d bytes", r.chunkSize)
			}
		}
		return message{kind: s.kind, length: s.length}, nil
	}
}

// body reads a chunk's part of its message; the first four bytes are kept.
func (r *reader) body(s *chunkStream, size int) error {
	if s.rest == s.length && size >= len(s.beginning) {
		if _, err := io.ReadFull(r.input, s.beginning[:]); err != nil {
			return err
		}
		s.rest -= len(s.beginning)
		r.bytes += uint64(len(s.beginning))
		size -= len(s.beginning)
	}
	n, err := r.input.Discard(size)
	s.rest -= n
	r.bytes += uint64(n)
	return err
}

// chunk reads a chunk header and returns how much of the message follows.
func (r *reader) chunk() (*chunkStream, int, error) {
	first, err := r.input.ReadByte()
	if err != nil {
		return nil, 0, err
	}
	id, read := int(first&0x3f), 1
	if id < 2 {
		return nil, 0, errors.New("chunk stream ids above 63 are not supported")
	}
	s := r.streams[id]
	if s == nil {
		s = &chunkStream{}
		r.streams[id] = s
	}
	sizes := [4]int{11, 7, 3, 0}
	header := r.header[:sizes[first>>6]]
	if _, err := io.ReadFull(r.input, header); err != nil {
		return nil, 0, err
	}
	read += len(header)
	if len(header) >= 3 {
		s.extended = header[0] == 0xff && header[1] == 0xff && header[2] == 0xff
	}
	if len(header) >= 7 {
		s.length, s.kind = int(header[3])<<16|int(header[4])<<8|int(header[5]), header[6]
	}
	if s.extended {
		if _, err := r.input.Discard(4); err != nil {
			return nil, 0, err
		}
		read += 4
	}
	if s.rest == 0 {
		s.rest = s.length
	}
	r.bytes += uint64(read)
	return s, min(s.rest, r.chunkSize), nil
}
