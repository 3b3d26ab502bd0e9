package media

import (
	"bytes"
	"encoding/binary"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fullhouse/agent/internal/budget"
	"fullhouse/agent/internal/testing/crafted"
)

// box makes an MP4 box of parts.
func box(kind string, parts ...[]byte) []byte {
	content := slices.Concat(parts...)
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(8+len(content))), kind...), content...)
}

// words are 32-bit numbers.
func words(numbers ...uint32) (data []byte) {
	for _, number := range numbers {
		data = binary.BigEndian.AppendUint32(data, number)
	}
	return data
}

// movieOf makes a movie of H.264: its configuration, the sizes and the chunks of its samples as tables, and its content.
// Chunks are relative to the start of the content.
func movieOf(config []byte, sizes, chunks []byte, perChunk, samples uint32, content []byte) []byte {
	entry := box("avc1", make([]byte, 78), box("avcC", config))
	head := box("ftyp", []byte("isom"), words(0))
	build := func(shift uint32) []byte {
		moved := bytes.Clone(chunks)
		for i := 8; i < len(moved); i += 4 {
			binary.BigEndian.PutUint32(moved[i:], binary.BigEndian.Uint32(moved[i:])+shift)
		}
		table := box("stbl", box("stsd", words(0, 1), entry), box("stts", words(0, 1, samples, 40)), box("stsz", sizes),
			box("stsc", words(0, 1, 1, perChunk, 1)), box("stco", moved))
		return box("moov", box("trak", box("mdia", box("mdhd", words(0, 0, 0, 1000, 0, 0)), box("hdlr", words(0, 0), []byte("vide"), words(0, 0, 0)),
			box("minf", table))))
	}
	moov := build(0)
	shift := uint32(len(head) + len(moov) + 8)
	return slices.Concat(head, build(shift), box("mdat", content))
}

// configOf is an avcC box with so many SPS of so many bytes each, and one PPS.
func configOf(sets, size int) []byte {
	config := []byte{1, 0x42, 0xc0, 0x1e, 0xff, 0xe0 | byte(sets)}
	set := append([]byte{0x67, 0x42, 0xc0, 0x1e, 0xda, 0x02, 0x80, 0xbf, 0xe5}, make([]byte, size)...)
	for range sets {
		config = append(binary.BigEndian.AppendUint16(config, uint16(len(set))), set...)
	}
	return append(config, 1, 0, 4, 0x68, 0xce, 0x3c, 0x80)
}

func nal(content []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(content))), content...)
}

// overlapping is a movie whose samples are all the same part of the file.
func overlapping(samples, size int) []byte {
	picture := nal(append([]byte{0x65}, make([]byte, size-5)...))
	sizes := append(words(0, uint32(size), uint32(samples)), nil...)
	chunks := words(0, uint32(samples))
	for range samples {
		chunks = append(chunks, words(0)...)
	}
	return movieOf(configOf(1, 0), sizes, chunks, 1, uint32(samples), picture)
}

// keyframes is a movie of tiny keyframes, each of which is sent with the large parameter sets.
func keyframes(samples, sets, size int) []byte {
	picture := nal([]byte{0x65})
	return movieOf(configOf(sets, size), words(0, uint32(len(picture)), uint32(samples)), words(0, 1, 0), uint32(samples), uint32(samples), bytes.Repeat(picture, samples))
}

// oneFrame is a movie of one frame of tiny NAL units.
func oneFrame(units int) []byte {
	content := bytes.Repeat(nal([]byte{0x65}), units)
	return movieOf(configOf(1, 0), words(0, 0, 1, uint32(len(content))), words(0, 1, 0), 1, 1, content)
}

func craftedMovies() iter.Seq2[string, []byte] {
	var seeds [][]byte
	for _, name := range []string{"h264-aac.mp4", "vp9-opus.mp4", "h265-30fps.mp4", "av1.mp4"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			panic(err)
		}
		seeds = append(seeds, data)
	}
	tables := slices.Clone(seeds) // of which only the boxes change, not the pictures
	for i, data := range tables {
		if at := bytes.Index(data, []byte("moov")); at > 0 {
			tables[i] = data[at-4:]
		}
	}
	return crafted.All(crafted.Named(map[string][]byte{
		"samples that overlap":           overlapping(2000, 1<<20),
		"more samples that overlap":      overlapping(300_000, 200_000),
		"keyframes with large sets":      keyframes(100_000, 30, 60_000),
		"keyframes with many sets":       keyframes(100_000, 31, 0),
		"a frame of tiny NAL units":      oneFrame(300_000),
		"moov boxes":                     bytes.Repeat(box("moov", bytes.Repeat(box("trak"), 1000)), 100),
		"nested boxes beyond all bounds": nestedBoxes(5_000),
	}), crafted.Binary(700, seeds...), crafted.Binary(500, tables...))
}

func nestedBoxes(depth int) []byte {
	data := []byte{}
	for i := depth; i > 0; i-- {
		data = append(words(uint32(8*(depth-i+1))), append([]byte("mdia"), data...)...)
	}
	return box("moov", box("trak", data))
}

func TestMoviesTakeNoMoreMemoryThanTheirFileAllows(t *testing.T) {
	crafted.Each(t, craftedMovies(), func(data []byte) {
		sample := &Sample{Name: "a"}
		_ = sample.addVideo(".mp4", data)
		_, _ = readVideoSample(".mp4", data)
	})
}

func TestOtherFilesTakeNoMoreMemoryThanTheirSizeAllows(t *testing.T) {
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	h264, err := os.ReadFile(filepath.Join("..", "..", "..", "assets", "lab", "sample-240p.h264"))
	if err != nil {
		t.Fatal(err)
	}
	ogg := read("vp9.ogg")
	for extension, c := range map[string]struct {
		seeds [][]byte
		named map[string][]byte
	}{
		".ivf": {[][]byte{read("vp8.ivf"), read("vp9.ivf"), read("av1.ivf")}, map[string][]byte{
			"tiny frames": append(bytes.Clone(read("vp8.ivf")[:32]), bytes.Repeat(append(append([]byte{1, 0, 0, 0}, make([]byte, 8)...), 0x10), 1<<20)...)}},
		".h264": {[][]byte{h264[:min(len(h264), 100_000)]}, map[string][]byte{
			"tiny NAL units": append(bytes.Clone(h264[:min(len(h264), 10_000)]), bytes.Repeat([]byte{0, 0, 1, 0x65}, 4<<20)...),
			"tiny sets":      append(bytes.Repeat([]byte{0, 0, 1, 0x67, 1}, 3<<20), h264[:min(len(h264), 10_000)]...)}},
		".h265": {[][]byte{read("h265.h265")}, map[string][]byte{
			"tiny pictures": append(bytes.Clone(read("h265.h265")), bytes.Repeat([]byte{0, 0, 1, 2, 1, 0xd0, 0x11}, 2<<20)...)}},
		".ogg": {[][]byte{ogg}, map[string][]byte{
			"tiny packets": append(bytes.Clone(ogg), bytes.Repeat(append(append([]byte("OggS"), make([]byte, 22)...),
				append([]byte{255}, bytes.Repeat([]byte{0}, 255)...)...), 30_000)...)}},
	} {
		t.Run(extension, func(t *testing.T) {
			crafted.Each(t, crafted.All(crafted.Named(c.named), crafted.Binary(1000, c.seeds...)), func(data []byte) {
				sample := &Sample{Name: "a", Duration: 1}
				if extension == ".ogg" {
					_ = sample.addAudio(data)
					return
				}
				_ = sample.addVideo(extension, data)
				_, _ = readVideoSample(extension, data)
			})
		})
	}
}

func TestAnExceededLimitIsOneSentence(t *testing.T) {
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"overlaps": {overlapping(2000, 1<<20), "its samples overlap"},
		"sets":     {keyframes(100_000, 30, 60_000), "as packets; use a shorter file"},
	} {
		path := filepath.Join(t.TempDir(), "a.mp4")
		if err := os.WriteFile(path, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Load("", path)
		var exceeded *budget.Exceeded
		if err == nil || !strings.Contains(err.Error(), c.want) || name == "sets" && !errors.As(err, &exceeded) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
