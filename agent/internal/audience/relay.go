package audience

import (
	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/shaper"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/turn"
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
	relay := &whep.Relay{Share: asked.SharePercent / 100, Server: turn.Server{Client: client, Loop: a.datagrams(network), Streams: a.connections(network)}}
	if asked.Server == nil {
		return relay, nil
	}
	address, err := turn.ParseAddress(asked.Server.URL)
	switch {
	case err != nil:
		return nil, control.BadRequest("turn.server.url: %v.", err)
	case asked.Server.Password != "" && asked.Server.Secret != "":
		return nil, control.BadRequest("turn.server has a password and a shared secret: give one of them.")
	}
	relay.Server.Address = address
	relay.Server.Credentials = turn.Credentials{Username: asked.Server.Username, Password: asked.Server.Password, Secret: asked.Server.Secret}
	return relay, nil
}
