package whep

import (
	"context"
	"net"
	"net/netip"
	"time"

	"github.com/pion/srtp/v3"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/harvest"
	"fullhouse/agent/internal/stats"
	"fullhouse/agent/internal/whep/ice"
	"fullhouse/agent/internal/whep/rtp"
	"fullhouse/agent/internal/whep/sdp"
	"fullhouse/agent/internal/whep/secure"
)

// Connect goes from the offer to the SRTP keys. Whatever it returns, Leave must be called. The end of ctx ends it
// politely: an offer that is on its way is waited for, since the server may have made a session of it, which could
// not be ended without knowing its name. The end of force ends that too.
func (v *Viewer) Connect(ctx, force context.Context) *failure.Failure {
	v.crowd.Loop.Connecting(1)
	defer v.crowd.Loop.Connecting(-1)
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
	ctx, cancel := context.WithTimeout(ctx, v.crowd.StageTimeout)
	defer cancel()
	return connect(ctx)
}

// signal posts the offer and reads the answer.
func (v *Viewer) signal(ctx context.Context) *failure.Failure {
	local, f := v.crowd.Signaller.LocalAddress(ctx, v.crowd.Endpoint)
	if f != nil {
		return f
	}
	if f := v.open(local.Is6()); f != nil {
		return f
	}
	ufrag, password := randomText(6), randomText(18)
	o := sdp.Offer{SessionID: random64() >> 1, Ufrag: ufrag, Password: password, Fingerprint: v.crowd.Certificate.Fingerprint,
		Candidate: netip.AddrPortFrom(local, v.socket.Port())}
	result, f := v.crowd.Signaller.Post(ctx, v.crowd.Endpoint, v.crowd.BearerToken, o.String())
	if f != nil {
		return f
	}
	v.locked(func() { v.session = result.Session })
	a, f := sdp.ParseAnswer(result.Body)
	if f != nil {
		return f
	}
	v.locked(func() {
		v.answer, v.ssrc = a, uint32(random64())
		v.ice = ice.Agent{LocalUfrag: ufrag, LocalPassword: password, RemoteUfrag: a.Ufrag, RemotePassword: a.Password,
			TieBreaker: random64(), Selection: make(chan struct{}), Send: v.sendTo}
		v.video.ClockRate, v.audio.ClockRate = a.Video.ClockRate, a.Audio.ClockRate
		v.video.Patience, v.audio.Patience = stats.PatienceWithoutRepair, stats.PatienceWithoutRepair
		if a.Video.NACK {
			v.video.Patience = stats.PatienceWithRepair
		}
		v.video.Frames = &v.frames
		v.untilSample = int(random64() % sampledEvery)
	})
	return nil
}

func (v *Viewer) open(ipv6 bool) *failure.Failure {
	socket, err := v.crowd.Loop.Open(ipv6, v)
	if f := failure.Here(failure.ICE, err); f != nil {
		return f
	}
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
	if v.inbound != nil || len(v.answer.Candidates) == 1 {
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
	v.locked(func() { v.answer.Candidates = candidates })
	if len(candidates) == 1 {
		if err := v.socket.Connect(candidates[0]); err != nil {
			return failure.New(failure.ICE, "unreachable", "There is no way to %s: %v.", candidates[0], err)
		}
	}
	if f := v.ice.Connect(ctx, v.locked, candidates); f != nil {
		return f
	}
	if len(candidates) > 1 {
		if err := v.socket.Connect(v.ice.Selected); err != nil {
			return failure.New(failure.ICE, "unreachable", "There is no way to %s: %v.", v.ice.Selected, err)
		}
	}
	return nil
}

func (v *Viewer) ofFamily(ipv6 bool) []netip.AddrPort {
	var list []netip.AddrPort
	for _, candidate := range v.answer.Candidates {
		if candidate.Addr().Is6() == ipv6 {
			list = append(list, candidate)
		}
	}
	return list
}

// connectDTLS makes the keys and lets the media in, what came early first.
func (v *Viewer) connectDTLS(ctx context.Context) *failure.Failure {
	pipe := secure.NewPipe(v.socket.Send, net.UDPAddrFromAddrPort(v.ice.Selected))
	v.locked(func() { v.pipe = pipe })
	result, f := secure.Handshake(ctx, pipe, secure.Client, v.crowd.Certificate, v.answer.Hash, v.answer.Fingerprint)
	var inbound, outbound *srtp.Context
	if f == nil {
		var err error
		if inbound, err = srtp.CreateContext(result.Keys.RemoteMasterKey, result.Keys.RemoteMasterSalt, result.Profile); err == nil {
			outbound, err = srtp.CreateContext(result.Keys.LocalMasterKey, result.Keys.LocalMasterSalt, result.Profile)
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
	v.inbound, v.outbound, v.farewell, v.afterwards = inbound, outbound, result.Farewell, result.Afterwards
	v.afterwards.Begin(v.establishedAt)
	time.AfterFunc(secure.Lingering, func() { v.locked(v.afterwards.Forget) })
	for _, packet := range early {
		if rtp.IsRTCP(packet.data) {
			v.control(packet.data, packet.at)
		} else {
			v.media(packet.data, packet.at)
		}
	}
	return nil
}
