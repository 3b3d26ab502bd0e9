package whep

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"sync"
	"time"

	"github.com/pion/srtp/v3"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/media/rtppayload"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/stats"
	"fullhouse/agent/internal/udpreader"
	"fullhouse/agent/internal/whep/dtlssrtp"
	"fullhouse/agent/internal/whep/feedback"
	"fullhouse/agent/internal/whep/hosts"
	"fullhouse/agent/internal/whep/ice"
	"fullhouse/agent/internal/whep/sdp"
)

const (
	// firstFrameTimeout is longer than a stage's: a stream may have a keyframe only every 10 s.
	firstFrameTimeout = 12 * time.Second
	// silenceTimeout is how long a connected viewer may be without packets.
	silenceTimeout = 10 * time.Second
)

// mediaStream is one RTP stream of a viewer.
type mediaStream struct {
	stats.Stream
	ssrc        uint32
	payloadType uint8
	report      feedback.SenderReport
	clock       stats.SenderClock
	// retransmitted are requested packets that the stream itself brought in time (without RTX).
	retransmitted uint64
}

// receive counts a packet, which fills a gap if it was requested.
func (s *mediaStream) receive(packet stats.Packet, requests *feedback.Requests) {
	if !s.Gap() || !requests.IsRequested(packet.Sequence) {
		s.Receive(packet)
		return
	}
	before := s.Repaired
	s.Receive(packet)
	s.retransmitted += s.Repaired - before
}

// recovered are the lost packets that were retransmitted in time.
func (s *mediaStream) recovered() uint64 { return s.retransmitted + s.RepairedApart() }

// Viewer is one WHEP viewer: Connect once, Tick every second, Disconnect at the end. The fields that every packet uses
// come first and together, see stats.Stream.
type Viewer struct {
	mutex         sync.Mutex
	disconnecting bool
	queued        bool // for the group's repairs
	damagedInRow  uint8
	sampler       sampler
	inbound       *srtp.Context
	transportCC   *transportFeedback // nil unless negotiated
	captureTime   uint8              // the id of the header extension; 0 unless negotiated
	room          *roomMedia         // nil unless a participant
	layers        *layers            // nil unless the video has several
	// audioOnly: each packet of audio counts as a frame, as requested, or because the server has no video.
	audioOnly bool

	firstPacketAt, lastPacketAt int64

	video  mediaStream
	frames stats.Frames
	audio  mediaStream

	group     *Group
	socket    udpreader.Socket
	outbound  *srtp.Context
	requests  feedback.Requests
	repairs   *mediaStream    // retransmissions on their own stream; nil until then
	fec       *mediaStream    // forward error correction; nil until then
	browser   *browserReports // nil unless a browser is imitated
	ice       ice.Agent
	answer    sdp.Answer
	session   *url.URL
	signaller Signaller           // nil for WHEP
	identity  signalling.Identity // at WHEP

	pipe          *dtlssrtp.Pipe // during the handshake only
	early         []earlyPacket
	closeNotify   []byte
	postHandshake dtlssrtp.PostHandshake

	// Times of the steps to media, 0 before.
	opened                                           signalling.Opened
	offeredAt, answeredAt, selectedAt, establishedAt int64
	// otherCandidates are server candidates that were not in its answer.
	otherCandidates []sdp.Candidate
	local           netip.AddrPort // our only candidate
	visit           *hosts.Visit   // while it connects
	relay           *relay         // nil unless it uses a TURN server

	size                         rtppayload.Size // of the video's latest keyframe that was read
	damaged, unknown, overflowed uint64
	brokenFrames                 uint64 // when a keyframe was last requested
	failure                      *failure.Failure
}

// accept prepares the streams of an answer.
func (v *Viewer) accept(a sdp.Answer) {
	v.answer = a
	v.take(&v.video, a.Video)
	v.take(&v.audio, a.Audio)
	v.audioOnly = v.group.AudioOnly || a.Video.IsNone() || a.NoVideo
	v.video.GapTimeout, v.audio.GapTimeout = stats.GapTimeoutWithoutRepair, stats.GapTimeoutWithoutRepair
	if a.Video.NACK {
		v.video.GapTimeout = stats.GapTimeoutWithRepair
	}
	v.video.Frames = &v.frames
	if v.audioOnly {
		v.video.Frames, v.audio.Frames = nil, &v.frames
	}
	v.sampler = v.group.newSampler()
	if a.TransportCC != 0 {
		v.transportCC = &transportFeedback{extension: a.TransportCC}
	}
	v.captureTime = a.CaptureTime
	if v.group.Fidelity == Browser {
		v.browser = &browserReports{}
	}
	if v.transportCC != nil || v.browser != nil {
		v.group.join(v)
	}
}

// noPayloadType is that of a stream that the answer does not have; real ones are below it.
const noPayloadType = 0x80

// take maps a stream to a format of the answer.
func (v *Viewer) take(stream *mediaStream, track sdp.Track) {
	stream.payloadType, stream.ClockRate = track.PayloadType, track.ClockRate
	if track.IsNone() {
		stream.payloadType = noPayloadType
	}
}

// foundVideo judges a viewer by video whose server has announced audio only.
func (v *Viewer) foundVideo() {
	v.audioOnly, v.frames = false, stats.Frames{}
	v.video.Frames, v.audio.Frames = &v.frames, nil
}

func randomText(bytes int) string {
	data := make([]byte, bytes)
	_, _ = rand.Read(data) // never fails
	return base64.StdEncoding.EncodeToString(data)
}

func random64() uint64 {
	var data [8]byte
	_, _ = rand.Read(data[:]) // never fails
	return binary.BigEndian.Uint64(data[:])
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

// Tick does what is due each second: reports, consent, timeouts. It returns the failure that ended the viewer.
func (v *Viewer) Tick(now time.Time) *failure.Failure {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.inbound == nil || v.disconnecting || v.failure != nil {
		return v.failure
	}
	at := now.UnixNano()
	if v.relay != nil {
		if f := v.relay.allocation.Tick(at); f != nil {
			v.fail(f)
			return v.failure
		}
	}
	if v.room != nil {
		v.room.expire(at)
		if v.checkRoomTimeouts(at); v.failure == nil {
			v.ice.KeepConsent(at)
			v.tickRoom(at)
		}
		return v.failure
	}
	v.adaptGapTimeout()
	v.expire(at)
	if v.checkTimeouts(at); v.failure != nil {
		return v.failure
	}
	v.ice.KeepConsent(at)
	wantsKeyframe := v.wantsKeyframe()
	if wantsKeyframe {
		v.brokenFrames = v.frames.Broken
	}
	switch {
	case v.browser == nil:
		v.report(at, wantsKeyframe)
	case wantsKeyframe:
		v.requestKeyframe()
	}
	return nil
}

// Resumed starts the timeouts of media and consent anew: this process did not run.
func (v *Viewer) Resumed(now time.Time) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.ice.ResumedAt = now.UnixNano()
}

// heardAt is when silence began: at the last packet, or when this process ran again after a pause.
func (v *Viewer) heardAt() int64 { return max(v.lastPacketAt, v.ice.ResumedAt) }

const (
	repairMargin  = 50e6
	maxGapTimeout = 1e9 // beyond it a waiting picture is a stall in any case
)

// adaptGapTimeout leaves time for two requests of a packet: on a long path the usual timeout is shorter.
func (v *Viewer) adaptGapTimeout() {
	if v.answer.Video.NACK {
		v.video.GapTimeout = min(max(stats.GapTimeoutWithRepair, 2*v.ice.RoundTripNs+repairMargin), maxGapTimeout)
	}
}

// wantsKeyframe is true until the first one arrived, and after frames were lost for good, as in a browser.
func (v *Viewer) wantsKeyframe() bool {
	return v.answer.Video.PLI && v.video.Packets > 0 && (v.frames.FirstAt == 0 || v.frames.Broken > v.brokenFrames)
}

// checkTimeouts checks the timeouts of an established viewer.
func (v *Viewer) checkTimeouts(at int64) {
	network := ""
	cause := protocol.CauseSilent
	if refusal, refused := v.ice.Refusal(); refused {
		network, cause = "; "+refusal, protocol.CauseRefused
	}
	switch {
	case v.firstPacketAt == 0 && at-v.establishedAt > int64(v.group.StageTimeout):
		if v.damaged > 0 {
			v.fail(failure.New(failure.FirstPacket, protocol.CauseUndecryptable, "%d packets received within %s, but none could be decrypted with the session's keys.", v.damaged, failure.Since(v.establishedAt)))
			return
		}
		if v.unknown > 0 {
			v.fail(failure.New(failure.FirstPacket, protocol.CausePayloadType, "%d packets received within %s, but none with a payload type of the answer.", v.unknown, failure.Since(v.establishedAt)))
			return
		}
		if network == "" {
			network = ". The server accepted the viewer but sends nothing; the stream may not be published"
		}
		v.fail(failure.New(failure.FirstPacket, cause, "ICE and DTLS are connected to %s, but no media packet was received within %s%s.", v.ice.Selected, failure.Since(v.establishedAt), network))
	case v.firstPacketAt != 0 && at-v.heardAt() > int64(silenceTimeout):
		v.fail(failure.New(failure.Media, cause, "No media packet for %s, after %d packets in %s%s.", failure.Since(v.lastPacketAt), v.video.Packets+v.audio.Packets, failure.Since(v.firstPacketAt), network))
	case v.firstPacketAt != 0 && v.frames.FirstAt == 0 && at-v.firstPacketAt > int64(max(firstFrameTimeout, v.group.StageTimeout)):
		if v.video.Packets == 0 {
			v.fail(failure.New(failure.FirstFrame, protocol.CauseNoVideo, "%d audio packets, but no video within %s. For a stream without video use tracks: audio.", v.audio.Packets, failure.Since(v.firstPacketAt)))
			return
		}
		v.fail(failure.New(failure.FirstFrame, protocol.CauseNoKeyframe, "%d video packets, but no complete keyframe within %s.", v.video.Packets, failure.Since(v.firstPacketAt)))
	case v.ice.ConsentLost(at) != nil:
		v.fail(v.ice.ConsentLost(at))
	}
}

// Disconnect ends the session with DELETE (or the signaller's equivalent) and close_notify; with force it only closes
// the socket. A second call does nothing.
func (v *Viewer) Disconnect(ctx context.Context, force bool) error {
	v.mutex.Lock()
	v.disconnecting = true
	session, signaller, socket, closeNotify := v.session, v.signaller, v.socket, v.closeNotify
	v.session, v.signaller, v.closeNotify = nil, nil, nil
	v.mutex.Unlock()
	var err error
	switch {
	case signaller != nil:
		err = signaller.Disconnect(ctx, force)
	case !force && session != nil:
		err = v.group.Client.Delete(ctx, v.group.Endpoint, session, v.identity)
	}
	if socket == nil {
		return err
	}
	if !force && closeNotify != nil {
		// The server may have closed its port after the DELETE, which makes the close_notify fail.
		_ = socket.Send(closeNotify)
	}
	if closeErr := socket.Close(); closeErr != nil {
		err = errors.Join(err, fmt.Errorf("closing a socket failed: %w", closeErr))
	}
	v.locked(func() { v.inbound, v.outbound = nil, nil })
	return err
}
