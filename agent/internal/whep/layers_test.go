package whep

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/pion/rtp"

	"fullhouse/agent/internal/media/rtppayload"
	"fullhouse/agent/internal/viewer"
	"fullhouse/agent/internal/whep/sdp"
)

// layered delivers frames of two packets each, 40 ms apart, to a viewer that decrypts no samples.
func layered(t *testing.T, codec rtppayload.Codec) (*sender, func(first, last []byte, count int)) {
	s := establishedIn(t, Config{}, sdp.Answer{Video: sdp.Track{Codec: codec}})
	s.viewer.layers = &layers{}
	sequence, frame := 0, 0
	return s, func(first, last []byte, count int) {
		for range count {
			frame++
			for i, payload := range [][]byte{first, last} {
				sequence++
				s.now = s.now.Add(time.Duration(i) * 40 * time.Millisecond)
				packet := &rtp.Packet{Header: rtp.Header{Version: 2, Marker: i == 1, PayloadType: 102, SSRC: videoSSRC, SequenceNumber: uint16(sequence), Timestamp: uint32(frame) * 3600}, Payload: payload}
				s.viewer.Datagram(s.encrypt(packet), netip.AddrPort{}, s.now.UnixNano())
			}
		}
	}
}

func TestLayersOfSimulcastBySize(t *testing.T) {
	s, frames := layered(t, rtppayload.VP8)
	key := func(width byte) []byte { return []byte{0x10, 0x10, 0, 0, 0x9d, 1, 0x2a, width, 0, 90, 0, 0} }
	delta, rest := []byte{0x10, 0x11, 0, 0}, []byte{0, 1, 2, 3}
	frames(key(160), rest, 1)
	frames(delta, rest, 24)
	frames(key(80), rest, 1)
	frames(delta, rest, 9)
	frames(key(80), rest, 1) // a keyframe without a switch
	frames(key(160), rest, 1)
	frames(delta, rest, 4)
	video := s.viewer.Detail().Streams[0]
	if video.Switches != 2 || video.Width != 160 || len(video.Layers) != 2 || video.Layers[0].Width != 160 || video.Layers[1] != (viewer.Layer{Width: 80, Height: 90, Ns: 440e6}) {
		t.Errorf("%+v", video)
	}
	if reading := s.viewer.Read(s.now); reading.Frames != 41 || reading.Width != 160 || reading.Height != 90 {
		t.Errorf("%+v", reading)
	}
}

func TestSpatialLayersOfVP9(t *testing.T) {
	s, frames := layered(t, rtppayload.VP9)
	structure := []byte{1<<5 | 0x10, 0, 160, 0, 90, 1, 64, 0, 180}
	key := append([]byte{0x2a, 0, 0}, structure...)
	key = append(key, 0x82, 0x49)
	low, high := []byte{0x68, 0, 0, 0x86}, []byte{0x6c, 1<<1 | 1, 0, 0x86} // of one picture
	frames(key, high, 1)
	frames(low, high, 9)
	frames(low, []byte{0x64, 0, 0, 0x86}, 10)
	video := s.viewer.Detail().Streams[0]
	widths := []int{}
	for _, one := range video.Layers {
		widths = append(widths, one.Width)
	}
	if video.Switches != 1 || !slices.Equal(widths, []int{320, 160}) || video.Width != 160 {
		t.Errorf("%+v", video)
	}
}

func TestSizesOfAHostileServerAreBounded(t *testing.T) {
	l := &layers{}
	for i := range 1000 {
		l.receive(rtppayload.Size{Width: uint16(i + 1), Height: 1}, int64(i))
	}
	if len(l.received) != maxSizes || l.size().Width != 1000 || l.switches != 999 {
		t.Errorf("%+v", l)
	}
}
