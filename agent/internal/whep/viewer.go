package whep

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"sync"
	"syscall"
	"time"

	"github.com/pion/srtp/v3"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/harvest"
	"fullhouse/agent/internal/stats"
)

const (
	// firstFramePatience is longer than a stage's: a stream may have a keyframe every 10 s only.
	firstFramePatience = 12 * time.Second
	// silencePatience is how long a connected viewer may go without a packet.
	silencePatience = 10 * time.Second
)

// Config is what all viewers of a job share.
type Config struct {
	Endpoint     *url.URL
	BearerToken  string
	StageTimeout time.Duration
	Signaller    *Signaller
	Loop         *harvest.Loop
	Certificate  Certificate
	Repairs      *Repairs
}

// mediaStream is one RTP stream of a viewer.
type mediaStream struct {
	stats.Stream
	ssrc    uint32
	report  senderReport
	askedAt int64 // when missing packets were last asked for
}

// Viewer is one WHEP viewer: Connect once, Pulse every second, Leave at the end.
type Viewer struct {
	config *Config

	mutex   sync.Mutex
	socket  *harvest.Socket
	session *url.URL
	ice     iceAgent
	pipe    *dtlsPipe // during the handshake only
	early   []earlyPacket
	answer  answer

	inbound, outbound *srtp.Context
	farewell          []byte
	ssrc              uint32
	video, audio      mediaStream
	frames            stats.Frames
	untilSample       int
	queued            bool // for Repairs

	establishedAt, firstPacketAt, lastPacketAt int64
	damaged, unknown, overflowed               uint64
	damagedInRow                               int
	brokenFrames                               uint64 // when a keyframe was last asked for
	leaving                                    bool
	failure                                    *failure.Failure
}

// New makes a viewer; it does nothing yet.
func New(config *Config) *Viewer {
	return &Viewer{config: config}
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

func isRefused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }

func since(unixNano int64) time.Duration {
	return time.Since(time.Unix(0, unixNano)).Round(time.Millisecond)
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

// Connect goes from the offer to the SRTP keys. Whatever it returns, Leave must be called. The end of ctx ends it
// politely: an offer that is on its way is waited for, since the server may have made a session of it, which could
// not be ended without knowing its name. The end of force ends that too.
func (v *Viewer) Connect(ctx, force context.Context) *failure.Failure {
	v.config.Loop.Connecting(1)
	defer v.config.Loop.Connecting(-1)
	f := v.stage(force, v.signal)
	if f == nil {
		f = v.stage(ctx, v.connectICE)
	}
	if f == nil {
		f = v.stage(ctx, v.connectDTLS)
	}
	if f != nil {
		v.locked(func() { v.fail(f) })
	}
	return f
}

func (v *Viewer) stage(ctx context.Context, connect func(context.Context) *failure.Failure) *failure.Failure {
	ctx, cancel := context.WithTimeout(ctx, v.config.StageTimeout)
	defer cancel()
	return connect(ctx)
}

// signal posts the offer and reads the answer.
func (v *Viewer) signal(ctx context.Context) *failure.Failure {
	local, f := v.config.Signaller.localAddress(ctx, v.config.Endpoint)
	if f != nil {
		return f
	}
	if f := v.open(local.Is6()); f != nil {
		return f
	}
	ufrag, password := randomText(6), randomText(18)
	o := offer{sessionID: random64() >> 1, ufrag: ufrag, password: password, fingerprint: v.config.Certificate.fingerprint,
		candidate: netip.AddrPortFrom(local, v.socket.Port())}
	result, f := v.config.Signaller.post(ctx, v.config.Endpoint, v.config.BearerToken, o.String())
	if f != nil {
		return f
	}
	v.locked(func() { v.session = result.session })
	a, f := parseAnswer(result.body)
	if f != nil {
		return f
	}
	v.locked(func() {
		v.answer, v.ssrc = a, uint32(random64())
		v.ice = iceAgent{localUfrag: ufrag, localPassword: password, remoteUfrag: a.ufrag, remotePassword: a.password,
			tieBreaker: random64(), selection: make(chan struct{}), send: v.sendTo}
		v.video.ClockRate, v.audio.ClockRate = a.video.clockRate, a.audio.clockRate
		v.video.Patience, v.audio.Patience = stats.PatienceWithoutRepair, stats.PatienceWithoutRepair
		if a.video.nack {
			v.video.Patience = stats.PatienceWithRepair
		}
		v.video.Frames = &v.frames
		v.untilSample = int(random64() % sampledEvery)
	})
	return nil
}

func (v *Viewer) open(ipv6 bool) *failure.Failure {
	socket, err := v.config.Loop.Open(ipv6, v)
	if err != nil {
		return failure.New(failure.ICE, "no-socket", "%v.", err)
	}
	var old *harvest.Socket
	v.locked(func() { old, v.socket = v.socket, socket })
	if old != nil {
		if err := old.Close(); err != nil {
			return failure.New(failure.ICE, "no-socket", "A socket can't be closed: %v.", err)
		}
	}
	return nil
}

func (v *Viewer) sendTo(data []byte, to netip.AddrPort) error {
	if v.inbound != nil || len(v.answer.candidates) == 1 {
		return v.socket.Send(data)
	}
	return v.socket.SendTo(data, to)
}

// connectICE checks the candidates of the socket's family; when there are none of it, it takes the other family
// (a name may resolve to ::1 where media is on 127.0.0.1).
func (v *Viewer) connectICE(ctx context.Context) *failure.Failure {
	candidates := v.ofFamily(v.socket.IPv6())
	if len(candidates) == 0 {
		if f := v.open(!v.socket.IPv6()); f != nil {
			return f
		}
		candidates = v.ofFamily(v.socket.IPv6())
	}
	v.locked(func() { v.answer.candidates = candidates })
	if len(candidates) == 1 {
		if err := v.socket.Connect(candidates[0]); err != nil {
			return failure.New(failure.ICE, "unreachable", "There is no way to %s: %v.", candidates[0], err)
		}
	}
	if f := v.ice.connect(ctx, v.locked, candidates); f != nil {
		return f
	}
	if len(candidates) > 1 {
		if err := v.socket.Connect(v.ice.selected); err != nil {
			return failure.New(failure.ICE, "unreachable", "There is no way to %s: %v.", v.ice.selected, err)
		}
	}
	return nil
}

func (v *Viewer) ofFamily(ipv6 bool) []netip.AddrPort {
	var list []netip.AddrPort
	for _, candidate := range v.answer.candidates {
		if candidate.Addr().Is6() == ipv6 {
			list = append(list, candidate)
		}
	}
	return list
}

// connectDTLS makes the keys and lets the media in, what came early first.
func (v *Viewer) connectDTLS(ctx context.Context) *failure.Failure {
	pipe := newDTLSPipe(v.socket.Send, net.UDPAddrFromAddrPort(v.ice.selected))
	v.locked(func() { v.pipe = pipe })
	result, f := secure(ctx, pipe, v.config.Certificate, v.answer)
	var inbound, outbound *srtp.Context
	if f == nil {
		var err error
		if inbound, err = srtp.CreateContext(result.keys.RemoteMasterKey, result.keys.RemoteMasterSalt, result.profile); err == nil {
			outbound, err = srtp.CreateContext(result.keys.LocalMasterKey, result.keys.LocalMasterSalt, result.profile)
		}
		if err != nil {
			f = failure.New(failure.DTLS, "keys", "The SRTP keys can't be used: %v.", err)
		}
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.pipe = nil
	early := v.early
	v.early = nil
	if f != nil {
		return f
	}
	v.establishedAt = time.Now().UnixNano()
	v.inbound, v.outbound, v.farewell = inbound, outbound, result.farewell
	for _, packet := range early {
		if isRTCP(packet.data) {
			v.control(packet.data, packet.at)
		} else {
			v.media(packet.data, packet.at)
		}
	}
	return nil
}

// Pulse does what is due each second: reports, consent, time-outs. It returns the failure that ended the viewer.
func (v *Viewer) Pulse(now time.Time) *failure.Failure {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.inbound == nil || v.leaving || v.failure != nil {
		return v.failure
	}
	at := now.UnixNano()
	v.video.Expire(at)
	v.audio.Expire(at)
	if v.judge(at); v.failure != nil {
		return v.failure
	}
	v.consent(at)
	packet := v.receiverReport(at)
	if v.wantsKeyframe() {
		packet = appendPLI(packet, v.ssrc, v.video.ssrc)
		v.brokenFrames = v.frames.Broken
	}
	v.sendRTCP(packet)
	return nil
}

// wantsKeyframe is true until the first one came, and after frames were lost for good, as in a browser.
func (v *Viewer) wantsKeyframe() bool {
	return v.answer.video.pli && v.video.Packets > 0 && (v.frames.FirstAt == 0 || v.frames.Broken > v.brokenFrames)
}

func (v *Viewer) consent(at int64) {
	if at-v.ice.consentAskedAt >= int64(consentInterval) {
		v.ice.consentAskedAt = at
		v.ice.noteSend(v.ice.request(v.ice.selected, false, at))
	}
}

// judge finds the time-outs of an established viewer.
func (v *Viewer) judge(at int64) {
	network := ""
	cause := "silent"
	if v.ice.refused {
		network, cause = "; "+v.ice.refusal, "refused"
	}
	switch {
	case v.firstPacketAt == 0 && at-v.establishedAt > int64(v.config.StageTimeout):
		if v.damaged > 0 {
			v.fail(failure.New(failure.FirstPacket, "undecryptable", "%d packets came within %s, but none could be decrypted with the session's keys.", v.damaged, since(v.establishedAt)))
			return
		}
		v.fail(failure.New(failure.FirstPacket, cause, "ICE and DTLS are connected to %s, but no media packet came within %s%s.", v.ice.selected, since(v.establishedAt), network))
	case v.firstPacketAt != 0 && at-v.lastPacketAt > int64(silencePatience):
		v.fail(failure.New(failure.Media, cause, "No media packet for %s, after %d packets in %s%s.", since(v.lastPacketAt), v.video.Packets+v.audio.Packets, since(v.firstPacketAt), network))
	case v.firstPacketAt != 0 && v.frames.FirstAt == 0 && at-v.firstPacketAt > int64(max(firstFramePatience, v.config.StageTimeout)):
		if v.video.Packets == 0 {
			v.fail(failure.New(failure.FirstFrame, "no-video", "%d audio packets, but no video came within %s.", v.audio.Packets, since(v.firstPacketAt)))
			return
		}
		v.fail(failure.New(failure.FirstFrame, "no-keyframe", "%d video packets, but no complete keyframe came within %s.", v.video.Packets, since(v.firstPacketAt)))
	case at-v.ice.consentAt > int64(consentPatience):
		v.fail(failure.New(failure.Media, "consent-lost", "The server answered no ICE check for %s.", since(v.ice.consentAt)))
	}
}

// Leave ends the session: DELETE and the DTLS goodbye, or with force only the socket. A second call does nothing.
func (v *Viewer) Leave(ctx context.Context, force bool) error {
	v.mutex.Lock()
	v.leaving = true
	session, socket, farewell := v.session, v.socket, v.farewell
	v.session, v.farewell = nil, nil
	v.mutex.Unlock()
	var err error
	if !force && session != nil {
		err = v.config.Signaller.delete(ctx, v.config.Endpoint, session, v.config.BearerToken)
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
