// Package httpstream parses HTTP/1.1 responses and WebSocket frames that arrive in pieces of any size, so that the
// reader of all connections can feed it. Heads are parsed by net/http; bodies are passed on without being kept.
package httpstream

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
)

// maxHeadBytes is many times a real response's head.
const maxHeadBytes = 64 << 10

// maxInterim is how many 1xx responses may precede one response.
const maxInterim = 8

// Sink receives what a Parser finds. An error ends parsing.
type Sink interface {
	// Head gets the status and the header fields of a response; its Body must not be read.
	Head(response *http.Response) error
	// Body gets the next bytes of the body, valid only during the call.
	Body(data []byte) error
	// End reports the end of the response.
	End() error
}

type state int

const (
	inHead state = iota
	inBody       // of known length
	inChunks
	untilClose
	upgraded
)

// Parser parses the responses of one connection. The zero value waits for a head.
type Parser struct {
	state   state
	head    []byte
	interim int
	left    int64 // of the body, or of a chunk
	chunk   chunkState
	line    []byte
	// KeepsAlive is whether the connection may be used again after the current response.
	KeepsAlive bool
}

// ErrNotHTTP is the error of a server that does not speak HTTP/1.
var ErrNotHTTP = errors.New("the response is not valid HTTP")

// Write parses the next bytes; after an error it must not be called again. After the end of a response it continues
// with the next one. What follows a head with status 101 is passed to Body as it is.
func (p *Parser) Write(sink Sink, data []byte) error {
	for len(data) > 0 {
		var used int
		var err error
		switch p.state {
		case inHead:
			used, err = p.addToHead(sink, data)
		case inBody:
			used = int(min(p.left, int64(len(data))))
			p.left -= int64(used)
			if err = sink.Body(data[:used]); err == nil && p.left == 0 {
				err = p.end(sink)
			}
		case inChunks:
			used, err = p.dechunk(sink, data)
		default:
			used, err = len(data), sink.Body(data)
		}
		if err != nil {
			return err
		}
		data = data[used:]
	}
	return nil
}

// IsIdle reports whether no response has started.
func (p *Parser) IsIdle() bool { return p.state == inHead && len(p.head) == 0 }

// Closed reports the end of the connection; it is the end of the response where its length is not given.
func (p *Parser) Closed(sink Sink) (isEnd bool, err error) {
	if p.state != untilClose {
		return false, nil
	}
	return true, p.end(sink)
}

func (p *Parser) end(sink Sink) error {
	p.state, p.head, p.interim = inHead, nil, 0
	return sink.End()
}

func (p *Parser) addToHead(sink Sink, data []byte) (used int, err error) {
	end := endOfHead(p.head, data)
	if end < 0 || len(p.head) > 0 {
		count := len(data)
		if end >= 0 {
			count = end
		}
		if p.head = append(p.head, data[:count]...); len(p.head) > maxHeadBytes {
			return 0, fmt.Errorf("%w: its head is longer than %d bytes", ErrNotHTTP, maxHeadBytes)
		}
	}
	head := p.head
	if len(head) == 0 {
		head = data[:end] // complete in one piece, as nearly always
	}
	if !strings.HasPrefix("HTTP/1.", string(head[:min(len(head), 7)])) {
		return 0, ErrNotHTTP
	}
	if end < 0 {
		return len(data), nil
	}
	response, err := readHead(head)
	if err != nil {
		return 0, ErrNotHTTP
	}
	p.head = nil
	return end, p.startBody(sink, response)
}

// endOfHead is where in data the empty line after a head ends, which may have begun before; -1 if it does not.
func endOfHead(before, data []byte) int {
	const emptyLine = "\r\n\r\n"
	var joined [6]byte
	copied := copy(joined[:3], before[max(0, len(before)-3):])
	length := copied + copy(joined[copied:], data[:min(3, len(data))])
	if at := bytes.Index(joined[:length], []byte(emptyLine)); at >= 0 {
		return at + len(emptyLine) - copied
	}
	if at := bytes.Index(data, []byte(emptyLine)); at >= 0 {
		return at + len(emptyLine)
	}
	return -1
}

// headReader is reused: a new one for each response would be most of what a viewer allocates.
type headReader struct {
	bytes  bytes.Reader
	buffer bufio.Reader
}

var headReaders = sync.Pool{New: func() any { return &headReader{} }}

func readHead(head []byte) (*http.Response, error) {
	r := headReaders.Get().(*headReader)
	defer headReaders.Put(r)
	r.bytes.Reset(head)
	r.buffer.Reset(&r.bytes)
	return http.ReadResponse(&r.buffer, nil)
}

func (p *Parser) startBody(sink Sink, response *http.Response) error {
	status := response.StatusCode
	if status >= 100 && status < 200 && status != http.StatusSwitchingProtocols {
		if p.interim++; p.interim > maxInterim {
			return fmt.Errorf("%w: more than %d interim responses", ErrNotHTTP, maxInterim)
		}
		return nil
	}
	p.KeepsAlive = !response.Close
	isChunked := len(response.TransferEncoding) == 1 && response.TransferEncoding[0] == "chunked"
	switch {
	case status == http.StatusSwitchingProtocols:
		p.state = upgraded
	case isChunked:
		p.state, p.chunk = inChunks, inSize
	case response.ContentLength > 0:
		p.state, p.left = inBody, response.ContentLength
	case response.ContentLength < 0:
		p.state, p.KeepsAlive = untilClose, false
	}
	if err := sink.Head(response); err != nil {
		return err
	}
	if p.state == inHead { // without a body
		return p.end(sink)
	}
	return nil
}
