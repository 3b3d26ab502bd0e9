package sdp

import (
	"fmt"
	"net/netip"
	"strings"

	"fullhouse/agent/internal/media"
)

// Answer is what the lab says of its own side.
type Answer struct {
	SessionID   uint64
	Username    string // ICE
	Password    string
	Fingerprint string
	Media       netip.AddrPort
	SSRC        [media.Kinds]uint32
	StreamName  string
	// Cname is the one in the sender reports.
	Cname string
}

// Text writes the answer to the offer: ICE lite with one host candidate, passive DTLS, no header extensions.
func (a Answer) Text(offer *Offer) string {
	var b strings.Builder
	line := func(format string, arguments ...any) { fmt.Fprintf(&b, format+"\r\n", arguments...) }
	family := "IP4"
	if a.Media.Addr().Is6() {
		family = "IP6"
	}
	line("v=0")
	line("o=- %d 1 IN %s %s", a.SessionID, family, a.Media.Addr())
	line("s=Fullhouse lab")
	line("t=0 0")
	var mids []string
	for _, s := range offer.Sections {
		if s.Accepted && s.MID != "" {
			mids = append(mids, s.MID)
		}
	}
	if len(mids) > 0 {
		line("a=group:BUNDLE %s", strings.Join(mids, " "))
	}
	line("a=ice-lite")
	for _, s := range offer.Sections {
		if !s.Accepted {
			line("m=%s 0 %s %s", s.Name, s.Protocol, s.FirstFormat)
			line("c=IN %s %s", family, a.Media.Addr())
			if s.MID != "" {
				line("a=mid:%s", s.MID)
			}
			line("a=inactive")
			continue
		}
		line("m=%s %d %s %d", s.Name, a.Media.Port(), s.Protocol, s.PayloadType)
		line("c=IN %s %s", family, a.Media.Addr())
		if s.MID != "" {
			line("a=mid:%s", s.MID)
		}
		line("a=ice-ufrag:%s", a.Username)
		line("a=ice-pwd:%s", a.Password)
		line("a=fingerprint:sha-256 %s", a.Fingerprint)
		line("a=setup:passive")
		line("a=rtcp-mux")
		line("a=sendonly")
		if s.Kind == media.Video {
			line("a=rtpmap:%d H264/90000", s.PayloadType)
			line("a=fmtp:%d %s", s.PayloadType, s.FormatParameters)
		} else {
			line("a=rtpmap:%d opus/48000/2", s.PayloadType)
			line("a=fmtp:%d minptime=10;useinbandfec=1", s.PayloadType)
		}
		for _, kind := range s.Feedback {
			line("a=rtcp-fb:%d %s", s.PayloadType, kind)
		}
		line("a=msid:%s %s", a.StreamName, s.Name)
		line("a=ssrc:%d cname:%s", a.SSRC[s.Kind], a.Cname)
		line("a=candidate:1 1 udp 2130706431 %s %d typ host", a.Media.Addr(), a.Media.Port())
		line("a=end-of-candidates")
	}
	return b.String()
}
