package play

import (
	"cmp"
	"context"
	"math"
	"net"
	"net/netip"
	"sync"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/stats"
	"fullhouse/agent/internal/tcpreader"
	"fullhouse/agent/internal/viewer"
)

const (
	// firstFrameTimeout is longer than a stage's: a stream may have a keyframe only every 10 s.
	firstFrameTimeout = 12 * time.Second
	// silenceTimeout is how long a connected viewer may be without media.
	silenceTimeout = 10 * time.Second
	// minMeasured is the minimum time for which a stream's rate is measured before reads are tuned to it.
	minMeasured = 500 * time.Millisecond
)

// Viewer is one RTMP viewer: Connect once, Tick every second, Disconnect at the end.
type Viewer struct {
	group *Group

	mutex      sync.Mutex
	connection net.Conn         // until the stream has taken it over
	stream     tcpreader.Stream // once media may arrive
	scanner    rtmp.Scanner
	step       step
	number     uint32 // the message stream id from the server
	now        int64  // of what is being scanned

	isPinged     bool // and not responded to yet
	ping         [4]byte
	controls     int    // since the rate was last measured
	window       uint32 // bytes after which the server expects an acknowledgement, 0: never
	acknowledged uint64
	before       uint64 // bytes received before play was requested

	connectedAt, playingAt, firstMediaAt, lastMediaAt int64
	local, remote                                     netip.AddrPort
	videoMessages, audioMessages                      uint64
	codec                                             string
	frames                                            stats.Frames
	isUnpublished                                     bool // as reported by the server
	roundTrip                                         time.Duration

	measuredAt    int64
	measuredBytes uint64
	bytesASecond  float64

	disconnecting bool
	failure       *failure.Failure
}

func newViewer(group *Group) *Viewer {
	v := &Viewer{group: group}
	v.scanner.Sink = (*sink)(v)
	return v
}

func (v *Viewer) locked(action func()) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	action()
}

// fail keeps the first failure. The caller holds the mutex.
func (v *Viewer) fail(f *failure.Failure) {
	if v.failure == nil && !v.disconnecting {
		v.failure = f
	}
}

// at is the stage of a failure that happens now. The caller holds the mutex.
func (v *Viewer) at() failure.Stage {
	switch {
	case v.playingAt == 0:
		return failure.Signalling
	case v.firstMediaAt == 0:
		return failure.FirstPacket
	}
	return failure.Media
}

// Tick does what is due each second: timeouts, the round-trip time, and tuning of the reads. It returns the failure
// that ended the viewer.
func (v *Viewer) Tick(now time.Time) *failure.Failure {
	v.mutex.Lock()
	if v.stream != nil && !v.disconnecting && v.failure == nil {
		v.judge(now.UnixNano())
	}
	f, stream := v.failure, v.stream
	if f != nil || stream == nil || v.disconnecting {
		v.mutex.Unlock()
		return f
	}
	if v.measure(now.UnixNano()) {
		v.controls = 0
		v.group.rate.Store(math.Float64bits(v.bytesASecond))
		stream.Tune(v.bytesASecond)
	}
	v.mutex.Unlock()
	trip := stream.RoundTrip()
	v.locked(func() { v.roundTrip = trip })
	return nil
}

// measure follows the stream's rate; false until it is known.
func (v *Viewer) measure(now int64) bool {
	took := now - v.measuredAt
	if took < int64(minMeasured) {
		return false
	}
	rate := float64(v.scanner.Received-v.measuredBytes) * 1e9 / float64(took)
	if v.bytesASecond == 0 {
		v.bytesASecond = rate
	}
	v.bytesASecond += (rate - v.bytesASecond) / 4
	v.measuredAt, v.measuredBytes = now, v.scanner.Received
	return true
}

// settle tunes the reads of a viewer with a first frame like those of earlier ones; until then each byte is read at
// once.
func (v *Viewer) settle() {
	if rate := math.Float64frombits(v.group.rate.Load()); v.bytesASecond == 0 && rate > 0 && v.stream != nil && v.frames.FirstAt != 0 {
		v.bytesASecond = rate
		v.stream.Tune(rate)
	}
}

// judge checks the timeouts of a playing viewer.
func (v *Viewer) judge(now int64) {
	host := v.group.Address.Host
	switch {
	case v.firstMediaAt == 0 && now-v.playingAt > int64(v.group.StageTimeout):
		v.fail(failure.New(failure.FirstPacket, "silent", "%s accepted play, but no audio or video was received within %s; the stream may not be published (not every server reports that).", host, failure.Since(v.playingAt)))
	case v.firstMediaAt != 0 && now-v.lastMediaAt > int64(silenceTimeout) && v.isUnpublished:
		v.fail(failure.New(failure.Media, "unpublished", "%s reported the end of the stream, and no media was received for %s, after %d messages in %s.", host, failure.Since(v.lastMediaAt), v.messages(), failure.Since(v.firstMediaAt)))
	case v.firstMediaAt != 0 && now-v.lastMediaAt > int64(silenceTimeout):
		v.fail(failure.New(failure.Media, "silent", "No media for %s, after %d messages in %s; the connection to %s is open.", failure.Since(v.lastMediaAt), v.messages(), failure.Since(v.firstMediaAt), host))
	case v.firstMediaAt != 0 && v.frames.FirstAt == 0 && now-v.firstMediaAt > int64(max(firstFrameTimeout, v.group.StageTimeout)):
		if v.videoMessages == 0 {
			v.fail(failure.New(failure.FirstFrame, "no-video", "%d audio messages, but no video within %s.", v.audioMessages, failure.Since(v.firstMediaAt)))
			return
		}
		v.fail(failure.New(failure.FirstFrame, "no-keyframe", "%d messages of %s video, but no keyframe within %s.", v.videoMessages, cmp.Or(v.codec, "unknown"), failure.Since(v.firstMediaAt)))
	}
}

func (v *Viewer) messages() uint64 { return v.videoMessages + v.audioMessages }

// Disconnect ends the stream and the connection; with force without deleteStream. A second call does nothing.
func (v *Viewer) Disconnect(_ context.Context, force bool) error {
	v.mutex.Lock()
	v.disconnecting = true
	stream, connection, number := v.stream, v.connection, v.number
	v.connection, v.number = nil, 0
	v.mutex.Unlock()
	switch {
	case stream != nil:
		if !force && number != 0 {
			// A server that accepts no more commands still sees the end of the connection.
			_ = stream.Send(deleteStream(number))
		}
		return stream.Close(force)
	case connection != nil:
		return connection.Close()
	}
	return nil
}

// Read returns the current figures.
func (v *Viewer) Read(now time.Time) viewer.Reading {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return v.read(now.UnixNano())
}

// ReadInterval is Read, and the longest gap between complete frames that ended since the last call. What has arrived by
// now counts in this interval; otherwise frame rates would be blurred by what one read collects.
func (v *Viewer) ReadInterval(now time.Time) (viewer.Reading, int64) {
	var stream tcpreader.Stream
	v.locked(func() { stream = v.stream })
	if stream != nil {
		stream.Flush()
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return v.read(now.UnixNano()), v.frames.TakeLongest()
}

func (v *Viewer) read(now int64) viewer.Reading {
	// Data that is waiting because it is not worth a read yet is not a gap.
	seen := now
	if v.stream != nil {
		seen = max(v.stream.SeenUntil(now), v.frames.LastAt)
	}
	gap := v.frames.GapNs(seen) // first: it counts the ongoing freeze
	reading := viewer.Reading{FirstPacketAt: v.firstMediaAt, FirstFrameAt: v.frames.FirstAt, Packets: v.messages(),
		Frames: v.frames.Complete, Freezes: v.frames.Freezes, FrozenNs: v.frames.FrozenUntil(seen), GapNs: gap,
		RoundTripNs: int64(v.roundTrip), Failure: v.failure}
	if v.playingAt != 0 {
		reading.Bytes = v.scanner.Received - v.before
	}
	return reading
}
