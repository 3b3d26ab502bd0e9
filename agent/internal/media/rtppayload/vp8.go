package rtppayload

import "encoding/binary"

// inspectVP8 reads the payload descriptor (RFC 7741 4.2) and, at the start of a frame, the frame's header (RFC 6386
// 9.1).
func inspectVP8(payload []byte) (p Payload) {
	if len(payload) < 1 {
		return p
	}
	first, at := payload[0], 1
	if first&0x80 != 0 { // X
		if len(payload) < 2 {
			return p
		}
		extension := payload[1]
		at = 2
		if extension&0x80 != 0 { // I: the picture id has one byte or two
			if len(payload) <= at {
				return p
			}
			at += 1 + int(payload[at]>>7)
		}
		if extension&0x40 != 0 { // L
			at++
		}
		if extension&0x30 != 0 { // T, K
			if len(payload) <= at {
				return p
			}
			if extension&0x20 != 0 {
				p.Temporal = payload[at] >> 6
			}
			at++
		}
	}
	const partitionStart, partition = 0x10, 0x07
	if first&partitionStart == 0 || first&partition != 0 || len(payload) <= at {
		return p
	}
	frame := payload[at:]
	p.StartsFrame = true
	p.Keyframe = frame[0]&1 == 0
	if p.Keyframe && len(frame) >= 10 && frame[3] == 0x9d && frame[4] == 0x01 && frame[5] == 0x2a {
		const scale = 0x3fff // the upper two bits are a hint for scaling up
		p.setSize(int(binary.LittleEndian.Uint16(frame[6:])&scale), int(binary.LittleEndian.Uint16(frame[8:])&scale))
	}
	return p
}
