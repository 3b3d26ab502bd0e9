package rtmp

import (
	"encoding/binary"
	"fmt"

	"fullhouse/agent/internal/flv"
)

// gather collects a chunk's header and starts the chunk when it is complete.
func (s *Scanner) gather(data []byte) (used int, err error) {
	for {
		want, err := s.headerSize()
		if err != nil {
			return used, err
		}
		if s.have == want {
			return used, s.startChunk()
		}
		if used == len(data) {
			return used, nil
		}
		count := copy(s.header[s.have:want], data[used:])
		s.have += count
		used += count
	}
}

// headerSize is how many bytes the header takes, as far as known by now.
func (s *Scanner) headerSize() (int, error) {
	if s.have == 0 {
		return 1, nil
	}
	basic, format := s.basicSize(), s.header[0]>>6
	size := basic + int(messageHeaders[format])
	if s.have < size {
		return size, nil
	}
	if format < 3 {
		if uint24(s.header[basic:]) == extended {
			size += 4
		}
		return size, nil
	}
	at := s.find(s.number())
	if at < 0 {
		return 0, fmt.Errorf("chunk stream %d starts without a header", s.number())
	}
	if s.streams[at].isExtended { // repeated in each chunk
		size += 4
	}
	return size, nil
}

// basicSize is the size of the part with the chunk stream id; ids from 64 take one or two bytes more.
func (s *Scanner) basicSize() int {
	if number := int(s.header[0] & 0x3f); number < 2 {
		return number + 2
	}
	return 1
}

func (s *Scanner) number() uint32 {
	switch number := uint32(s.header[0] & 0x3f); number {
	case 0:
		return 64 + uint32(s.header[1])
	case 1:
		return 64 + uint32(s.header[1]) + uint32(s.header[2])<<8
	default:
		return number
	}
}

// find returns the index of a chunk stream, -1 for a new one. There are four or five.
func (s *Scanner) find(number uint32) int {
	for i := range s.streams {
		if s.streams[i].number == number {
			return i
		}
	}
	return -1
}

// startChunk starts the chunk whose header is complete.
func (s *Scanner) startChunk() error {
	size := s.have
	s.have = 0
	number, format := s.number(), s.header[0]>>6
	if s.current = s.find(number); s.current < 0 {
		if len(s.streams) == maxChunkStreams {
			return fmt.Errorf("chunk stream %d exceeds the maximum of %d", number, maxChunkStreams)
		}
		s.current = len(s.streams)
		s.streams = append(s.streams, scanned{number: number})
	}
	of := &s.streams[s.current]
	if of.isStarted && format != 3 {
		return fmt.Errorf("a message starts before the previous one has ended")
	}
	var long [4]byte
	isExtended := of.isExtended
	header := s.header[s.basicSize():size]
	if format < 3 {
		isExtended = uint24(header) == extended
	}
	if isExtended {
		copy(long[:], s.header[size-4:size])
	}
	repeated := binary.BigEndian.Uint32(long[:])
	notRepeated := format == 3 && isExtended && repeated != of.delta && repeated != of.timestamp
	if !of.isStarted {
		of.start(format, header, isExtended, long)
	}
	if s.chunkSize == 0 {
		s.chunkSize = FirstChunkSize
	}
	of.isStarted = true
	s.left = min(s.chunkSize, of.length-of.got)
	if s.left == 0 {
		if err := s.finish(of); err != nil {
			return err
		}
	}
	if notRepeated { // some servers omit it: these bytes are payload
		return s.scan(long[:])
	}
	return nil
}

// start reads as much of a message's header as the format has; the rest is that of the previous message.
func (of *scanned) start(format byte, header []byte, isExtended bool, long [4]byte) {
	time := of.delta
	if format < 3 {
		time = uint24(header)
		if isExtended {
			time = binary.BigEndian.Uint32(long[:])
		}
	}
	if format < 2 {
		of.length, of.kind = uint24(header[3:]), header[6]
	}
	of.isExtended, of.got, of.payload = isExtended, 0, flv.Payload{}
	if of.delta = time; format == 0 {
		of.timestamp = time
	} else {
		of.timestamp += time
	}
}
