package flv

import (
	"encoding/hex"
	"strings"
	"testing"
)

func bytesOf(t *testing.T, text string) []byte {
	t.Helper()
	raw, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// untyped are messages of servers that set no frame type: what precedes the picture is longer than the head that is kept.
var untyped = map[string]bool{
	// H.265: an access unit delimiter, a parameter set of 20 bytes, then the picture.
	"81 68766331 000028 00000003 460150 00000014 4001" + strings.Repeat("aa", 18) + "00000004 2601aabb": true,  // IDR_W_RADL
	"81 68766331 000028 00000003 460150 00000014 4001" + strings.Repeat("aa", 18) + "00000004 2a01aabb": true,  // CRA
	"81 68766331 000028 00000003 460150 00000014 4001" + strings.Repeat("aa", 18) + "00000004 0201aabb": false, // TRAIL_R
	"83 68766331 00000004 2001aabb":                                        true,  // BLA_W_LP
	"83 68766331 00000004 1e01aabb":                                        false, // reserved, below
	"83 68766331 00000004 2801aabb":                                        true,  // without a composition time: IDR_N_LP
	"83 68766331 00000004 0001aabb":                                        false,
	"81 68766331 000000 00000004 2c01aabb":                                 false, // reserved, a kind of 22
	"81 61766331 000000 00000002 0910 00000006 0601aabbccdd 00000002 6588": true,
	"81 61766331 000000 00000002 0910 00000002 4188":                       false,
	"07 01 000000 00000002 6588":                                           true, // not enhanced
	"07 01 000000 00000002 4188":                                           false,
	"81 76766331 000000 00000003 00a101 00000003 0041aa":                   true, // H.266: delimiter, IDR_N_LP
	"81 76766331 000000 00000003 00a101 00000003 0001aa":                   false,
	// AV1: temporal delimiter, sequence header, frame.
	"81 61763031 1200 0a0b 0000000aaabbccddeeff00 3203 10aabb":   true,
	"81 61763031 1200 0a0b 0000000aaabbccddeeff00 3203 30aabb":   false, // an inter frame
	"81 61763031 1200 1a01 80":                                   false, // shows an earlier frame
	"81 61763031 160000 360002 10aa":                             true,  // with extensions
	"81 61763031 2a8180808000 aa 3203 10aabb":                    true,  // a size of five bytes
	"81 61763031 30 10aabb":                                      true,  // without a size
	"81 76703039 82 498342 00":                                   true,
	"81 76703039 86 498342 00":                                   false,
	"81 76703039 88 498342 00":                                   false, // shows an earlier frame
	"81 76703039 b0 498342 00":                                   true,  // profile 3
	"81 76703039 b2 498342 00":                                   false,
	"81 76703038 10aabb":                                         true,
	"81 76703038 11aabb":                                         false,
	"87 02 aabbcc 01 76703039 82498342":                          true,  // modified
	"86 01 76703039 00 82498342":                                 true,  // one track
	"86 11 61763031 00 000005 12001a0180 01 000002 3003 1000":    false, // what follows is another track
	"86 21 76703039 00 000002 8249 61763031 01 000002 1200":      true,
	"a1 68766331 000000 00000004 2601aabb":                       false, // the frame type is set, and counts
	"81 6e657721 000000 00000004 2601aabb":                       false, // an unknown codec
	"80 68766331 0100000000000000000000000000000000000000000000": false, // configuration
}

func TestKeyframesAreFoundByTheirContentWithoutAFrameType(t *testing.T) {
	for text, want := range untyped {
		raw := bytesOf(t, text)
		for _, size := range []int{1, 2, 3, 7, 16, 17, len(raw)} {
			var tags Tags
			sink := &headsOf{}
			data := AppendTag(nil, TypeVideo, 0, raw)
			data = AppendTag(data, TypeVideo, 40, bytesOf(t, "81 68766331 000000 00000002 0201")) // nothing of the first remains
			for len(data) > 0 {
				count := min(size, len(data))
				tags.Write(sink, data[:count])
				data = data[count:]
			}
			if len(sink.keys) != 2 || sink.keys[0] != want || sink.keys[1] {
				t.Errorf("%s in pieces of %d: %v", text, size, sink.keys)
			}
		}
	}
}

type headsOf struct{ keys []bool }

func (h *headsOf) Media(m Message) { h.keys = append(h.keys, m.HasKeyframe) }

func TestUnknownPartsAreSkippedAndNamed(t *testing.T) {
	for text, want := range map[string]Video{
		"99 68766331 aabb":              {false, true, "H.265", "video packet type 9"},
		"96 31 68766331 00 aabb":        {false, true, "H.265", "multitrack type 3"},
		"96 06 68766331 00 aabb":        {false, true, "H.265", "video packet type 6"}, // tracks within tracks
		"91 6e657721 aabb":              {true, true, "new!", ""},
		"91 00000001 aabb":              {true, true, "", ""},
		"96":                            {},
		"9601":                          {true, true, "", ""},
		"97 00 aa 07 00 aa 01 68766331": {true, true, "H.265", ""}, // modified twice
	} {
		if got := InspectVideo(bytesOf(t, text)); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
	for text, want := range map[string]bool{"95 01 6d703461 00 aa": true, "95 00 6d703461 00 aa": false, "97 02 aabbcc 01 6d703461": true,
		"97 02 aabbcc 00 6d703461": false, "99 6d703461": false, "97 ff": true} {
		if got := IsSound(bytesOf(t, text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// FuzzPayload feeds any message: the result does not depend on how it is cut.
func FuzzPayload(f *testing.F) {
	for text := range untyped {
		if raw, err := hex.DecodeString(strings.ReplaceAll(text, " ", "")); err == nil {
			f.Add(raw, 3)
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte, size int) {
		var whole, pieces Payload
		whole.Write(TypeVideo, raw)
		want := whole.Message(TypeVideo, 0, uint32(len(raw)))
		for rest := raw; len(rest) > 0; {
			count := max(1, min(size, len(rest)))
			pieces.Write(TypeVideo, rest[:count])
			rest = rest[count:]
		}
		if got := pieces.Message(TypeVideo, 0, uint32(len(raw))); got.HasKeyframe != want.HasKeyframe {
			t.Errorf("%x in pieces of %d: %v", raw, size, got.HasKeyframe)
		}
	})
}
