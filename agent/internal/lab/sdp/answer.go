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
	// RepairSSRC is the one of the video's retransmissions.
	RepairSSRC uint32
	// TransportCC agrees to reports on all packets, where the offer has them.
	TransportCC bool
	StreamName  string
	// Cname is the one in the sender reports.
	Cname string
}

// Text writes the answer to the offer: ICE lite with one host candidate, passive DTLS,
// and of the header extensions only the transport-wide sequence number.
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
		payloadTypes := fmt.Sprint(s.PayloadType)
		if s.RepairType != 0 {
			payloadTypes += fmt.Sprintf(" %d", s.RepairType)
		}
		line("m=%s %d %s %s", s.Name, a.Media.Port(), s.Protocol, payloadTypes)
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
		if a.TransportCC && s.TransportExtension != 0 {
			line("a=extmap:%d %s", s.TransportExtension, transportExtensionURI)
			line("a=rtcp-fb:%d %s", s.PayloadType, feedbackTransport)
		}
		if s.RepairType != 0 {
			line("a=rtpmap:%d rtx/90000", s.RepairType)
			line("a=fmtp:%d apt=%d", s.RepairType, s.PayloadType)
			line("a=ssrc-group:FID %d %d", a.SSRC[s.Kind], a.RepairSSRC)
		}
		line("a=msid:%s %s", token(a.StreamName), s.Name)
		line("a=ssrc:%d cname:%s", a.SSRC[s.Kind], a.Cname)
		if s.RepairType != 0 {
			line("a=ssrc:%d cname:%s", a.RepairSSRC, a.Cname)
		}
		line("a=candidate:1 1 udp 2130706431 %s %d typ host", a.Media.Addr(), a.Media.Port())
		line("a=end-of-candidates")
	}
	return b.String()
}

// token is a name as SDP takes it (RFC 4566, token-char): other names need no place in an msid, which only groups tracks.
func token(name string) string {
	for i := 0; i < len(name); i++ {
		if c := name[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`"(),/:;<=>?@[\]`, c) >= 0 {
			return "stream"
		}
	}
	return name
}
