package audience

import (
	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/shaper"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/trust"
	"fullhouse/agent/internal/turn"
	"fullhouse/agent/internal/turnload"
	"fullhouse/agent/internal/viewer"
	"fullhouse/agent/internal/whep"
)

// relay is how the viewers of a job use a TURN server; nil if none does.
func (a *Audience) relay(params protocol.AudienceStartParams, network *shaper.Job, client *signalling.Client) (*whep.Relay, error) {
	asked := params.TURN
	if asked == nil {
		return nil, nil
	}
	if !(asked.SharePercent > 0 && asked.SharePercent <= 100) {
		return nil, control.BadRequest("turn.sharePercent is %v; it must be above 0 and at most 100.", asked.SharePercent)
	}
	if asked.BitrateKbps != nil {
		return nil, control.BadRequest("turn.bitrateKbps is for the protocol turn only.")
	}
	server, err := a.turnServer(asked.Server, network, client)
	return &whep.Relay{Share: asked.SharePercent / 100, Server: server}, err
}

// turnServer is a TURN server and how to reach it; its address is empty if none is asked for.
func (a *Audience) turnServer(asked *protocol.TURNServer, network *shaper.Job, client *signalling.Client) (turn.Server, error) {
	server := turn.Server{Client: client, Loop: a.datagrams(network), Streams: a.connections(network)}
	if asked == nil {
		return server, nil
	}
	address, err := turn.ParseAddress(asked.URL)
	switch {
	case err != nil:
		return server, control.BadRequest("turn.server.url: %v.", err)
	case asked.Password != "" && asked.Secret != "":
		return server, control.BadRequest("turn.server has a password and a shared secret: give one of them.")
	}
	server.Address = address
	server.Credentials = turn.Credentials{Username: asked.Username, Password: asked.Password, Secret: asked.Secret}
	if asked.SelfSigned {
		server.TLS = trust.Config(true)
	}
	return server, nil
}

// turnGroup makes viewers that load a TURN server alone.
func (a *Audience) turnGroup(params protocol.AudienceStartParams, network *shaper.Job) (viewer.Group, error) {
	asked := params.TURN
	if asked == nil || asked.Server == nil {
		return nil, control.BadRequest("The protocol turn needs turn.server.")
	}
	if asked.SharePercent != 100 {
		return nil, control.BadRequest("turn.sharePercent is %v; for the protocol turn it must be 100.", asked.SharePercent)
	}
	rate := orDefault(asked.BitrateKbps, float64(protocol.TURNKbpsDefault))
	if !(rate > 0 && rate <= protocol.TURNKbpsMax) {
		return nil, control.BadRequest("turn.bitrateKbps is %v; it must be above 0 and at most %d.", rate, protocol.TURNKbpsMax)
	}
	relayless := params
	relayless.TURN = nil
	if err := withoutWebRTC(relayless); err != nil {
		return nil, err
	}
	server, err := a.turnServer(asked.Server, network, newClient(params))
	if err != nil {
		return nil, err
	}
	return turnload.NewGroup(turnload.Config{Server: server, StageTimeout: stageTimeout(params), BitsPerSecond: 1000 * rate}), nil
}
