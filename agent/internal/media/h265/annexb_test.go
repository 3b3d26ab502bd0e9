package h265

import (
	"bytes"
	"os"
	"testing"

	"fullhouse/agent/internal/testing/crafted"
)

func TestPicturesKeepWhatBelongsToThem(t *testing.T) {
	unit := func(kind byte, rest ...byte) []byte { return append([]byte{0, 0, 1, kind << 1, 1}, rest...) }
	stream := bytes.Join([][]byte{
		unit(32, 1), unit(33, 2), unit(34, 3), unit(19, 0x80), unit(19, 0x40), unit(40, 9), // an IDR of two slices, a suffix SEI
		unit(1, 0x80), unit(35, 1), unit(1, 0xc0), unit(32, 1), unit(21, 0x80), // two pictures, then a CRA
	}, nil)
	pictures, err := ReadAnnexB(stream)
	if err != nil || len(pictures) != 4 {
		t.Fatalf("%d pictures, %v", len(pictures), err)
	}
	for i, want := range []struct {
		units    int
		keyframe bool
	}{{6, true}, {1, false}, {2, false}, {2, true}} {
		if got := bytes.Count(pictures[i].AnnexB, startCode); got != want.units || pictures[i].Keyframe != want.keyframe {
			t.Errorf("picture %d has %d units, keyframe %t", i, got, pictures[i].Keyframe)
		}
	}
}

func FuzzReadAnnexB(f *testing.F) {
	if data, err := os.ReadFile("../testdata/h265.h265"); err == nil {
		f.Add(data[:300])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		defer crafted.Watch(t)(len(data))
		pictures, err := ReadAnnexB(data)
		total := 0
		for _, picture := range pictures {
			total += len(picture.AnnexB)
		}
		if total > len(data) || err == nil && !pictures[0].Keyframe {
			t.Errorf("%d bytes of %d, %v", total, len(data), err)
		}
	})
}
