package httpstream

import (
	"bytes"
	"fmt"
	"strconv"
)

// maxChunkLine is many times a chunk's size line or a trailer field.
const maxChunkLine = 4 << 10

type chunkState int

const (
	inSize chunkState = iota
	inData
	afterData
	inTrailer
)

// dechunk parses the chunked transfer coding (RFC 9112, 7.1).
func (p *Parser) dechunk(sink Sink, data []byte) (used int, err error) {
	if p.chunk == inData {
		used = int(min(p.left, int64(len(data))))
		if p.left -= int64(used); p.left == 0 {
			p.chunk = afterData
		}
		return used, sink.Body(data[:used])
	}
	line, used, err := p.readLine(data)
	if err != nil || line == nil {
		return used, err
	}
	switch p.chunk {
	case inSize:
		size, _, _ := bytes.Cut(line, []byte(";"))
		p.left, err = strconv.ParseInt(string(bytes.TrimSpace(size)), 16, 63)
		if err != nil || p.left < 0 {
			return used, fmt.Errorf("%w: invalid size of a chunk", ErrNotHTTP)
		}
		p.chunk = inData
		if p.left == 0 {
			p.chunk = inTrailer
		}
	case afterData:
		if len(line) != 0 {
			return used, fmt.Errorf("%w: a chunk is longer than its size", ErrNotHTTP)
		}
		p.chunk = inSize
	case inTrailer:
		if len(line) == 0 {
			return used, p.end(sink)
		}
	}
	return used, nil
}

// readLine collects a line; nil while it is incomplete.
func (p *Parser) readLine(data []byte) (line []byte, used int, err error) {
	end := bytes.IndexByte(data, '\n')
	if end < 0 {
		p.line = append(p.line, data...)
		if len(p.line) > maxChunkLine {
			return nil, 0, fmt.Errorf("%w: a line of more than %d bytes between chunks", ErrNotHTTP, maxChunkLine)
		}
		return nil, len(data), nil
	}
	line = append(p.line, data[:end]...)
	p.line = p.line[:0]
	if line = bytes.TrimSuffix(line, []byte("\r")); line == nil {
		line = []byte{}
	}
	return line, end + 1, nil
}
