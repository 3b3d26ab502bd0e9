// Package sdp writes the offer of a viewer and reads what a server answers.
package sdp

import (
	"fmt"
	"net/netip"
	"strings"
)

// h264Profiles are what browsers offer, with packetization mode 1: constrained baseline (twice, as they do),
// main and high.
var h264Profiles = []struct {
	payloadType int
	profile     string
}{{102, "42e01f"}, {104, "42001f"}, {106, "4d001f"}, {108, "640c1f"}}

const opusPayloadType = 111

// Offer is what differs between viewers.
type Offer struct {
	SessionID   uint64
	Ufrag       string
	Password    string
	Fingerprint string // SHA-256 of the certificate, as in SDP
	Candidate   netip.AddrPort
}

// String writes the SDP: audio and video to receive only, one bundle, one host candidate and no trickling. It says
// setup:active, since being the DTLS client costs a server and us about half of being its server.
func (o Offer) String() string {
	var b strings.Builder
	line := func(format string, arguments ...any) { fmt.Fprintf(&b, format+"\r\n", arguments...) }
	family := "IP4"
	if o.Candidate.Addr().Is6() {
		family = "IP6"
	}
	media := func(mid int, kind string, payloadTypes string) {
		line("m=%s %d UDP/TLS/RTP/SAVPF %s", kind, o.Candidate.Port(), payloadTypes)
		line("c=IN %s %s", family, o.Candidate.Addr())
		line("a=rtcp:9 IN IP4 0.0.0.0")
		line("a=candidate:1 1 udp 2130706431 %s %d typ host generation 0", o.Candidate.Addr(), o.Candidate.Port())
		line("a=end-of-candidates")
		line("a=ice-ufrag:%s", o.Ufrag)
		line("a=ice-pwd:%s", o.Password)
		line("a=fingerprint:sha-256 %s", o.Fingerprint)
		line("a=setup:active")
		line("a=mid:%d", mid)
		line("a=recvonly")
		line("a=rtcp-mux")
		line("a=rtcp-rsize")
	}
	line("v=0")
	line("o=- %d 2 IN IP4 127.0.0.1", o.SessionID)
	line("s=-")
	line("t=0 0")
	line("a=group:BUNDLE 0 1")
	line("a=msid-semantic: WMS")
	media(0, "audio", fmt.Sprint(opusPayloadType))
	line("a=rtpmap:%d opus/48000/2", opusPayloadType)
	line("a=fmtp:%d minptime=10;useinbandfec=1", opusPayloadType)
	var payloadTypes []string
	for _, h264 := range h264Profiles {
		payloadTypes = append(payloadTypes, fmt.Sprint(h264.payloadType))
	}
	media(1, "video", strings.Join(payloadTypes, " "))
	for _, h264 := range h264Profiles {
		line("a=rtpmap:%d H264/90000", h264.payloadType)
		line("a=rtcp-fb:%d ccm fir", h264.payloadType)
		line("a=rtcp-fb:%d nack", h264.payloadType)
		line("a=rtcp-fb:%d nack pli", h264.payloadType)
		line("a=fmtp:%d level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=%s", h264.payloadType, h264.profile)
	}
	return b.String()
}
