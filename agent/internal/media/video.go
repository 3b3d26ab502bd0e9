package media

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fullhouse/agent/internal/media/h264"
	"fullhouse/agent/internal/media/rtppayload"
)

// Picture is one coded picture of a sample as in MP4: NAL units with lengths of four bytes and without parameter sets,
// OBUs without temporal delimiters, or a frame of VP8 or VP9.
type Picture struct {
	At       time.Duration
	Data     []byte
	Keyframe bool
}

// VideoSample is a sample's video as pictures, for protocols that send complete ones.
type VideoSample struct {
	Codec         rtppayload.Codec
	Decoder       []byte // the configuration record of MP4; of VP8 and VP9 without the box's version and flags
	Pictures      []Picture
	Duration      time.Duration
	Width, Height int
	FPS           float64
	// AudioConfig describes the AAC audio (AudioSpecificConfig); nil without audio.
	AudioConfig []byte
	Audio       []AudioFrame
}

// LoadVideo loads the video of a sample by its name in a folder, or of the file of a path.
func LoadVideo(folder, nameOrPath string) (*VideoSample, error) {
	if !isName(nameOrPath) {
		return loadVideoFile(nameOrPath)
	}
	for _, extension := range videoExtensions {
		video, err := loadVideoFile(filepath.Join(folder, nameOrPath+extension))
		if !errors.Is(err, fs.ErrNotExist) {
			return video, err
		}
	}
	return nil, errNoSample(folder, nameOrPath)
}

func loadVideoFile(path string) (*VideoSample, error) {
	extension := filepath.Ext(path)
	if !slices.Contains(videoExtensions, extension) {
		return nil, errExtension(path)
	}
	file, err := readFile(path)
	if err != nil {
		return nil, err
	}
	video, err := readVideoSample(extension, file)
	if err != nil {
		return nil, fmt.Errorf("%s is not usable: %w", filepath.Base(path), err)
	}
	return video, nil
}

func readVideoSample(extension string, file []byte) (*VideoSample, error) {
	if isMP4(extension) {
		m, err := readMP4(file)
		if err != nil {
			return nil, err
		}
		return m.videoSample()
	}
	c, err := readVideo(extension, file)
	if err != nil {
		return nil, err
	}
	return c.videoSample()
}

var errNoKeyframe = errors.New("it does not start with a keyframe and the configuration of its codec")

// videoSample converts the frames.
func (c *clip) videoSample() (*VideoSample, error) {
	video := &VideoSample{Codec: c.codec, FPS: c.fps, Duration: c.duration}
	for number, one := range c.frames {
		p, decoder, err := c.picture(one, number == 0)
		if err != nil {
			return nil, err
		}
		if number == 0 {
			if decoder.Record == nil || !p.Keyframe {
				return nil, errNoKeyframe
			}
			video.Decoder, video.Width, video.Height = decoder.Record, decoder.Width, decoder.Height
		}
		if len(p.Data) == 0 {
			return nil, fmt.Errorf("its frame %d is damaged", number+1)
		}
		if err := c.left.Bytes(asPackets, packetCost+len(p.Data)); err != nil {
			return nil, err
		}
		video.Pictures = append(video.Pictures, p)
	}
	return video, nil
}

// picture converts one frame, with the decoder's configuration if it has one.
func (c *clip) picture(one frame, isFirst bool) (p Picture, decoder rtppayload.Decoder, err error) {
	p = Picture{At: one.at, Data: one.data}
	switch c.codec {
	case rtppayload.H264:
		sps, pps, nals := one.nals.Parts()
		p.Data, p.Keyframe = withLengths(nals), one.nals.Keyframe
		if isFirst {
			decoder.Record = avcRecord(sps, pps)
			decoder.Width, decoder.Height, err = h264.PictureSize(sps)
		}
	case rtppayload.H265:
		var nals [][]byte
		units := h264.SplitNALs(one.data)
		for _, nal := range units {
			p.Keyframe = p.Keyframe || rtppayload.IsHEVCKeyframe(nal)
			if !rtppayload.IsHEVCSet(nal) {
				nals = append(nals, nal)
			}
		}
		decoder, _ = rtppayload.HEVCDecoder(units)
		p.Data = withLengths(nals)
	case rtppayload.AV1:
		var sequence []byte
		p.Data, sequence, _ = rtppayload.AV1Units(one.data)
		decoder, p.Keyframe = rtppayload.AV1Decoder(sequence)
	case rtppayload.VP9:
		decoder, p.Keyframe = rtppayload.VP9Decoder(one.data, c.fps)
	case rtppayload.VP8:
		decoder, p.Keyframe = rtppayload.VP8Decoder(one.data)
	}
	return p, decoder, err
}

// avcRecord is the record of one SPS and one PPS (ISO/IEC 14496-15, 5.3.3.1): version, profile, compatibility, level,
// lengths of four bytes; nil without them.
func avcRecord(sps, pps []byte) []byte {
	if len(sps) < 4 || len(pps) == 0 {
		return nil
	}
	record := []byte{1, sps[1], sps[2], sps[3], 0xff, 0xe1}
	record = append(binary.BigEndian.AppendUint16(record, uint16(len(sps))), sps...)
	record = append(record, 1)
	return append(binary.BigEndian.AppendUint16(record, uint16(len(pps))), pps...)
}

func withLengths(nals [][]byte) (data []byte) {
	for _, nal := range nals {
		data = append(binary.BigEndian.AppendUint32(data, uint32(len(nal))), nal...)
	}
	return data
}

// Kbps is the video's bitrate without any headers.
func (v *VideoSample) Kbps() float64 {
	bytes := 0
	for _, picture := range v.Pictures {
		bytes += len(picture.Data)
	}
	return float64(bytes) * 8 / 1000 / v.Duration.Seconds()
}

func errNoSample(folder, name string) error {
	return fmt.Errorf("%s has none of %s: %w", filepath.Join(folder, name), strings.Join(videoExtensions, ", "), fs.ErrNotExist)
}

func errExtension(path string) error {
	return fmt.Errorf("%q is %w: neither the name of a sample nor a file with the extension %s, or one that ffmpeg reads (.ts, .flv, .mkv, .webm)", path, ErrNotVideo, strings.Join(videoExtensions, ", "))
}
