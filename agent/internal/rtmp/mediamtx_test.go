package rtmp

import (
	"os"
	"testing"

	"fullhouse/agent/internal/flv"
)

// keyframes are those of a stream, by their place among its frames.
type keyframes struct {
	frames int
	keys   []int
	codec  string
}

func (k *keyframes) Media(m flv.Message) {
	video := flv.InspectVideo(m.Head)
	if m.Kind != TypeVideo || !video.IsFrame {
		return
	}
	if m.HasKeyframe {
		k.keys = append(k.keys, k.frames)
	}
	k.frames++
	k.codec = video.Codec
}

func (k *keyframes) Control(byte, []byte) error { return nil }

// The captures are what MediaMTX 1.20.1 sent after the handshake for streams with a keyframe every 10 frames, which were
// joined between keyframes.
func TestKeyframesOfMediaMTX(t *testing.T) {
	for name, codec := range map[string]string{"h265": "H.265", "av1": "AV1", "vp9": "VP9"} {
		wire, err := os.ReadFile("testdata/mediamtx-" + name + ".rtmp")
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{1, 7, 1000, len(wire)} {
			found := &keyframes{}
			scanner := &Scanner{Sink: found}
			for rest := wire; len(rest) > 0; {
				count := min(size, len(rest))
				if err := scanner.Write(rest[:count]); err != nil {
					t.Fatal(err)
				}
				rest = rest[count:]
			}
			if found.codec != codec || len(found.keys) < 2 || found.keys[0] == 0 && name != "h265" {
				t.Errorf("%s: %+v", name, found)
			}
			for i, at := range found.keys[min(1, len(found.keys)):] {
				if at-found.keys[i] != 10 {
					t.Errorf("%s: %+v", name, found)
				}
			}
		}
	}
}
