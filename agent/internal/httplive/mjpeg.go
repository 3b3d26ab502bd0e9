package httplive

import (
	"bytes"
	"errors"
	"fmt"
	"mime"
	"strconv"
	"strings"
)

// maxPartLine is many times a real line between two pictures.
const maxPartLine = 4 << 10

const lineEnd = "\r\n"

// errNotJPEG is the error of content that is not a picture.
var errNotJPEG = errors.New("a picture does not start like JPEG")

// jpeg checks the start of one picture (SOI marker, ITU-T T.81 table B.1).
type jpeg struct{ got int }

func (j *jpeg) write(data []byte) error {
	for i := 0; i < len(data) && j.got+i < 2; i++ {
		if data[i] != [2]byte{0xff, 0xd8}[j.got+i] {
			return errNotJPEG
		}
	}
	j.got += len(data)
	return nil
}

// take ends a picture; false if it was empty.
func (j *jpeg) take() bool {
	isPicture := j.got > 2
	j.got = 0
	return isPicture
}

type partState int

const (
	inPreamble partState = iota // until the first boundary
	inFields
	inPicture    // of known length
	inSearched   // until the next boundary
	afterPicture // until the next boundary, without content
	inClosed     // after the last boundary
)

// multipart parses multipart/x-mixed-replace in pieces of any size (RFC 2046, 5.1). Lengths of pictures are optional.
type multipart struct {
	boundary []byte // with its leading dashes
	state    partState
	line     []byte
	left     int64
	hasSize  bool
	tail     []byte // of a picture without length: may be the start of a boundary
	picture  jpeg
}

func (m *multipart) start(contentType string) error {
	kind, parameters, err := mime.ParseMediaType(contentType)
	boundary := strings.TrimPrefix(parameters["boundary"], "--")
	if err != nil || !strings.HasPrefix(kind, "multipart/") || boundary == "" || len(boundary) > 256 {
		return fmt.Errorf("its content type is %q; expected multipart/x-mixed-replace with a boundary", contentType)
	}
	m.boundary = []byte("--" + boundary)
	return nil
}

// write parses the next bytes and calls found for each complete picture.
func (m *multipart) write(data []byte, onPart func()) error {
	for len(data) > 0 {
		switch m.state {
		case inPicture:
			count := min(m.left, int64(len(data)))
			if err := m.picture.write(data[:count]); err != nil {
				return err
			}
			data = data[count:]
			if m.left -= count; m.left == 0 {
				m.end(onPart)
			}
		case inSearched:
			rest, err := m.search(data, onPart)
			if err != nil {
				return err
			}
			data = rest
		case inClosed:
			return nil
		default:
			rest, err := m.readLine(data)
			if err != nil {
				return err
			}
			data = rest
		}
	}
	return nil
}

func (m *multipart) end(onPart func()) {
	if m.picture.take() {
		onPart()
	}
	m.state = afterPicture
}

// search looks for the boundary after a picture without length.
func (m *multipart) search(data []byte, onPart func()) (rest []byte, err error) {
	marker := m.boundary
	all := data
	if len(m.tail) > 0 { // at most once for what arrived together: each boundary would copy all that follows it
		all = append(m.tail, data...)
	}
	at := bytes.Index(all, marker)
	if at < 0 {
		keep := min(len(lineEnd)+len(marker)-1, len(all))
		err = m.picture.write(all[:len(all)-keep])
		m.tail = append([]byte(nil), all[len(all)-keep:]...)
		return nil, err
	}
	// The line end before a boundary belongs to it.
	if err := m.picture.write(bytes.TrimSuffix(all[:at], []byte(lineEnd))); err != nil {
		return nil, err
	}
	m.tail = nil
	m.end(onPart)
	return all[at:], nil
}

// readLine collects lines between pictures.
func (m *multipart) readLine(data []byte) (rest []byte, err error) {
	end := bytes.IndexByte(data, '\n')
	if end < 0 {
		if m.line = append(m.line, data...); len(m.line) > maxPartLine {
			return nil, fmt.Errorf("a line of more than %d bytes between pictures", maxPartLine)
		}
		return nil, nil
	}
	line := bytes.TrimRight(append(m.line, data[:end]...), "\r")
	m.line = m.line[:0]
	switch {
	case m.state != inFields:
		if bytes.HasPrefix(line, m.boundary) {
			m.state, m.hasSize, m.left = inFields, false, 0
			if bytes.HasPrefix(line[len(m.boundary):], []byte("--")) {
				m.state = inClosed
			}
		}
	case len(line) == 0:
		m.state = inSearched
		if m.hasSize && m.left > 0 {
			m.state = inPicture
		}
	default:
		name, value, _ := bytes.Cut(line, []byte(":"))
		if strings.EqualFold(string(name), "Content-Length") {
			size, err := strconv.ParseInt(string(bytes.TrimSpace(value)), 10, 63)
			if err != nil || size < 0 {
				return nil, errors.New("the length of a picture is invalid")
			}
			m.left, m.hasSize = size, true
		}
	}
	return data[end+1:], nil
}
