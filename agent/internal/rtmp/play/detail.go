package play

import (
	"cmp"
	"net"
	"net/netip"

	"fullhouse/agent/internal/viewer"
)

func addressOf(address net.Addr) netip.AddrPort {
	if tcp, isTCP := address.(*net.TCPAddr); isTCP {
		found := tcp.AddrPort()
		return netip.AddrPortFrom(found.Addr().Unmap(), found.Port())
	}
	return netip.AddrPort{}
}

// Detail has the steps to media, the connection, and the received streams.
func (v *Viewer) Detail() viewer.Detail {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	accepted := v.playingAt
	if v.firstMediaAt != 0 {
		accepted = min(accepted, v.firstMediaAt) // media may arrive in the same read as the response to play
	}
	detail := viewer.Detail{
		Steps:    viewer.Completed(viewer.Step{Name: viewer.StepSocket, At: v.connectedAt}, viewer.Step{Name: viewer.StepPlay, At: accepted}),
		Counters: viewer.NonZero(map[string]uint64{"brokenFrames": v.frames.Broken}),
	}
	if v.remote.IsValid() {
		protocol := "tcp"
		if v.group.Address.Secure {
			protocol = "tls"
		}
		detail.Route = viewer.Route{Protocol: protocol, Local: v.local, Remote: v.remote}
	}
	if v.videoMessages > 0 {
		detail.Streams = append(detail.Streams, viewer.Stream{Kind: "video", Codec: cmp.Or(v.codec, "unknown"), Packets: v.videoMessages})
	}
	if v.audioMessages > 0 {
		detail.Streams = append(detail.Streams, viewer.Stream{Kind: "audio", Packets: v.audioMessages})
	}
	return detail
}
