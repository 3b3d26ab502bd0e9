package media

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"fullhouse/agent/internal/media/h264"
)

// Picture is one coded picture of a sample, without parameter sets.
type Picture struct {
	At       time.Duration
	NALs     [][]byte
	Keyframe bool
}

// VideoSample is a sample's video as pictures, for protocols that send complete ones.
type VideoSample struct {
	SPS, PPS      []byte
	Pictures      []Picture
	Duration      time.Duration
	Width, Height int
	FPS           float64
	// AudioConfig describes the AAC audio (AudioSpecificConfig); nil without audio.
	AudioConfig []byte
	Audio       []AudioFrame
}

// LoadVideo reads NAME.h264 from a folder, or the H.264 file or MP4 of a path.
func LoadVideo(folder, nameOrPath string) (*VideoSample, error) {
	if extension := filepath.Ext(nameOrPath); isMP4(extension) {
		return loadMovie(nameOrPath)
	}
	path, name := nameOrPath, strings.TrimSuffix(filepath.Base(nameOrPath), ".h264")
	switch {
	case isName(nameOrPath):
		path = filepath.Join(folder, name+".h264")
	case filepath.Ext(nameOrPath) != ".h264":
		return nil, fmt.Errorf("%s is neither a .h264 nor an .mp4 file, and RTMP publishes H.264 only", filepath.Base(nameOrPath))
	}
	stream, err := readFile(path)
	if err != nil {
		return nil, err
	}
	units, err := h264.ReadAnnexB(stream)
	if err != nil {
		return nil, fmt.Errorf("%s.h264 is not usable: %w", name, err)
	}
	video := &VideoSample{FPS: sampleFPS, Duration: time.Duration(len(units)) * time.Second / sampleFPS}
	video.SPS, video.PPS, _ = units[0].Parts()
	if video.Width, video.Height, err = h264.PictureSize(video.SPS); err != nil {
		return nil, fmt.Errorf("%s.h264 is not usable: %w", name, err)
	}
	for i, unit := range units {
		_, _, nals := unit.Parts()
		video.Pictures = append(video.Pictures, Picture{At: time.Duration(i) * time.Second / sampleFPS, NALs: nals, Keyframe: unit.Keyframe})
	}
	return video, nil
}

func loadMovie(path string) (*VideoSample, error) {
	file, err := readFile(path)
	if err != nil {
		return nil, err
	}
	var video *VideoSample
	m, err := readMP4(file)
	if err == nil {
		video, err = m.videoSample()
	}
	if err != nil {
		return nil, fmt.Errorf("%s is not usable: %w", filepath.Base(path), err)
	}
	return video, nil
}

// Kbps is the video's bitrate without any headers.
func (v *VideoSample) Kbps() float64 {
	bytes := 0
	for _, picture := range v.Pictures {
		for _, nal := range picture.NALs {
			bytes += len(nal)
		}
	}
	return float64(bytes) * 8 / 1000 / v.Duration.Seconds()
}
