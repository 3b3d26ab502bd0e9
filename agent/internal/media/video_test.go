package media

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"fullhouse/agent/internal/media/mp4"
	"fullhouse/agent/internal/media/rtppayload"
)

// TestDecoderRecordsAreThoseOfMP4 compares with the records that ffmpeg wrote.
func TestDecoderRecordsAreThoseOfMP4(t *testing.T) {
	for name, part := range map[string]struct{ from, to int }{
		"h264-aac.mp4": {}, "h265-30fps.mp4": {0, 22}, "av1.mp4": {}, // an SEI follows the parameter sets of H.265
		"vp9-opus.mp4": {4, 6}, // version and flags precede it; chroma siting is not known
	} {
		file, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		movie, err := mp4.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		video, err := LoadVideo("", filepath.Join("testdata", name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want, got := movie.Video.Config[part.from:], video.Decoder
		if count := part.to - part.from; count > 0 {
			want, got = want[:count], got[:count]
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: % x, want % x", name, got, want)
		}
	}
}

func TestVideoOfEachCodecStartsWithAKeyframe(t *testing.T) {
	for name, codec := range map[string]rtppayload.Codec{"h265.h265": rtppayload.H265, "av1.ivf": rtppayload.AV1, "vp9.ivf": rtppayload.VP9, "vp8.ivf": rtppayload.VP8,
		"h265-30fps.mp4": rtppayload.H265, "av1.mp4": rtppayload.AV1} {
		path := filepath.Join("testdata", name)
		video, err := LoadVideo("", path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		sample, err := Load("", path)
		if err != nil {
			t.Fatal(err)
		}
		keyframes, ofSample := 0, 0
		for _, one := range video.Pictures {
			if one.Keyframe {
				keyframes++
			}
		}
		for _, one := range sample.Packets {
			if one.Keyframe {
				ofSample++
			}
		}
		if video.Codec != codec || len(video.Pictures) != sample.Frames || video.Width != sample.Width || video.Height != sample.Height || keyframes != ofSample || keyframes == 0 {
			t.Errorf("%s: %s, %d pictures, %d keyframes of %d, %dx%d", name, video.Codec, len(video.Pictures), keyframes, ofSample, video.Width, video.Height)
		}
	}
}
