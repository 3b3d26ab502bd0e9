package livekit

import (
	"encoding/binary"
	"errors"
)

// The protocol buffers wire format, as far as signalling needs it: numbers and byte strings. Fields of other types are
// skipped by their length.
const (
	wireVarint = 0
	wire64     = 1
	wireBytes  = 2
	wire32     = 5
)

// maxField is the maximum field number.
const maxField = 1<<29 - 1

var errNotProtobuf = errors.New("not a protocol buffer")

// field is one field of a message: its number and its value, of either type.
type field struct {
	id     int
	number uint64
	bytes  []byte // nil for a number
}

func (f field) text() string { return string(f.bytes) }

// fields calls visit with the fields of a message in order, until visit returns an error. visit gets a part of data,
// not a copy.
func fields(data []byte, visit func(field) error) error {
	for len(data) > 0 {
		key, size := binary.Uvarint(data)
		if size <= 0 || key>>3 == 0 || key>>3 > maxField {
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
			continue // no message used here has such a field
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

// appendNumber appends a field with a number; 0 is the default of an absent field.
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
