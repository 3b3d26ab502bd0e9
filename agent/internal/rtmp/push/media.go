package push

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"fullhouse/agent/internal/rtmp"
)

// FLV's codes of a video message: frame type and codec in one byte, then the AVC packet type.
const (
	keyframeOfAVC = 1<<4 | 7
	otherOfAVC    = 2<<4 | 7
	avcHeader     = 0
	avcPicture    = 1
)

// FLV's head of AAC in a message: codec, 44 kHz, 16 bit and stereo whatever the audio is, then the packet type.
const (
	aac       = 0xaf
	aacHeader = 0
	aacFrame  = 1
)

// Video describes a stream before its first picture.
type Video struct {
	Width, Height int
	FPS, Kbps     float64
	SPS, PPS      []byte
	// AudioConfig is the AudioSpecificConfig of AAC; nil without audio.
	AudioConfig []byte
}

// Headers are the messages before the first picture: the decoders' configurations. Audio is nil without audio.
func (v Video) Headers() (video, audio []byte, err error) {
	if len(v.SPS) < 4 {
		return nil, nil, fmt.Errorf("the stream's SPS has %d bytes", len(v.SPS))
	}
	// ISO/IEC 14496-15, 5.2.4.1: version, profile, compatibility, level, lengths of four bytes, one SPS, one PPS.
	video = []byte{keyframeOfAVC, avcHeader, 0, 0, 0, 1, v.SPS[1], v.SPS[2], v.SPS[3], 0xff, 0xe1}
	video = append(binary.BigEndian.AppendUint16(video, uint16(len(v.SPS))), v.SPS...)
	video = append(video, 1)
	video = append(binary.BigEndian.AppendUint16(video, uint16(len(v.PPS))), v.PPS...)
	if v.AudioConfig != nil {
		audio = append([]byte{aac, aacHeader}, v.AudioConfig...)
	}
	return video, audio, nil
}

// Describe sends metadata and the decoder's configuration; pictures follow.
func (s *Session) Describe(v Video) error {
	video, audio, err := v.Headers()
	if err != nil {
		return err
	}
	facts := rtmp.ECMAArray{"width": float64(v.Width), "height": float64(v.Height),
		"framerate": v.FPS, "videodatarate": v.Kbps, "videocodecid": 7.0, "encoder": "Fullhouse"}
	if v.AudioConfig != nil {
		facts["audiocodecid"] = 10.0
	}
	metadata := rtmp.AppendAMF(nil, "@setDataFrame", "onMetaData", facts)
	err = errors.Join(
		s.write(videoChunks, rtmp.Message{Kind: rtmp.TypeData, Stream: s.stream, Payload: metadata}),
		s.write(videoChunks, rtmp.Message{Kind: rtmp.TypeVideo, Stream: s.stream, Payload: video}))
	if audio != nil {
		err = errors.Join(err, s.write(audioChunks, rtmp.Message{Kind: rtmp.TypeAudio, Stream: s.stream, Payload: audio}))
	}
	return s.writeError(err)
}

// AudioMessage is the message of one AAC frame.
func AudioMessage(frame []byte) []byte { return append([]byte{aac, aacFrame}, frame...) }

// Audio sends the message of an AAC frame, like Picture.
func (s *Session) Audio(at time.Duration, payload []byte) (bytes int, err error) {
	bytes, err = s.put(audioChunks, rtmp.Message{Kind: rtmp.TypeAudio, Stream: s.stream, Timestamp: uint32(at.Milliseconds()), Payload: payload})
	return bytes, s.writeError(err)
}

// PictureMessage is the message of one coded picture (without parameter sets): the same for all who publish it.
func PictureMessage(keyframe bool, nals [][]byte) (payload []byte) {
	payload = []byte{otherOfAVC, avcPicture, 0, 0, 0}
	if keyframe {
		payload[0] = keyframeOfAVC
	}
	for _, nal := range nals {
		payload = append(binary.BigEndian.AppendUint32(payload, uint32(len(nal))), nal...)
	}
	return payload
}

// Picture sends the message of a picture with its time since the stream's start, and returns the bytes that it took on
// the wire.
func (s *Session) Picture(at time.Duration, payload []byte) (bytes int, err error) {
	// The timestamp wraps after 49 days, as specified.
	bytes, err = s.put(videoChunks, rtmp.Message{Kind: rtmp.TypeVideo, Stream: s.stream, Timestamp: uint32(at.Milliseconds()), Payload: payload})
	return bytes, s.writeError(err)
}

// Lost returns why the server ended the stream or the connection, nil while it has not.
func (s *Session) Lost() error {
	for {
		select {
		case c, open := <-s.commands:
			if !open {
				return s.cut(s.lost)
			}
			if level, code, description := c.Info(); c.Name == "onStatus" && level == "error" || c.Name == "close" {
				return fmt.Errorf("%s ended the stream: %s %s", s.address.Host, code, s.address.WithoutSecret(description))
			}
		default:
			return nil
		}
	}
}

// writeError turns a failed write into a sentence; the reason may be known from reading.
func (s *Session) writeError(err error) error {
	if err == nil {
		return nil
	}
	if lost := s.Lost(); lost != nil {
		return lost
	}
	return s.cut(err)
}

func (s *Session) cut(err error) error {
	switch {
	case isTimeout(err):
		return fmt.Errorf("%s accepted no more data for %s", s.address.Host, writeTimeout)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s closed the connection", s.address.Host)
	}
	return fmt.Errorf("the connection to %s failed: %w", s.address.Host, plain(err))
}

// Disconnect sends the end of the stream, and closes the connection. With force it only closes.
func (s *Session) Disconnect(force bool) error {
	if !force {
		// If the server does not accept these commands, the connection is closed anyway.
		s.mutex.Lock()
		s.waitTimeout = closeTimeout
		s.mutex.Unlock()
		_ = errors.Join(s.command(0, "FCUnpublish", 6.0, nil, s.address.Stream), s.command(0, "deleteStream", 7.0, nil, float64(s.stream)))
	}
	return s.close()
}
