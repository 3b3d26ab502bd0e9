package media

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"fullhouse/agent/internal/budget"
	"fullhouse/agent/internal/media/h264"
	"fullhouse/agent/internal/media/mp4"
	"fullhouse/agent/internal/media/rtppayload"
)

// mp4Codecs are the sample entries of supported video.
var mp4Codecs = map[string]rtppayload.Codec{"avc1": rtppayload.H264, "avc3": rtppayload.H264, "hvc1": rtppayload.H265, "hev1": rtppayload.H265,
	"vp08": rtppayload.VP8, "vp09": rtppayload.VP9, "av01": rtppayload.AV1}

var errDamagedConfig = errors.New("the configuration of its codec is damaged")

// movie is an MP4 file as a clip with its audio.
type movie struct {
	*clip
	audio *mp4.Track // nil for none
}

// readMP4 reads a file whose pictures are shown in the order of decoding: WebRTC players do not reorder them.
func readMP4(file []byte) (*movie, error) {
	left := budgetOf(file)
	read, err := mp4.Read(file)
	if err != nil {
		return nil, err
	}
	video := read.Video
	c := &clip{codec: mp4Codecs[video.Codec], duration: video.Duration, left: left}
	switch {
	case c.codec == rtppayload.None:
		return nil, fmt.Errorf("its video codec %q is not supported; supported are H.264, H.265, VP8, VP9 and AV1", video.Codec)
	case video.Reordered:
		return nil, errors.New("it has B-frames, which WebRTC players can't show in order; encode it without them (ffmpeg -bf 0)")
	case c.duration <= 0:
		return nil, errors.New("it has no duration")
	}
	c.fps = float64(len(video.Samples)) / c.duration.Seconds()
	sets, lengthSize, err := parameterSets(c.codec, video.Config)
	if err != nil {
		return nil, err
	}
	for number, sample := range video.Samples {
		one := frame{at: sample.At, data: sample.Data}
		if lengthSize > 0 {
			nals, err := splitNALs(sample.Data, lengthSize, left)
			if errors.Is(err, errDamagedConfig) {
				return nil, fmt.Errorf("its frame %d is damaged", number+1)
			}
			if err != nil {
				return nil, err
			}
			if sample.Keyframe {
				if err := left.Bytes(asPackets, nalCost*len(sets)); err != nil {
					return nil, err
				}
				nals = append(sets[:len(sets):len(sets)], nals...)
			}
			if one.nals = (h264.AccessUnit{NALs: nals, Keyframe: sample.Keyframe}); c.codec == rtppayload.H265 {
				one.data = annexB(nals)
				if err := left.Bytes(asPackets, len(one.data)); err != nil {
					return nil, err
				}
			}
		}
		c.frames = append(c.frames, one)
	}
	return &movie{clip: c, audio: read.Audio}, nil
}

func annexB(nals [][]byte) (stream []byte) {
	for _, nal := range nals {
		stream = append(append(stream, 0, 0, 0, 1), nal...)
	}
	return stream
}

// parameterSets are those of the configuration (ISO/IEC 14496-15, 5.3.3.1 and 8.3.3.1), and the size of the lengths
// before NAL units; 0 for codecs without NAL units.
func parameterSets(codec rtppayload.Codec, config []byte) (sets [][]byte, lengthSize int, err error) {
	take := func(count int) error {
		for range count {
			if len(config) < 2 || len(config)-2 < int(binary.BigEndian.Uint16(config)) {
				return errDamagedConfig
			}
			end := 2 + int(binary.BigEndian.Uint16(config))
			if end > 2 {
				sets = append(sets, config[2:end])
			}
			config = config[end:]
		}
		return nil
	}
	switch codec {
	case rtppayload.H264:
		if len(config) < 7 {
			return nil, 0, errDamagedConfig
		}
		lengthSize = int(config[4]&3) + 1
		count := int(config[5] & 0x1f)
		config = config[6:]
		if err := take(count); err != nil || len(config) == 0 {
			return nil, 0, errDamagedConfig
		}
		count, config = int(config[0]), config[1:]
		err = take(count)
	case rtppayload.H265:
		if len(config) < 23 {
			return nil, 0, errDamagedConfig
		}
		lengthSize = int(config[21]&3) + 1
		arrays := int(config[22])
		for config = config[23:]; arrays > 0 && err == nil; arrays-- {
			if len(config) < 3 {
				return nil, 0, errDamagedConfig
			}
			count := int(binary.BigEndian.Uint16(config[1:]))
			config = config[3:]
			err = take(count)
		}
	}
	return sets, lengthSize, err
}

// splitNALs cuts a sample at the lengths of its NAL units.
func splitNALs(data []byte, lengthSize int, left *budget.Budget) (nals [][]byte, err error) {
	for len(data) > 0 {
		if len(data) < lengthSize {
			return nil, errDamagedConfig
		}
		length := 0
		for _, part := range data[:lengthSize] {
			length = length<<8 | int(part)
		}
		if data = data[lengthSize:]; length > len(data) {
			return nil, errDamagedConfig
		}
		if length > 0 {
			if err := left.Bytes(asPackets, nalCost); err != nil {
				return nil, err
			}
			nals = append(nals, data[:length:length])
		}
		data = data[length:]
	}
	return nals, nil
}

// addMovie takes video and Opus of an MP4 file. Audio packets that reach beyond the video's end are left out, so that
// the loop has no overlap.
func (s *Sample) addMovie(m *movie) error {
	if err := s.addClip(m.clip); err != nil {
		return err
	}
	switch {
	case m.audio == nil:
		return nil
	case m.audio.Codec != "Opus":
		s.Remark = fmt.Sprintf("The audio of %s is %s, which WebRTC does not support: only its video is published.", s.Name, audioName(m.audio.Codec))
		return nil
	}
	for _, packet := range m.audio.Samples {
		if packet.At+packet.Length <= s.Duration {
			s.Packets = append(s.Packets, Packet{At: packet.At, Kind: Audio, Payload: packet.Data})
		}
	}
	s.sort()
	return nil
}

func audioName(codec string) string {
	if codec == "mp4a" {
		return "AAC"
	}
	return codec
}

// videoSample is the movie for protocols that send complete pictures, with AAC only.
func (m *movie) videoSample() (*VideoSample, error) {
	video, err := m.clip.videoSample()
	if err != nil || m.audio == nil || m.audio.Codec != "mp4a" {
		return video, err
	}
	video.AudioConfig = audioSpecificConfig(m.audio.Config)
	if video.AudioConfig == nil {
		return video, nil
	}
	for _, packet := range m.audio.Samples {
		if packet.At+packet.Length <= video.Duration {
			video.Audio = append(video.Audio, AudioFrame{At: packet.At, Data: packet.Data})
		}
	}
	return video, nil
}

// audioSpecificConfig finds the configuration of AAC in an esds box: the descriptor with tag 5 within the one with tag
// 4 within the one with tag 3 (ISO/IEC 14496-1, 7.2.6). Nil if it is not AAC.
func audioSpecificConfig(esds []byte) []byte {
	if len(esds) < 4 {
		return nil
	}
	descriptor := func(data []byte, tag byte) []byte {
		if len(data) < 2 || data[0] != tag {
			return nil
		}
		length, at := 0, 1
		for ; at < len(data) && at < 5; at++ {
			length = length<<7 | int(data[at]&0x7f)
			if data[at]&0x80 == 0 {
				at++
				break
			}
		}
		return data[at:min(len(data), at+length)]
	}
	es := descriptor(esds[4:], 3)
	if len(es) < 3 {
		return nil
	}
	decoder := descriptor(es[3:], 4)
	const aac, head = 0x40, 13
	if len(decoder) < head || decoder[0] != aac {
		return nil
	}
	return bytes.Clone(descriptor(decoder[head:], 5))
}

// MP4s are read from their names' ends.
func isMP4(extension string) bool {
	return extension == ".mp4" || extension == ".mov" || extension == ".m4v"
}

// AudioFrame is one AAC frame.
type AudioFrame struct {
	At   time.Duration
	Data []byte
}
