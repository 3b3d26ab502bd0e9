package content

import (
	"bytes"
	"encoding/binary"
	"iter"
	"testing"

	"fullhouse/agent/internal/testing/crafted"
	"fullhouse/agent/internal/testing/segments"
)

func box(kind string, content []byte) []byte {
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(8+len(content))), kind...), content...)
}

func craftedSegments(seeds ...[]byte) iter.Seq2[string, []byte] {
	return crafted.All(crafted.Named(map[string][]byte{
		"fragments of no track":     box("moof", bytes.Repeat(box("traf", nil), 500_000)),
		"more fragments":            box("moof", bytes.Repeat(box("traf", nil), 120_000)),
		"runs of 2^32 samples":      box("moof", box("traf", append(box("tfhd", []byte{0, 0, 0, 0, 0, 0, 0, 1}), bytes.Repeat(box("trun", []byte{0, 0, 0, 0, 255, 255, 255, 255}), 60_000)...))),
		"tracks":                    box("moov", bytes.Repeat(box("trak", nil), 120_000)),
		"movies":                    bytes.Repeat(box("moov", box("trak", nil)), 60_000),
		"a box of 2^64 bytes":       append([]byte{0, 0, 0, 1, 'm', 'o', 'o', 'f'}, bytes.Repeat([]byte{255}, 100_000)...),
		"a box up to the end":       append([]byte{0, 0, 0, 0, 'm', 'd', 'a', 't'}, make([]byte, 1<<20)...),
		"an id3 tag without an end": append([]byte("ID3"), make([]byte, 1<<20)...),
	}), crafted.Binary(1100, seeds...))
}

func TestSegmentsTakeNoMoreMemoryThanTheirSizeAllows(t *testing.T) {
	many, err := ReadInit(box("moov", bytes.Repeat(box("trak", nil), maxTracks)))
	if err != nil {
		t.Fatal(err)
	}
	one, err := ReadInit(segments.Init())
	if err != nil {
		t.Fatal(err)
	}
	crafted.Each(t, craftedSegments(segments.Transport(2, 300), segments.Fragment(2, 30), segments.Init()), func(data []byte) {
		_, _ = ReadInit(data)
		for _, init := range []*Init{many, one} {
			_, _ = examine(init, data, 1000)
		}
	})
}

func TestAnExceededLimitIsOneSentence(t *testing.T) {
	init, err := ReadInit(segments.Init())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ReadInit(box("moov", bytes.Repeat(box("trak", nil), 100))); err == nil || err.Error() != "the initialization section has more than 64 tracks" {
		t.Errorf("%v", err)
	}
	runs := box("moof", box("traf", append(box("tfhd", []byte{0, 0, 0, 0, 0, 0, 0, 1}), bytes.Repeat(box("trun", []byte{0, 0, 0, 0, 255, 255, 255, 255}), 2)...)))
	if _, err := examine(init, runs, 1000); err == nil || err.Error() != "the segment has more than 360000 frames" {
		t.Errorf("%v", err)
	}
}
