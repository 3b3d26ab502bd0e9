package recorder

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"fullhouse/agent/internal/media"
)

const transportCC = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"

// track is how one kind of media is sent to a session.
type track struct {
	payloadType, rtxType uint8
	ssrc, rtxSSRC        uint32
	sequence, rtx        uint16
	// extension is the id of the transport-wide sequence number, 0 if it is not used.
	extension uint8
}

// answer writes the parts of the offer that the conditions accept and stores them in the session's tracks.
func (s *session) answer(address netip.AddrPort, fingerprint string) (string, error) {
	var b strings.Builder
	line := func(format string, arguments ...any) { fmt.Fprintf(&b, format+"\r\n", arguments...) }
	line("v=0")
	line("o=- %d 1 IN IP4 127.0.0.1", s.ssrcBase)
	line("s=-")
	line("t=0 0")
	var mids []string
	for _, section := range s.offer.sections {
		mids = append(mids, section.mid)
	}
	line("a=group:BUNDLE %s", strings.Join(mids, " "))
	line("a=msid-semantic: WMS stream")
	line("a=extmap-allow-mixed")
	if !s.origin.conditions.FullICE {
		line("a=ice-lite")
	}
	for i, section := range s.offer.sections {
		codec, payloadType, rtx, found := section.choose()
		if !found {
			return "", fmt.Errorf("the offer's %s section has no codec of the sample", section.Kind)
		}
		kind := media.Video
		if section.Kind == "audio" {
			kind = media.Audio
		}
		t := &s.tracks[kind]
		*t = track{payloadType: number(payloadType), ssrc: s.ssrcBase + uint32(2*i), rtxSSRC: s.ssrcBase + uint32(2*i+1)}
		formats := payloadType
		if s.origin.conditions.RTX && rtx != "" {
			t.rtxType = number(rtx)
			formats += " " + rtx
		}
		line("m=%s %d %s %s", section.Kind, address.Port(), section.Protocol, formats)
		line("c=IN IP4 %s", address.Addr())
		line("a=mid:%s", section.mid)
		line("a=ice-ufrag:%s", s.ufrag)
		line("a=ice-pwd:%s", s.password)
		line("a=fingerprint:sha-256 %s", fingerprint)
		line("a=setup:passive")
		line("a=sendonly")
		line("a=rtcp-mux")
		line("a=rtcp-rsize")
		if id := section.extensions[transportCC]; id != "" && s.origin.conditions.TransportCC {
			t.extension = number(id)
			line("a=extmap:%s %s", id, transportCC)
		}
		line("a=rtpmap:%s %s", payloadType, codec.Name)
		line("a=fmtp:%s %s", payloadType, codec.Parameters)
		for _, feedback := range codec.Feedback {
			if feedback != "transport-cc" || s.origin.conditions.TransportCC {
				line("a=rtcp-fb:%s %s", payloadType, feedback)
			}
		}
		if t.rtxType != 0 {
			line("a=rtpmap:%s rtx/90000", rtx)
			line("a=fmtp:%s apt=%s", rtx, payloadType)
			line("a=ssrc-group:FID %d %d", t.ssrc, t.rtxSSRC)
		}
		line("a=msid:stream %s", section.Kind)
		line("a=ssrc:%d cname:recorder", t.ssrc) // Chromium uses the first one for the media
		if t.rtxType != 0 {
			line("a=ssrc:%d cname:recorder", t.rtxSSRC)
		}
		line("a=candidate:1 1 udp 2130706431 %s %d typ host", address.Addr(), address.Port())
		line("a=end-of-candidates")
	}
	return b.String(), nil
}

func number(text string) uint8 {
	value, _ := strconv.ParseUint(text, 10, 8) // the offer was parsed, so it is valid
	return uint8(value)
}
