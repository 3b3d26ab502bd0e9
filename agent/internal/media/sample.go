// Package media loads samples that are played in a loop, cut into RTP payloads once.
package media

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"time"

	"fullhouse/agent/internal/media/ogg"
	"fullhouse/agent/internal/media/rtppayload"
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

// sampleFPS is the frame rate of Annex B files, which contain no times: assets/lab and `fullhouse sample` make it.
const sampleFPS = 25

// Packet is one RTP payload of a sample with its place in the loop.
type Packet struct {
	At       time.Duration
	Kind     Kind
	Payload  []byte
	Marker   bool
	Keyframe bool // the first packet of a keyframe
	Frame    int  // of video: its number in the loop
}

// Sample is a loop of packets in the order of their times.
type Sample struct {
	Name          string
	Codec         rtppayload.Codec // of the video
	Frames        int
	Packets       []Packet
	Duration      time.Duration
	Width, Height int
	FPS           float64
	// Remark is a sentence about what of the file is not published; empty for none.
	Remark string
}

// addVideo cuts a video file into packets.
func (s *Sample) addVideo(extension string, file []byte) error {
	if isMP4(extension) {
		m, err := readMP4(file)
		if err != nil {
			return err
		}
		return s.addMovie(m)
	}
	video, err := readVideo(extension, file)
	if err != nil {
		return err
	}
	return s.addClip(video)
}

func (s *Sample) addClip(video *clip) error {
	s.Codec, s.Duration, s.FPS, s.Frames = video.codec, video.duration, video.fps, len(video.frames)
	packetize := payloader(video.codec)
	for number, one := range video.frames {
		payloads := packetize(one)
		if len(payloads) == 0 {
			return fmt.Errorf("its frame %d is damaged", number+1)
		}
		keyframe := false
		for _, payload := range payloads {
			if err := video.left.Bytes(asPackets, packetCost+len(payload)); err != nil {
				return err
			}
			inspected := video.codec.Inspect(payload)
			keyframe = keyframe || inspected.Keyframe
			if inspected.Layers > 0 {
				size := inspected.Sizes[inspected.Layers-1]
				s.Width, s.Height = int(size.Width), int(size.Height)
			}
		}
		if number == 0 && !keyframe {
			return errors.New("it does not start with a keyframe")
		}
		for i, payload := range payloads {
			s.Packets = append(s.Packets, Packet{At: one.at, Kind: Video, Payload: payload, Frame: number,
				Marker: i == len(payloads)-1, Keyframe: keyframe && i == 0})
		}
	}
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
	s.sort()
	return nil
}

func (s *Sample) sort() {
	sort.SliceStable(s.Packets, func(i, j int) bool { return s.Packets[i].At < s.Packets[j].At })
}

// HasAudio reports whether the sample has audio besides its video.
func (s *Sample) HasAudio() bool {
	return slices.ContainsFunc(s.Packets, func(p Packet) bool { return p.Kind == Audio })
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
