package audience

import (
	"net/url"
	"slices"

	"fullhouse/agent/internal/link"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/viewer"
	"fullhouse/agent/internal/whep"
)

// protocols are those that viewers can play.
var protocols = []string{"whep"}

// checkAddress refuses what no viewer of the protocol could play.
func checkAddress(protocol, address string) (*url.URL, error) {
	target, err := url.Parse(address)
	switch {
	case !slices.Contains(protocols, protocol):
		return nil, link.BadRequest("The protocol %q is not played by this agent; it plays whep.", protocol)
	case err != nil || target.Host == "" || target.Scheme != "http" && target.Scheme != "https":
		return nil, link.BadRequest("%q is no WHEP address; it must look like http://HOST:PORT/PATH.", address)
	}
	return target, nil
}

// crowd makes the viewers of a job by its protocol.
func (a *Audience) crowd(params StartParams, endpoint *url.URL) viewer.Crowd {
	return whep.NewCrowd(whep.Config{Endpoint: endpoint, BearerToken: params.BearerToken, StageTimeout: params.stageTimeout(),
		Signaller: signalling.NewSignaller(), Loop: a.loop, Certificate: a.certificate})
}
