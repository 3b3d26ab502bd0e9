package play

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/ffmpeg"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/tcpmedia"
)

// Viewer is one viewer: Connect once, Tick every second, Disconnect at the end.
type Viewer struct {
	tcpmedia.Viewer
	group     *Group
	startTime time.Time
	packets   ffmpeg.Packets
	words     *ffmpeg.Words
	process   *ffmpeg.Process
	progress  chan struct{} // a step was completed
}

func newViewer(group *Group) *Viewer {
	v := &Viewer{group: group, words: ffmpeg.NewWords(group.URL), progress: make(chan struct{}, 1)}
	v.Common = &group.common
	return v
}

// Connect starts the process, and returns with the first media. Disconnect must be called whatever it returns.
func (v *Viewer) Connect(ctx, _ context.Context) *failure.Failure {
	v.startTime = time.Now()
	process, err := ffmpeg.StartSource(v.group.FFmpeg, v.group.source(), v.group.arguments(), (*lines)(v))
	if err != nil {
		f := failure.Local(failure.TCP, err)
		if f == nil {
			f = failure.New(failure.TCP, protocol.CauseNoProcess, "Starting %s failed: %v.", v.group.FFmpeg, err)
		}
		v.Locked(func() { v.Fail(f) })
		return f
	}
	v.Locked(func() { v.process, v.Stream = process, (*stream)(v) })
	limit := time.NewTimer(v.group.limit())
	defer limit.Stop()
	for {
		select {
		case <-v.progress:
			if isReceiving, f := v.state(); isReceiving || f != nil {
				return f
			}
			limit.Reset(v.group.limit())
		case <-process.Done():
			_, f := v.state()
			return f
		case <-limit.C:
			v.Locked(func() { v.Fail(v.late()) })
			_, f := v.state()
			return f
		case <-ctx.Done():
			return failure.New(failure.Signalling, protocol.CauseCancelled, "The viewer was stopped before the first media.")
		}
	}
}

// limit is the timeout of one step: ffmpeg's own one comes first, since it knows more, except that it examines media
// before it passes on any.
func (c *Group) limit() time.Duration { return c.StageTimeout + c.analysis() + 500*time.Millisecond }

func (v *Viewer) state() (isReceiving bool, f *failure.Failure) {
	v.Mutex.Lock()
	defer v.Mutex.Unlock()
	return v.FirstMediaAt != 0, v.Failure
}

// late is the failure of a viewer for which ffmpeg did not pass on a packet in time. The caller holds the mutex.
func (v *Viewer) late() *failure.Failure {
	if v.group.URL.Scheme == "srt" && !v.group.AudioOnly { // ffmpeg ends by itself when it receives nothing for shorter
		return v.noKeyframe()
	}
	return v.timeout(v.startTime)
}

func (v *Viewer) noKeyframe() *failure.Failure {
	return failure.New(failure.FirstFrame, protocol.CauseNoKeyframe, "%s sends data, but no keyframe of video was received within %s.", v.group.common.Host, failure.Elapsed(v.startTime))
}

// timeout is the failure of a step that took too long. The caller holds the mutex.
func (v *Viewer) timeout(startTime time.Time) *failure.Failure {
	host, took := v.group.common.Host, failure.Elapsed(startTime)
	switch {
	case v.AcceptedAt != 0 || v.group.URL.Scheme == "srt": // a handshake of SRT has its own timeout
		return failure.New(failure.FirstPacket, protocol.CauseSilent, "%s accepted the connection, but no audio or video was received within %s; the stream may not be published.", host, took)
	case v.Opened.TCPAt != 0:
		return failure.New(failure.Signalling, protocol.CauseTimeout, "%s did not describe the stream within %s.", host, took)
	}
	return failure.New(failure.TCP, protocol.CauseTimeout, "The connection to %s was not established within %s.", host, took)
}

// Tick does what is due each second and returns the failure that ended the viewer.
func (v *Viewer) Tick(now time.Time) *failure.Failure {
	f, _ := v.Viewer.Tick(now)
	return f
}

// Disconnect ends the process, which closes its session at the server unless forced. A second call does nothing.
func (v *Viewer) Disconnect(ctx context.Context, force bool) error {
	v.Mutex.Lock()
	process := v.process
	v.Disconnecting = true
	v.Mutex.Unlock()
	if process != nil {
		process.Stop(ctx, force)
	}
	return nil
}

// lines separates the calls of the process from the viewer's own methods.
type lines Viewer

// Output gets a line about a packet.
func (l *lines) Output(line []byte) {
	v := (*Viewer)(l)
	packet, isPacket := v.packets.Line(line)
	if !isPacket {
		return
	}
	v.Mutex.Lock()
	defer v.Mutex.Unlock()
	v.Now = monotonic.Nano()
	isFirst := v.FirstMediaAt == 0
	if v.AcceptedAt == 0 {
		v.AcceptedAt = v.Now
	}
	v.Received += uint64(packet.Bytes)
	if packet.IsVideo {
		v.Codec = packet.Codec
		v.CountVideo(packet.IsKeyframe)
	} else {
		v.CountAudio()
	}
	if isFirst {
		v.completed()
	}
}

// Log gets a message of ffmpeg.
func (l *lines) Log(line []byte) {
	v := (*Viewer)(l)
	v.Mutex.Lock()
	defer v.Mutex.Unlock()
	message := v.words.Line(line)
	switch now := monotonic.Nano(); {
	case v.Opened.TCPAt == 0 && strings.HasPrefix(message, "Successfully connected to "):
		v.Opened.TCPAt = now // with the name, which ffmpeg does not report
	case v.AcceptedAt == 0 && (message == "SDP:" || bytes.HasPrefix(line, []byte("[info] Input #0"))):
		v.AcceptedAt = now
	default:
		return
	}
	v.completed()
}

// completed reports a completed step to Connect.
func (v *Viewer) completed() {
	select {
	case v.progress <- struct{}{}:
	default:
	}
}

// Ended makes the failure of a process that ended.
func (l *lines) Ended() {
	v := (*Viewer)(l)
	v.Mutex.Lock()
	defer v.Mutex.Unlock()
	v.Fail(v.ending())
}

// ending is why the process ended by itself. The caller holds the mutex.
func (v *Viewer) ending() *failure.Failure {
	host := v.group.common.Host
	reason := v.words.Reason()
	if reason == "" && v.FirstMediaAt != 0 {
		return failure.New(failure.Media, protocol.CauseClosed, "%s ended the stream %s after the first media.", host, failure.Since(v.FirstMediaAt))
	}
	if reason == "" {
		reason = "it gave no reason"
	}
	if v.FirstMediaAt != 0 {
		return failure.New(failure.Media, protocol.CauseClosed, "The stream from %s ended %s after the first media: %s.", host, failure.Since(v.FirstMediaAt), reason)
	}
	// ffmpeg takes a connection on which nothing was received for invalid data.
	if v.AcceptedAt == 0 && v.Opened.TCPAt != 0 && monotonic.Since(v.Opened.TCPAt) >= v.group.StageTimeout {
		return v.timeout(v.startTime)
	}
	stage, cause, hint := ffmpeg.Classify(v.words, v.Opened.TCPAt != 0, v.AcceptedAt != 0)
	switch {
	case cause == protocol.CauseNoKeyframe:
		return v.noKeyframe()
	case cause == protocol.CauseTimeout && v.group.URL.Scheme == "srt": // its handshake has another cause
		return v.timeout(v.startTime)
	}
	if hint != "" {
		hint = "; " + hint
	}
	return failure.New(stage, cause, "%s%s.", fmt.Sprintf("ffmpeg received nothing from %s: %s", host, reason), hint)
}

// stream is the process as the source of the viewer's data: there is no connection to tune.
type stream Viewer

func (s *stream) Send([]byte) error         { return nil }
func (s *stream) Tune(float64)              {}
func (s *stream) Flush()                    {}
func (s *stream) SetReading(bool)           {}
func (s *stream) BoundBuffer(int)           {}
func (s *stream) SeenUntil(now int64) int64 { return now }
func (s *stream) RoundTrip() time.Duration  { return 0 }
func (s *stream) Close(bool) error          { return nil }
