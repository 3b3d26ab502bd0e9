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
)

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
	result, f := v.config.Signaller.Post(ctx, v.config.Endpoint, v.config.BearerToken, o.String())
	if f != nil {
		return f
	}
	v.locked(func() { v.session = result.Session })
	a, f := parseAnswer(result.Body)
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
