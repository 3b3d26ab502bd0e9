package flv

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

// maxTag bounds a message: a picture of a live stream is far smaller.
const maxTag = 8 << 20

// Reader reads the messages of a live stream one by one, with their content.
type Reader struct {
	from    *bufio.Reader
	payload []byte
}

// NewReader reads the header of the stream.
func NewReader(from *bufio.Reader) (*Reader, error) {
	var header [fileHeader + tagTrailer]byte
	if _, err := io.ReadFull(from, header[:]); err != nil {
		return nil, err
	}
	if string(header[:3]) != "FLV" || binary.BigEndian.Uint32(header[5:]) != fileHeader {
		return nil, ErrNotFLV
	}
	return &Reader{from: from}, nil
}

// Next is the next message: its kind, its time in ms and its payload, which is valid until the next call.
func (r *Reader) Next() (kind byte, timestamp uint32, payload []byte, err error) {
	var header [tagHeader]byte
	if _, err := io.ReadFull(r.from, header[:]); err != nil {
		return 0, 0, nil, err
	}
	t := Tags{header: header}
	size := int(t.size())
	if size > maxTag {
		return 0, 0, nil, errors.New("a message is too long")
	}
	if cap(r.payload) < size+tagTrailer {
		r.payload = make([]byte, size+tagTrailer)
	}
	whole := r.payload[:size+tagTrailer]
	if _, err := io.ReadFull(r.from, whole); err != nil {
		return 0, 0, nil, err
	}
	return t.kind(), t.time(), whole[:size], nil
}
