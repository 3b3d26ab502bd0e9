// Package media loads the sample that the lab plays in a loop, cut into RTP payloads once.
package media

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"time"

	"fullhouse/agent/internal/media/h264"
	"fullhouse/agent/internal/media/ogg"
)

// Kind is video or audio.
type Kind uint8

// The two kinds; Kinds is their count.
const (
	Video Kind = iota
	Audio
	Kinds
)

// ClockRate is the RTP clock of a kind in Hz.
func (k Kind) ClockRate() int64 {
	if k == Video {
		return 90000
	}
	return 48000
}

func (k Kind) String() string {
	if k == Video {
		return "video"
	}
	return "audio"
}

// MaxPayload keeps every packet, with its headers, below common MTUs, including tunnels.
const MaxPayload = 1150

// sampleFPS is the frame rate made by the recipe in assets/lab; Annex B itself contains no times.
const sampleFPS = 25

// Packet is one RTP payload of a sample with its place in the loop.
type Packet struct {
	At       time.Duration
	Kind     Kind
	Payload  []byte
	Marker   bool
	Keyframe bool // the first packet of a keyframe
}

// Sample is a loop of packets in the order of their times.
type Sample struct {
	Name          string
	Packets       []Packet
	Duration      time.Duration
	Width, Height int
	FPS           float64
}

// LoadSample reads NAME.h264 (Annex B, one slice per picture) and NAME.ogg (Opus) from a folder. Audio beyond the
// video's end is dropped; both must end together for a seamless loop.
func LoadSample(folder, name string) (*Sample, error) {
	video, err := os.ReadFile(filepath.Join(folder, name+".h264"))
	if err != nil {
		return nil, err
	}
	audio, err := os.ReadFile(filepath.Join(folder, name+".ogg"))
	if err != nil {
		return nil, err
	}
	sample := &Sample{Name: name, FPS: sampleFPS}
	if err := sample.addVideo(video); err != nil {
		return nil, fmt.Errorf("%s.h264 is not usable: %w", name, err)
	}
	if err := sample.addAudio(audio); err != nil {
		return nil, fmt.Errorf("%s.ogg is not usable: %w", name, err)
	}
	sort.SliceStable(sample.Packets, func(i, j int) bool { return sample.Packets[i].At < sample.Packets[j].At })
	return sample, nil
}

func (s *Sample) addVideo(stream []byte) error {
	units, err := h264.ReadAnnexB(stream)
	if err != nil {
		return err
	}
	if s.Width, s.Height, err = h264.PictureSize(units[0].NALs[0]); err != nil {
		return err
	}
	for frame, unit := range units {
		at := time.Duration(frame) * time.Second / sampleFPS
		payloads := h264.Packetize(unit, MaxPayload)
		for i, payload := range payloads {
			s.Packets = append(s.Packets, Packet{At: at, Kind: Video, Payload: payload,
				Marker: i == len(payloads)-1, Keyframe: unit.Keyframe && i == 0})
		}
	}
	s.Duration = time.Duration(len(units)) * time.Second / sampleFPS
	return nil
}

func (s *Sample) addAudio(file []byte) error {
	packets, err := ogg.OpusPackets(file)
	if err != nil {
		return err
	}
	at := time.Duration(0)
	for _, packet := range packets {
		if at >= s.Duration {
			break
		}
		duration, err := ogg.OpusDuration(packet)
		if err != nil {
			return err
		}
		s.Packets = append(s.Packets, Packet{At: at, Kind: Audio, Payload: packet})
		at += duration
	}
	if at != s.Duration {
		return errors.New("audio and video do not end together, so the loop would not be seamless")
	}
	return nil
}

// Rate is what one viewer of the sample receives: RTP bytes (headers included) in kbit/s, and packets per second.
func (s *Sample) Rate() (kilobitsPerSecond, packetsPerSecond float64) {
	const rtpHeader = 12
	bytes := 0
	for _, packet := range s.Packets {
		bytes += rtpHeader + len(packet.Payload)
	}
	seconds := s.Duration.Seconds()
	return float64(bytes) * 8 / 1000 / seconds, float64(len(s.Packets)) / seconds
}
