package audience

import (
	"slices"
	"strings"

	"fullhouse/agent/internal/httplive"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/shaper"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/viewer"
)

// groupOrder is a job of viewers of one address; identities are those of the whole job.
type groupOrder struct {
	params     protocol.AudienceStartParams
	identities *signalling.Identities
	network    *shaper.Job
}

// protocolRow is a protocol by which viewers pull. What plans must know of it too is generated: HTTPProtocols and others.
type protocolRow struct {
	name protocol.PullProtocol
	// start makes the viewers, or refuses what they do not support; warnings are sentences.
	start func(a *Audience, o groupOrder) (group viewer.Group, warnings []string, err error)
	// hasServerAddress is set where the address is that of the server, not of a stream.
	hasServerAddress bool
}

// protocolTable has the protocols that viewers support; RTMP includes rtmps, by its address.
var protocolTable = []protocolRow{
	{name: protocol.PullProtocolWHEP, start: func(a *Audience, o groupOrder) (viewer.Group, []string, error) {
		return a.whepGroup(o.params, o.identities, o.network)
	}},
	{name: protocol.PullProtocolWCS, hasServerAddress: true, start: func(a *Audience, o groupOrder) (viewer.Group, []string, error) {
		return a.wcsGroup(o.params, o.network)
	}},
	{name: protocol.PullProtocolRTMP, start: withoutWarnings(func(a *Audience, o groupOrder) (viewer.Group, error) {
		return a.rtmpGroup(o.params, o.network)
	})},
	{name: protocol.PullProtocolLiveKit, hasServerAddress: true, start: func(a *Audience, o groupOrder) (viewer.Group, []string, error) {
		return a.livekitGroup(o.params, o.network)
	}},
	{name: protocol.PullProtocolHTTPFLV, start: endless(httplive.FLV, "http", "https")},
	{name: protocol.PullProtocolWSFLV, start: endless(httplive.FLV, "ws", "wss")},
	{name: protocol.PullProtocolMJPEG, start: endless(httplive.MJPEG, "http", "https", "ws", "wss")},
	{name: protocol.PullProtocolHLS, start: fromPlaylist},
	{name: protocol.PullProtocolDASH, start: fromPlaylist},
	{name: protocol.PullProtocolTURN, start: withoutWarnings(func(a *Audience, o groupOrder) (viewer.Group, error) {
		return a.turnGroup(o.params, o.network)
	})},
	{name: protocol.PullProtocolRTSP, start: byProcess},
	{name: protocol.PullProtocolSRT, start: byProcess},
}

// fromPlaylist makes viewers of HLS and DASH, which are told apart by what the address has.
var fromPlaylist = withoutWarnings(func(a *Audience, o groupOrder) (viewer.Group, error) {
	return a.hlsGroup(o.params, o.identities, o.network)
})

var byProcess = withoutWarnings(func(_ *Audience, o groupOrder) (viewer.Group, error) { return processGroup(o.params) })

// endless makes viewers of an endless stream, at an address with one of the schemes.
func endless(format httplive.Format, schemes ...string) func(*Audience, groupOrder) (viewer.Group, []string, error) {
	return withoutWarnings(func(a *Audience, o groupOrder) (viewer.Group, error) {
		return a.liveGroup(o.params, o.identities, o.network, format, schemes...)
	})
}

// withoutWarnings is for protocols without warnings.
func withoutWarnings(group func(*Audience, groupOrder) (viewer.Group, error)) func(*Audience, groupOrder) (viewer.Group, []string, error) {
	return func(a *Audience, o groupOrder) (viewer.Group, []string, error) {
		made, err := group(a, o)
		return made, nil, err
	}
}

// rowOf has no start for an unknown protocol.
func rowOf(name protocol.PullProtocol) protocolRow {
	if at := slices.IndexFunc(protocolTable, func(each protocolRow) bool { return each.name == name }); at >= 0 {
		return protocolTable[at]
	}
	return protocolRow{}
}

func supportedNames() (all []string) {
	for _, each := range protocolTable {
		all = append(all, string(each.name))
	}
	return all
}

// isOneOf reports whether a generated list, separated by spaces, has the protocol.
func isOneOf(list string, name protocol.PullProtocol) bool {
	return slices.Contains(strings.Fields(list), string(name))
}
