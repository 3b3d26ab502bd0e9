package publish

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"fullhouse/agent/internal/ffmpeg"
	"fullhouse/agent/internal/ffmpeg/play"
	ffmpegpush "fullhouse/agent/internal/ffmpeg/push"
	"fullhouse/agent/internal/flv"
	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/rtmp/push"
)

// maxHeads bounds the messages before the decoders' configurations.
const maxHeads = 64

// LiveProgress is what a live stream has sent so far.
type LiveProgress struct{ Frames, Bytes uint64 }

// Live publishes a live stream over RTMP or SRT until its input, which is FLV, ends. progress is called for each
// message. Errors are sentences without leading capital and full stop, and without the address.
func Live(ctx context.Context, protocol, address string, input io.Reader, progress func(LiveProgress)) error {
	tags, err := flv.NewReader(bufio.NewReaderSize(input, 64<<10))
	if err != nil {
		return fmt.Errorf("the stream can't be read: %w", err)
	}
	session, first, err := openLive(ctx, protocol, address, tags)
	if err != nil {
		return err
	}
	var sent LiveProgress
	pass := func(one message) error {
		send := session.Picture
		if one.isAudio {
			send = session.Audio
		}
		bytes, err := send(one.at, one.payload)
		if err == nil {
			err = session.Lost()
		}
		if sent.Bytes += uint64(bytes); !one.isAudio {
			sent.Frames++
		}
		progress(sent)
		return err
	}
	for _, one := range first {
		if err = pass(one); err != nil {
			break
		}
	}
	for err == nil {
		var one message
		if one, err = nextMessage(tags); err == nil {
			err = pass(one)
		}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil // the end of the stream
	}
	return errors.Join(err, session.Disconnect(err != nil))
}

// liveSession is a connection that takes messages as they are in FLV.
type liveSession interface {
	pictureSession
	Disconnect(force bool) error
}

// openLive connects, and returns the messages that are still to be sent.
func openLive(ctx context.Context, protocol, address string, tags *flv.Reader) (liveSession, []message, error) {
	switch protocol {
	case "rtmp":
		target, err := rtmp.ParseAddress(address)
		if err != nil {
			return nil, nil, fmt.Errorf("the RTMP address is invalid: %w", err)
		}
		session, err := push.Open(ctx, target, "", push.Dialling{Timeout: stageTimeout})
		return session, nil, err
	case "srt":
		target, err := play.ParseAddress(address, protocol)
		if err != nil {
			return nil, nil, fmt.Errorf("the SRT address is invalid: %w", err)
		}
		path, err := ffmpeg.Find(protocol)
		if err != nil {
			return nil, nil, err
		}
		// Its muxer needs the configurations first; after that of the video comes a picture if the stream has no audio.
		var video *message
		var audio []byte
		var pictures []message
		for count := 0; video == nil || (audio == nil && len(pictures) == 0); count++ {
			one, err := nextMessage(tags)
			switch {
			case err != nil || count > maxHeads:
				return nil, nil, errors.New("the stream does not start with its codecs")
			case one.isAudio:
				audio = one.payload
			case video == nil:
				video = &one
			default:
				pictures = append(pictures, one)
			}
		}
		session, err := ffmpegpush.Open(ffmpegpush.Config{FFmpeg: path, URL: target, Timeout: stageTimeout, OnAccepted: func() {}}, video.payload, audio)
		if session == nil {
			return nil, nil, err
		}
		if err != nil {
			err = errors.Join(err, session.Disconnect(true))
		}
		return session, pictures, err
	}
	return nil, nil, fmt.Errorf("%q is neither rtmp nor srt", protocol)
}

// nextMessage is the next picture or audio frame, with a payload of its own.
func nextMessage(tags *flv.Reader) (message, error) {
	for {
		kind, timestamp, payload, err := tags.Next()
		if err != nil {
			return message{}, err
		}
		if kind == flv.TypeVideo || kind == flv.TypeAudio {
			return message{at: time.Duration(timestamp) * time.Millisecond, isAudio: kind == flv.TypeAudio, payload: append([]byte(nil), payload...)}, nil
		}
	}
}
