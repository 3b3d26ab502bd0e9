// Package sdp writes the offer of a viewer and parses the server's answer.
package sdp

import (
	"fmt"
	"net/netip"
	"strings"

	"fullhouse/agent/internal/media/rtppayload"
)

const opusPayloadType = 111

// extension is a header extension as Chromium numbers it. Most have no effect on a packet-counting viewer, but servers
// that support them send larger packets to a browser, so they should to us.
type extension struct {
	id  int
	uri string
}

// The ids of the header extensions that we send: of which section and of which layer of simulcast a packet is (RFC 8843,
// RFC 8852), and when its frame was captured.
const (
	MediaIDExtension     = 9
	StreamIDExtension    = 10
	CaptureTimeExtension = 12
)

var (
	absoluteSendTime  = extension{2, "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time"}
	transportSequence = extension{4, transportCCExtension}
	mediaID           = extension{MediaIDExtension, "urn:ietf:params:rtp-hdrext:sdes:mid"}
	streamID          = extension{StreamIDExtension, "urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id"}
	captureTime       = extension{CaptureTimeExtension, "http://www.webrtc.org/experiments/rtp-hdrext/abs-capture-time"}
	audioExtensions   = []extension{{14, "urn:ietf:params:rtp-hdrext:ssrc-audio-level"}, absoluteSendTime, transportSequence, mediaID}
	videoExtensions   = []extension{
		{1, "urn:ietf:params:rtp-hdrext:toffset"},
		absoluteSendTime,
		{3, "urn:3gpp:video-orientation"},
		transportSequence,
		{5, "http://www.webrtc.org/experiments/rtp-hdrext/playout-delay"},
		{6, "http://www.webrtc.org/experiments/rtp-hdrext/video-content-type"},
		{7, "http://www.webrtc.org/experiments/rtp-hdrext/video-timing"},
		{8, "http://www.webrtc.org/experiments/rtp-hdrext/color-space"},
		mediaID,
		streamID,
		{11, "urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id"},
	}
)

// Offer is the part that differs between viewers.
type Offer struct {
	SessionID   uint64
	Ufrag       string
	Password    string
	Fingerprint string // SHA-256 of the certificate, as in SDP
	// Candidate is our only one; invalid if there is none yet.
	Candidate netip.AddrPort
	// Transport is that of the candidate.
	Transport Transport
	// Related is valid if the candidate is relayed: our address as the TURN server sees it.
	Related netip.AddrPort
	// Codecs are the offered ones of video, in a browser's order; all if there are none.
	Codecs []rtppayload.Codec
	// Browser offers what is expensive in a browser's offer: either DTLS role, and bandwidth estimates (REMB); and no
	// capture times, as browsers by default. Otherwise the offer has setup:active, since the DTLS client role costs a
	// server and us about half of the server role.
	Browser bool
	// Version counts the offers of a session, from 0.
	Version int
	// AudioOnly leaves out the video.
	AudioOnly bool
	// Sections are the media sections of a participant that sends or receives several tracks; without any the offer has
	// one of audio and one of video, both receive-only.
	Sections []Section
}

// String is the SDP: one bundle, one host candidate and no trickling.
func (o Offer) String() string {
	var b strings.Builder
	line := func(format string, arguments ...any) { fmt.Fprintf(&b, format+"\r\n", arguments...) }
	line("v=0")
	line("o=- %d %d IN IP4 127.0.0.1", o.SessionID, 2+o.Version)
	line("s=-")
	line("t=0 0")
	sections := o.Sections
	switch {
	case len(sections) > 0:
	case o.AudioOnly:
		sections = []Section{{Audio: true}}
	default:
		sections = []Section{{Audio: true}, {}}
	}
	line("a=group:BUNDLE%s", mids(len(sections)))
	line("a=extmap-allow-mixed")
	line("a=msid-semantic: WMS")
	for mid, section := range sections {
		switch {
		case section.Send != nil:
			o.sendOnly(line, mid, section)
		case section.Audio:
			o.receiveAudio(line, mid)
		default:
			o.receiveVideo(line, mid)
		}
	}
	return b.String()
}

func (o Offer) receiveAudio(line func(string, ...any), mid int) {
	var payloadTypes []string
	for _, format := range offeredAudio {
		payloadTypes = append(payloadTypes, fmt.Sprint(audioFormats[format].payloadType))
	}
	o.media(line, mid, "audio", strings.Join(payloadTypes, " "), o.received(audioExtensions), "recvonly")
	line("a=rtpmap:%d opus/48000/2", opusPayloadType)
	line("a=rtcp-fb:%d transport-cc", opusPayloadType)
	line("a=fmtp:%d minptime=10;useinbandfec=1", opusPayloadType)
	for _, format := range offeredAudio[1:] {
		one := audioFormats[format]
		line("a=rtpmap:%d %s/%.0f", one.payloadType, one.name, one.clockRate)
	}
}

func (o Offer) receiveVideo(line func(string, ...any), mid int) {
	formats := offeredFormats(o.Codecs)
	var payloadTypes []string
	for _, one := range formats {
		payloadTypes = append(payloadTypes, fmt.Sprint(one.payloadType), fmt.Sprint(one.rtx))
	}
	o.media(line, mid, "video", strings.Join(append(payloadTypes, fmt.Sprint(fecPayloadType)), " "), o.received(videoExtensions), "recvonly")
	for _, one := range formats {
		o.format(line, one)
	}
	line("a=rtpmap:%d flexfec-03/90000", fecPayloadType)
	for _, feedback := range o.bandwidthFeedback() {
		line("a=rtcp-fb:%d %s", fecPayloadType, feedback)
	}
	line("a=fmtp:%d repair-window=10000000", fecPayloadType)
}

// received are the extensions of a received section.
func (o Offer) received(extensions []extension) []extension {
	if o.Browser {
		return extensions
	}
	return append(extensions[:len(extensions):len(extensions)], captureTime)
}

// bandwidthFeedback is what the viewer sends about the bandwidth.
func (o Offer) bandwidthFeedback() []string {
	if o.Browser {
		return []string{"goog-remb", "transport-cc"}
	}
	return []string{"transport-cc"}
}

func (o Offer) format(line func(string, ...any), f format) {
	line("a=rtpmap:%d %s/90000", f.payloadType, f.codec)
	for _, feedback := range append(o.bandwidthFeedback(), "ccm fir", "nack", "nack pli") {
		line("a=rtcp-fb:%d %s", f.payloadType, feedback)
	}
	if f.parameters != "" {
		line("a=fmtp:%d %s", f.payloadType, f.parameters)
	}
	line("a=rtpmap:%d rtx/90000", f.rtx)
	line("a=fmtp:%d apt=%d", f.rtx, f.payloadType)
}

// media writes the common part of the sections.
func (o Offer) media(line func(string, ...any), mid int, kind, payloadTypes string, extensions []extension, direction string) {
	family, setup := "IP4", "active"
	if o.Candidate.Addr().Is6() {
		family = "IP6"
	}
	if o.Browser {
		setup = "actpass"
	}
	if o.Candidate.IsValid() {
		port := o.Candidate.Port()
		if o.Transport == TCP {
			port = discardPort
		}
		line("m=%s %d UDP/TLS/RTP/SAVPF %s", kind, port, payloadTypes)
		line("c=IN %s %s", family, o.Candidate.Addr())
		line("a=rtcp:9 IN IP4 0.0.0.0")
		line("a=candidate:%s generation 0", candidateText(o.Candidate, o.Related, o.Transport))
		line("a=end-of-candidates")
	} else {
		line("m=%s 9 UDP/TLS/RTP/SAVPF %s", kind, payloadTypes)
		line("c=IN IP4 0.0.0.0")
		line("a=rtcp:9 IN IP4 0.0.0.0")
	}
	line("a=ice-ufrag:%s", o.Ufrag)
	line("a=ice-pwd:%s", o.Password)
	line("a=ice-options:trickle")
	line("a=fingerprint:sha-256 %s", o.Fingerprint)
	line("a=setup:%s", setup)
	line("a=mid:%d", mid)
	for _, extension := range extensions {
		line("a=extmap:%d %s", extension.id, extension.uri)
	}
	line("a=%s", direction)
	line("a=rtcp-mux")
	line("a=rtcp-rsize")
}
