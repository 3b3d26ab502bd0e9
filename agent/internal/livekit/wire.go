package livekit

import (
	"encoding/binary"
	"errors"
)

// The wire format of protocol buffers, as far as signalling needs it: numbers and byte strings. Of all else the length is
// known, so it is passed over.
const (
	wireVarint = 0
	wire64     = 1
	wireBytes  = 2
	wire32     = 5
)

// mostField is the greatest number of a field.
const mostField = 1<<29 - 1

var errNotProtobuf = errors.New("it is no protocol buffer")

// field is one field of a message: its number and its value, whichever of the two it has.
type field struct {
	id     int
	number uint64
	bytes  []byte // nil for a number
}

func (f field) text() string { return string(f.bytes) }

// fields calls visit with the fields of a message in their order, until visit returns an error. What visit is given is a part of data.
func fields(data []byte, visit func(field) error) error {
	for len(data) > 0 {
		key, size := binary.Uvarint(data)
		if size <= 0 || key>>3 == 0 || key>>3 > mostField {
			return errNotProtobuf
		}
		data = data[size:]
		one := field{id: int(key >> 3)}
		switch key & 7 {
		case wireVarint:
			if one.number, size = binary.Uvarint(data); size <= 0 {
				return errNotProtobuf
			}
		case wireBytes:
			length, head := binary.Uvarint(data)
			if head <= 0 || length > uint64(len(data)-head) {
				return errNotProtobuf
			}
			size = head + int(length)
			one.bytes = data[head:size:size]
		case wire32, wire64:
			if size = 4; key&7 == wire64 {
				size = 8
			}
			if len(data) < size {
				return errNotProtobuf
			}
			data = data[size:]
			continue // no message that we read has such a field
		default:
			return errNotProtobuf
		}
		data = data[size:]
		if err := visit(one); err != nil {
			return err
		}
	}
	return nil
}

// appendNumber appends a field with a number; 0 is what a field is when it is absent.
func appendNumber(to []byte, id int, number uint64) []byte {
	if number == 0 {
		return to
	}
	return binary.AppendUvarint(binary.AppendUvarint(to, uint64(id)<<3|wireVarint), number)
}

// appendBytes appends a field with a text or a message, which may be empty.
func appendBytes[T string | []byte](to []byte, id int, value T) []byte {
	to = binary.AppendUvarint(to, uint64(id)<<3|wireBytes)
	return append(binary.AppendUvarint(to, uint64(len(value))), value...)
}
