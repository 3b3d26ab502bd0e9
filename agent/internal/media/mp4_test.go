package media

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fullhouse/agent/internal/media/rtppayload"
	"fullhouse/agent/internal/testing/crafted"
)

func TestMoviesOfEveryCodecAreLoaded(t *testing.T) {
	for name, want := range map[string]struct {
		codec    rtppayload.Codec
		fps      float64
		hasAudio bool
		remark   string
	}{
		"h264-aac.mp4":   {rtppayload.H264, 25, false, "The audio of h264-aac is AAC, which WebRTC does not support: only its video is published."},
		"vp9-opus.mp4":   {rtppayload.VP9, 25, true, ""},
		"h265-30fps.mp4": {rtppayload.H265, 30, false, ""},
		"av1.mp4":        {rtppayload.AV1, 25, false, ""},
	} {
		sample, err := Load("", filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if sample.Codec != want.codec || sample.Width != 160 || sample.Height != 90 || sample.FPS != want.fps || sample.Duration != time.Second ||
			sample.Frames != int(want.fps) || sample.HasAudio() != want.hasAudio || sample.Remark != want.remark {
			t.Errorf("%s: %s, %dx%d, %g fps, %s, %d frames, audio %t, %q", name, sample.Codec, sample.Width, sample.Height, sample.FPS,
				sample.Duration, sample.Frames, sample.HasAudio(), sample.Remark)
		}
		ends, keyframes := 0, 0
		for _, p := range sample.Packets {
			if p.At < 0 || p.At >= sample.Duration {
				t.Errorf("%s: a packet at %s", name, p.At)
			}
			if p.Kind == Video && p.Marker {
				ends++
			}
			if p.Keyframe {
				keyframes++
			}
		}
		if ends != sample.Frames || keyframes != 1 || !sample.Packets[0].Keyframe {
			t.Errorf("%s: %d frames, %d keyframes", name, ends, keyframes)
		}
	}
}

func TestAMovieForRTMPHasItsAAC(t *testing.T) {
	video, err := LoadVideo("", filepath.Join("testdata", "h264-aac.mp4"))
	if err != nil {
		t.Fatal(err)
	}
	if len(video.Pictures) != 25 || !video.Pictures[0].Keyframe || video.Width != 160 || len(video.Decoder) < 10 || video.FPS != 25 {
		t.Errorf("%d pictures, %dx%d, %g fps", len(video.Pictures), video.Width, video.Height, video.FPS)
	}
	// 44.1 kHz, mono, AAC LC (ISO/IEC 14496-3, 1.6.2.1).
	if len(video.AudioConfig) < 2 || video.AudioConfig[0] != 0x12 || video.AudioConfig[1]&0xf8 != 0x08 || len(video.Audio) < 40 {
		t.Errorf("audio % x, %d frames", video.AudioConfig, len(video.Audio))
	}
}

func TestUnusableMoviesAreOneSentence(t *testing.T) {
	whole, err := os.ReadFile(filepath.Join("testdata", "h264-aac.mp4"))
	if err != nil {
		t.Fatal(err)
	}
	reordered, err := os.ReadFile(filepath.Join("testdata", "b-frames.mp4"))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"B-frames":  {reordered, "it has B-frames"},
		"text":      {[]byte("this is not a movie at all"), "truncated or damaged"},
		"empty":     {nil, "not an MP4 file with a movie box"},
		"truncated": {whole[:len(whole)-200], "truncated or damaged"},
		"codec":     {[]byte(strings.Replace(string(whole), "avc1\x00\x00\x00\x00", "mp4v\x00\x00\x00\x00", 1)), `its video codec "mp4v" is not supported`},
	} {
		path := filepath.Join(t.TempDir(), "a.mp4")
		if err := os.WriteFile(path, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load("", path); err == nil || !strings.Contains(err.Error(), "a.mp4 is not usable: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzMovie(f *testing.F) {
	for _, name := range []string{"h264-aac.mp4", "vp9-opus.mp4", "h265-30fps.mp4", "b-frames.mp4"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		defer crafted.Watch(t)(len(data))
		m, err := readMP4(data)
		if err != nil {
			return
		}
		sample := &Sample{Name: "a"}
		if sample.addMovie(m) == nil && (len(sample.Packets) == 0 || sample.Duration <= 0) {
			t.Errorf("%d packets in %s", len(sample.Packets), sample.Duration)
		}
		_, _ = m.videoSample()
	})
}
