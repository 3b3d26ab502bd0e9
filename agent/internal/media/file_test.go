package media

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fullhouse/agent/internal/media/rtppayload"
)

// clips are the test media.
var clips = map[string]rtppayload.Codec{
	"vp8.ivf": rtppayload.VP8, "vp9.ivf": rtppayload.VP9, "av1.ivf": rtppayload.AV1, "h265.h265": rtppayload.H265,
}

func TestFilesOfEveryCodecAreLoaded(t *testing.T) {
	for name, codec := range clips {
		sample, err := Load("", filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if sample.Codec != codec || sample.Width != 160 || sample.Height != 90 || sample.FPS != 25 || sample.Duration != time.Second ||
			sample.Frames != 25 || sample.HasAudio() != (name == "vp9.ivf") {
			t.Errorf("%s: %s, %dx%d, %g fps, %s, %d frames, audio %t", name, sample.Codec, sample.Width, sample.Height, sample.FPS,
				sample.Duration, sample.Frames, sample.HasAudio())
		}
		starts, keyframes, next := 0, 0, true
		for i, p := range sample.Packets {
			if p.Kind == Audio {
				continue
			}
			read := codec.Inspect(p.Payload)
			if next && !read.StartsFrame || len(p.Payload) > MaxPayload || p.At != time.Duration(p.Frame)*40*time.Millisecond {
				t.Errorf("%s: packet %d of frame %d at %s starts %t: %d bytes", name, i, p.Frame, p.At, read.StartsFrame, len(p.Payload))
			}
			if next = p.Marker; p.Marker {
				starts++
			}
			if p.Keyframe {
				keyframes++
			}
		}
		if starts != 25 || keyframes != 1 || !sample.Packets[0].Keyframe {
			t.Errorf("%s: %d frames, %d keyframes", name, starts, keyframes)
		}
	}
}

func TestPictureIDsContinue(t *testing.T) {
	for name, at := range map[string]int{"vp8.ivf": 2, "vp9.ivf": 1} {
		sample, err := Load("", filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		payload := sample.Packets[0].Payload
		renumbered := WithPictureID(sample.Codec, payload, 0x8000+0x1234)
		if !HasPictureID(sample.Codec) || renumbered[at] != 0x92 || renumbered[at+1] != 0x34 || !bytes.Equal(renumbered[at+2:], payload[at+2:]) {
			t.Errorf("%s: %x", name, renumbered[:5])
		}
		if sample.Codec.Inspect(renumbered) != sample.Codec.Inspect(payload) {
			t.Errorf("%s: the descriptor is damaged", name)
		}
	}
	if HasPictureID(rtppayload.AV1) || HasPictureID(rtppayload.H264) {
		t.Error("these codecs have no picture ids")
	}
}

func TestUnusableFilesAreRefused(t *testing.T) {
	av1, err := os.ReadFile("testdata/av1.ivf")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, c := range map[string]struct {
		content []byte
		says    string
	}{
		"text.ivf":    {[]byte("hello"), "not an IVF file"},
		"short.ivf":   {av1[:len(av1)-1], "truncated"},
		"codec.ivf":   {append([]byte("DKIF\x00\x00\x20\x00H263"), av1[12:]...), `codec "H263"`},
		"header.ivf":  {append(bytes.Clone(av1[:16]), make([]byte, 16)...), "header is damaged"},
		"empty.ivf":   {av1[:32], "no frames"},
		"delta.ivf":   {append(bytes.Clone(av1[:32]), av1[32+12+int(av1[32])+int(av1[33])<<8:]...), "keyframe"},
		"text.h265":   {[]byte("hello"), "no H.265 picture"},
		"delta.h265":  {[]byte{0, 0, 1, 2, 1, 0xd0, 0x11}, "keyframe"},
		"clip.mkv":    {[]byte("hello"), "neither the name"},
		"folder.ivf/": {nil, "not a file"},
	} {
		path := filepath.Join(folder, name)
		if strings.HasSuffix(name, "/") {
			err = os.Mkdir(path, 0o700)
		} else {
			err = os.WriteFile(path, c.content, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := loadFile(path); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
	if _, err := Load(folder, "nothing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
