package publish

import (
	"context"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/ffmpeg"
	"fullhouse/agent/internal/ffmpeg/play"
	"fullhouse/agent/internal/ffmpeg/push"
	"fullhouse/agent/internal/protocol"
)

// overProcess publishes the sample's video over RTSP or SRT by the machine's ffmpeg, one process per publisher.
func overProcess(path, scheme string, target protocol.PublishTarget, video *pictures) (publishing, error) {
	address, err := play.ParseAddress(target.URL, scheme)
	switch {
	case err != nil: // the address is not repeated: it may contain a password
		return nil, control.BadRequest("Invalid %s address: %v.", scheme, err)
	case target.BearerToken != "":
		return nil, control.BadRequest("%s has no bearer token. Write what the server requires into the address.", scheme)
	}
	if video.codec != "" { // FLV with FourCC needs ffmpeg 6.1
		return nil, control.BadRequest("The sample's video is %s; over %s only H.264 is published. Publish an H.264 file.", video.Codec, scheme)
	}
	header, audioHeader := video.headers().Headers()
	return func(ctx context.Context, a attempt) error {
		session, err := push.Open(push.Config{FFmpeg: path, URL: address, Timeout: stageTimeout, OnAccepted: a.live}, header, audioHeader)
		if session == nil {
			return err
		}
		release := context.AfterFunc(ctx, session.EndInput)
		defer release()
		releaseForced := context.AfterFunc(a.forced, func() { _ = session.Disconnect(true) })
		defer releaseForced()
		if err == nil {
			sent := &sentPictures{session: session}
			end := a.meter.follow(sent.read)
			err = sent.play(ctx, video)
			end()
		}
		leaveErr := session.Disconnect(err != nil && ctx.Err() == nil || a.forced.Err() != nil)
		if ctx.Err() != nil {
			return leaveErr
		}
		return err
	}, nil
}

// findFFmpeg is the path of an ffmpeg that supports a protocol.
func findFFmpeg(scheme string) (path string, err error) {
	if path, err = ffmpeg.Find(scheme); err != nil {
		return "", control.Errorf("no-ffmpeg", "%v.", err)
	}
	return path, nil
}
