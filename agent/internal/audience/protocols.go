package audience

import (
	"fmt"
	"net/url"
	"slices"

	"fullhouse/agent/internal/link"
	"fullhouse/agent/internal/livekit"
	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/rtmp/play"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/viewer"
	"fullhouse/agent/internal/whep"
)

// The protocols that viewers can play.
const (
	byWHEP    = "whep"
	byRTMP    = "rtmp" // rtmps too, by its address
	byLiveKit = "livekit"
)

var protocols = []string{byWHEP, byRTMP, byLiveKit}

// crowd makes the viewers of a job, or refuses what no viewer of its protocol could play; warnings are sentences.
func (a *Audience) crowd(params StartParams) (crowd viewer.Crowd, warnings []string, err error) {
	switch params.Protocol {
	case byWHEP:
		return a.whepCrowd(params)
	case byRTMP:
		crowd, err = a.rtmpCrowd(params)
		return crowd, nil, err
	case byLiveKit:
		return a.livekitCrowd(params)
	}
	return nil, nil, link.BadRequest("The protocol %q is not played by this agent; it plays whep, rtmp and livekit.", params.Protocol)
}

func (a *Audience) whepCrowd(params StartParams) (viewer.Crowd, []string, error) {
	endpoint, err := url.Parse(params.URL)
	switch {
	case err != nil || endpoint.Host == "" || endpoint.Scheme != "http" && endpoint.Scheme != "https":
		return nil, nil, link.BadRequest("%q is no WHEP address; it must look like http://HOST:PORT/PATH.", params.URL)
	case len(params.Tokens) > 0:
		return nil, nil, link.BadRequest("Viewers of WHEP have one bearerToken for all; tokens are for livekit.")
	}
	config, err := a.webrtc(params, endpoint)
	if err != nil {
		return nil, nil, err
	}
	config.BearerToken = params.BearerToken
	return whep.NewCrowd(config), openTokens(endpoint, params.BearerToken != ""), nil
}

// livekitCrowd makes viewers that come by a room's own signalling, and by WebRTC like those of WHEP.
func (a *Audience) livekitCrowd(params StartParams) (viewer.Crowd, []string, error) {
	server, err := url.Parse(params.URL)
	if err != nil || server.Host == "" || livekitSchemes[server.Scheme] == "" {
		return nil, nil, link.BadRequest("%q is no address of LiveKit; it must look like ws://HOST:PORT.", params.URL)
	}
	switch {
	case params.BearerToken != "":
		return nil, nil, link.BadRequest("Each viewer of a LiveKit room has a token of its own: give them as tokens.")
	case len(params.Tokens) != params.Viewers:
		return nil, nil, link.BadRequest("%d viewers of a LiveKit room need as many tokens, one for each; there are %d.", params.Viewers, len(params.Tokens))
	case slices.Contains(params.Tokens, ""):
		return nil, nil, link.BadRequest("One of the tokens is empty.")
	}
	server.Scheme = livekitSchemes[server.Scheme]
	config, err := a.webrtc(params, server)
	if err != nil {
		return nil, nil, err
	}
	config.Door = livekit.NewDoors(config.Signaller, server, params.Tokens).Next
	return whep.NewCrowd(config), openTokens(server, true), nil
}

var livekitSchemes = map[string]string{"ws": "http", "http": "http", "wss": "https", "https": "https"}

// openTokens warns of tokens that anybody on the way can read.
func openTokens(endpoint *url.URL, hasToken bool) []string {
	if !hasToken || !signalling.IsOpen(endpoint) {
		return nil
	}
	return []string{fmt.Sprintf("The token goes to %s unencrypted, because the address is no https or wss.", endpoint.Host)}
}

// webrtc is what viewers by WebRTC have in common, whatever their signalling.
func (a *Audience) webrtc(params StartParams, endpoint *url.URL) (whep.Config, error) {
	realism, known := whep.ParseRealism(params.Realism)
	if !known {
		return whep.Config{}, link.BadRequest("There is no realism %q; it is lean or full.", params.Realism)
	}
	decryptPercent := whep.DefaultDecryptPercent
	if params.DecryptPercent != nil {
		decryptPercent = *params.DecryptPercent
	}
	if !(decryptPercent >= 0 && decryptPercent <= 100) {
		return whep.Config{}, link.BadRequest("decryptPercent is %v; it must be 0 to 100.", decryptPercent)
	}
	signaller := signalling.NewSignaller()
	signaller.AllowCrossOrigin = params.AllowCrossOrigin
	return whep.Config{Endpoint: endpoint, StageTimeout: params.stageTimeout(), Signaller: signaller, Loop: a.loop,
		Certificate: a.certificate, Realism: realism, DecryptPercent: decryptPercent}, nil
}

func (a *Audience) rtmpCrowd(params StartParams) (viewer.Crowd, error) {
	address, err := rtmp.ParseAddress(params.URL)
	switch {
	case err != nil: // the address is not repeated: it may hold a stream key
		return nil, link.BadRequest("The address can't be played by RTMP: %v.", err)
	case params.Realism != "" || params.DecryptPercent != nil:
		return nil, link.BadRequest("RTMP has no realism and nothing to decrypt: leave out realism and decryptPercent.")
	case params.BearerToken != "" || len(params.Tokens) > 0:
		return nil, link.BadRequest("RTMP has no bearer token; put what the server wants to see behind the stream's name, as in rtmp://HOST/APPLICATION/STREAM?key=….")
	}
	return play.NewCrowd(play.Config{Address: address, StageTimeout: params.stageTimeout(), Signaller: signalling.NewSignaller(), Streams: a.streams}), nil
}
