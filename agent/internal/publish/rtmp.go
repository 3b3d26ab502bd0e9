package publish

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
	"time"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/media/rtppayload"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/rtmp/push"
	"fullhouse/agent/internal/viewer"
)

// message is one picture or audio frame.
type message struct {
	at      time.Duration
	isAudio bool
	payload []byte
}

// pictures are a video as messages, made once for all publishers of a job.
type pictures struct {
	*media.VideoSample
	codec    push.Codec
	messages []message
}

// enhancedRTMP are the codecs that RTMP has with a FourCC only.
var enhancedRTMP = map[rtppayload.Codec]push.Codec{rtppayload.H265: "hvc1", rtppayload.AV1: "av01", rtppayload.VP9: "vp09", rtppayload.VP8: "vp08"}

func picturesOf(video *media.VideoSample) *pictures {
	p := &pictures{VideoSample: video, codec: enhancedRTMP[video.Codec]}
	for _, one := range video.Pictures {
		p.messages = append(p.messages, message{at: one.At, payload: push.PictureMessage(p.codec, one.Keyframe, one.Data)})
	}
	for _, one := range video.Audio {
		p.messages = append(p.messages, message{at: one.At, isAudio: true, payload: push.AudioMessage(one.Data)})
	}
	slices.SortStableFunc(p.messages, func(a, b message) int { return cmp.Compare(a.at, b.at) })
	return p
}

// overRTMP publishes the sample's video.
func overRTMP(target protocol.PublishTarget, video *pictures, selfSigned bool) (publishing, error) {
	address, err := rtmp.ParseAddress(target.URL)
	switch {
	case err != nil:
		return nil, control.BadRequest("Invalid RTMP address: %v.", err)
	case target.BearerToken != "":
		return nil, control.BadRequest("RTMP has no bearer token. Append the key to the stream name.")
	}
	headers := video.headers()
	return func(ctx context.Context, a attempt) error {
		session, err := push.Open(ctx, address, video.codec, push.Dialling{Timeout: stageTimeout, SelfSigned: selfSigned})
		if ctx.Err() != nil && err != nil {
			return nil // stopped before it started
		}
		if err != nil {
			return err
		}
		// A forced end does not wait for a server that accepts no more commands.
		release := context.AfterFunc(a.forced, func() { _ = session.Disconnect(true) })
		defer release()
		err = session.Describe(headers)
		if err == nil {
			sent := &sentPictures{session: session}
			end := a.meter.follow(sent.read)
			a.live()
			err = sent.play(ctx, video)
			end()
		}
		leaveErr := session.Disconnect(err != nil || a.forced.Err() != nil)
		if ctx.Err() != nil {
			return leaveErr
		}
		return err
	}, nil
}

func (p *pictures) headers() push.Video {
	return push.Video{Width: p.Width, Height: p.Height, FPS: p.FPS, Kbps: p.Kbps(), Codec: p.codec, Decoder: p.Decoder, AudioConfig: p.AudioConfig}
}

// pictureSession is a connection that takes a video as messages.
type pictureSession interface {
	Picture(at time.Duration, payload []byte) (bytes int, err error)
	Audio(at time.Duration, payload []byte) (bytes int, err error)
	// Lost returns why the stream ended, nil while it has not.
	Lost() error
}

// sentPictures counts what one connection has sent.
type sentPictures struct {
	session       pictureSession
	bytes, frames atomic.Uint64
	loop          atomic.Pointer[viewer.Loop]
}

// read adds what the system knows of the connection.
func (s *sentPictures) read() viewer.Sent {
	sent := viewer.Sent{Bytes: s.bytes.Load(), Frames: s.frames.Load()}
	if loop := s.loop.Load(); loop != nil {
		sent.Loop = *loop
	}
	session, isRTMP := s.session.(*push.Session)
	if !isRTMP {
		return sent
	}
	if state, known := session.Connection(); known {
		sent.Reported, sent.OverTCP = true, true
		sent.RoundTripNs, sent.Retransmitted, sent.UnacknowledgedBytes = int64(state.RoundTrip), state.Retransmitted, state.Unacknowledged
	}
	return sent
}

// play loops the video until ctx ends (nil) or the stream is lost.
func (s *sentPictures) play(ctx context.Context, video *pictures) error {
	c := newClock()
	for {
		for _, one := range video.messages {
			at, ok := c.wait(ctx, one.at)
			if !ok {
				return nil
			}
			if loop := c.loop(video.Duration); s.loop.Load() == nil || *s.loop.Load() != loop {
				s.loop.Store(&loop)
			}
			if err := s.session.Lost(); err != nil {
				return err
			}
			send := s.session.Picture
			if one.isAudio {
				send = s.session.Audio
			}
			bytes, err := send(at, one.payload)
			if err != nil {
				return err
			}
			if s.bytes.Add(uint64(bytes)); !one.isAudio {
				s.frames.Add(1)
			}
		}
		c.shift += video.Duration
	}
}
