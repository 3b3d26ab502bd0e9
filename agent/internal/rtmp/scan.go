package rtmp

import (
	"encoding/binary"
	"fmt"

	"fullhouse/agent/internal/flv"
)

const (
	// HeadBytes of each media message are kept.
	HeadBytes = flv.HeadBytes
	// maxCommandBytes and maxControlBytes are many times what servers send to viewers.
	maxCommandBytes = 16 << 10
	maxControlBytes = 64
	// maxHeldBytes is the maximum size of all incomplete messages together.
	maxHeldBytes   = 32 << 10
	maxHeader      = 3 + 11 + 4
	typeAMF3       = 17 // a command as 20, with a byte before it
	messageHeaders = "\x0b\x07\x03\x00"
)

// Sink receives what a Scanner finds. The slices are valid only during the call.
type Sink interface {
	flv.Sink
	// Control gets each complete command and control message except those that control the chunks. An error ends the
	// scan.
	Control(kind byte, payload []byte) error
}

// Scanner parses the chunks of a server in pieces of any size, without keeping their content: it allocates for commands
// only, and never by a length from the server. It must not be used after an error.
type Scanner struct {
	Sink Sink
	// Received counts all bytes.
	Received uint64

	chunkSize uint32
	streams   []scanned
	current   int    // in streams: whose chunk it is
	left      uint32 // of the chunk's payload; 0 while in a header
	held      int
	have      int
	header    [maxHeader]byte
}

// scanned is the state of a chunk stream that its next chunk depends on.
type scanned struct {
	number     uint32
	timestamp  uint32
	delta      uint32
	length     uint32
	got        uint32
	kind       byte
	isExtended bool
	isStarted  bool
	payload    flv.Payload
	body       []byte
	aggregate  *aggregate
}

// Write scans the next bytes.
func (s *Scanner) Write(data []byte) error {
	s.Received += uint64(len(data))
	return s.scan(data)
}

func (s *Scanner) scan(data []byte) error {
	for len(data) > 0 {
		if s.left == 0 {
			used, err := s.gather(data)
			if err != nil {
				return err
			}
			data = data[used:]
			continue
		}
		count := min(s.left, uint32(len(data)))
		of := &s.streams[s.current]
		if err := s.payload(of, data[:count]); err != nil {
			return err
		}
		data = data[count:]
		if s.left -= count; s.left == 0 && of.got == of.length {
			if err := s.finish(of); err != nil {
				return err
			}
		}
	}
	return nil
}

func isKept(kind byte) bool {
	switch kind {
	case TypeAudio, TypeVideo, TypeData, TypeAggregate:
		return false
	}
	return kind <= TypeSetPeerBandwidth || kind == TypeCommand || kind == typeAMF3
}

func (s *Scanner) payload(of *scanned, data []byte) error {
	switch {
	case isKept(of.kind):
		maximum := maxControlBytes
		if of.kind > TypeSetPeerBandwidth {
			maximum = maxCommandBytes
		}
		if of.length > uint32(maximum) || s.held+len(data) > maxHeldBytes {
			return fmt.Errorf("a message of %d bytes of type %d", of.length, of.kind)
		}
		of.body = append(of.body, data...)
		s.held += len(data)
	case of.kind == TypeAggregate:
		if of.aggregate == nil {
			of.aggregate = &aggregate{sink: s.Sink, timestamp: of.timestamp}
		}
		of.aggregate.Write(of.aggregate, data)
	default:
		of.payload.Write(of.kind, data)
	}
	of.got += uint32(len(data))
	return nil
}

// finish passes on a complete message.
func (s *Scanner) finish(of *scanned) error {
	of.isStarted = false
	body := of.body
	s.held -= len(body)
	of.body = nil
	switch of.kind {
	case TypeAudio, TypeVideo, TypeData:
		s.Sink.Media(of.payload.Message(of.kind, of.timestamp, of.length))
	case TypeAggregate:
		of.aggregate = nil
	case TypeSetChunkSize:
		size, err := readChunkSize(body)
		if err != nil {
			return err
		}
		s.chunkSize = size
	case TypeAbort:
		if len(body) >= 4 {
			s.abort(binary.BigEndian.Uint32(body))
		}
	default:
		if isKept(of.kind) {
			return s.Sink.Control(of.kind, body)
		}
	}
	return nil
}

func (s *Scanner) abort(number uint32) {
	if at := s.find(number); at >= 0 {
		of := &s.streams[at]
		s.held -= len(of.body)
		of.isStarted, of.body, of.aggregate, of.got = false, nil, nil, 0
		of.payload = flv.Payload{}
	}
}
