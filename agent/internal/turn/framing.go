package turn

import "encoding/binary"

const (
	channelHeader = 4
	stunHeader    = 20
	// firstChannel is the first channel number (RFC 8656, 12); an allocation of ours uses only this one.
	firstChannel = 0x4000
	lastChannel  = 0x4fff
)

// isChannelData tells ChannelData from STUN by the first two bits (RFC 8656, 12.5).
func isChannelData(data []byte) bool { return len(data) >= channelHeader && data[0]>>6 == 1 }

// readChannelData parses a ChannelData message; its content is part of data. Over UDP padding may follow.
func readChannelData(data []byte) (channel uint16, content []byte, ok bool) {
	if !isChannelData(data) {
		return 0, nil, false
	}
	channel = binary.BigEndian.Uint16(data)
	length := int(binary.BigEndian.Uint16(data[2:]))
	if channel > lastChannel || length > len(data)-channelHeader {
		return 0, nil, false
	}
	return channel, data[channelHeader : channelHeader+length], true
}

// appendChannelData appends a ChannelData message, padded to a multiple of four bytes over a stream.
func appendChannelData(to []byte, channel uint16, content []byte, padded bool) []byte {
	to = binary.BigEndian.AppendUint16(to, channel)
	to = binary.BigEndian.AppendUint16(to, uint16(len(content)))
	to = append(to, content...)
	for padded && len(to)%4 != 0 {
		to = append(to, 0)
	}
	return to
}

// frameLength is the length of the message at the start of a stream with its padding, 0 if more bytes are needed to
// know it; ok is false if it is neither STUN nor ChannelData.
func frameLength(data []byte) (length int, ok bool) {
	if len(data) < channelHeader {
		return 0, len(data) == 0 || data[0]>>6 <= 1
	}
	content := int(binary.BigEndian.Uint16(data[2:]))
	switch data[0] >> 6 {
	case 0:
		return stunHeader + content, content%4 == 0
	case 1:
		return channelHeader + (content+3)/4*4, true
	}
	return 0, false
}

// deframer cuts a stream of bytes into messages.
type deframer struct {
	partial []byte // of a message whose rest has not arrived
}

// next passes the complete messages to a function, valid only during the call; false if the stream has something else.
func (d *deframer) next(data []byte, message func([]byte)) bool {
	for {
		if len(d.partial) > 0 {
			// Only what the pending message needs is copied.
			length, ok := frameLength(d.partial)
			if !ok {
				return false
			}
			if length == 0 {
				length = channelHeader
			}
			count := min(length-len(d.partial), len(data))
			d.partial = append(d.partial, data[:count]...)
			data = data[count:]
			if full, ok := frameLength(d.partial); !ok {
				return false
			} else if full == 0 || len(d.partial) < full {
				if len(data) == 0 {
					return true
				}
				continue
			}
			message(d.partial)
			d.partial = d.partial[:0]
			continue
		}
		length, ok := frameLength(data)
		switch {
		case !ok:
			return false
		case length == 0 || length > len(data):
			d.partial = append(d.partial, data...)
			return true
		}
		message(data[:length])
		data = data[length:]
	}
}
