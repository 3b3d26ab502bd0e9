package rtp

import (
	"encoding/binary"

	"fullhouse/agent/internal/ntp"
)

// Header extension profiles (RFC 8285): the first has one byte before each element, the second (with any lower 4 bits)
// two.
const (
	oneByteProfile = 0xbede
	twoByteProfile = 0x1000
	paddingElement = 0
	lastElement    = 15 // of the one-byte form: nothing after it may be read
)

// Extension finds a header extension by its id, in place; nil if the packet has none. Header extensions are not
// encrypted, so this also works on encrypted packets.
func Extension(data []byte, id uint8) []byte {
	if len(data) < HeaderSize || data[0]&0x10 == 0 {
		return nil
	}
	offset := HeaderSize + 4*int(data[0]&0x0f)
	if len(data) < offset+4 {
		return nil
	}
	profile := binary.BigEndian.Uint16(data[offset:])
	end := offset + 4 + 4*int(binary.BigEndian.Uint16(data[offset+2:]))
	if len(data) < end {
		return nil
	}
	elements := data[offset+4 : end]
	switch {
	case profile == oneByteProfile:
		return oneByteElement(elements, id)
	case profile&0xfff0 == twoByteProfile:
		return twoByteElement(elements, id)
	}
	return nil
}

func oneByteElement(elements []byte, id uint8) []byte {
	for len(elements) > 0 {
		kind, size := elements[0]>>4, int(elements[0]&0x0f)+1
		switch {
		case kind == lastElement:
			return nil
		case elements[0] == paddingElement:
			size = 0
		case 1+size > len(elements):
			return nil
		case kind == id:
			return elements[1 : 1+size]
		}
		elements = elements[1+size:]
	}
	return nil
}

func twoByteElement(elements []byte, id uint8) []byte {
	for len(elements) > 0 {
		if elements[0] == paddingElement {
			elements = elements[1:]
			continue
		}
		if len(elements) < 2 || 2+int(elements[1]) > len(elements) {
			return nil
		}
		size := int(elements[1])
		if elements[0] == id {
			return elements[2 : 2+size]
		}
		elements = elements[2+size:]
	}
	return nil
}

// TransportSequence is the transport-wide sequence number of a packet
// (draft-holmer-rmcat-transport-wide-cc-extensions-01).
func TransportSequence(data []byte, id uint8) (sequence uint16, found bool) {
	value := Extension(data, id)
	if len(value) != 2 {
		return 0, false
	}
	return binary.BigEndian.Uint16(value), true
}

// CaptureTime is when the frame of a packet was captured, in Unix nanoseconds (abs-capture-time). Where the sender states
// its estimate of the capturing clock's offset to its own, the time is of the sender's clock.
func CaptureTime(data []byte, id uint8) (unixNs int64, found bool) {
	value := Extension(data, id)
	if len(value) != 8 && len(value) != 16 {
		return 0, false
	}
	unixNs = ntp.UnixNano(binary.BigEndian.Uint64(value))
	if len(value) == 16 {
		unixNs -= ntp.Nanoseconds(int64(binary.BigEndian.Uint64(value[8:])))
	}
	return unixNs, true
}

// OriginalSequence is the original sequence number in a decrypted retransmission, and the payload after it (RFC 4588
// 4).
func OriginalSequence(payload []byte) (sequence uint16, rest []byte, found bool) {
	if len(payload) <= 2 {
		return 0, nil, false // bandwidth probes use the same stream
	}
	return binary.BigEndian.Uint16(payload), payload[2:], true
}

// Element is a header extension, e.g. with the name of a section.
type Element struct {
	ID    uint8  // 1 to 14
	Value []byte // 1 to 16 bytes
}

// AppendExtensions adds the extensions of a header that has the X bit, in elements of one byte (RFC 8285 4.2).
func AppendExtensions(header []byte, extensions ...Element) []byte {
	header = binary.BigEndian.AppendUint16(header, oneByteProfile)
	start := len(header)
	header = append(header, 0, 0)
	for _, one := range extensions {
		header = append(append(header, one.ID<<4|byte(len(one.Value)-1)), one.Value...)
	}
	for (len(header)-start-2)%4 != 0 {
		header = append(header, 0)
	}
	binary.BigEndian.PutUint16(header[start:], uint16((len(header)-start-2)/4))
	return header
}
