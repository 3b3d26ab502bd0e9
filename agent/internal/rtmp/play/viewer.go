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
	"fullhouse/agent/internal/harvest"
	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/stats"
	"fullhouse/agent/internal/viewer"
)

const (
	// firstFramePatience is longer than a stage's: a stream may have a keyframe every 10 s only.
	firstFramePatience = 12 * time.Second
	// silencePatience is how long a connected viewer may go without media.
	silencePatience = 10 * time.Second
	// leastMeasured is how long a stream's rate is measured at least before the reads are fitted to it.
	leastMeasured = 500 * time.Millisecond
)

// Viewer is one RTMP viewer: Connect once, Pulse every second, Leave at the end.
type Viewer struct {
	crowd *Crowd

	mutex      sync.Mutex
	connection net.Conn       // until the stream has taken it
	stream     harvest.Stream // once media may come
	scanner    rtmp.Scanner
	step       step
	number     uint32 // the message stream that the server gave us
	now        int64  // of what is being scanned

	isPinged     bool // and not answered yet
	ping         [4]byte
	controls     int    // since the rate was measured last
	window       uint32 // bytes after which the server wants a word, 0: never
	acknowledged uint64
	before       uint64 // bytes that came before play was asked for

	connectedAt, playingAt, firstMediaAt, lastMediaAt int64
	local, remote                                     netip.AddrPort
	videoMessages, audioMessages                      uint64
	codec                                             string
	frames                                            stats.Frames
	isUnpublished                                     bool // as the server says
	roundTrip                                         time.Duration

	measuredAt    int64
	measuredBytes uint64
	bytesASecond  float64

	leaving bool
	failure *failure.Failure
}

func newViewer(crowd *Crowd) *Viewer {
	v := &Viewer{crowd: crowd}
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
	if v.failure == nil && !v.leaving {
		v.failure = f
	}
}

// at is the stage that a failure of now belongs to. The caller holds the mutex.
func (v *Viewer) at() failure.Stage {
	switch {
	case v.playingAt == 0:
		return failure.Signalling
	case v.firstMediaAt == 0:
		return failure.FirstPacket
	}
	return failure.Media
}

// Pulse does what is due each second: time-outs, the round trip, and how the stream is read. It returns the failure that ended
// the viewer.
func (v *Viewer) Pulse(now time.Time) *failure.Failure {
	v.mutex.Lock()
	if v.stream != nil && !v.leaving && v.failure == nil {
		v.judge(now.UnixNano())
	}
	f, stream := v.failure, v.stream
	if f != nil || stream == nil || v.leaving {
		v.mutex.Unlock()
		return f
	}
	if v.measure(now.UnixNano()) {
		v.controls = 0
		v.crowd.rate.Store(math.Float64bits(v.bytesASecond))
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
	if took < int64(leastMeasured) {
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

// settle has a viewer that has its first frame read like those that came before it; until then each byte is news.
func (v *Viewer) settle() {
	if rate := math.Float64frombits(v.crowd.rate.Load()); v.bytesASecond == 0 && rate > 0 && v.stream != nil && v.frames.FirstAt != 0 {
		v.bytesASecond = rate
		v.stream.Tune(rate)
	}
}

// judge finds the time-outs of a viewer that plays.
func (v *Viewer) judge(now int64) {
	host := v.crowd.Address.Host
	switch {
	case v.firstMediaAt == 0 && now-v.playingAt > int64(v.crowd.StageTimeout):
		v.fail(failure.New(failure.FirstPacket, "silent", "%s took the wish to play, but no audio or video came within %s; perhaps nobody publishes the stream, which not every server says.", host, failure.Since(v.playingAt)))
	case v.firstMediaAt != 0 && now-v.lastMediaAt > int64(silencePatience) && v.isUnpublished:
		v.fail(failure.New(failure.Media, "unpublished", "%s told that the stream has ended, and no media came for %s, after %d messages in %s.", host, failure.Since(v.lastMediaAt), v.messages(), failure.Since(v.firstMediaAt)))
	case v.firstMediaAt != 0 && now-v.lastMediaAt > int64(silencePatience):
		v.fail(failure.New(failure.Media, "silent", "No media for %s, after %d messages in %s; the connection to %s is open.", failure.Since(v.lastMediaAt), v.messages(), failure.Since(v.firstMediaAt), host))
	case v.firstMediaAt != 0 && v.frames.FirstAt == 0 && now-v.firstMediaAt > int64(max(firstFramePatience, v.crowd.StageTimeout)):
		if v.videoMessages == 0 {
			v.fail(failure.New(failure.FirstFrame, "no-video", "%d audio messages, but no video came within %s.", v.audioMessages, failure.Since(v.firstMediaAt)))
			return
		}
		v.fail(failure.New(failure.FirstFrame, "no-keyframe", "%d messages of %s video, but no keyframe came within %s.", v.videoMessages, cmp.Or(v.codec, "unknown"), failure.Since(v.firstMediaAt)))
	}
}

func (v *Viewer) messages() uint64 { return v.videoMessages + v.audioMessages }

// Leave ends the stream and the connection, with force without a word to the server. A second call does nothing.
func (v *Viewer) Leave(_ context.Context, force bool) error {
	v.mutex.Lock()
	v.leaving = true
	stream, connection, number := v.stream, v.connection, v.number
	v.connection, v.number = nil, 0
	v.mutex.Unlock()
	switch {
	case stream != nil:
		if !force && number != 0 {
			// A server that takes no more words sees the connection end all the same.
			_ = stream.Send(deleteStream(number))
		}
		return stream.Close(force)
	case connection != nil:
		return connection.Close()
	}
	return nil
}

// Read takes the figures as they are now.
func (v *Viewer) Read(now time.Time) viewer.Reading {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return v.read(now.UnixNano())
}

// ReadInterval is Read, and the longest gap between complete frames that ended since the last call. What has arrived by now is
// counted in this interval, or frame rates would be blurred by what one read collects.
func (v *Viewer) ReadInterval(now time.Time) (viewer.Reading, int64) {
	var stream harvest.Stream
	v.locked(func() { stream = v.stream })
	if stream != nil {
		stream.Flush()
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return v.read(now.UnixNano()), v.frames.TakeLongest()
}

func (v *Viewer) read(now int64) viewer.Reading {
	// What waits unread, because it is not worth a read yet, is no gap.
	seen := now
	if v.stream != nil {
		seen = max(v.stream.SeenUntil(now), v.frames.LastAt)
	}
	gap := v.frames.GapNs(seen) // first: it counts the freeze under way
	reading := viewer.Reading{FirstPacketAt: v.firstMediaAt, FirstFrameAt: v.frames.FirstAt, Packets: v.messages(),
		Frames: v.frames.Complete, Freezes: v.frames.Freezes, FrozenNs: v.frames.FrozenUntil(seen), GapNs: gap,
		RoundTripNs: int64(v.roundTrip), Failure: v.failure}
	if v.playingAt != 0 {
		reading.Bytes = v.scanner.Received - v.before
	}
	return reading
}
