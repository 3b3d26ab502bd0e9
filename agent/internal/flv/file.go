package flv

import (
	"encoding/binary"
	"errors"
)

// fileHeader is the size of a file's header: signature, version, flags, and its own size (FLV specification, E.2).
const fileHeader = 9

// maxFileHeader bounds the size that a header claims for itself.
const maxFileHeader = 4 << 10

// ErrNotFLV is the error of a stream that does not start like FLV.
var ErrNotFLV = errors.New("the stream does not start with an FLV header")

// File parses an FLV file or live stream in pieces of any size.
type File struct {
	have   int
	header [fileHeader]byte
	skip   uint32 // before the first tag
	tags   Tags
}

// Write scans the next bytes; after an error it must not be used.
func (f *File) Write(sink Sink, data []byte) error {
	if f.have < fileHeader {
		count := copy(f.header[f.have:], data)
		f.have += count
		data = data[count:]
		if signature := "FLV"[:min(f.have, 3)]; string(f.header[:len(signature)]) != signature {
			return ErrNotFLV
		}
		if f.have < fileHeader {
			return nil
		}
		size := binary.BigEndian.Uint32(f.header[5:])
		if size < fileHeader || size > maxFileHeader {
			return ErrNotFLV
		}
		f.skip = size - fileHeader + tagTrailer
	}
	skipped := min(f.skip, uint32(len(data)))
	f.skip -= skipped
	f.tags.Write(sink, data[skipped:])
	return nil
}
