package sdp

import (
	"strings"

	"github.com/pion/sdp/v3"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/media/rtppayload"
	"fullhouse/agent/internal/protocol"
)

// transportCCExtension is the header extension that numbers all packets of a session.
const transportCCExtension = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"

const (
	// maxBytes and maxLines are many times a real answer; anything larger is not one.
	maxBytes = 64 << 10
	maxLines = 2000
)

// Answer is what a viewer uses of the server's SDP.
type Answer struct {
	Ufrag       string
	Password    string
	Hash        string // of the fingerprint, as in SDP: sha-256
	Fingerprint string // upper case
	// Setup is the DTLS role: passive, or active if the server starts DTLS, which only an offer of actpass allows.
	Setup string
	// Lite means that the server only responds to checks. A full ICE server may answer without candidates.
	Lite       bool
	Candidates []Candidate
	// Named are candidates whose names have to be resolved.
	Named []Named
	// PassedOver are candidates that are not supported here: another transport, link-local addresses.
	PassedOver int
	Video      Track // none if only audio was offered, or the server has no video
	// NoVideo means that the server accepts video but announces no stream of it, only one of audio: pion does so for a
	// stream without video. Its video counts as soon as there is some.
	NoVideo bool
	// FEC is the payload type of forward error correction on a stream of its own, 0 for none.
	FEC uint8
	// Others are further formats of the video, any of which the server may send instead.
	Others []Track
	Audio  Track // none if the server has none
	// OtherAudio are further formats of the audio, like Others.
	OtherAudio []Track
	// Layers are those of our simulcast that the server receives; none if it has no simulcast.
	Layers []string
	// TransportCC is the id of the header extension with the transport-wide sequence number, 0 if that feedback is not
	// negotiated.
	TransportCC uint8
	// CaptureTime is the id of the header extension with the capture time, 0 if it is not negotiated.
	CaptureTime uint8
}

// Track is the mapping of one stream; the zero value stands for no stream. Payload type 0 is valid: that of PCMU.
type Track struct {
	PayloadType uint8
	Codec       rtppayload.Codec // of video
	Audio       AudioFormat      // of audio
	ClockRate   float64
	NACK        bool
	PLI         bool
	// RTX is the payload type of retransmissions (RFC 4588), 0 if they are the original packets.
	RTX uint8
	// REMB and TransportCC are the bandwidth feedback that the server supports.
	REMB        bool
	TransportCC bool
}

// IsNone reports that there is no stream.
func (t Track) IsNone() bool { return t.ClockRate == 0 }

// Other finds the format of a payload type among the others of the video.
func (a *Answer) Other(payloadType uint8) (Track, bool) { return find(a.Others, payloadType) }

func find(tracks []Track, payloadType uint8) (Track, bool) {
	for _, track := range tracks {
		if track.PayloadType == payloadType {
			return track, true
		}
	}
	return Track{}, false
}

// Adopt makes another format of the answer the current one of its kind: a server may send any of them. isFound is false
// for a payload type that the answer does not have.
func (a *Answer) Adopt(payloadType uint8) (isVideo, isFound bool) {
	isVideo = swap(&a.Video, a.Others, payloadType)
	return isVideo, isVideo || swap(&a.Audio, a.OtherAudio, payloadType)
}

func swap(current *Track, others []Track, payloadType uint8) bool {
	for i := range others {
		if others[i].PayloadType == payloadType {
			*current, others[i] = others[i], *current
			return true
		}
	}
	return false
}

// Expected is what the offer of an answer requested.
type Expected struct {
	Over      Transport
	AudioOnly bool
	// Sends means that the offer sends the video, which the server must accept. A receiver of both takes a rejected
	// section for a stream without that track.
	Sends bool
}

// ParseAnswer parses an SDP answer; its failures state what is missing.
func ParseAnswer(body string, expected Expected) (Answer, *failure.Failure) {
	a, f := ParseTrickledAnswer(body, expected)
	if f == nil && len(a.Candidates)+len(a.Named) == 0 && a.Lite {
		return Answer{}, failure.New(failure.Signalling, protocol.CauseNoCandidate, "The answer has no %s candidate with an address (%d others), and its server does not check ours (ice-lite).", expected.Over, a.PassedOver)
	}
	return a, f
}

// ParseTrickledAnswer parses an SDP answer whose candidates may follow.
func ParseTrickledAnswer(body string, expected Expected) (Answer, *failure.Failure) {
	var a Answer
	fail := func(cause protocol.Cause, format string, arguments ...any) (Answer, *failure.Failure) {
		return Answer{}, failure.New(failure.Signalling, cause, format, arguments...)
	}
	if len(body) > maxBytes {
		return fail(protocol.CauseAnswerTooLarge, "The answer has more than %d bytes.", maxBytes)
	}
	if strings.Count(body, "\n") > maxLines {
		return fail(protocol.CauseAnswerTooLarge, "The answer has more than %d lines.", maxLines)
	}
	if !strings.HasPrefix(body, "v=") {
		return fail(protocol.CauseNotSDP, "The answer is not SDP. It starts with: %q.", failure.Excerpt(body))
	}
	var description sdp.SessionDescription
	if err := description.UnmarshalString(body); err != nil {
		return fail(protocol.CauseNotSDP, "The answer is not SDP: %v. It starts with: %s.", err, failure.Excerpt(withoutPassword(body)))
	}
	session := description.Attributes
	var candidates []candidate
	hasVideo := expected.Sends
	announced := map[string]bool{}
	_, a.Lite = description.Attribute("ice-lite")
	for _, media := range description.MediaDescriptions {
		if media.MediaName.Port.Value == 0 {
			continue // rejected
		}
		if a.Ufrag == "" {
			a.Ufrag, a.Password = first("ice-ufrag", media.Attributes, session), first("ice-pwd", media.Attributes, session)
			a.Hash, a.Fingerprint = fingerprint(media.Attributes, session)
			a.Setup = strings.ToLower(first("setup", media.Attributes, session))
		}
		candidates = append(candidates, readCandidates(media.Attributes, expected.Over)...)
		if a.TransportCC == 0 {
			a.TransportCC = findExtension(media.Attributes, session, transportCCExtension)
		}
		if a.CaptureTime == 0 {
			a.CaptureTime = findExtension(media.Attributes, session, captureTime.uri)
		}
		if _, isInactive := media.Attribute("inactive"); isInactive {
			continue // bundled, but without a stream
		}
		announced[media.MediaName.Media] = announced[media.MediaName.Media] || announces(media)
		switch media.MediaName.Media {
		case "video":
			hasVideo = true
			if a.Video.IsNone() && !expected.AudioOnly {
				if formats := findTracks(media, isVideo, noStatic); len(formats) > 0 {
					a.Video, a.Others = formats[0], formats[1:]
					a.FEC = findFEC(media)
					a.Layers = findLayers(media)
				}
			}
		case "audio":
			if a.Audio.IsNone() {
				if formats := findTracks(media, isAudio, staticAudio); len(formats) > 0 {
					a.Audio, a.OtherAudio = formats[0], formats[1:]
				}
			}
		}
	}
	a.Candidates, a.Named, a.PassedOver = usable(append(candidates, readCandidates(session, expected.Over)...))
	if !a.Video.TransportCC && !a.Audio.TransportCC {
		a.TransportCC = 0
	}
	a.NoVideo = !expected.Sends && !a.Video.IsNone() && !a.Audio.IsNone() && announced["audio"] && !announced["video"]
	isMissing := a.Video.IsNone() && !expected.AudioOnly && (hasVideo || a.Audio.IsNone())
	switch {
	case expected.AudioOnly && a.Audio.IsNone():
		return fail(protocol.CauseNoCodec, "The answer accepts no audio of the offer (%s); it has: %s.", audioNames(), offered(description))
	case isMissing && !a.Audio.IsNone():
		return fail(protocol.CauseNoCodec, "The answer accepts the audio but none of the offered video codecs; it has: %s. For a stream without video use tracks: audio.", offered(description))
	case isMissing:
		return fail(protocol.CauseNoCodec, "The answer accepts none of the offered video codecs; it has: %s.", offered(description))
	case a.Ufrag == "" || a.Password == "":
		return fail(protocol.CauseNoICE, "The answer has no ICE user fragment or password.")
	case a.Fingerprint == "":
		return fail(protocol.CauseNoFingerprint, "The answer has no certificate fingerprint, so DTLS can't be verified.")
	case a.Setup == "actpass":
		return fail(protocol.CauseSetupActpass, "The answer has setup:actpass, which does not define the DTLS client.")
	case a.Setup == "holdconn":
		return fail(protocol.CauseSetupHoldconn, "The answer has setup:holdconn, which does not define the DTLS client.")
	}
	// A substring keeps the entire string in memory, and thousands of viewers would keep their complete answers.
	for _, part := range []*string{&a.Ufrag, &a.Password, &a.Hash, &a.Fingerprint, &a.Setup} {
		*part = strings.Clone(*part)
	}
	return a, nil
}

// announces reports whether a section names the stream that it sends (RFC 8830, RFC 5576).
func announces(media *sdp.MediaDescription) bool {
	for _, attribute := range media.Attributes {
		if attribute.Key == "msid" || attribute.Key == "ssrc" {
			return true
		}
	}
	return false
}

// IsOffer reports whether an SDP is an offer: only offers leave the DTLS role to the other side (RFC 8842, 5.2).
func IsOffer(body string) bool {
	for line := range strings.Lines(body[:min(len(body), maxBytes)]) {
		if strings.TrimSpace(line) == "a=setup:actpass" {
			return true
		}
	}
	return false
}

// fingerprint prefers the certificate's SHA-256 fingerprint if there are several.
func fingerprint(levels ...[]sdp.Attribute) (hash, print string) {
	for _, attributes := range levels {
		for _, attribute := range attributes {
			if attribute.Key != "fingerprint" {
				continue
			}
			name, value, _ := strings.Cut(strings.TrimSpace(attribute.Value), " ")
			if name = strings.ToLower(name); hash == "" || hash != "sha-256" && name == "sha-256" {
				hash, print = name, strings.ToUpper(strings.TrimSpace(value))
			}
		}
	}
	return hash, print
}

// withoutPassword removes the ICE password from what a failure shows.
func withoutPassword(body string) string {
	const key = "a=ice-pwd:"
	var safe strings.Builder
	for {
		before, after, found := strings.Cut(body, key)
		safe.WriteString(before)
		if !found {
			return safe.String()
		}
		safe.WriteString(key + "…")
		end := strings.IndexAny(after, "\r\n")
		if end < 0 {
			end = len(after)
		}
		body = after[end:]
	}
}

func first(key string, levels ...[]sdp.Attribute) string {
	for _, attributes := range levels {
		for _, attribute := range attributes {
			if attribute.Key == key {
				return strings.TrimSpace(attribute.Value)
			}
		}
	}
	return ""
}

// offered lists the codecs of an answer for a failure's sentence.
func offered(description sdp.SessionDescription) string {
	var list []string
	for _, media := range description.MediaDescriptions {
		if media.MediaName.Port.Value == 0 {
			list = append(list, media.MediaName.Media+" rejected")
			continue
		}
		for _, attribute := range media.Attributes {
			if attribute.Key == "rtpmap" {
				_, codec, _ := strings.Cut(attribute.Value, " ")
				list = append(list, codec)
			}
		}
	}
	if len(list) == 0 {
		return "nothing"
	}
	return failure.Excerpt(strings.Join(list, ", "))
}
