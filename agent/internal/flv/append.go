package flv

import "encoding/binary"

// AppendHeader appends the header of a file or live stream (FLV specification, E.2).
func AppendHeader(to []byte, hasAudio bool) []byte {
	flags := byte(1)
	if hasAudio {
		flags |= 4
	}
	return append(to, 'F', 'L', 'V', 1, flags, 0, 0, 0, fileHeader, 0, 0, 0, 0)
}

// AppendTag appends a message as a tag (E.4.1). The time in ms wraps after 49 days.
func AppendTag(to []byte, kind byte, timestamp uint32, payload []byte) []byte {
	size := uint32(len(payload))
	to = append(to, kind, byte(size>>16), byte(size>>8), byte(size),
		byte(timestamp>>16), byte(timestamp>>8), byte(timestamp), byte(timestamp>>24), 0, 0, 0)
	return binary.BigEndian.AppendUint32(append(to, payload...), tagHeader+size)
}
