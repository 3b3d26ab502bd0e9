package sdp

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/pion/sdp/v3"

	"fullhouse/agent/internal/media"
)

// AudioCodec is the codec of all audio, by its name in SDP.
const AudioCodec = "opus"

// Answer is the lab's own side.
type Answer struct {
	SessionID   uint64
	Username    string // ICE
	Password    string
	Fingerprint string
	Media       netip.AddrPort
	SSRC        [media.Kinds]uint32
	// RepairSSRC is that of the video's retransmissions.
	RepairSSRC uint32
	// TransportCC enables transport-wide feedback, if the offer supports it.
	TransportCC bool
	StreamName  string
	// Cname is that of the sender reports.
	Cname string
}

// Text writes the answer to the offer: ICE lite with one host candidate, passive DTLS, and of the header extensions
// only the transport-wide sequence number.
func (a Answer) Text(offer *Offer) string {
	family := "IP4"
	if a.Media.Addr().Is6() {
		family = "IP6"
	}
	address := a.Media.Addr().String()
	description := &sdp.SessionDescription{
		Origin: sdp.Origin{Username: "-", SessionID: a.SessionID, SessionVersion: 1, NetworkType: "IN", AddressType: family,
			UnicastAddress: address},
		SessionName:      "Fullhouse lab",
		TimeDescriptions: []sdp.TimeDescription{{}},
	}
	bundle := "BUNDLE"
	for _, s := range offer.Sections {
		if s.Accepted && s.mid != "" {
			bundle += " " + s.mid
		}
	}
	if bundle != "BUNDLE" {
		description.WithValueAttribute("group", bundle)
	}
	description.WithPropertyAttribute("ice-lite")
	for _, s := range offer.Sections {
		described := &sdp.MediaDescription{
			MediaName: sdp.MediaName{Media: s.name.Media, Protos: s.name.Protos},
			ConnectionInformation: &sdp.ConnectionInformation{NetworkType: "IN", AddressType: family,
				Address: &sdp.Address{Address: address}},
		}
		if s.mid != "" {
			described.WithValueAttribute("mid", s.mid)
		}
		if s.Accepted {
			described.MediaName.Port.Value = int(a.Media.Port())
			a.accept(described, &s)
		} else {
			described.MediaName.Formats = s.name.Formats[:1]
			described.WithPropertyAttribute("inactive")
		}
		description.WithMedia(described)
	}
	text, _ := description.Marshal() // never fails
	return string(text)
}

// accept adds the lab's side of an accepted section.
func (a Answer) accept(described *sdp.MediaDescription, s *Section) {
	described.WithICECredentials(a.Username, a.Password).
		WithFingerprint("sha-256", a.Fingerprint).
		WithValueAttribute("setup", "passive").
		WithPropertyAttribute("rtcp-mux").
		WithPropertyAttribute("sendonly")
	if s.Kind == media.Video {
		described.WithCodec(s.PayloadType, s.Codec.String(), 90000, 0, s.formatParameters)
	} else {
		described.WithCodec(s.PayloadType, AudioCodec, 48000, 2, "minptime=10;useinbandfec=1")
	}
	for _, kind := range s.Feedback {
		described.WithValueAttribute("rtcp-fb", fmt.Sprintf("%d %s", s.PayloadType, kind))
	}
	if a.TransportCC && s.TransportExtension != 0 {
		described.WithValueAttribute("extmap", fmt.Sprintf("%d %s", s.TransportExtension, sdp.TransportCCURI)).
			WithValueAttribute("rtcp-fb", fmt.Sprintf("%d %s", s.PayloadType, feedbackTransport))
	}
	ssrc := a.SSRC[s.Kind]
	if s.RepairType != 0 {
		described.WithCodec(s.RepairType, "rtx", 90000, 0, fmt.Sprintf("apt=%d", s.PayloadType)).
			WithValueAttribute("ssrc-group", fmt.Sprintf("FID %d %d", ssrc, a.RepairSSRC))
	}
	described.WithValueAttribute("msid", token(a.StreamName)+" "+s.name.Media).
		WithValueAttribute("ssrc", fmt.Sprintf("%d cname:%s", ssrc, a.Cname))
	if s.RepairType != 0 {
		described.WithValueAttribute("ssrc", fmt.Sprintf("%d cname:%s", a.RepairSSRC, a.Cname))
	}
	described.WithValueAttribute("candidate", fmt.Sprintf("1 1 udp 2130706431 %s %d typ host", a.Media.Addr(), a.Media.Port())).
		WithPropertyAttribute("end-of-candidates")
}

// token is the name if SDP allows it (RFC 4566, token-char), else a placeholder: the msid only groups tracks.
func token(name string) string {
	for i := 0; i < len(name); i++ {
		if c := name[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`"(),/:;<=>?@[\]`, c) >= 0 {
			return "stream"
		}
	}
	return name
}
