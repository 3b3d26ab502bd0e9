package rtppayload

import (
	"encoding/binary"

	"fullhouse/agent/internal/media/h264"
)

// H.264 NAL unit types (RFC 6184).
const (
	nalSlice     = 1
	nalKeyframe  = 5
	nalSPS       = 7
	nalDelimiter = 9
	nalSTAPA     = 24
	nalFUA       = 28
)

func inspectH264(payload []byte) (p Payload) {
	if len(payload) < 2 {
		return p
	}
	switch kind := payload[0] & 0x1f; kind {
	case nalSTAPA:
		rest := payload[1:]
		for first := true; len(rest) > 3; first = false {
			size := int(binary.BigEndian.Uint16(rest))
			if size < 2 || size > len(rest)-2 {
				return p
			}
			p.h264Unit(rest[2:2+size], first)
			rest = rest[2+size:]
		}
	case nalFUA:
		if len(payload) < 3 {
			return p
		}
		starts, key := inspectH264Unit(payload[1]&0x1f, payload[2])
		p.StartsFrame, p.Keyframe = starts && payload[1]&0x80 != 0, key
	default:
		p.h264Unit(payload, true)
	}
	return p
}

func (p *Payload) h264Unit(unit []byte, first bool) {
	kind := unit[0] & 0x1f
	starts, key := inspectH264Unit(kind, unit[1])
	p.StartsFrame, p.Keyframe = p.StartsFrame || first && starts, p.Keyframe || key
	if kind == nalSPS {
		if width, height, err := h264.PictureSize(unit); err == nil { // of an unusual SPS the size stays unknown
			p.setSize(width, height)
		}
	}
}

// inspectH264Unit inspects a NAL unit by its type and first byte: a slice whose first macroblock is 0, encoded in
// Exp-Golomb as a leading 1, starts a picture.
func inspectH264Unit(kind, firstByte byte) (startsFrame, keyframe bool) {
	switch kind {
	case nalSlice, nalKeyframe:
		return firstByte&0x80 != 0, kind == nalKeyframe
	case nalSPS:
		return true, true
	case nalDelimiter:
		return true, false
	}
	return false, false
}
