package recorder

import (
	"encoding/binary"
	"fmt"
	"slices"

	"fullhouse/agent/internal/protocol"
)

const (
	recordHandshake   = 22
	helloType         = 1
	extensionGroups   = 10
	extensionSignates = 13
	extensionSRTP     = 14
	extensionVersions = 43
)

// helloReader joins the fragments of a ClientHello.
type helloReader struct {
	body   []byte
	have   int
	facts  protocol.RecordedHello
	isRead bool
}

// datagram handles a DTLS datagram; anything that is not part of a ClientHello is ignored.
func (h *helloReader) datagram(data []byte) {
	for !h.isRead && len(data) >= 13+12 {
		size := int(binary.BigEndian.Uint16(data[11:]))
		if 13+size > len(data) {
			return
		}
		record := data[13 : 13+size]
		if data[0] == recordHandshake && data[3] == 0 && data[4] == 0 && size >= 12 && record[0] == helloType {
			h.facts.RecordVersion = fmt.Sprintf("%x", data[1:3])
			h.fragment(record)
		}
		data = data[13+size:]
	}
}

func (h *helloReader) fragment(record []byte) {
	whole := int(record[1])<<16 | int(record[2])<<8 | int(record[3])
	offset := int(record[6])<<16 | int(record[7])<<8 | int(record[8])
	length := int(record[9])<<16 | int(record[10])<<8 | int(record[11])
	if length > len(record)-12 || offset+length > whole {
		return
	}
	if len(h.body) != whole {
		h.body, h.have, h.facts.Fragments = make([]byte, whole), 0, 0
	}
	copy(h.body[offset:], record[12:12+length])
	h.have += length
	h.facts.Fragments++
	if h.have == whole {
		h.isRead = h.read()
	}
}

// vector cuts a vector with a length field of that many bytes off data.
func vector(data []byte, lengthBytes int) (content, rest []byte, ok bool) {
	if len(data) < lengthBytes {
		return nil, nil, false
	}
	size := 0
	for _, b := range data[:lengthBytes] {
		size = size<<8 | int(b)
	}
	if len(data) < lengthBytes+size {
		return nil, nil, false
	}
	return data[lengthBytes : lengthBytes+size], data[lengthBytes+size:], true
}

// numbers parses a list of 16-bit numbers. GREASE values (RFC 8701) are random, so they get one name.
func numbers(data []byte) (list []string) {
	for ; len(data) >= 2; data = data[2:] {
		if data[0] == data[1] && data[0]&0x0f == 0x0a {
			list = append(list, "grease")
			continue
		}
		list = append(list, fmt.Sprintf("%02x%02x", data[0], data[1]))
	}
	return list
}

func (h *helloReader) read() bool {
	if len(h.body) < 34 {
		return false
	}
	f := &h.facts
	f.Version = fmt.Sprintf("%x", h.body[:2])
	_, rest, ok := vector(h.body[34:], 1) // session id
	if ok {
		_, rest, ok = vector(rest, 1) // cookie
	}
	var suites, extensions []byte
	if ok {
		suites, rest, ok = vector(rest, 2)
		f.CipherSuites = numbers(suites)
	}
	if ok {
		_, rest, ok = vector(rest, 1) // compression
	}
	if ok {
		extensions, _, ok = vector(rest, 2)
	}
	for ok && len(extensions) >= 4 {
		kind := binary.BigEndian.Uint16(extensions)
		f.Extensions = append(f.Extensions, numbers(extensions[:2])...)
		var content []byte
		if content, extensions, ok = vector(extensions[2:], 2); !ok {
			return false
		}
		switch kind {
		case extensionGroups, extensionSignates, extensionSRTP:
			list, _, _ := vector(content, 2)
			switch kind {
			case extensionGroups:
				f.Groups = numbers(list)
			case extensionSignates:
				f.Signatures = numbers(list)
			default:
				f.SRTPProfiles = numbers(list)
			}
		case extensionVersions:
			list, _, _ := vector(content, 1)
			f.Versions = numbers(list)
		}
	}
	slices.Sort(f.Extensions) // their order is random in browsers
	return ok
}
