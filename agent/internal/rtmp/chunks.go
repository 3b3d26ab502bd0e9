package rtmp

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
)

// Message types of the RTMP specification, sections 5.4 and 7.1.
const (
	TypeSetChunkSize     = 1
	TypeAbort            = 2
	TypeAcknowledgement  = 3
	TypeUserControl      = 4
	TypeWindowAckSize    = 5
	TypeSetPeerBandwidth = 6
	TypeAudio            = 8
	TypeVideo            = 9
	TypeData             = 18
	TypeCommand          = 20
	TypeAggregate        = 22
)

// FirstChunkSize is the chunk size until a side changes it.
const FirstChunkSize = 128

const (
	// A server sends a publisher commands and reports only; more than these is not RTMP.
	maxMessageBytes = 256 << 10
	// maxIncomplete bounds all messages together of which chunks are still to come.
	maxIncomplete   = 512 << 10
	maxChunkStreams = 64
	extended        = 0xffffff
)

// Message is one complete RTMP message.
type Message struct {
	Kind      byte
	Stream    uint32
	Timestamp uint32
	Payload   []byte
}

// inbound is the state of a chunk stream that its next chunk depends on.
type inbound struct {
	Message
	delta      uint32
	length     uint32
	isExtended bool
	isStarted  bool // a message with chunks still to come
}

// ChunkReader assembles messages from chunks.
type ChunkReader struct {
	from      *bufio.Reader
	chunkSize uint32
	streams   map[uint32]*inbound
	// Received counts all bytes, for acknowledgements.
	Received uint32

	incomplete int // bytes of messages with chunks still to come
}

func NewChunkReader(from io.Reader) *ChunkReader {
	return &ChunkReader{from: bufio.NewReaderSize(from, 16<<10), chunkSize: FirstChunkSize, streams: map[uint32]*inbound{}}
}

func (r *ChunkReader) take(count int) ([]byte, error) {
	payload := make([]byte, count)
	read, err := io.ReadFull(r.from, payload)
	r.Received += uint32(read)
	return payload, err
}

// Next returns the next complete message; messages that control the chunks are handled here and not returned.
func (r *ChunkReader) Next() (Message, error) {
	for {
		complete, err := r.chunk()
		if err != nil {
			return Message{}, err
		}
		if complete == nil {
			continue
		}
		switch complete.Kind {
		case TypeSetChunkSize:
			if r.chunkSize, err = readChunkSize(complete.Payload); err != nil {
				return Message{}, err
			}
		case TypeAbort:
			if len(complete.Payload) >= 4 {
				if of := r.streams[binary.BigEndian.Uint32(complete.Payload)]; of != nil {
					r.incomplete -= len(of.Payload)
					of.isStarted, of.Payload = false, nil
				}
			}
		default:
			return *complete, nil
		}
	}
}

func readChunkSize(payload []byte) (uint32, error) {
	if len(payload) < 4 {
		return 0, fmt.Errorf("a chunk size of %d bytes", len(payload))
	}
	size := binary.BigEndian.Uint32(payload)
	if size == 0 || size > 1<<31-1 {
		return 0, fmt.Errorf("chunks of %d bytes", size)
	}
	return size, nil
}

// chunk reads one chunk; it returns a message if that was its last.
func (r *ChunkReader) chunk() (*Message, error) {
	format, of, err := r.basicHeader()
	if err != nil {
		return nil, err
	}
	if err := r.messageHeader(format, of); err != nil {
		return nil, err
	}
	size := int(min(r.chunkSize, of.length-uint32(len(of.Payload))))
	if r.incomplete += size; r.incomplete > maxIncomplete {
		return nil, fmt.Errorf("more than %d bytes of incomplete messages", maxIncomplete)
	}
	piece, err := r.take(size)
	if err != nil {
		return nil, err
	}
	of.Payload = append(of.Payload, piece...)
	if uint32(len(of.Payload)) < of.length {
		of.isStarted = true
		return nil, nil
	}
	of.isStarted = false
	r.incomplete -= len(of.Payload)
	complete := of.Message
	of.Payload = nil
	return &complete, nil
}

func (r *ChunkReader) basicHeader() (format byte, of *inbound, err error) {
	first, err := r.take(1)
	if err != nil {
		return 0, nil, err
	}
	number := uint32(first[0] & 0x3f)
	if number < 2 { // ids from 64 take one or two bytes more
		more, err := r.take(int(number) + 1)
		if err != nil {
			return 0, nil, err
		}
		number = 64 + uint32(more[0])
		if len(more) == 2 {
			number += uint32(more[1]) << 8
		}
	}
	format = first[0] >> 6
	of = r.streams[number]
	if of == nil {
		if format == 3 || len(r.streams) == maxChunkStreams {
			return 0, nil, fmt.Errorf("chunk stream %d starts without a header, or there are more than %d", number, maxChunkStreams)
		}
		of = &inbound{}
		r.streams[number] = of
	}
	return format, of, nil
}

// messageHeader reads as much of a header as the format has; the rest is that of the previous message.
func (r *ChunkReader) messageHeader(format byte, of *inbound) error {
	if of.isStarted {
		if format != 3 {
			return fmt.Errorf("a message starts before the previous one has ended")
		}
		if of.isExtended { // repeated in each chunk
			_, err := r.take(4)
			return err
		}
		return nil
	}
	header, err := r.take([4]int{11, 7, 3, 0}[format])
	if err != nil {
		return err
	}
	time := of.delta
	if format < 3 {
		time = uint24(header)
		of.isExtended = time == extended
	}
	if format < 2 {
		of.length, of.Kind = uint24(header[3:]), header[6]
	}
	if format == 0 {
		of.Stream = binary.LittleEndian.Uint32(header[7:])
	}
	if of.isExtended {
		long, err := r.take(4)
		if err != nil {
			return err
		}
		time = binary.BigEndian.Uint32(long)
	}
	if of.delta = time; format == 0 {
		of.Timestamp = time
	} else {
		of.Timestamp += time
	}
	if of.length > maxMessageBytes {
		return fmt.Errorf("a message of %d bytes", of.length)
	}
	of.Payload = nil
	return nil
}

func uint24(b []byte) uint32 { return uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2]) }

// AppendChunks splits a message into chunks: a full header on the first, none on the others.
func AppendChunks(to []byte, chunkStream byte, m Message, chunkSize int) []byte {
	short := min(m.Timestamp, extended)
	to = append(to, chunkStream, byte(short>>16), byte(short>>8), byte(short),
		byte(len(m.Payload)>>16), byte(len(m.Payload)>>8), byte(len(m.Payload)), m.Kind)
	to = binary.LittleEndian.AppendUint32(to, m.Stream)
	for rest := m.Payload; ; {
		if short == extended {
			to = binary.BigEndian.AppendUint32(to, m.Timestamp)
		}
		piece := rest[:min(chunkSize, len(rest))]
		to = append(to, piece...)
		if rest = rest[len(piece):]; len(rest) == 0 {
			return to
		}
		to = append(to, 3<<6|chunkStream)
	}
}
