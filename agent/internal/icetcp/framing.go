package icetcp

import "encoding/binary"

// header is the length of a frame, which precedes its content (RFC 4571, 2).
const header = 2

// appendFrame appends a frame; content has at most 65,535 bytes.
func appendFrame(to, content []byte) []byte {
	return append(binary.BigEndian.AppendUint16(to, uint16(len(content))), content...)
}

// deframer cuts a stream of bytes into frames.
type deframer struct {
	partial []byte // of a frame whose rest has not arrived, at most one frame
}

// next passes the contents of the complete frames to a function, valid only during the call. Empty frames have none.
func (d *deframer) next(data []byte, content func([]byte)) {
	for len(data) > 0 {
		if len(d.partial) == 0 {
			if length := header + frameLength(data); len(data) >= header && len(data) >= length {
				pass(data[header:length], content)
				data = data[length:]
				continue
			}
		}
		// Only what the pending frame needs is copied.
		need := header
		if len(d.partial) >= header {
			need += frameLength(d.partial)
		}
		count := min(need-len(d.partial), len(data))
		d.partial = append(d.partial, data[:count]...)
		data = data[count:]
		if len(d.partial) >= header && len(d.partial) == header+frameLength(d.partial) {
			pass(d.partial[header:], content)
			d.partial = d.partial[:0]
		}
	}
}

func pass(data []byte, content func([]byte)) {
	if len(data) > 0 {
		content(data)
	}
}

func frameLength(data []byte) int {
	if len(data) < header {
		return 0
	}
	return int(binary.BigEndian.Uint16(data))
}
