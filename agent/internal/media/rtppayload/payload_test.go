package rtppayload

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"testing"

	"github.com/pion/rtp"
	"github.com/pion/rtp/codecs"

	"fullhouse/agent/internal/testing/crafted"
)

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	data, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The starts of real keyframes of 426x240, by the ffmpeg encoders libvpx, libvpx-vp9, libaom, SVT-AV1 and libx265.
const (
	vp8Keyframe = "1082009d012aaa01f0000007088585888584880202031f850bf80fe32746e41fe63fd3ff507fa7ff83ff15f23b4c7e55"
	vp9Keyframe = "82498342001a900ef60838241c185c000b307fd9fa3e8fe77177e5f8bf8bb4fe5f8fe9fa2747f8dfa7d3fa4f4df1bd2f"
	aomKeyframe = "12000a0b000000043ea7bcdaf90040"
	svtKeyframe = "12000a0b000000043ea7bcfbf90040"
	x265SPS     = "42010101600000030090000003000003003ca00d880f1c9e5959a4932bc05a020000030002000003003210"
	x265VPS     = "40010c01ffff01600000030090000003000003003c959809"
	x265PPS     = "4401c172b46240"
)

var annexB = []byte{0, 0, 0, 1}

// frames are a keyframe and a later frame of each codec, as their packetizers of pion expect them: large enough for
// several packets.
func frames(t testing.TB, codec Codec) (payloader rtp.Payloader, keyframe, delta []byte) {
	filling := bytes.Repeat([]byte{0x55, 0xaa, 0x3c}, 700)
	switch codec {
	case H264:
		keyframe = append(append(bytes.Clone(annexB), unhex(t, "6742c01f8c8d40501e900f08846a")...), annexB...)
		keyframe = append(append(append(keyframe, 0x68, 0xce, 0x3c, 0x80), annexB...), append([]byte{0x65, 0x88}, filling...)...)
		delta = append(append(bytes.Clone(annexB), 0x41, 0x9a), filling...)
		return &codecs.H264Payloader{}, keyframe, delta
	case H265:
		for _, set := range []string{x265VPS, x265SPS, x265PPS} {
			keyframe = append(append(keyframe, annexB...), unhex(t, set)...)
		}
		keyframe = append(append(append(keyframe, annexB...), 0x28, 0x01, 0xaf), filling...)
		delta = append(append(bytes.Clone(annexB), 0x02, 0x01, 0xd0), filling...)
		return &codecs.H265Payloader{}, keyframe, delta
	case VP8:
		return &codecs.VP8Payloader{EnablePictureID: true}, append(unhex(t, vp8Keyframe), filling...), append([]byte{0x11, 0x02, 0x00}, filling...)
	case VP9:
		return &codecs.VP9Payloader{}, append(unhex(t, vp9Keyframe), filling...), append([]byte{0x86, 0x00}, filling...)
	case AV1:
		// A frame OBU with a size of two bytes follows the sequence header.
		size := []byte{byte(len(filling)&0x7f | 0x80), byte(len(filling) >> 7)}
		frame := append(append([]byte{0x32}, size...), filling...)
		return &codecs.AV1Payloader{}, append(unhex(t, aomKeyframe), frame...), append([]byte{0x12, 0x00}, frame...)
	}
	return nil, nil, nil
}

func TestFramesOfALibrarysPacketizers(t *testing.T) {
	for _, codec := range Codecs {
		payloader, keyframe, delta := frames(t, codec)
		want := Size{426, 240}
		if codec == H264 {
			want = Size{640, 480}
		}
		for name, frame := range map[string][]byte{"keyframe": keyframe, "delta": delta} {
			payloads := payloader.Payload(1200, frame)
			if len(payloads) < 2 {
				t.Fatalf("%s: %d payloads", codec, len(payloads))
			}
			sawKey, sawSize, starts := false, Size{}, 0
			for i, payload := range payloads {
				p := codec.Inspect(payload)
				if p.StartsFrame {
					starts++
				}
				if i == 0 && !p.StartsFrame {
					t.Errorf("%s %s: the first payload starts no frame: %x", codec, name, payload[:8])
				}
				sawKey = sawKey || p.Keyframe
				if p.Layers > 0 {
					sawSize = p.Sizes[p.Layers-1]
				}
			}
			if last := codec.Inspect(payloads[len(payloads)-1]); last.StartsFrame {
				t.Errorf("%s %s: the last payload starts a frame", codec, name)
			}
			if isKey := name == "keyframe"; sawKey != isKey || isKey && sawSize != want || !isKey && sawSize != (Size{}) {
				t.Errorf("%s %s: keyframe %t, size %v", codec, name, sawKey, sawSize)
			}
		}
	}
}

func TestNamesInSDP(t *testing.T) {
	for _, codec := range Codecs {
		if ByName(codec.String()) != codec {
			t.Errorf("%s is not found", codec)
		}
	}
	if ByName("h265") != H265 || ByName("rtx") != None || ByName("") != None {
		t.Error("names are not compared as in SDP")
	}
}

func size(width, height uint16) (sizes [MaxLayers]Size) {
	sizes[0] = Size{width, height}
	return sizes
}

func TestH264(t *testing.T) {
	for _, test := range []struct {
		name        string
		payload     []byte
		starts, key bool
	}{
		{"nothing", nil, false, false},
		{"one byte", []byte{0x65}, false, false},
		{"IDR slice, first macroblock 0", []byte{0x65, 0x88}, true, true},
		{"IDR slice, a later one", []byte{0x65, 0x40}, false, true},
		{"slice, first macroblock 0", []byte{0x41, 0x9a}, true, false},
		{"slice, a later one", []byte{0x41, 0x20}, false, false},
		{"SPS", []byte{0x67, 0x42}, true, true},
		{"PPS", []byte{0x68, 0xce}, false, false},
		{"delimiter", []byte{0x09, 0xf0}, true, false},
		{"STAP-A with SPS and PPS", []byte{0x78, 0, 2, 0x67, 0x42, 0, 2, 0x68, 0xce}, true, true},
		{"STAP-A with a delimiter and a slice", []byte{0x78, 0, 2, 0x09, 0xf0, 0, 2, 0x41, 0x9a}, true, false},
		{"STAP-A with a size beyond its end", []byte{0x78, 0, 200, 0x67, 0x42}, false, false},
		{"FU-A start of an IDR", []byte{0x7c, 0x85, 0x88}, true, true},
		{"FU-A middle of an IDR", []byte{0x7c, 0x05, 0x88}, false, true},
		{"FU-A start of a slice", []byte{0x5c, 0x81, 0x9a}, true, false},
		{"FU-A cut off", []byte{0x7c, 0x85}, false, false},
	} {
		if p := H264.Inspect(test.payload); p != (Payload{StartsFrame: test.starts, Keyframe: test.key}) {
			t.Errorf("%s: %+v", test.name, p)
		}
	}
}

func TestH265(t *testing.T) {
	sps := unhex(t, x265SPS)
	aggregate := []byte{0x60, 0x01}
	for _, unit := range [][]byte{unhex(t, x265VPS), sps} {
		aggregate = append(binary.BigEndian.AppendUint16(aggregate, uint16(len(unit))), unit...)
	}
	// A PACI of an aggregation packet, with an extension of 3 bytes.
	paci := append([]byte{0x64, 0x01, 48 << 1, 3 << 4, 1, 2, 3}, aggregate[2:]...)
	for _, test := range []struct {
		name    string
		payload []byte
		want    Payload
	}{
		{"nothing", nil, Payload{}},
		{"a header only", []byte{0x26, 0x01}, Payload{}},
		{"IDR, first slice", []byte{0x26, 0x01, 0xaf}, Payload{StartsFrame: true, Keyframe: true}},
		{"CRA, a later slice", []byte{0x2a, 0x01, 0x2f}, Payload{Keyframe: true}},
		{"slice of the second temporal layer", []byte{0x02, 0x02, 0xd0}, Payload{StartsFrame: true, Temporal: 1}},
		{"SPS", sps, Payload{StartsFrame: true, Keyframe: true, Layers: 1, Sizes: size(426, 240)}},
		{"PPS", []byte{0x44, 0x01, 0xc1}, Payload{StartsFrame: true}},
		{"suffix SEI", []byte{0x50, 0x01, 0xc1}, Payload{}},
		{"aggregation of VPS and SPS", aggregate, Payload{StartsFrame: true, Keyframe: true, Layers: 1, Sizes: size(426, 240)}},
		{"aggregation with a size beyond its end", []byte{0x60, 0x01, 0, 99, 0x26, 0x01, 0xaf}, Payload{}},
		{"first fragment of an IDR", []byte{0x62, 0x01, 0x80 | 19, 0xaf}, Payload{StartsFrame: true, Keyframe: true}},
		{"later fragment of an IDR", []byte{0x62, 0x01, 19, 0xaf}, Payload{Keyframe: true}},
		{"fragment cut off", []byte{0x62, 0x01, 0x80 | 19}, Payload{}},
		{"PACI of an aggregation", paci, Payload{StartsFrame: true, Keyframe: true, Layers: 1, Sizes: size(426, 240)}},
		{"PACI of a PACI", []byte{0x64, 0x01, 50 << 1, 0, 19 << 1, 0, 0xaf}, Payload{}},
		{"PACI with an extension beyond its end", []byte{0x64, 0x01, 19 << 1, 9 << 4, 0xaf}, Payload{}},
	} {
		if p := H265.Inspect(test.payload); p != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, p, test.want)
		}
	}
}

func TestVP8(t *testing.T) {
	frame := unhex(t, vp8Keyframe)
	after := func(descriptor ...byte) []byte { return append(descriptor, frame...) }
	key := Payload{StartsFrame: true, Keyframe: true, Layers: 1, Sizes: size(426, 240)}
	layered := key
	layered.Temporal = 2
	for _, test := range []struct {
		name    string
		payload []byte
		want    Payload
	}{
		{"nothing", nil, Payload{}},
		{"the shortest descriptor", after(0x10), key},
		{"a picture id of one byte", after(0x90, 0x80, 0x7f), key},
		{"a picture id of two bytes, all fields", after(0x90, 0xf0, 0x81, 0x02, 0x33, 0x80|0x20), layered},
		{"the key index only", after(0x90, 0x10, 0xc5), key},
		{"a later part of the partition", after(0x00), Payload{}},
		{"the start of the second partition", after(0x11), Payload{}},
		{"a frame that is no keyframe", []byte{0x10, 0x11, 0x02, 0x00}, Payload{StartsFrame: true}},
		{"another start code", []byte{0x10, 0x10, 0, 0, 1, 2, 3, 4, 5, 6, 7}, Payload{StartsFrame: true, Keyframe: true}},
		{"cut off in the descriptor", []byte{0x90, 0xf0, 0x81}, Payload{}},
	} {
		if p := VP8.Inspect(test.payload); p != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, p, test.want)
		}
	}
}

func TestVP9(t *testing.T) {
	frame := unhex(t, vp9Keyframe)
	after := func(descriptor ...byte) []byte { return append(descriptor, frame...) }
	key := Payload{StartsFrame: true, Keyframe: true, Layers: 1, Sizes: size(426, 240)}
	structure := []byte{2<<5 | 0x10 | 0x08, 1, 64, 0, 180, 2, 128, 1, 104, 5, 0, 2, 208, 2, 0, 0x24, 1}
	layers := Payload{StartsFrame: true, Keyframe: true, Layers: 3, Sizes: [MaxLayers]Size{{320, 180}, {640, 360}, {1280, 720}}}
	for _, test := range []struct {
		name    string
		payload []byte
		want    Payload
	}{
		{"nothing", nil, Payload{}},
		{"the shortest descriptor", after(0x08), key},
		{"a picture id of two bytes", after(0x88, 0x81, 0x02), key},
		{"three spatial layers, the lowest", after(append([]byte{0xaa, 0x81, 0x02, 0x00, 0x00}, structure...)...), layers},
		{"the second one, which depends on it", after(0xa8, 0x01, 1<<1|1, 0x00), Payload{Spatial: 1}},
		{"the third one alone, of a later picture", after(0xe8, 0x01, 1<<5|2<<1, 0x00), Payload{StartsFrame: true, Spatial: 2, Temporal: 1}},
		{"flexible mode, two references", after(0xd8, 0x01, 0x03, 0x02), Payload{StartsFrame: true}},
		{"a later packet of a frame", after(0x84, 0x01), Payload{}},
		{"a structure cut off", []byte{0x0a, 2<<5 | 0x10, 1, 64}, Payload{StartsFrame: true, Keyframe: true}},
		{"cut off in the descriptor", []byte{0xa8}, Payload{}},
	} {
		if p := VP9.Inspect(test.payload); p != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, p, test.want)
		}
	}
}

func TestAV1(t *testing.T) {
	sequence := unhex(t, aomKeyframe[8:]) // the header's content
	key := Payload{StartsFrame: true, Keyframe: true, Layers: 1, Sizes: size(426, 240)}
	element := func(data ...byte) []byte { return append([]byte{byte(len(data))}, data...) }
	header := append([]byte{1 << 3}, sequence...)
	for _, test := range []struct {
		name    string
		payload []byte
		want    Payload
	}{
		{"nothing", nil, Payload{}},
		{"one element without a size", append([]byte{0x18}, header...), key},
		{"two elements", append(append([]byte{0x28}, element(header...)...), 6<<3, 0x10), key},
		{"sizes of all elements", append(append([]byte{0x08}, element(header...)...), element(6<<3, 0x10)...), key},
		{"a sequence header with its size field", append([]byte{0x18, 1<<3 | 2, byte(len(sequence))}, sequence...), key},
		{"SVT-AV1's", append([]byte{0x18, 1 << 3}, unhex(t, svtKeyframe[8:])...), key},
		{"a frame", []byte{0x10, 6 << 3, 0x10}, Payload{StartsFrame: true}},
		{"a frame of the second spatial layer", []byte{0x10, 6<<3 | 4, 1<<5 | 1<<3, 0x10}, Payload{StartsFrame: true, Spatial: 1, Temporal: 1}},
		{"a tile group", []byte{0x10, 4 << 3, 0x10}, Payload{}},
		{"the rest of a frame", []byte{0x90, 0x10, 0x11}, Payload{}},
		{"the rest of a frame, and the next layer's", []byte{0xa0, 1, 0x10, 6 << 3, 0x10}, Payload{}},
		{"a size beyond the end", []byte{0x20, 99, 6 << 3}, Payload{}},
		{"a sequence header cut off", []byte{0x18, 1 << 3, 0, 0}, Payload{StartsFrame: true, Keyframe: true}},
	} {
		if p := AV1.Inspect(test.payload); p != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, p, test.want)
		}
	}
}

// A sequence header with everything in it that precedes the size: timing, decoder model, two operating points.
func TestTheSizeAfterOperatingPoints(t *testing.T) {
	var out []byte
	at := 0
	put := func(value, count int) {
		for i := count - 1; i >= 0; i-- {
			if at%8 == 0 {
				out = append(out, 0)
			}
			out[at/8] |= byte(value>>i&1) << (7 - at%8)
			at++
		}
	}
	put(0, 3+1+1)
	put(1, 1) // timing_info_present_flag
	put(1, 32)
	put(25, 32)
	put(1, 1)
	put(1, 1)  // uvlc 0
	put(1, 1)  // decoder_model_info_present_flag
	put(9, 5)  // buffer_delay_length_minus_1
	put(7, 32) // num_units_in_decoding_tick
	put(3, 10)
	put(1, 1) // initial_display_delay_present_flag
	put(1, 5) // two operating points
	for range 2 {
		put(0x301, 12)
		put(8, 5)
		put(1, 1) // tier
		put(1, 1)
		put(0, 2*10+1)
		put(1, 1)
		put(4, 4)
	}
	put(10, 4)
	put(10, 4)
	put(1279, 11)
	put(719, 11)
	put(0, 16)
	if p := AV1.Inspect(append([]byte{0x18, 1 << 3}, out...)); p.Sizes != size(1280, 720) {
		t.Errorf("%+v", p)
	}
}

func fuzzed(f *testing.F, codec Codec) {
	payloader, keyframe, delta := frames(f, codec)
	for _, frame := range [][]byte{keyframe, delta} {
		for _, payload := range payloader.Payload(100, frame[:min(len(frame), 300)]) {
			f.Add(payload)
		}
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		defer crafted.Watch(t)(len(payload))
		p := codec.Inspect(payload)
		if p.Layers > MaxLayers || p.Spatial >= MaxLayers || p.Temporal >= 8 || len(payload) == 0 && p != (Payload{}) {
			t.Errorf("%+v", p)
		}
	})
}

func FuzzH264(f *testing.F) { fuzzed(f, H264) }

func FuzzH265(f *testing.F) {
	f.Add([]byte{0x64, 0x01, 48 << 1, 3 << 4, 1, 2, 3, 0, 3, 0x26, 0x01, 0xaf})
	fuzzed(f, H265)
}

func FuzzVP8(f *testing.F) { fuzzed(f, VP8) }

func FuzzVP9(f *testing.F) {
	f.Add([]byte{0xaa, 0x81, 0x02, 0, 0, 2<<5 | 0x18, 1, 64, 0, 180, 2, 128, 1, 104, 5, 0, 2, 208, 2, 0, 0x24, 1, 0x82, 0x49})
	fuzzed(f, VP9)
}

func FuzzAV1(f *testing.F) { fuzzed(f, AV1) }

func BenchmarkInspect(b *testing.B) {
	for _, codec := range Codecs {
		payloader, _, delta := frames(b, codec)
		payload := payloader.Payload(1200, delta)[0]
		b.Run(codec.String(), func(b *testing.B) {
			for b.Loop() {
				codec.Inspect(payload)
			}
		})
	}
}
