package audience

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/hls"
	"fullhouse/agent/internal/httplive"
	"fullhouse/agent/internal/livekit"
	"fullhouse/agent/internal/media/rtppayload"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/proxy"
	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/rtmp/play"
	"fullhouse/agent/internal/shaper"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/viewer"
	"fullhouse/agent/internal/wcs"
	"fullhouse/agent/internal/whep"
)

// group makes the viewers of a job, of several addresses in turn.
func (a *Audience) group(params protocol.AudienceStartParams, network *shaper.Job) (viewer.Group, []string, error) {
	viewers, err := identities(params)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case len(params.URLs) == 0:
		return a.groupOf(params, viewers, network)
	case params.URL != "":
		return nil, nil, control.BadRequest("A job has either url or urls.")
	case len(params.URLs) > protocol.MaxStreams:
		return nil, nil, control.BadRequest("%d addresses are too many; the maximum is %d.", len(params.URLs), protocol.MaxStreams)
	case rowOf(params.Protocol).hasServerAddress:
		return nil, nil, control.BadRequest("%s viewers have one address, that of the server.", params.Protocol)
	}
	all := &rotation{}
	var warnings []string
	for _, one := range params.URLs[:min(len(params.URLs), params.Viewers)] {
		each := params
		each.URL, each.URLs = one, nil
		group, about, err := a.groupOf(each, viewers, network)
		if err != nil {
			return nil, nil, err
		}
		if len(warnings) == 0 {
			warnings = about
		}
		all.groups = append(all.groups, group)
	}
	return all, warnings, nil
}

// groupOf makes the viewers of one address, or refuses what its protocol does not support; warnings are sentences.
func (a *Audience) groupOf(params protocol.AudienceStartParams, viewers *signalling.Identities, network *shaper.Job) (viewer.Group, []string, error) {
	if params.WithoutMedia && params.Protocol != protocol.PullProtocolWCS {
		return nil, nil, control.BadRequest("%s has no sessions without media: leave withoutMedia out.", params.Protocol)
	}
	if start := rowOf(params.Protocol).start; start != nil {
		return start(a, groupOrder{params, viewers, network})
	}
	return nil, nil, control.BadRequest("protocol is %q; this agent supports %s.", params.Protocol, strings.Join(supportedNames(), ", "))
}

func (a *Audience) whepGroup(params protocol.AudienceStartParams, viewers *signalling.Identities, network *shaper.Job) (viewer.Group, []string, error) {
	endpoint, err := url.Parse(params.URL)
	switch {
	case err != nil || endpoint.Host == "" || endpoint.Scheme != "http" && endpoint.Scheme != "https":
		return nil, nil, control.BadRequest("%q is not a WHEP address; expected http://HOST:PORT/PATH.", params.URL)
	case len(params.Tokens) > 0 && params.BearerToken != "":
		return nil, nil, control.BadRequest("A job has either a bearerToken or tokens.")
	}
	config, err := a.webrtc(params, network, endpoint)
	if err != nil {
		return nil, nil, err
	}
	config.Identities = viewers
	return whep.NewGroup(config), append(openTokens(endpoint, params.BearerToken != "" || len(params.Tokens) > 0), openLogin(endpoint, params.Login)...), nil
}

// wcsGroup makes viewers that use the signalling of WCS, and WebRTC like those of WHEP.
func (a *Audience) wcsGroup(params protocol.AudienceStartParams, network *shaper.Job) (viewer.Group, []string, error) {
	server, err := url.Parse(params.URL)
	switch {
	case err != nil || server.Host == "" || webSocketSchemes[server.Scheme] == "":
		return nil, nil, control.BadRequest("%q is not a WCS address; expected ws://HOST:PORT.", params.URL)
	case params.Stream == "" && !params.WithoutMedia:
		return nil, nil, control.BadRequest("Name the stream: the address of a WCS is that of the server.")
	case params.BearerToken != "" || len(params.Tokens) > 0:
		return nil, nil, control.BadRequest("wcs has no bearer token and no tokens.")
	}
	server.Scheme = webSocketSchemes[server.Scheme]
	if params.WithoutMedia {
		if params.TURN != nil || network != nil {
			return nil, nil, control.BadRequest("Sessions without media use neither a TURN server nor a simulated network: leave turn and network out.")
		}
		return wcs.NewConnections(newClient(params), server, stageTimeout(params)), nil, nil
	}
	config, err := a.webrtc(params, network, server)
	if err != nil {
		return nil, nil, err
	}
	config.NewSignaller = wcs.NewSignallers(config.Client, server, params.Stream).Next
	return whep.NewGroup(config), nil, nil
}

func livekitOptions(params protocol.AudienceStartParams) livekit.Options {
	options := livekit.Options{AudioOnly: isAudioOnly(params), Participant: params.Participant}
	if size := params.AdaptiveStream; size != nil {
		options.Width, options.Height = size.Width, size.Height
	}
	return options
}

// livekitGroup makes viewers that use LiveKit's signalling, and WebRTC like those of WHEP.
func (a *Audience) livekitGroup(params protocol.AudienceStartParams, network *shaper.Job) (viewer.Group, []string, error) {
	server, err := url.Parse(params.URL)
	if err != nil || server.Host == "" || webSocketSchemes[server.Scheme] == "" {
		return nil, nil, control.BadRequest("%q is not a LiveKit address; expected ws://HOST:PORT.", params.URL)
	}
	switch {
	case params.BearerToken != "":
		return nil, nil, control.BadRequest("Each viewer of a LiveKit room needs its own token: use tokens instead of bearerToken.")
	case len(params.Tokens) != params.Viewers:
		return nil, nil, control.BadRequest("%d viewers of a LiveKit room need one token each; tokens has %d.", params.Viewers, len(params.Tokens))
	case slices.Contains(params.Tokens, ""):
		return nil, nil, control.BadRequest("One of the tokens is empty.")
	}
	server.Scheme = webSocketSchemes[server.Scheme]
	config, err := a.webrtc(params, network, server)
	if err != nil {
		return nil, nil, err
	}
	if config.Room, err = a.roomOf(params); err != nil {
		return nil, nil, err
	}
	switch room := config.Room; {
	case room == nil:
		config.NewSignaller = livekit.NewSignallers(config.Client, server, params.Tokens, livekitOptions(params)).Next
	case room.Sample == nil:
		config.NewSignaller = livekit.NewParticipants(config.Client, server, params.Tokens, nil).Next
	default:
		config.NewSignaller = livekit.NewParticipants(config.Client, server, params.Tokens, livekit.TracksOf(room.Sample)).Next
	}
	return whep.NewGroup(config), openTokens(server, true), nil
}

// webSocketSchemes are the schemes of HTTP by those of signalling over WebSocket.
var webSocketSchemes = map[string]string{"ws": "http", "http": "http", "wss": "https", "https": "https"}

// newClient makes the client of a job's servers.
func newClient(params protocol.AudienceStartParams) *signalling.Client {
	client := signalling.NewClient()
	client.AllowCrossOrigin, client.SelfSigned = params.AllowCrossOrigin, params.SelfSigned
	client.Proxies = proxy.New(params.Proxy)
	return client
}

// openTokens warns of tokens that are sent unencrypted.
func openTokens(endpoint *url.URL, hasToken bool) []string {
	if !hasToken || !signalling.IsOpen(endpoint) {
		return nil
	}
	return []string{fmt.Sprintf("The token is sent to %s unencrypted: the address is neither https nor wss.", endpoint.Host)}
}

// openLogin warns of a password that is sent unencrypted if the server requires it.
func openLogin(endpoint *url.URL, login *protocol.Login) []string {
	if login == nil || !signalling.IsOpen(endpoint) {
		return nil
	}
	return []string{fmt.Sprintf("If %s requires a login, the password of the node is sent unencrypted: the address is not https.", endpoint.Host)}
}

// webrtc is the configuration common to WebRTC viewers, whatever their signalling.
func (a *Audience) webrtc(params protocol.AudienceStartParams, network *shaper.Job, endpoint *url.URL) (whep.Config, error) {
	fidelity, known := whep.ParseFidelity(params.Fidelity)
	if !known {
		return whep.Config{}, control.BadRequest("fidelity is %q; it must be media-only or browser.", params.Fidelity)
	}
	decryptPercent := orDefault(params.DecryptPercent, protocol.AudienceStartDecryptPercentDefault)
	if !(decryptPercent >= 0 && decryptPercent <= protocol.AudienceStartDecryptPercentMax) {
		return whep.Config{}, control.BadRequest("decryptPercent is %v; it must be 0 to %d.", decryptPercent,
			protocol.AudienceStartDecryptPercentMax)
	}
	codecs, err := videoCodecs(params.Codecs)
	if err != nil {
		return whep.Config{}, err
	}
	client := newClient(params)
	relay, err := a.relay(params, network, client)
	if err != nil {
		return whep.Config{}, err
	}
	config := whep.Config{Codecs: codecs, Relay: relay, Endpoint: endpoint, StageTimeout: stageTimeout(params), Client: client, Loop: a.datagrams(network),
		Hosts: &a.hosts, Warn: a.warningOf(params.Job),
		Certificate: a.certificate, Fidelity: fidelity, AudioOnly: isAudioOnly(params), DecryptPercent: decryptPercent}
	switch params.Transport {
	case "", protocol.ICETransportUdp:
	case protocol.ICETransportTCP:
		config.Streams = a.connections(network)
	default:
		return whep.Config{}, control.BadRequest("transport is %q; it must be udp or tcp.", params.Transport)
	}
	return config, nil
}

// warningOf reports a sentence about a job.
func (a *Audience) warningOf(job string) func(sentence string) {
	return func(sentence string) {
		a.config.Event(protocol.AgentEvent{Name: protocol.EventWarning, Job: job, Message: sentence})
	}
}

// liveGroup makes viewers of an endless stream over HTTP or WebSocket.
func (a *Audience) liveGroup(params protocol.AudienceStartParams, viewers *signalling.Identities, network *shaper.Job, format httplive.Format, schemes ...string) (viewer.Group, error) {
	target, err := url.Parse(params.URL)
	if err != nil || target.Host == "" || !slices.Contains(schemes, target.Scheme) {
		return nil, control.BadRequest("Invalid %s address; expected %s://HOST/PATH.", params.Protocol, schemes[0])
	}
	if err := withoutWebRTC(params); err != nil {
		return nil, err
	}
	client := newClient(params)
	return httplive.NewGroup(httplive.Config{URL: target, Format: format, StageTimeout: stageTimeout(params), AudioOnly: isAudioOnly(params), Identities: viewers,
		Client: client, Streams: a.connections(network)}), nil
}

func (a *Audience) hlsGroup(params protocol.AudienceStartParams, viewers *signalling.Identities, network *shaper.Job) (viewer.Group, error) {
	target, err := url.Parse(params.URL)
	if err != nil || target.Host == "" || target.Scheme != "http" && target.Scheme != "https" {
		return nil, control.BadRequest("Invalid %s address; expected http://HOST/PATH.", params.Protocol)
	}
	if err := withoutWebRTC(params); err != nil {
		return nil, err
	}
	client := newClient(params)
	return hls.NewGroup(hls.Config{URL: target, StageTimeout: stageTimeout(params), AudioOnly: isAudioOnly(params), Identities: viewers,
		Client: client, CMCD: params.CMCD, Streams: a.connections(network)}), nil
}

// withoutWebRTC refuses what only WebRTC viewers support.
func withoutWebRTC(params protocol.AudienceStartParams) error {
	switch {
	case params.Fidelity != "" || params.DecryptPercent != nil || len(params.Codecs) > 0:
		return control.BadRequest("%s supports neither fidelity nor codecs nor decryptPercent: leave them out.", params.Protocol)
	case params.Transport != "":
		return control.BadRequest("%s has no choice of transport: leave it out.", params.Protocol)
	case params.TURN != nil:
		return control.BadRequest("%s can't use a TURN server, which relays WebRTC only: leave turn out.", params.Protocol)
	case params.BearerToken != "" || len(params.Tokens) > 0 && len(params.Headers) == 0:
		return control.BadRequest("%s has no bearer token. Append the server's key to the address, or send it in a header.", params.Protocol)
	}
	return nil
}

func videoCodecs(names []protocol.VideoCodec) (codecs []rtppayload.Codec, err error) {
	for _, name := range names {
		codec := rtppayload.ByName(string(name))
		if codec == rtppayload.None {
			return nil, control.BadRequest("%q is not a video codec; supported are %v.", name, rtppayload.Codecs)
		}
		codecs = append(codecs, codec)
	}
	return codecs, nil
}

func (a *Audience) rtmpGroup(params protocol.AudienceStartParams, network *shaper.Job) (viewer.Group, error) {
	address, err := rtmp.ParseAddress(params.URL)
	switch {
	case err != nil: // the address is not repeated: it may contain a stream key
		return nil, control.BadRequest("Invalid RTMP address: %v.", err)
	case params.BearerToken != "" || len(params.Tokens) > 0:
		return nil, control.BadRequest("RTMP has no bearer token. Append the server's key to the stream name, as in rtmp://HOST/APPLICATION/STREAM?key=….")
	}
	if err := withoutWebRTC(params); err != nil {
		return nil, err
	}
	return play.NewGroup(play.Config{Address: address, StageTimeout: stageTimeout(params), AudioOnly: isAudioOnly(params),
		Client: newClient(params), Streams: a.connections(network)}), nil
}
