package hls

import (
	"cmp"
	"net"
	"net/netip"

	"fullhouse/agent/internal/viewer"
)

// Times are those of the steps to playback, of the first connection.
func (v *Viewer) Times() viewer.Times {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return v.times()
}

func (v *Viewer) times() viewer.Times {
	return viewer.Times{Name: v.opened.NameAt, TCP: v.opened.TCPAt, TLS: v.opened.TLSAt, Play: v.acceptedAt,
		FirstPacket: v.firstMediaAt, FirstFrame: v.player.StartedAt}
}

// Detail has the steps to media, the first connection, and what is received.
func (v *Viewer) Detail() viewer.Detail {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	detail := viewer.Detail{
		Times: v.times(),
		Counters: viewer.NonZero(map[string]uint64{"rebufferings": v.player.Rebufferings, "skippedSegments": v.skipped,
			"failedRequests": v.failedRequests, "variantSwitches": v.switches, "lostBytes": v.lostBytes}),
	}
	if v.remote != nil {
		detail.Route = viewer.Route{Protocol: "tcp", Local: addressOf(v.local), Remote: addressOf(v.remote)}
		if v.group.URL.Scheme == "https" {
			detail.Route.Protocol = "tls"
		}
	}
	if v.segments > 0 {
		kind := "video"
		if v.isAudioOnly() {
			kind = "audio"
		}
		detail.Streams = []viewer.Stream{{Kind: kind, Codec: cmp.Or(v.codec, "unknown"), Packets: v.segments, Bytes: v.media}}
	}
	return detail
}

func addressOf(address net.Addr) netip.AddrPort {
	if tcp, isTCP := address.(*net.TCPAddr); isTCP {
		local := tcp.AddrPort()
		return netip.AddrPortFrom(local.Addr().Unmap(), local.Port())
	}
	return netip.AddrPort{}
}
