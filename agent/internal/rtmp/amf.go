package rtmp

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sort"
)

// AMF0 markers (Adobe's AMF 0 specification, section 2.1).
const (
	amfNumber      = 0x00
	amfBoolean     = 0x01
	amfString      = 0x02
	amfObject      = 0x03
	amfNull        = 0x05
	amfUndefined   = 0x06
	amfECMAArray   = 0x08
	amfObjectEnd   = 0x09
	amfStrictArray = 0x0a
	amfDate        = 0x0b
	amfLongString  = 0x0c
)

const maxAMFDepth = 8

var errShortAMF = errors.New("an AMF value is truncated")

// Object is written with its names sorted, so that the output is deterministic.
type Object map[string]any

// ECMAArray is an object in the encoding used for metadata.
type ECMAArray map[string]any

// AppendAMF encodes values: float64, bool, string, nil, []any, Object and ECMAArray.
func AppendAMF(to []byte, values ...any) []byte {
	for _, value := range values {
		switch v := value.(type) {
		case float64:
			to = binary.BigEndian.AppendUint64(append(to, amfNumber), math.Float64bits(v))
		case bool:
			to = append(to, amfBoolean, 0)
			if v {
				to[len(to)-1] = 1
			}
		case string:
			to = appendString(to, v)
		case Object:
			to = appendProperties(append(to, amfObject), v)
		case ECMAArray:
			to = appendProperties(binary.BigEndian.AppendUint32(append(to, amfECMAArray), uint32(len(v))), v)
		case []any:
			to = AppendAMF(binary.BigEndian.AppendUint32(append(to, amfStrictArray), uint32(len(v))), v...)
		default:
			to = append(to, amfNull)
		}
	}
	return to
}

func appendString(to []byte, text string) []byte {
	if len(text) > math.MaxUint16 {
		return append(binary.BigEndian.AppendUint32(append(to, amfLongString), uint32(len(text))), text...)
	}
	return append(binary.BigEndian.AppendUint16(append(to, amfString), uint16(len(text))), text...)
}

func appendProperties(to []byte, properties map[string]any) []byte {
	names := make([]string, 0, len(properties))
	for name := range properties {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		to = append(binary.BigEndian.AppendUint16(to, uint16(len(name))), name...)
		to = AppendAMF(to, properties[name])
	}
	return append(to, 0, 0, amfObjectEnd)
}

// ReadAMF decodes all values of a message. Objects and arrays of either kind become map[string]any and []any.
func ReadAMF(data []byte) ([]any, error) {
	var values []any
	for r := (amfReader{data}); len(r.data) > 0; {
		value, err := r.value(0)
		if err != nil {
			return values, err
		}
		values = append(values, value)
	}
	return values, nil
}

type amfReader struct{ data []byte }

func (r *amfReader) take(count int) ([]byte, error) {
	if count < 0 || count > len(r.data) {
		return nil, errShortAMF
	}
	text := r.data[:count]
	r.data = r.data[count:]
	return text, nil
}

func (r *amfReader) value(depth int) (any, error) {
	if depth > maxAMFDepth {
		return nil, fmt.Errorf("AMF values are nested more than %d deep", maxAMFDepth)
	}
	marker, err := r.take(1)
	if err != nil {
		return nil, err
	}
	switch marker[0] {
	case amfNumber:
		bits, err := r.take(8)
		if err != nil {
			return nil, err
		}
		return math.Float64frombits(binary.BigEndian.Uint64(bits)), nil
	case amfBoolean:
		flag, err := r.take(1)
		if err != nil {
			return nil, err
		}
		return flag[0] != 0, nil
	case amfString:
		return r.text(2)
	case amfLongString:
		return r.text(4)
	case amfNull, amfUndefined:
		return nil, nil
	case amfObject:
		return r.properties(depth)
	case amfECMAArray:
		if _, err := r.take(4); err != nil { // senders set wrong counts; the end marker decides
			return nil, err
		}
		return r.properties(depth)
	case amfStrictArray:
		return r.list(depth)
	case amfDate:
		date, err := r.take(10) // milliseconds, and a time zone to be ignored
		if err != nil {
			return nil, err
		}
		return math.Float64frombits(binary.BigEndian.Uint64(date)), nil
	}
	return nil, fmt.Errorf("unsupported AMF value type %#02x", marker[0])
}

// text reads a string whose length field has that many bytes.
func (r *amfReader) text(lengthBytes int) (string, error) {
	length, err := r.take(lengthBytes)
	if err != nil {
		return "", err
	}
	size := 0
	for _, b := range length {
		size = size<<8 | int(b)
	}
	text, err := r.take(size)
	return string(text), err
}

func (r *amfReader) properties(depth int) (map[string]any, error) {
	properties := map[string]any{}
	for {
		name, err := r.text(2)
		if err != nil {
			return nil, err
		}
		if name == "" && len(r.data) > 0 && r.data[0] == amfObjectEnd {
			r.data = r.data[1:]
			return properties, nil
		}
		if properties[name], err = r.value(depth + 1); err != nil {
			return nil, err
		}
	}
}

func (r *amfReader) list(depth int) ([]any, error) {
	head, err := r.take(4)
	if err != nil {
		return nil, err
	}
	var list []any
	for range binary.BigEndian.Uint32(head) { // each takes at least a byte, or the loop ends with an error
		value, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	return list, nil
}
