package media

import (
	"encoding/binary"

	"github.com/pion/rtp"
	"github.com/pion/rtp/codecs"

	"fullhouse/agent/internal/media/h264"
	"fullhouse/agent/internal/media/rtppayload"
)

// vp8Descriptor is the payload descriptor with a picture id of two bytes (RFC 7741 4.2). The library's starts with one
// byte.
const vp8DescriptorLen = 4

// payloader cuts the frames of a codec into RTP payloads of at most MaxPayload bytes.
func payloader(codec rtppayload.Codec) func(frame) [][]byte {
	with := func(library rtp.Payloader) func(frame) [][]byte {
		return func(f frame) [][]byte { return library.Payload(MaxPayload, f.data) }
	}
	switch codec {
	case rtppayload.H264:
		return func(f frame) [][]byte { return h264.Packetize(f.nals, MaxPayload) }
	case rtppayload.H265:
		return with(&codecs.H265Payloader{})
	case rtppayload.VP9:
		return with(&codecs.VP9Payloader{InitialPictureIDFn: func() uint16 { return 0 }})
	case rtppayload.AV1:
		return with(&codecs.AV1Payloader{})
	}
	return func(f frame) [][]byte { return packetizeVP8(f.data) }
}

func packetizeVP8(data []byte) (payloads [][]byte) {
	const room = MaxPayload - vp8DescriptorLen
	pieces := (len(data) + room - 1) / room
	for i := range pieces {
		from, to := i*len(data)/pieces, (i+1)*len(data)/pieces
		payload := append(make([]byte, 0, vp8DescriptorLen+to-from), 0x80, 0x80, 0x80, 0) // X, I, M
		if i == 0 {
			payload[0] |= 0x10 // S
		}
		payloads = append(payloads, append(payload, data[from:to]...))
	}
	return payloads
}

// HasPictureID reports whether the payloads number their pictures: a looped sample continues the numbers.
func HasPictureID(codec rtppayload.Codec) bool {
	return codec == rtppayload.VP8 || codec == rtppayload.VP9
}

// WithPictureID is a copy of a payload of a sample that has picture ids, with another one.
func WithPictureID(codec rtppayload.Codec, payload []byte, picture int64) []byte {
	copied := append([]byte(nil), payload...)
	SetPictureID(codec, copied, picture)
	return copied
}

// SetPictureID changes the picture id of a payload of a sample that has picture ids.
func SetPictureID(codec rtppayload.Codec, payload []byte, picture int64) {
	at := 1 // after the first byte of a VP9 descriptor
	if codec == rtppayload.VP8 {
		at = 2
	}
	binary.BigEndian.PutUint16(payload[at:], uint16(picture)|0x8000)
}
