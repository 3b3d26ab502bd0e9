package hls

import (
	"context"
	"net"
	"sync"
	"time"

	"github.com/google/uuid"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/hls/dash"
	"fullhouse/agent/internal/hls/playback"
	"fullhouse/agent/internal/hls/playlist"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/viewer"
)

// silenceTimeout is how long a playing viewer may be without a new segment, at least silenceTargets target durations.
const (
	silenceTimeout = 10 * time.Second
	silenceTargets = 3
)

// Viewer is one viewer: Connect once, Tick every second, Disconnect at the end.
type Viewer struct {
	group    *Group
	identity signalling.Identity
	headers  []byte // of requests to the origin, as text, without cookies
	cookies  *jar
	ctx      context.Context // until Disconnect; for connections that are being opened
	end      context.CancelFunc
	work     sync.WaitGroup
	ready    chan struct{} // closed once media is requested, or when the viewer failed

	mutex         sync.Mutex
	isReady       bool
	disconnecting bool
	failure       *failure.Failure
	now           int64 // of what is being handled
	connections   []*connection
	requests      map[*request]struct{}

	master    *playlist.Playlist // nil if the address is a media playlist
	variables playlist.Variables // of master
	// presentation is that of DASH; nil for HLS.
	presentation *dash.Presentation
	variant      int // in master; -1 before one is chosen
	rate         bandwidth
	tracks       []*track // the video first
	player       playback.Player
	lastError    *failure.Failure // of the latest request, nil after a success

	opened                                      signalling.Opened
	acceptedAt, firstMediaAt, lastMediaAt       int64
	local, remote                               net.Addr
	received, media                             uint64
	sessionID                                   string // of CMCD
	reportedRebufferings                        uint64 // by CMCD
	segments, skipped, failedRequests, switches uint64
	lostBytes                                   uint64 // of MPEG-TS
	codec                                       string
	isExamined, hasVideo                        bool // of the segments so far
}

func newViewer(group *Group, identity signalling.Identity, cookies *jar) *Viewer {
	v := &Viewer{group: group, identity: identity, cookies: cookies, ready: make(chan struct{}), requests: map[*request]struct{}{}, variant: -1}
	if identity.Header != nil {
		v.headers = headersOf(identity.Header)
	}
	v.ctx, v.end = context.WithCancel(context.Background())
	if group.CMCD {
		v.sessionID = uuid.NewString()
	}
	return v
}

// Again makes a viewer with the same headers and cookies.
func (v *Viewer) Again() viewer.Viewer { return newViewer(v.group, v.identity, v.cookies) }

// Connect loads the playlists, and returns when media is requested. Disconnect must be called whatever it returns.
func (v *Viewer) Connect(ctx, _ context.Context) *failure.Failure {
	v.mutex.Lock()
	v.send(&request{kind: ofPlaylist, target: v.group.URL})
	v.mutex.Unlock()
	ctx, cancel := context.WithTimeout(ctx, 2*v.group.StageTimeout) // at most two playlists
	defer cancel()
	select {
	case <-v.ready:
	case <-ctx.Done():
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if !v.isReady {
		for r := range v.requests {
			if f := r.checkTimeout(monotonic.Nano(), 0, 0); f != nil {
				v.fail(f)
			}
		}
		v.fail(v.noMedia())
	}
	return v.failure
}

// noMedia is the failure of a viewer whose playlists have nothing to request. The caller holds the mutex.
func (v *Viewer) noMedia() *failure.Failure {
	for _, t := range v.tracks {
		if t.list != nil && t.list.Segments.Len() == 0 {
			return failure.New(failure.FirstPacket, protocol.CauseSilent, "%s: the playlist has no segments yet, after %s; the stream may not be published.", signalling.Describe(t.address), 2*v.group.StageTimeout)
		}
	}
	return failure.New(failure.Signalling, protocol.CauseTimeout, "%s had no media to request within %s.", v.where(), 2*v.group.StageTimeout)
}

// setReady lets Connect return. The caller holds the mutex.
func (v *Viewer) setReady() {
	if !v.isReady {
		v.isReady = true
		close(v.ready)
	}
}

// fail keeps the first failure. The caller holds the mutex.
func (v *Viewer) fail(f *failure.Failure) {
	if v.failure == nil && !v.disconnecting {
		v.failure = f
	}
	v.setReady()
}

// Tick does what is due each second and returns the failure that ended the viewer.
func (v *Viewer) Tick(now time.Time) *failure.Failure {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.disconnecting || v.failure != nil {
		return v.failure
	}
	at := now.UnixNano()
	v.now = max(v.now, at)
	for r := range v.requests {
		var wait time.Duration
		if r.track != nil && r.track.list != nil {
			wait = silenceTargets * r.track.list.TargetDuration
		}
		if f := r.checkTimeout(at, v.group.StageTimeout, wait); f != nil {
			v.abandon(r)
			v.requestFailed(r, f)
		}
	}
	v.checkSilence(at)
	v.proceed()
	return v.failure
}

// abandon closes the connection of a request that takes too long.
func (v *Viewer) abandon(r *request) {
	for _, c := range v.connections {
		if c.request == r {
			c.isOver, c.request = true, nil
			v.discard(c)
			return
		}
	}
}

// checkSilence fails a viewer that gets nothing new.
func (v *Viewer) checkSilence(now int64) {
	for _, t := range v.tracks {
		limit := max(silenceTimeout, v.group.StageTimeout)
		if t.list != nil {
			limit = max(limit, silenceTargets*t.list.TargetDuration)
		}
		if v.firstMediaAt == 0 || t.list != nil && t.list.HasEnded && t.fetching == nil {
			continue
		}
		since := max(t.changedAt, v.lastMediaAt)
		if now-since <= int64(limit) {
			continue
		}
		if f := v.lastError; f != nil {
			v.fail(failure.New(failure.Media, f.Cause, "No new segment for %s; the latest request failed: %s", failure.Since(since), f.Detail))
			return
		}
		v.fail(failure.New(failure.Media, protocol.CauseSilent, "%s has no new segment for %s, after %d segments; the stream may not be published any more.", v.where(), failure.Since(since), v.segments))
		return
	}
}

// Disconnect ends all requests. A second call does nothing.
func (v *Viewer) Disconnect(_ context.Context, _ bool) error {
	v.mutex.Lock()
	v.disconnecting = true
	v.player.Advance(v.now)
	connections := v.connections
	v.connections = nil
	for _, c := range connections {
		c.isClosing = true
	}
	for r := range v.requests {
		r.release()
	}
	v.mutex.Unlock()
	v.end()
	var err error
	for _, c := range connections {
		if closeErr := c.stream.Close(false); err == nil {
			err = closeErr
		}
	}
	v.work.Wait()
	return err
}

// isAudioOnly reports whether the stream has no video, or its video does not matter.
func (v *Viewer) isAudioOnly() bool { return v.group.AudioOnly || v.isExamined && !v.hasVideo }

// Read returns the current figures.
func (v *Viewer) Read(now time.Time) viewer.Reading {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return v.read(now.UnixNano())
}

// ReadInterval is Read, and the longest stall that ended since the last call.
func (v *Viewer) ReadInterval(now time.Time) (viewer.Reading, int64) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return v.read(now.UnixNano()), v.player.TakeLongest()
}

func (v *Viewer) read(now int64) viewer.Reading {
	if !v.disconnecting {
		v.player.Advance(now)
	}
	gap := v.player.RebufferingFor(now) // first: it counts the ongoing stall
	reading := viewer.Reading{FirstPacketAt: v.firstMediaAt, FirstFrameAt: v.player.StartedAt, Packets: v.segments,
		Bytes: v.media, Frames: v.player.Frames(), Stalls: v.player.Stalls, StalledNs: v.player.StalledUntil(now), GapNs: gap,
		FreezeCount: v.player.FreezeCount, FreezeMs: v.player.FreezeMs,
		Failure: v.failure}
	if v.isAudioOnly() {
		reading.AudioOnly, reading.Frames, reading.FreezeCount, reading.FreezeMs = true, 0, 0, 0
	}
	if v.player.StartedAt != 0 {
		reading.Buffer = &viewer.Buffer{AheadNs: int64(v.player.Ahead())}
		if behind, isKnown := v.player.Behind(time.Now()); isKnown {
			reading.Buffer.BehindNs, reading.Buffer.HasBehind = behind, true
		}
	}
	return reading
}
