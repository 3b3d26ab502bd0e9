// Package stream makes the stream that audiences are measured with: H.264 at 240p and 25 frames/s with Opus, 60
// packets/s and 170 kbit/s as UDP payload. Its packets are well-formed, but contain no picture.
package stream

import (
	"encoding/binary"
	"math/rand/v2"
	"sort"
	"time"

	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/media/rtppayload"
)

const (
	// FramesPerSecond of the video; audio has the same rate, in packets of 40 ms.
	FramesPerSecond = 25
	frameTime       = time.Second / FramesPerSecond
	// Frames is how many the loop has; the first is its keyframe.
	Frames = 50

	// The sizes give 120 packets and 42,500 bytes of UDP payload per loop, each packet with 12 bytes of RTP header and
	// 16 of tag.
	keyframePieces = 5
	keyframePiece  = 1000
	pieceBytes     = 415
	audioBytes     = 150
	// pairedEvery of the other frames has two packets: 15 of 49.
	pairedFrames = 15
)

// Parameter sets of 426x240, as the lab's sample has them.
var (
	sps = []byte{0x67, 0x42, 0xc0, 0x0d, 0xda, 0x06, 0xc7, 0xf9, 0x3c, 0x04, 0x40, 0x00, 0x00, 0x03, 0x00, 0x40, 0x00, 0x00, 0x0c, 0x83, 0xc5, 0x0a, 0xa8}
	pps = []byte{0x68, 0xce, 0x07, 0xcb, 0x20}
)

const (
	slice     = 0x41 // a P slice that others refer to
	keyframe  = 0x65
	aggregate = 0x78
	fragment  = 28
	important = 0x60
	typeMask  = 0x1f
	start     = 0x80
	end       = 0x40
	// firstMacroblock starts a slice that starts a picture.
	firstMacroblock = 0x80
)

// Make makes the loop.
func Make() *media.Sample {
	sample := &media.Sample{Name: "measure-240p", Codec: rtppayload.H264, Frames: Frames, Duration: Frames * frameTime, Width: 426, Height: 240, FPS: FramesPerSecond}
	random := rand.New(rand.NewPCG(1, 2)) // the same stream each time
	add := func(at time.Duration, kind media.Kind, payloads ...[]byte) {
		for i, payload := range payloads {
			last := i == len(payloads)-1
			sample.Packets = append(sample.Packets, media.Packet{At: at, Kind: kind, Payload: payload, Marker: kind == media.Video && last})
		}
	}
	for frame := range Frames {
		at := time.Duration(frame) * frameTime
		switch {
		case frame == 0:
			add(at, media.Video, append([][]byte{parameterSets()}, pieces(keyframe, keyframePieces, keyframePiece, random)...)...)
			sample.Packets[0].Keyframe = true
		case isPaired(frame):
			add(at, media.Video, pieces(slice, 2, pieceBytes, random)...)
		default:
			whole := noise(pieceBytes, random)
			whole[0], whole[1] = slice, whole[1]|firstMacroblock
			add(at, media.Video, whole)
		}
		add(at+frameTime/2, media.Audio, noise(audioBytes, random))
	}
	sort.SliceStable(sample.Packets, func(i, j int) bool { return sample.Packets[i].At < sample.Packets[j].At })
	return sample
}

// isPaired spreads the frames of two packets evenly over the loop.
func isPaired(frame int) bool {
	return frame*pairedFrames/(Frames-1) != (frame-1)*pairedFrames/(Frames-1)
}

func parameterSets() []byte {
	payload := []byte{aggregate}
	for _, unit := range [][]byte{sps, pps} {
		payload = binary.BigEndian.AppendUint16(payload, uint16(len(unit)))
		payload = append(payload, unit...)
	}
	return payload
}

// pieces is one picture cut into fragments (FU-A).
func pieces(unit byte, count, size int, random *rand.Rand) [][]byte {
	var payloads [][]byte
	for i := range count {
		payload := noise(size, random)
		payload[0], payload[1] = unit&important|fragment, unit&typeMask
		if i == 0 {
			payload[1] |= start
			payload[2] |= firstMacroblock
		}
		if i == count-1 {
			payload[1] |= end
		}
		payloads = append(payloads, payload)
	}
	return payloads
}

func noise(size int, random *rand.Rand) []byte {
	payload := make([]byte, size)
	for i := range payload {
		payload[i] = byte(random.Uint32())
	}
	return payload
}
