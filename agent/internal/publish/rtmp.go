package publish

import (
	"context"

	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/rtmp/push"
)

// overRTMP publishes the sample's video.
func overRTMP(address rtmp.Address, video *media.VideoSample) publisher {
	return func(ctx context.Context, a attempt) error {
		session, err := push.Open(ctx, address, stageTimeout)
		if ctx.Err() != nil && err != nil {
			return nil // stopped before it started
		}
		if err != nil {
			return err
		}
		// A forced end does not wait for a server that accepts no more commands.
		release := context.AfterFunc(a.forced, func() { _ = session.Disconnect(true) })
		defer release()
		err = session.Describe(push.Video{Width: video.Width, Height: video.Height, FPS: video.FPS, Kbps: video.Kbps(), SPS: video.SPS, PPS: video.PPS})
		if err == nil {
			a.live()
			err = playPictures(ctx, session, video, a.meter)
		}
		leaveErr := session.Disconnect(err != nil || a.forced.Err() != nil)
		if ctx.Err() != nil {
			return leaveErr
		}
		return err
	}
}

// playPictures loops the video until ctx ends (nil) or the stream is lost.
func playPictures(ctx context.Context, session *push.Session, video *media.VideoSample, sent *meter) error {
	c := newClock()
	for {
		for _, picture := range video.Pictures {
			at, ok := c.wait(ctx, picture.At)
			if !ok {
				return nil
			}
			if err := session.Lost(); err != nil {
				return err
			}
			bytes, err := session.Picture(at, picture.Keyframe, picture.NALs)
			if err != nil {
				return err
			}
			sent.bytes.Add(uint64(bytes))
			sent.frames.Add(1)
		}
		c.shift += video.Duration
	}
}
