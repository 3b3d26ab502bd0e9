// Package wheptest contains WHEP servers for tests: Full is an independent full ICE agent, Lite is handwritten and
// misbehaves on request.
package wheptest

import (
	"time"

	"github.com/pion/rtp"
)

const (
	FPS       = 25 // frame rate of the video
	videoSSRC = 0xcafe
)

// picture is one packet a frame with a keyframe every second, as far as headers show.
func picture(i uint32, payloadType uint8) *rtp.Packet {
	payload := append([]byte{0x41, 0x9a}, make([]byte, 200)...)
	if i%FPS == 0 {
		payload[0] = 0x65
	}
	return &rtp.Packet{Header: rtp.Header{Version: 2, Marker: true, PayloadType: payloadType, SSRC: videoSSRC,
		SequenceNumber: uint16(65500 + i), Timestamp: i * 90000 / FPS}, Payload: payload}
}

// play calls send for each frame until stop.
func play(stop <-chan struct{}, send func(i uint32)) {
	ticker := time.NewTicker(time.Second / FPS)
	defer ticker.Stop()
	for i := uint32(0); ; i++ {
		select {
		case <-stop:
			return
		case <-ticker.C:
			send(i)
		}
	}
}
