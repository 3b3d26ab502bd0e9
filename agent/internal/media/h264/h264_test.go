package h264

import (
	"bytes"
	"encoding/hex"
	"testing"
)

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	data, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestAnnexBIsSplitIntoPictures(t *testing.T) {
	sps, pps, idr, slice := []byte{0x67, 1}, []byte{0x68, 2}, []byte{0x65, 3, 0, 0, 3, 1}, []byte{0x41, 4}
	var stream []byte
	for i, nal := range [][]byte{sps, pps, {0x06, 9}, idr, slice, sps, pps, idr} {
		if i%2 == 0 {
			stream = append(stream, 0) // the four-byte start code
		}
		stream = append(append(stream, 0, 0, 1), nal...)
	}
	units, err := ReadAnnexB(stream)
	if err != nil {
		t.Fatal(err)
	}
	if len(units) != 3 || !units[0].Keyframe || units[1].Keyframe || !units[2].Keyframe {
		t.Fatalf("units %v", units)
	}
	if len(units[0].NALs) != 3 || !bytes.Equal(units[0].NALs[2], idr) || !bytes.Equal(units[1].NALs[0], slice) {
		t.Errorf("units %v", units)
	}
	for _, wrong := range [][]byte{nil, {1, 2, 3}, append([]byte{0, 0, 1}, slice...)} {
		if _, err := ReadAnnexB(wrong); err == nil {
			t.Errorf("%v was accepted as a stream", wrong)
		}
	}
}

func TestPayloadsKeepTheLimitAndRestoreTheNALs(t *testing.T) {
	const limit = 100
	sps, pps := []byte{0x67, 1, 2, 3}, []byte{0x68, 4}
	for _, size := range []int{1, 99, 100, 101, 102, 197, 198, 1000, 1234} {
		idr := append([]byte{0x65}, bytes.Repeat([]byte{byte(size)}, size-1)...)
		payloads := Packetize(AccessUnit{NALs: [][]byte{sps, pps, idr}, Keyframe: true}, limit)
		if !StartsKeyframe(payloads[0]) || !bytes.Equal(FindSPS(payloads[0]), sps) {
			t.Errorf("%d bytes: the first payload % x does not show the keyframe", size, payloads[0])
		}
		var back []byte
		for i, payload := range payloads[1:] {
			if len(payload) > limit {
				t.Errorf("%d bytes: a payload of %d", size, len(payload))
			}
			if payload[0]&typeMask != typeFragment {
				back = payload
				continue
			}
			if i == 0 {
				back = append(back, payload[0]&importanceMask|payload[1]&typeMask)
			}
			if first, last := payload[1]&fragmentStart != 0, payload[1]&fragmentEnd != 0; first != (i == 0) || last != (i == len(payloads)-2) {
				t.Errorf("%d bytes: fragment %d has start %v, end %v", size, i, first, last)
			}
			back = append(back, payload[2:]...)
		}
		if !bytes.Equal(back, idr) {
			t.Errorf("%d bytes are not restored", size)
		}
	}
}

func TestOnlyKeyframesStartOne(t *testing.T) {
	for text, want := range map[string]bool{
		"6742c01f": true, "6588": true, "7c85aa": true, // SPS, IDR, first fragment of an IDR
		"7c05aa": false, "7c81aa": false, "41aa": false, "68ce": false, "": false, "7c": false, "09f0": false,
		"18000467420a0b000268ce": true, "18000268ce": false, "18ffff67": false, "180000": false,
	} {
		if StartsKeyframe(unhex(t, text)) != want {
			t.Errorf("%s: not %v", text, want)
		}
	}
}

func TestPictureSizesOfRealEncoders(t *testing.T) {
	for name, c := range map[string]struct {
		sps           string
		width, height int
	}{
		"x264 high, cropped":                      {"67640028acd940780227e5c044000003000400000300c83c60c658", 1920, 1080},
		"x264 high, interlaced":                   {"6764001eacd940b424d8088000000300800000190f8a14cb", 720, 576},
		"OpenH264 as in Chromium, 640x480 42c01f": {"6742c01f8c8d40501e900f08846a", 640, 480},
	} {
		width, height, err := PictureSize(unhex(t, c.sps))
		if err != nil || width != c.width || height != c.height {
			t.Errorf("%s: %dx%d, %v", name, width, height, err)
		}
	}
	whole := unhex(t, "67640028acd940780227e5c044000003000400000300c83c60c658")
	for length := range 8 {
		if _, _, err := PictureSize(whole[:length]); err == nil {
			t.Errorf("a picture size from %d bytes", length)
		}
	}
}
