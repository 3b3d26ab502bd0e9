package rtppayload

import (
	"testing"

	"fullhouse/agent/internal/testing/crafted"
)

// FuzzDecoder makes records of arbitrary frames: bounded, and without a size only if there is none.
func FuzzDecoder(f *testing.F) {
	f.Add([]byte{0x12, 0, 0x0a, 4, 0, 0, 0, 2, 0x32, 1, 0}, uint16(3))
	f.Add([]byte{0x40, 1, 0x0c, 0x42, 1, 1, 1, 0x60, 0, 0, 3, 0, 0x90, 0x44, 1, 0xc0}, uint16(5))
	f.Add([]byte{0x82, 0x49, 0x83, 0x42, 0, 9, 0xf0, 5, 0x90}, uint16(0))
	f.Add([]byte{0x10, 0, 0, 0x9d, 1, 0x2a, 160, 0, 90, 0}, uint16(0))
	f.Fuzz(func(t *testing.T, data []byte, cut uint16) {
		defer crafted.Watch(t)(len(data))
		at := min(int(cut), len(data))
		kept, sequence, ok := AV1Units(data)
		if len(kept) > len(data) || len(sequence) > len(kept) || ok && len(kept) == 0 {
			t.Errorf("%d bytes of %d", len(kept), len(data))
		}
		decoders := map[string]func() (Decoder, bool){
			"H265": func() (Decoder, bool) {
				return HEVCDecoder([][]byte{data[:at], data[at:], {hevcVPS << 1, 1, 0}, {hevcPPS << 1, 1, 0}, append([]byte{hevcSPS << 1, 1}, data...)})
			},
			"AV1": func() (Decoder, bool) { return AV1Decoder(data[at:]) },
			"VP9": func() (Decoder, bool) { return VP9Decoder(data, 30) },
			"VP8": func() (Decoder, bool) { return VP8Decoder(data) },
		}
		for name, decoder := range decoders {
			if d, ok := decoder(); ok && (d.Width <= 0 || d.Height <= 0 || len(d.Record) < 4 || len(d.Record) > 3*len(data)+100) {
				t.Errorf("%s: %dx%d, %d bytes of %d", name, d.Width, d.Height, len(d.Record), len(data))
			}
		}
	})
}
