// Package tcpmedia is the common part of viewers that receive one endless stream over one TCP connection: counters,
// timeouts, figures, and reads tuned to the stream's rate. A protocol embeds its Viewer and feeds it.
package tcpmedia

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/flv"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/stats"
	"fullhouse/agent/internal/tcpreader"
	"fullhouse/agent/internal/viewer"
)

const (
	// FirstFrameTimeout is longer than a stage's: a stream may have a keyframe only every 10 s.
	FirstFrameTimeout = 12 * time.Second
	// SilenceTimeout is how long a connected viewer may be without media.
	SilenceTimeout = 10 * time.Second
	// minMeasured is the minimum time for which a stream's rate is measured before reads are tuned to it.
	minMeasured = 500 * time.Millisecond
)

// Common is what all viewers of a job share.
type Common struct {
	// Host is how sentences name the server.
	Host         string
	Secure       bool
	StageTimeout time.Duration
	Streams      tcpreader.Streams
	// AudioOnly ignores video: each message of audio counts as a frame.
	AudioOnly bool
	// Accepted is what the server did last before media, and Unit what media consists of, both for sentences.
	Accepted, Unit string

	rate atomic.Uint64 // bits of the bytes a second that a viewer measured last, 0 before
}

// Viewer is the common state of one viewer. Mutex guards all of it; methods say where the caller must hold it.
type Viewer struct {
	Common *Common
	Mutex  sync.Mutex
	// Connection is set until Stream has taken it over.
	Connection net.Conn
	Stream     tcpreader.Stream
	// Now is the time of what is being scanned.
	Now int64
	// Received counts all bytes, Before those before the stream was requested.
	Received, Before uint64
	Opened           signalling.Opened
	// AcceptedAt is when the server accepted the request.
	AcceptedAt, FirstMediaAt, LastMediaAt int64
	VideoUnits, AudioUnits                uint64
	Codec                                 string
	Frames                                stats.Frames
	// skippedMessages are those of video that are not understood, skipped names the latest.
	skippedMessages uint64
	skipped         string
	// IsUnpublished is set while the server reports that the stream has ended.
	IsUnpublished bool
	Disconnecting bool
	Failure       *failure.Failure

	local, remote netip.AddrPort
	roundTrip     time.Duration
	measuredAt    int64
	measuredBytes uint64
	bytesASecond  float64
}

// Locked runs an action with the mutex held.
func (v *Viewer) Locked(action func()) {
	v.Mutex.Lock()
	defer v.Mutex.Unlock()
	action()
}

// Fail keeps the first failure. The caller holds the mutex.
func (v *Viewer) Fail(f *failure.Failure) {
	if v.Failure == nil && !v.Disconnecting {
		v.Failure = f
	}
}

// At is the stage of a failure that happens now. The caller holds the mutex.
func (v *Viewer) At() failure.Stage {
	switch {
	case v.AcceptedAt == 0:
		return failure.Signalling
	case v.FirstMediaAt == 0:
		return failure.FirstPacket
	}
	return failure.Media
}

// SetConnection keeps a connection that has been opened, nil if that failed, and the steps to it.
func (v *Viewer) SetConnection(connection net.Conn, opened signalling.Opened) {
	v.Mutex.Lock()
	defer v.Mutex.Unlock()
	v.Connection, v.Opened = connection, opened
	if connection != nil {
		v.local, v.remote = addressOf(connection.LocalAddr()), addressOf(connection.RemoteAddr())
	}
}

func addressOf(address net.Addr) netip.AddrPort {
	if tcp, isTCP := address.(*net.TCPAddr); isTCP {
		local := tcp.AddrPort()
		return netip.AddrPortFrom(local.Addr().Unmap(), local.Port())
	}
	return netip.AddrPort{}
}

// PassToReader passes the connection to the reader of all streams. The caller holds the mutex, which delays what is
// read until the stream is known.
func (v *Viewer) PassToReader(handler tcpreader.Handler, now int64) *failure.Failure {
	v.AcceptedAt = now
	v.measuredAt, v.measuredBytes = now, v.Received
	connection := v.Connection
	v.Connection = nil
	stream, err := v.Common.Streams.Take(connection, handler)
	if f := failure.Local(failure.FirstPacket, err); f != nil {
		return f
	}
	if err != nil {
		return failure.New(failure.FirstPacket, protocol.CauseNoSocket, "%v.", err)
	}
	v.Stream = stream
	v.Settle()
	return nil
}

// CountVideo counts a frame, CountAudio a piece of audio. The caller holds the mutex.
func (v *Viewer) CountVideo(isKeyframe bool) {
	v.VideoUnits++
	if v.Common.AudioOnly {
		return
	}
	v.Frames.CompleteFrame(isKeyframe, v.Now)
	v.countMedia()
}

// CountAudio counts a piece of audio. The caller holds the mutex.
func (v *Viewer) CountAudio() {
	v.AudioUnits++
	if v.Common.AudioOnly {
		v.Frames.CompleteFrame(true, v.Now)
	}
	v.countMedia()
}

// CountFLVVideo counts a video message. The caller holds the mutex.
func (v *Viewer) CountFLVVideo(m flv.Message) {
	video := flv.InspectVideo(m.Head)
	if video.Codec != "" {
		v.Codec = video.Codec
	}
	if video.Skipped != "" {
		v.skipped, v.skippedMessages = video.Skipped, v.skippedMessages+1
	}
	if video.IsFrame {
		v.CountVideo(video.IsKeyframe || m.HasKeyframe)
	}
}

// CountFLVAudio counts an audio message by its first bytes. The caller holds the mutex.
func (v *Viewer) CountFLVAudio(head []byte) {
	if flv.IsSound(head) {
		v.CountAudio()
	}
}

func (v *Viewer) countMedia() {
	v.LastMediaAt = v.Now
	if v.FirstMediaAt == 0 {
		v.FirstMediaAt = v.Now
	}
}

// Tick does what is due each second: timeouts, the round-trip time, and tuning of the reads. It returns the failure
// that ended the viewer, and whether the rate was measured.
func (v *Viewer) Tick(now time.Time) (f *failure.Failure, isMeasured bool) {
	v.Mutex.Lock()
	if v.Stream != nil && !v.Disconnecting && v.Failure == nil {
		v.checkTimeouts(now.UnixNano())
	}
	f, stream := v.Failure, v.Stream
	if f != nil || stream == nil || v.Disconnecting {
		v.Mutex.Unlock()
		return f, false
	}
	if isMeasured = v.measure(now.UnixNano()); isMeasured {
		v.Common.rate.Store(math.Float64bits(v.bytesASecond))
		stream.Tune(v.bytesASecond)
	}
	v.Mutex.Unlock()
	trip := stream.RoundTrip()
	v.Locked(func() { v.roundTrip = trip })
	return nil, isMeasured
}

// measure follows the stream's rate; false until it is known.
func (v *Viewer) measure(now int64) bool {
	took := now - v.measuredAt
	if took < int64(minMeasured) {
		return false
	}
	rate := float64(v.Received-v.measuredBytes) * 1e9 / float64(took)
	if v.bytesASecond == 0 {
		v.bytesASecond = rate
	}
	v.bytesASecond += (rate - v.bytesASecond) / 4
	v.measuredAt, v.measuredBytes = now, v.Received
	return true
}

// Settle tunes the reads of a viewer with a first frame like those of earlier ones; until then each byte is read at
// once. The caller holds the mutex.
func (v *Viewer) Settle() {
	if rate := math.Float64frombits(v.Common.rate.Load()); v.bytesASecond == 0 && rate > 0 && v.Stream != nil && v.Frames.FirstAt != 0 {
		v.bytesASecond = rate
		v.Stream.Tune(rate)
	}
}

// checkTimeouts checks the timeouts of a viewer whose request was accepted.
func (v *Viewer) checkTimeouts(now int64) {
	host, unit := v.Common.Host, v.Common.Unit
	media := "audio or video"
	if v.Common.AudioOnly {
		media = "audio"
	}
	switch {
	case v.FirstMediaAt == 0 && now-v.AcceptedAt > int64(v.Common.StageTimeout):
		v.Fail(failure.New(failure.FirstPacket, protocol.CauseSilent, "%s accepted %s, but no %s was received within %s; the stream may not be published (not every server reports that).", host, v.Common.Accepted, media, failure.Since(v.AcceptedAt)))
	case v.FirstMediaAt != 0 && now-v.LastMediaAt > int64(SilenceTimeout) && v.IsUnpublished:
		v.Fail(failure.New(failure.Media, protocol.CauseUnpublished, "%s reported the end of the stream, and no media was received for %s, after %d %s in %s.", host, failure.Since(v.LastMediaAt), v.units(), unit, failure.Since(v.FirstMediaAt)))
	case v.FirstMediaAt != 0 && now-v.LastMediaAt > int64(SilenceTimeout):
		v.Fail(failure.New(failure.Media, protocol.CauseSilent, "No media for %s, after %d %s in %s; the connection to %s is open.", failure.Since(v.LastMediaAt), v.units(), unit, failure.Since(v.FirstMediaAt), host))
	case v.FirstMediaAt != 0 && v.Frames.FirstAt == 0 && now-v.FirstMediaAt > int64(max(FirstFrameTimeout, v.Common.StageTimeout)):
		if v.VideoUnits == 0 {
			v.Fail(failure.New(failure.FirstFrame, protocol.CauseNoVideo, "%d audio %s, but no video within %s%s. For a stream without video use tracks: audio.", v.AudioUnits, unit, failure.Since(v.FirstMediaAt), v.notUnderstood()))
			return
		}
		v.Fail(failure.New(failure.FirstFrame, protocol.CauseNoKeyframe, "%d %s of %s video, but no keyframe within %s%s.", v.VideoUnits, unit, v.codec(), failure.Since(v.FirstMediaAt), v.notUnderstood()))
	}
}

// notUnderstood is the part of a sentence about messages that were skipped.
func (v *Viewer) notUnderstood() string {
	if v.skippedMessages == 0 {
		return ""
	}
	return fmt.Sprintf(" (skipped: %d messages of an unknown kind, the latest of %s)", v.skippedMessages, v.skipped)
}

func (v *Viewer) units() uint64 { return v.VideoUnits + v.AudioUnits }

func (v *Viewer) codec() string {
	if v.Codec == "" {
		return "unknown"
	}
	return v.Codec
}

// EndOf makes the failure of a connection that ended: io.EOF, or why it broke. The caller holds the mutex.
func (v *Viewer) EndOf(err error) {
	host := v.Common.Host
	switch {
	case v.IsUnpublished && v.FirstMediaAt != 0:
		v.Fail(failure.New(failure.Media, protocol.CauseUnpublished, "%s reported the end of the stream and closed the connection %s after the first media.", host, failure.Since(v.FirstMediaAt)))
	case errors.Is(err, io.EOF):
		v.Fail(failure.New(v.At(), protocol.CauseClosed, "%s closed the connection %s after it accepted %s%s.", host, failure.Since(v.AcceptedAt), v.Common.Accepted, v.endHint()))
	default:
		v.Fail(failure.New(v.At(), protocol.CauseClosed, "The connection to %s failed %s after %s was accepted: %v%s.", host, failure.Since(v.AcceptedAt), v.Common.Accepted, Plain(err), v.endHint()))
	}
}

// endHint is what an end before any media may mean: some servers accept every request and refuse it by closing.
func (v *Viewer) endHint() string {
	if v.FirstMediaAt != 0 {
		return ""
	}
	return "; the stream may not be published, or the server forbids it: see its log"
}

// Plain drops the addresses that net adds to the system's error.
func Plain(err error) error {
	var number syscall.Errno
	if errors.As(err, &number) {
		return number
	}
	return err
}

// Read returns the current figures.
func (v *Viewer) Read(now time.Time) viewer.Reading {
	v.Mutex.Lock()
	defer v.Mutex.Unlock()
	return v.read(now.UnixNano())
}

// ReadInterval is Read, and the longest gap between complete frames that ended since the last call. What has arrived by
// now counts in this interval; otherwise frame rates would be blurred by what one read collects.
func (v *Viewer) ReadInterval(now time.Time) (viewer.Reading, int64) {
	var stream tcpreader.Stream
	v.Locked(func() { stream = v.Stream })
	if stream != nil {
		stream.Flush()
	}
	v.Mutex.Lock()
	defer v.Mutex.Unlock()
	return v.read(now.UnixNano()), v.Frames.TakeLongest()
}

func (v *Viewer) read(now int64) viewer.Reading {
	// Data that is waiting because it is not worth a read yet is not a gap.
	lastAt := now
	if v.Stream != nil {
		lastAt = max(v.Stream.SeenUntil(now), v.Frames.LastAt)
	}
	gap := v.Frames.GapNs(lastAt) // first: it counts the ongoing stall
	reading := viewer.Reading{FirstPacketAt: v.FirstMediaAt, FirstFrameAt: v.Frames.FirstAt, Packets: v.units(),
		Frames: v.Frames.Complete, Stalls: v.Frames.Stalls, StalledNs: v.Frames.StalledUntil(lastAt), GapNs: gap,
		FreezeCount: v.Frames.Freezes.Count, FreezeMs: v.Frames.Freezes.DurationMs,
		RoundTripNs: int64(v.roundTrip), Failure: v.Failure}
	if v.Common.AudioOnly {
		reading.AudioOnly, reading.Frames, reading.Packets = true, 0, v.AudioUnits
		reading.FreezeCount, reading.FreezeMs = 0, 0
	}
	if v.AcceptedAt != 0 {
		reading.Bytes = v.Received - v.Before
	}
	return reading
}

// Times are those of the steps to media.
func (v *Viewer) Times() viewer.Times {
	v.Mutex.Lock()
	defer v.Mutex.Unlock()
	return v.times()
}

func (v *Viewer) times() viewer.Times {
	return viewer.Times{Name: v.Opened.NameAt, TCP: v.Opened.TCPAt, TLS: v.Opened.TLSAt, Play: v.AcceptedAt,
		FirstPacket: v.FirstMediaAt, FirstFrame: v.Frames.FirstAt}
}

// Detail has the steps to media, the connection, and the received streams.
func (v *Viewer) Detail() viewer.Detail {
	v.Mutex.Lock()
	defer v.Mutex.Unlock()
	detail := viewer.Detail{
		Times:    v.times(),
		Counters: viewer.NonZero(map[string]uint64{"brokenFrames": v.Frames.Broken, "skippedMessages": v.skippedMessages}),
	}
	if v.remote.IsValid() {
		detail.Route = viewer.Route{Protocol: "tcp", Local: v.local, Remote: v.remote}
		if v.Common.Secure {
			detail.Route.Protocol = "tls"
		}
	}
	if v.VideoUnits > 0 {
		detail.Streams = append(detail.Streams, viewer.Stream{Kind: "video", Codec: v.codec(), Packets: v.VideoUnits})
	}
	if v.AudioUnits > 0 {
		detail.Streams = append(detail.Streams, viewer.Stream{Kind: "audio", Packets: v.AudioUnits})
	}
	return detail
}
