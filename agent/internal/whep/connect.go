package whep

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/pion/srtp/v3"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/whep/dtlssrtp"
	"fullhouse/agent/internal/whep/hosts"
	"fullhouse/agent/internal/whep/ice"
	"fullhouse/agent/internal/whep/rtp"
	"fullhouse/agent/internal/whep/sdp"
)

// connecting is the state of a viewer that is only needed until it is connected.
type connecting struct {
	viewer     *Viewer
	offer      sdp.Offer
	role       dtlssrtp.Role
	entityTag  string
	iceServers []signalling.ICEServer
	refusal    string           // of trickled candidates
	unresolved []string         // names of candidates, with the reason
	refused    *failure.Failure // the answer names only hosts that the viewer may not send to
	helpers    sync.WaitGroup
	local      netip.Addr // this machine's, on the route to the server
	opening    signalling.Opening
	// relayFailure is why the TURN server allows no candidate of the server.
	relayFailure *failure.Failure
}

// Connect goes from the offer to the SRTP keys. Disconnect must be called whatever it returns. The end of ctx cancels
// it properly: a pending offer is waited for, since the server may have created a session, whose address is needed to
// close it. The end of force cancels that too.
func (v *Viewer) Connect(ctx, force context.Context) *failure.Failure {
	v.group.Loop.Connecting(1)
	defer v.group.Loop.Connecting(-1)
	c := &connecting{viewer: v}
	defer func() { v.visit.End() }()
	f := c.stage(ctx, c.open)
	if f == nil {
		f = c.stage(force, c.signal)
	}
	if f == nil && v.socket == nil {
		f = c.stage(ctx, c.allocateListed)
	}
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
	ctx, cancel := context.WithTimeout(c.opening.In(ctx), c.viewer.group.StageTimeout)
	defer cancel()
	f := connect(ctx)
	c.viewer.locked(func() { c.viewer.opened = c.opening.Opened() })
	return f
}

// open gets the one candidate of the viewer: an address of this machine, or one of the TURN server. If the origin lists
// its TURN servers, there is none yet.
func (c *connecting) open(ctx context.Context) (f *failure.Failure) {
	v := c.viewer
	if c.local, f = v.group.Client.LocalAddress(ctx, v.group.Endpoint); f != nil {
		return f
	}
	addresses, f := v.group.Client.Addresses(ctx, v.group.Endpoint.Hostname())
	if f != nil {
		return f
	}
	visit := v.group.Hosts.Visit(hosts.Server{Name: v.group.Endpoint.Host, Own: addresses, AllowsAll: v.group.Client.AllowCrossOrigin, Report: v.group.Warn})
	v.locked(func() { v.visit = visit })
	switch {
	case v.transport() == sdp.TCP:
		v.openTCP(c.local)
		return nil
	case v.relay == nil:
		return v.open(c.local)
	case v.group.Relay.Server.Host != "":
		return c.allocate(ctx, v.group.Relay.Server, c.local.Is6())
	}
	return nil
}

// signal posts the offer and reads the answer.
func (c *connecting) signal(ctx context.Context) *failure.Failure {
	v := c.viewer
	c.offer = sdp.Offer{SessionID: random64() >> 1, Ufrag: randomText(6), Password: randomText(18), Fingerprint: v.group.Certificate.Fingerprint,
		Candidate: v.local, Transport: v.transport(), Browser: v.group.Fidelity == Browser, Codecs: v.group.Codecs, AudioOnly: v.group.AudioOnly}
	if v.relay != nil && v.relay.allocation != nil {
		c.offer.Related = v.relay.allocation.Mapped()
	}
	if v.room != nil {
		c.offer.Sections = v.room.sections()
		v.room.offer = c.offer
	}
	v.locked(func() { v.offeredAt = monotonic.Nano() })
	// The server's checks may come before its answer.
	v.locked(func() {
		v.ice = ice.New(c.offer.Ufrag, c.offer.Password, random64(), v.sendTo)
		v.ice.Trickles = v.signaller != nil || v.transport() == sdp.TCP
		v.ice.Permits = v.visit.May
	})
	offer := c.offer.String()
	a, f := c.exchange(ctx, offer)
	if f != nil {
		return f
	}
	if a.Setup == "active" {
		if !strings.Contains(offer, "a=setup:actpass") {
			return failure.New(failure.Signalling, protocol.CauseSetupActive, "The answer has setup:active like the offer, so both sides would be the DTLS client.")
		}
		c.role = dtlssrtp.Server
	}
	v.locked(func() {
		v.answeredAt = monotonic.Nano()
		v.accept(a)
		if v.room != nil {
			v.room.restrict(a.Layers)
		}
		if v.ice.RemoteUfrag == "" { // or a later answer has been taken already
			v.ice.Start(a.Ufrag, a.Password, nil)
		}
	})
	return nil
}

// exchange sends the offer and reads the answer.
func (c *connecting) exchange(ctx context.Context, offer string) (sdp.Answer, *failure.Failure) {
	v := c.viewer
	if v.signaller != nil {
		answer, f := v.signaller.Exchange(ctx, offer, (*viewerSession)(v))
		if f != nil {
			return sdp.Answer{}, f
		}
		if signaller, knows := v.signaller.(layeredSignaller); knows && signaller.HasLayers() {
			v.locked(func() { v.layers = &layers{} })
		}
		return sdp.ParseTrickledAnswer(answer, v.expected())
	}
	result, f := v.group.Client.Post(ctx, v.group.Endpoint, v.identity, offer)
	if f != nil {
		return sdp.Answer{}, f
	}
	c.entityTag, c.iceServers = result.EntityTag, result.ICEServers
	v.locked(func() { v.session, v.identity = result.Session, result.As })
	if sdp.IsOffer(result.Body) {
		return sdp.Answer{}, failure.New(failure.Signalling, protocol.CauseCounterOffer, "%s responded with an offer instead of an answer (setup:actpass). Viewers and publishers send the offer and do not answer others.", signalling.Describe(v.group.Endpoint))
	}
	return sdp.ParseAnswer(result.Body, v.expected())
}

func (v *Viewer) expected() sdp.Expected {
	return sdp.Expected{Over: v.transport(), AudioOnly: v.group.AudioOnly, Sends: v.room != nil}
}

func (v *Viewer) open(local netip.Addr) *failure.Failure {
	socket, err := v.group.Loop.Open(local.Is6(), v)
	if f := failure.Local(failure.ICE, err); f != nil {
		return f
	}
	if err != nil {
		return failure.New(failure.ICE, protocol.CauseNoSocket, "%v.", err)
	}
	v.locked(func() { v.socket, v.local = socket, netip.AddrPortFrom(local, socket.Port()) })
	return nil
}

// sendTo is for ICE, which sends to many addresses until it has found one.
func (v *Viewer) sendTo(data []byte, to netip.AddrPort) error { return v.socket.SendTo(data, to) }

// connectDTLS derives the keys and processes the media, early packets first.
func (c *connecting) connectDTLS(ctx context.Context) *failure.Failure {
	v := c.viewer
	pipe := dtlssrtp.NewPipe(v.socket.Send, net.UDPAddrFromAddrPort(v.ice.Selected))
	v.locked(func() { v.pipe = pipe })
	result, f := dtlssrtp.Handshake(ctx, pipe, c.role, v.group.Certificate, v.answer.Hash, v.answer.Fingerprint)
	var inbound, outbound *srtp.Context
	if f == nil {
		var err error
		if inbound, err = srtp.CreateContext(result.Keys.RemoteMasterKey, result.Keys.RemoteMasterSalt, result.Profile); err == nil {
			outbound, err = srtp.CreateContext(result.Keys.LocalMasterKey, result.Keys.LocalMasterSalt, result.Profile)
		}
		if err != nil {
			f = failure.New(failure.DTLS, protocol.CauseKeys, "The SRTP keys are not usable: %v.", err)
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
	v.establishedAt = monotonic.Nano()
	if v.room != nil && len(v.room.outgoing) > 0 {
		v.group.Pacer.add(v)
	}
	v.inbound, v.outbound, v.closeNotify, v.postHandshake = inbound, outbound, result.CloseNotify, result.PostHandshake
	v.postHandshake.Start(v.establishedAt)
	time.AfterFunc(dtlssrtp.FlightLifetime, func() { v.locked(v.postHandshake.DropFlight) })
	for _, packet := range early {
		if rtp.IsRTCP(packet.data) {
			v.control(packet.data, packet.at)
		} else {
			v.media(packet.data, packet.at)
		}
	}
	return nil
}

// adopt switches to another format: a server may send any in its answer. It returns the stream, nil for a payload type
// that the answer does not have.
func (v *Viewer) adopt(payloadType uint8) *mediaStream {
	isVideo, isFound := v.answer.Adopt(payloadType)
	switch {
	case isVideo:
		v.video.payloadType = payloadType
		return &v.video
	case isFound:
		v.take(&v.audio, v.answer.Audio)
		return &v.audio
	}
	return nil
}
