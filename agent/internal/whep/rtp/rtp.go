// Package rtp parses RTP packets in place: a library's header would cost more than all the rest per packet.
package rtp

import "encoding/binary"

const HeaderSize = 12

// IsRTCP distinguishes RTCP from RTP on one port (RFC 5761 4).
func IsRTCP(data []byte) bool { return data[1] >= 192 && data[1] <= 223 }

// Header is parsed in place.
type Header struct {
	Marker      bool
	PayloadType uint8
	Sequence    uint16
	Timestamp   uint32
	SSRC        uint32
}

func ReadHeader(data []byte) Header {
	return Header{
		Marker: data[1]&0x80 != 0, PayloadType: data[1] & 0x7f, Sequence: binary.BigEndian.Uint16(data[2:]),
		Timestamp: binary.BigEndian.Uint32(data[4:]), SSRC: binary.BigEndian.Uint32(data[8:]),
	}
}

// Payload is the payload of a decrypted packet, nil if the packet is malformed.
func Payload(data []byte) []byte {
	offset := HeaderSize + 4*int(data[0]&0x0f)
	if data[0]&0x10 != 0 {
		if len(data) < offset+4 {
			return nil
		}
		offset += 4 + 4*int(binary.BigEndian.Uint16(data[offset+2:]))
	}
	end := len(data)
	if data[0]&0x20 != 0 {
		end -= int(data[len(data)-1])
	}
	if offset >= end {
		return nil
	}
	return data[offset:end]
}

// H.264 NAL unit types (RFC 6184).
const (
	nalSlice     = 1
	nalKeyframe  = 5
	nalSPS       = 7
	nalDelimiter = 9
	nalSTAPA     = 24
	nalFUA       = 28
)

// InspectH264 reports whether a payload starts a frame and whether it belongs to a keyframe.
func InspectH264(payload []byte) (startsFrame, keyframe bool) {
	if len(payload) < 2 {
		return false, false
	}
	switch kind := payload[0] & 0x1f; kind {
	case nalSTAPA:
		rest := payload[1:]
		for first := true; len(rest) > 3; first = false {
			size := int(binary.BigEndian.Uint16(rest))
			if size < 2 || size > len(rest)-2 {
				return startsFrame, keyframe
			}
			unit := rest[2 : 2+size]
			starts, key := inspectUnit(unit[0]&0x1f, unit[1])
			startsFrame, keyframe = startsFrame || first && starts, keyframe || key
			rest = rest[2+size:]
		}
		return startsFrame, keyframe
	case nalFUA:
		if len(payload) < 3 {
			return false, false
		}
		starts, key := inspectUnit(payload[1]&0x1f, payload[2])
		return starts && payload[1]&0x80 != 0, key
	default:
		return inspectUnit(kind, payload[1])
	}
}

// inspectUnit inspects one NAL unit by its type and first byte: a slice whose first macroblock is 0, encoded in
// Exp-Golomb as a leading 1, starts a picture.
func inspectUnit(kind, firstByte byte) (startsFrame, keyframe bool) {
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
