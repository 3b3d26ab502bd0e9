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
	"fullhouse/agent/internal/harvest"
	"fullhouse/agent/internal/stats"
	"fullhouse/agent/internal/whep/feedback"
	"fullhouse/agent/internal/whep/ice"
	"fullhouse/agent/internal/whep/sdp"
	"fullhouse/agent/internal/whep/secure"
)

const (
	// firstFramePatience is longer than a stage's: a stream may have a keyframe every 10 s only.
	firstFramePatience = 12 * time.Second
	// silencePatience is how long a connected viewer may go without a packet.
	silencePatience = 10 * time.Second
)

// mediaStream is one RTP stream of a viewer.
type mediaStream struct {
	stats.Stream
	ssrc        uint32
	payloadType uint8
	report      feedback.SenderReport
}

// Viewer is one WHEP viewer: Connect once, Pulse every second, Leave at the end. What every packet touches stands first and together,
// see stats.Stream.
type Viewer struct {
	mutex        sync.Mutex
	leaving      bool
	queued       bool // for the crowd's repairs
	damagedInRow uint8
	sample       sample
	inbound      *srtp.Context
	wide         *wideFeedback // nil unless it was negotiated

	firstPacketAt, lastPacketAt int64

	video  mediaStream
	frames stats.Frames
	audio  mediaStream

	crowd    *Crowd
	socket   harvest.Socket
	outbound *srtp.Context
	requests feedback.Requests
	repairs  *mediaStream // what comes again on a stream of its own; nil until then
	browser  *browser     // nil unless the realism is full
	ice      ice.Agent
	answer   sdp.Answer
	session  *url.URL
	door     Door // nil for WHEP

	pipe       *secure.Pipe // during the handshake only
	early      []earlyPacket
	farewell   []byte
	afterwards secure.Afterwards

	// Times of the steps to media, 0 before: all that a viewer keeps for its Detail.
	offeredAt, answeredAt, selectedAt, establishedAt int64
	// heard are candidates of the server that were not in its answer.
	heard []sdp.Candidate
	local netip.AddrPort // the one candidate of ours

	damaged, unknown, overflowed uint64
	brokenFrames                 uint64 // when a keyframe was last asked for
	failure                      *failure.Failure
}

// accept prepares for the streams of an answer.
func (v *Viewer) accept(a sdp.Answer) {
	v.answer = a
	v.video.payloadType, v.audio.payloadType = a.Video.PayloadType, a.Audio.PayloadType
	v.video.ClockRate, v.audio.ClockRate = a.Video.ClockRate, a.Audio.ClockRate
	v.video.Patience, v.audio.Patience = stats.PatienceWithoutRepair, stats.PatienceWithoutRepair
	if a.Video.NACK {
		v.video.Patience = stats.PatienceWithRepair
	}
	v.video.Frames = &v.frames
	v.sample = v.crowd.newSample()
	if a.TransportCC != 0 {
		v.wide = &wideFeedback{extension: a.TransportCC}
	}
	if v.crowd.Realism == Full {
		v.browser = &browser{}
	}
	if v.wide != nil || v.browser != nil {
		v.crowd.join(v)
	}
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
	if v.failure == nil && !v.leaving {
		v.failure = f
	}
}

// Pulse does what is due each second: reports, consent, time-outs. It returns the failure that ended the viewer.
func (v *Viewer) Pulse(now time.Time) *failure.Failure {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.inbound == nil || v.leaving || v.failure != nil {
		return v.failure
	}
	at := now.UnixNano()
	v.beAsPatientAsRepairsNeed()
	v.expire(at)
	if v.judge(at); v.failure != nil {
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
		v.wishKeyframe()
	}
	return nil
}

const (
	repairMargin = 50e6
	mostPatience = 1e9 // beyond it a picture that waits is a freeze whatever comes
)

// beAsPatientAsRepairsNeed leaves time for a packet to be asked for twice and to come: on a long way the usual patience is over before.
func (v *Viewer) beAsPatientAsRepairsNeed() {
	if v.answer.Video.NACK {
		v.video.Patience = min(max(stats.PatienceWithRepair, 2*v.ice.RoundTripNs+repairMargin), mostPatience)
	}
}

// wantsKeyframe is true until the first one came, and after frames were lost for good, as in a browser.
func (v *Viewer) wantsKeyframe() bool {
	return v.answer.Video.PLI && v.video.Packets > 0 && (v.frames.FirstAt == 0 || v.frames.Broken > v.brokenFrames)
}

// judge finds the time-outs of an established viewer.
func (v *Viewer) judge(at int64) {
	network := ""
	cause := "silent"
	if refusal, refused := v.ice.Refusal(); refused {
		network, cause = "; "+refusal, "refused"
	}
	switch {
	case v.firstPacketAt == 0 && at-v.establishedAt > int64(v.crowd.StageTimeout):
		if v.damaged > 0 {
			v.fail(failure.New(failure.FirstPacket, "undecryptable", "%d packets came within %s, but none could be decrypted with the session's keys.", v.damaged, failure.Since(v.establishedAt)))
			return
		}
		if v.unknown > 0 {
			v.fail(failure.New(failure.FirstPacket, "payload-type", "%d packets came within %s, but none of the payload types that the answer named.", v.unknown, failure.Since(v.establishedAt)))
			return
		}
		if network == "" {
			network = ". The server accepted the viewer and sends nothing: perhaps nobody publishes the stream"
		}
		v.fail(failure.New(failure.FirstPacket, cause, "ICE and DTLS are connected to %s, but no media packet came within %s%s.", v.ice.Selected, failure.Since(v.establishedAt), network))
	case v.firstPacketAt != 0 && at-v.lastPacketAt > int64(silencePatience):
		v.fail(failure.New(failure.Media, cause, "No media packet for %s, after %d packets in %s%s.", failure.Since(v.lastPacketAt), v.video.Packets+v.audio.Packets, failure.Since(v.firstPacketAt), network))
	case v.firstPacketAt != 0 && v.frames.FirstAt == 0 && at-v.firstPacketAt > int64(max(firstFramePatience, v.crowd.StageTimeout)):
		if v.video.Packets == 0 {
			v.fail(failure.New(failure.FirstFrame, "no-video", "%d audio packets, but no video came within %s.", v.audio.Packets, failure.Since(v.firstPacketAt)))
			return
		}
		v.fail(failure.New(failure.FirstFrame, "no-keyframe", "%d video packets, but no complete keyframe came within %s.", v.video.Packets, failure.Since(v.firstPacketAt)))
	case v.ice.Lost(at) != nil:
		v.fail(v.ice.Lost(at))
	}
}

// Leave ends the session: DELETE (or the door's own goodbye) and the DTLS goodbye, or with force only the socket. A second call does nothing.
func (v *Viewer) Leave(ctx context.Context, force bool) error {
	v.mutex.Lock()
	v.leaving = true
	session, door, socket, farewell := v.session, v.door, v.socket, v.farewell
	v.session, v.door, v.farewell = nil, nil, nil
	v.mutex.Unlock()
	var err error
	switch {
	case door != nil:
		err = door.Leave(ctx, force)
	case !force && session != nil:
		err = v.crowd.Signaller.Delete(ctx, v.crowd.Endpoint, session, v.crowd.BearerToken)
	}
	if socket == nil {
		return err
	}
	if !force && farewell != nil {
		// The server may have closed its port after the DELETE, so that there is nobody to say goodbye to.
		_ = socket.Send(farewell)
	}
	if closeErr := socket.Close(); closeErr != nil {
		err = errors.Join(err, fmt.Errorf("a socket can't be closed: %w", closeErr))
	}
	v.locked(func() { v.inbound, v.outbound = nil, nil })
	return err
}
