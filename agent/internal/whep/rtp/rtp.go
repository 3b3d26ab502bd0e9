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
