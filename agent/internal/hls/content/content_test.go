package content

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"fullhouse/agent/internal/testing/crafted"
	"fullhouse/agent/internal/testing/segments"
)

func examine(init *Init, data []byte, piece int) (Found, error) {
	s := NewScanner(init, nil)
	for at := 0; at < len(data); at += piece {
		s.Write(data[at:min(at+piece, len(data))])
	}
	return s.Result()
}

func TestFramesOfATransportStreamAreCounted(t *testing.T) {
	data := segments.Transport(50, 700)
	for _, piece := range []int{1, 7, 188, 1000, len(data)} {
		found, err := examine(nil, data, piece)
		if err != nil || found != (Found{VideoFrames: 50, AudioFrames: 25, Codec: "H.264"}) {
			t.Errorf("in pieces of %d: %+v, %v", piece, found, err)
		}
	}
}

func TestFramesOfFragmentedMP4AreCounted(t *testing.T) {
	init, err := ReadInit(segments.Init())
	if err != nil {
		t.Fatal(err)
	}
	data := segments.Fragment(48, 500)
	for _, piece := range []int{1, 7, 1000, len(data)} {
		found, err := examine(init, data, piece)
		if err != nil || found != (Found{VideoFrames: 48, AudioFrames: 24, Codec: "H.264"}) {
			t.Errorf("in pieces of %d: %+v, %v", piece, found, err)
		}
	}
	if _, err := examine(nil, data, 1000); err == nil {
		t.Error("without its initialization section")
	}
}

func TestPackedAudioHasNoFramesOfVideo(t *testing.T) {
	for _, text := range []string{"ID3\x04\x00\x00\x00\x00\x00\x00", "\xff\xf1\x50\x80\x02\x1f\xfc\x00", "\x0b\x77 and more"} {
		for _, piece := range []int{1, 100} {
			if found, err := examine(nil, []byte(text), piece); err != nil || found != (Found{}) {
				t.Errorf("%q: %+v, %v", text, found, err)
			}
		}
	}
}

func TestOtherContentIsRefused(t *testing.T) {
	for _, text := range []string{"", "short", "<html><body>", "\xff\x00 and more"} {
		if _, err := examine(nil, []byte(text), 3); !errors.Is(err, ErrUnknown) {
			t.Errorf("%q: %v", text, err)
		}
	}
	broken := append(segments.Transport(1, 100), make([]byte, 10_000)...)
	if _, err := examine(nil, broken, 100); !errors.Is(err, errTransport) {
		t.Error(err)
	}
	if _, err := examine(nil, []byte("\x00\x00\x00\x05moof...."), 100); !errors.Is(err, errMP4) {
		t.Error(err)
	}
	if _, err := ReadInit([]byte("\x00\x00\x00\x08ftyp")); err == nil {
		t.Error("no tracks")
	}
}

// spaced has the packets of a stream at a larger distance.
func spaced(data []byte, before, after int) []byte {
	var out []byte
	for packet := range slices.Chunk(data, packetSize) {
		out = append(append(append(out, make([]byte, before)...), packet...), make([]byte, after)...)
	}
	return out
}

func TestPacketsAreFoundAgainAfterOtherBytes(t *testing.T) {
	whole := segments.Transport(50, 700)
	want := Found{VideoFrames: 50, AudioFrames: 25, Codec: "H.264"}
	picture := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x47\x47"), make([]byte, 900)...)
	with := func(lost int) Found { found := want; found.LostBytes = lost; return found }
	taken := with(3) // the packet after a byte that looks like its start
	taken.AudioFrames--
	middle := 60 * packetSize
	for name, test := range map[string]struct {
		data []byte
		want Found
	}{
		"a time before each packet":    {spaced(whole, 4, 0), want},
		"error correction after each":  {spaced(whole, 0, 16), want},
		"as a picture":                 {append(picture, whole...), want},
		"as a picture of JPEG":         {append([]byte("\xff\xd8\xff\xe0\x00\x10JFIF\x00 and more"), whole...), want},
		"bytes between packets":        {slices.Concat(whole[:middle], make([]byte, 50), whole[middle:]), with(50)},
		"a packet that is cut":         {slices.Concat(whole[:middle], whole[middle:middle+100], whole[middle:]), with(100)},
		"the end of a packet":          {append(slices.Clone(whole), 0x47, 1, 2), with(3)},
		"a sync byte within a packet":  {slices.Concat(whole[:middle], []byte{0x47, 0x47, 0x47}, whole[middle:]), taken},
		"bytes before the last packet": {slices.Concat(whole[:len(whole)-packetSize], []byte{1, 2}, whole[len(whole)-packetSize:]), with(2)},
	} {
		for _, piece := range []int{1, 7, 188, 1000, len(test.data)} {
			if found, err := examine(nil, test.data, piece); err != nil || found != test.want {
				t.Errorf("%s, in pieces of %d: %+v, %v", name, piece, found, err)
			}
		}
	}
	if _, err := examine(nil, append([]byte("BM"), make([]byte, maxPrefix+1000)...), 5000); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
}

// TestFramesAreCountedAsFFmpegWritesThem has the machine's ffmpeg make both formats.
func TestFramesAreCountedAsFFmpegWritesThem(t *testing.T) {
	ffmpeg, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("this machine has no ffmpeg")
	}
	for _, format := range []string{"mpegts", "fmp4"} {
		folder := t.TempDir()
		command := exec.Command(ffmpeg, "-v", "error", "-f", "lavfi", "-i", "testsrc=s=160x120:r=25:d=2", "-f", "lavfi", "-i", "sine=d=2",
			"-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-c:a", "aac", "-f", "hls", "-hls_segment_type", format, "-hls_time", "2", filepath.Join(folder, "x.m3u8"))
		if out, err := command.CombinedOutput(); err != nil {
			t.Skipf("ffmpeg lacks a codec: %s", out)
		}
		var init *Init
		name := "x0.ts"
		if format == "fmp4" {
			name = "x0.m4s"
			data, err := os.ReadFile(filepath.Join(folder, "init.mp4"))
			if err != nil {
				t.Fatal(err)
			}
			if init, err = ReadInit(data); err != nil {
				t.Fatal(err)
			}
		}
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		found, err := examine(init, data, 1000)
		if err != nil || found.VideoFrames != 50 || found.Codec != "H.264" {
			t.Errorf("%s: %+v, %v", format, found, err)
		}
	}
}

// FuzzScanner feeds hostile segments: pieces give what the whole gives.
func FuzzScanner(f *testing.F) {
	f.Add(segments.Transport(2, 300), uint8(7))
	f.Add(segments.Fragment(2, 30), uint8(7))
	init, err := ReadInit(segments.Init())
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte, piece uint8) {
		defer crafted.Watch(t)(len(data))
		whole, wholeErr := examine(init, data, len(data)+1)
		pieces, piecesErr := examine(init, data, int(piece)+1)
		if (wholeErr == nil) != (piecesErr == nil) || wholeErr == nil && whole != pieces {
			t.Errorf("%+v, %v; in pieces %+v, %v", whole, wholeErr, pieces, piecesErr)
		}
	})
}

// FuzzInit feeds hostile initialization sections.
func FuzzInit(f *testing.F) {
	f.Add(segments.Init())
	f.Fuzz(func(t *testing.T, data []byte) {
		defer crafted.Watch(t)(len(data))
		_, _ = ReadInit(data)
	})
}
