package push

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/rtmp"
)

// The first bytes of a video message: frame type and codec, then the packet type of AVC; or of Enhanced RTMP (version
// 2, ExVideoTagHeader): frame type and packet type, then the FourCC.
const (
	keyframe     = 1 << 4
	otherFrame   = 2 << 4
	avc          = 7
	avcHeader    = 0
	avcPicture   = 1
	enhanced     = 1 << 7
	packetStart  = 0 // the decoder's configuration
	packetFrames = 3 // coded frames whose composition time is 0
)

// Codec is a video codec in messages: empty for H.264, which all servers support; otherwise Enhanced RTMP's FourCC.
type Codec string

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
	Codec         Codec
	// Decoder is the decoder's configuration record.
	Decoder []byte
	// AudioConfig is the AudioSpecificConfig of AAC; nil without audio.
	AudioConfig []byte
}

// Headers are the messages before the first picture: the decoders' configurations. Audio is nil without audio.
func (v Video) Headers() (video, audio []byte) {
	video = append(v.Codec.head(keyframe, avcHeader, packetStart), v.Decoder...)
	if v.AudioConfig != nil {
		audio = append([]byte{aac, aacHeader}, v.AudioConfig...)
	}
	return video, audio
}

// Describe sends metadata and the decoder's configuration; pictures follow.
func (s *Session) Describe(v Video) error {
	video, audio := v.Headers()
	facts := rtmp.ECMAArray{"width": float64(v.Width), "height": float64(v.Height),
		"framerate": v.FPS, "videodatarate": v.Kbps, "videocodecid": v.Codec.number(), "encoder": "Fullhouse"}
	if v.AudioConfig != nil {
		facts["audiocodecid"] = 10.0
	}
	metadata := rtmp.AppendAMF(nil, "@setDataFrame", "onMetaData", facts)
	err := errors.Join(
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

// PictureMessage is the message of one coded picture, as it is in MP4: the same for all who publish it.
func PictureMessage(codec Codec, isKeyframe bool, picture []byte) []byte {
	kind := byte(otherFrame)
	if isKeyframe {
		kind = keyframe
	}
	return append(codec.head(kind, avcPicture, packetFrames), picture...)
}

// head starts a video message; it has the packet type for AVC or for Enhanced RTMP.
func (c Codec) head(kind, ofAVC, ofEnhanced byte) []byte {
	if c == "" {
		return []byte{kind | avc, ofAVC, 0, 0, 0}
	}
	return append([]byte{enhanced | kind | ofEnhanced}, c...)
}

// number is the codec in metadata.
func (c Codec) number() float64 {
	if len(c) != 4 {
		return avc
	}
	return float64(binary.BigEndian.Uint32([]byte(c)))
}

// hint explains a failure after the start; empty for H.264.
func (c Codec) hint() string {
	if c == "" {
		return ""
	}
	return fmt.Sprintf("; it may not support %q in RTMP (Enhanced RTMP), publish H.264 instead", string(c))
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
				return fmt.Errorf("%s ended the stream: %s %s%s", s.address.Host, code, s.address.WithoutSecret(description), s.codec.hint())
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
		return noProgress{s.address.Host}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s closed the connection%s%s", s.address.Host, s.soon(), s.codec.hint())
	}
	return fmt.Errorf("the connection to %s failed: %w%s", s.address.Host, plain(err), s.soon())
}

// refusesWithin is how long servers that accept every publish command take to refuse it by closing the connection, such
// as those that ask a hook.
const refusesWithin = 5 * time.Second

// soon is what the end of a stream may mean that has just been accepted.
func (s *Session) soon() string {
	at := s.acceptedAt.Load()
	if at != 0 && monotonic.Since(at) > refusesWithin {
		return ""
	}
	return " right after publish; it may not allow it, require a stream key, or have this stream already: see the server's log"
}

// noProgress is why a connection ended whose server accepted no more data.
type noProgress struct{ host string }

func (n noProgress) Error() string {
	return fmt.Sprintf("%s accepted no more data for %s", n.host, writeTimeout)
}

// SilentFor is how long the server had not responded.
func (n noProgress) SilentFor() time.Duration { return writeTimeout }

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
