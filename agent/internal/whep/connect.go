package whep

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pion/srtp/v3"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/steady"
	"fullhouse/agent/internal/whep/ice"
	"fullhouse/agent/internal/whep/rtp"
	"fullhouse/agent/internal/whep/sdp"
	"fullhouse/agent/internal/whep/secure"
)

// connecting is what a viewer needs until it is connected, and no longer.
type connecting struct {
	viewer     *Viewer
	offer      sdp.Offer
	role       secure.Role
	entityTag  string
	iceServers []string
	refusal    string // of trickled candidates
	helpers    sync.WaitGroup
}

// Connect goes from the offer to the SRTP keys. Whatever it returns, Leave must be called. The end of ctx ends it
// politely: an offer that is on its way is waited for, since the server may have made a session of it, which could
// not be ended without knowing its name. The end of force ends that too.
func (v *Viewer) Connect(ctx, force context.Context) *failure.Failure {
	v.crowd.Loop.Connecting(1)
	defer v.crowd.Loop.Connecting(-1)
	c := &connecting{viewer: v}
	f := c.stage(force, c.signal)
	if f == nil {
		f = c.stage(ctx, c.connectICE)
	}
	if f == nil {
		f = c.stage(ctx, c.connectDTLS)
	}
	if f != nil {
		v.locked(func() { v.fail(f) })
	}
	return f
}

func (c *connecting) stage(ctx context.Context, connect func(context.Context) *failure.Failure) *failure.Failure {
	ctx, cancel := context.WithTimeout(ctx, c.viewer.crowd.StageTimeout)
	defer cancel()
	return connect(ctx)
}

// signal posts the offer and reads the answer.
func (c *connecting) signal(ctx context.Context) *failure.Failure {
	v := c.viewer
	local, f := v.crowd.Signaller.LocalAddress(ctx, v.crowd.Endpoint)
	if f != nil {
		return f
	}
	if f := v.open(local.Is6()); f != nil {
		return f
	}
	c.offer = sdp.Offer{SessionID: random64() >> 1, Ufrag: randomText(6), Password: randomText(18), Fingerprint: v.crowd.Certificate.Fingerprint,
		Candidate: netip.AddrPortFrom(local, v.socket.Port()), Full: v.crowd.Realism == Full}
	v.locked(func() { v.offeredAt, v.local = steady.Nano(), c.offer.Candidate })
	// The server's checks may come before its answer.
	v.locked(func() { v.ice = ice.New(c.offer.Ufrag, c.offer.Password, random64(), v.sendTo) })
	offer := c.offer.String()
	a, f := c.exchange(ctx, offer)
	if f != nil {
		return f
	}
	if a.Setup == "active" {
		if !strings.Contains(offer, "a=setup:actpass") {
			return failure.New(failure.Signalling, "setup-active", "The answer says setup:active where the offer said active, so both would be the DTLS client.")
		}
		c.role = secure.Server
	}
	v.locked(func() {
		v.answeredAt = steady.Nano()
		v.accept(a)
		v.ice.Begin(a.Ufrag, a.Password, nil)
	})
	return nil
}

// exchange sends the offer and reads the answer.
func (c *connecting) exchange(ctx context.Context, offer string) (sdp.Answer, *failure.Failure) {
	v := c.viewer
	if v.door != nil {
		answer, f := v.door.Enter(ctx, offer, (*guest)(v))
		if f != nil {
			return sdp.Answer{}, f
		}
		return sdp.ParseTrickledAnswer(answer)
	}
	result, f := v.crowd.Signaller.Post(ctx, v.crowd.Endpoint, v.crowd.BearerToken, offer)
	if f != nil {
		return sdp.Answer{}, f
	}
	c.entityTag, c.iceServers = result.EntityTag, result.ICEServers
	v.locked(func() { v.session = result.Session })
	return sdp.ParseAnswer(result.Body)
}

func (v *Viewer) open(ipv6 bool) *failure.Failure {
	socket, err := v.crowd.Loop.Open(ipv6, v)
	if f := failure.Here(failure.ICE, err); f != nil {
		return f
	}
	if err != nil {
		return failure.New(failure.ICE, "no-socket", "%v.", err)
	}
	v.locked(func() { v.socket = socket })
	return nil
}

// sendTo is for ICE, which talks to many until it has found one.
func (v *Viewer) sendTo(data []byte, to netip.AddrPort) error { return v.socket.SendTo(data, to) }

// connectDTLS makes the keys and lets the media in, what came early first.
func (c *connecting) connectDTLS(ctx context.Context) *failure.Failure {
	v := c.viewer
	pipe := secure.NewPipe(v.socket.Send, net.UDPAddrFromAddrPort(v.ice.Selected))
	v.locked(func() { v.pipe = pipe })
	result, f := secure.Handshake(ctx, pipe, c.role, v.crowd.Certificate, v.answer.Hash, v.answer.Fingerprint)
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
	v.establishedAt = steady.Nano()
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

// adopt turns to another format of the video: a server may send any that its answer names.
func (v *Viewer) adopt(payloadType uint8) bool {
	track, found := v.answer.Other(payloadType)
	if !found {
		return false
	}
	v.answer.Others = append(v.answer.Others, v.answer.Video)
	v.answer.Others = slices.DeleteFunc(v.answer.Others, func(other sdp.Track) bool { return other.PayloadType == payloadType })
	v.answer.Video, v.video.payloadType = track, payloadType
	return true
}
