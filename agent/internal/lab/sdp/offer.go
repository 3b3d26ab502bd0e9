// Package sdp parses a WHEP offer and writes the lab's answer: only what one viewer of a video and Opus needs.
package sdp

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pion/sdp/v3"

	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/media/rtppayload"
)

// ErrNoCodec is wrapped when the offer is well-formed but contains no codec that the lab supports.
var ErrNoCodec = errors.New("no codec in common")

// Offer is what the lab uses of a viewer's offer.
type Offer struct {
	Username    string // ICE
	Fingerprint string // sha-256, upper case hex with colons
	Sections    []Section
	// Codecs are all in the offer, as written there: "H264/90000".
	Codecs []string
}

// Section is one m= line of the offer, in order.
type Section struct {
	name sdp.MediaName
	mid  string
	// Kind and PayloadType are set for an accepted section.
	Accepted    bool
	Kind        media.Kind
	Codec       rtppayload.Codec // of video
	PayloadType uint8
	// formatParameters are those of the offer for the video, which the answer has to repeat.
	formatParameters string
	// Feedback is the offered feedback that the lab supports.
	Feedback []string
	// RepairType is the payload type of retransmissions (RTX, RFC 4588) for PayloadType, 0 if not offered.
	RepairType uint8
	// TransportExtension is the id of the transport-wide sequence number if the offer has both it and its feedback;
	// else 0.
	TransportExtension uint8
}

const (
	feedbackTransport = "transport-cc"
	// lastOneByteID is the last id of a header extension with a header of one byte (RFC 8285 4.2).
	lastOneByteID = 14
	// maxCodecs bounds the remembered codecs of an offer.
	maxCodecs = 32
)

// supportedFeedback is what the lab reacts to.
var supportedFeedback = []string{"nack", "nack pli", "ccm fir"}

// ParseOffer parses the offer of a viewer of a stream with this video codec. Errors are sentences that state what is
// missing.
func ParseOffer(text string, video rtppayload.Codec) (*Offer, error) {
	if !strings.HasPrefix(text, "v=0") {
		return nil, errors.New("the body is not a session description: it does not start with v=0")
	}
	var description sdp.SessionDescription
	if err := description.UnmarshalString(text); err != nil {
		return nil, fmt.Errorf("the body is not a session description: %w", err)
	}
	if len(description.MediaDescriptions) == 0 {
		return nil, errors.New("the offer has no media section")
	}
	for _, described := range description.MediaDescriptions {
		if len(described.MediaName.Formats) == 0 {
			return nil, fmt.Errorf("the line \"m=%s\" has no format", described.MediaName.String())
		}
	}
	offer := &Offer{}
	if err := offer.readTransport(&description); err != nil {
		return nil, err
	}
	codecs := description.GetCodecMap()
	found := false
	for _, described := range description.MediaDescriptions {
		section := readSection(described, codecs, video, offer.has)
		found = found || section.Accepted
		offer.Sections = append(offer.Sections, section)
		offer.addCodecs(described)
	}
	if !found {
		return nil, fmt.Errorf("%w: the stream is %s and Opus, and the offer receives neither", ErrNoCodec, requirement(video))
	}
	return offer, nil
}

// readTransport reads ICE and DTLS from the first section, with which the others are bundled.
func (o *Offer) readTransport(description *sdp.SessionDescription) error {
	first := func(name string) string {
		if value, found := description.MediaDescriptions[0].Attribute(name); found {
			return value
		}
		value, _ := description.Attribute(name)
		return value
	}
	o.Username = first("ice-ufrag")
	algorithm, digest, _ := strings.Cut(first("fingerprint"), " ")
	switch {
	case o.Username == "":
		return errors.New("the offer has no a=ice-ufrag")
	case !strings.EqualFold(algorithm, "sha-256"):
		return errors.New("the offer has no a=fingerprint with sha-256")
	case first("setup") == "passive":
		return errors.New("the offer has setup:passive, but the lab is the passive side; offer actpass or active")
	}
	o.Fingerprint = strings.ToUpper(strings.TrimSpace(digest))
	if len(description.MediaDescriptions) > 1 {
		if group, _ := description.Attribute("group"); !strings.HasPrefix(group, "BUNDLE") {
			return errors.New("the offer does not bundle its media (a=group:BUNDLE); the lab sends all over one transport")
		}
	}
	return nil
}

// has reports whether a section of that kind is accepted already; a viewer gets one of each.
func (o *Offer) has(kind media.Kind) bool {
	return slices.ContainsFunc(o.Sections, func(s Section) bool { return s.Accepted && s.Kind == kind })
}

// addCodecs remembers the names that are not listed yet.
func (o *Offer) addCodecs(described *sdp.MediaDescription) {
	for _, attribute := range described.Attributes {
		_, name, _ := strings.Cut(attribute.Value, " ")
		if attribute.Key == "rtpmap" && !slices.Contains(o.Codecs, name) && len(o.Codecs) < maxCodecs {
			o.Codecs = append(o.Codecs, name)
		}
	}
}

// requirement is the codec with what the lab requires of it.
func requirement(video rtppayload.Codec) string {
	if video == rtppayload.H264 {
		return "H.264 (baseline, packetization-mode 1)"
	}
	return video.String()
}

func readSection(described *sdp.MediaDescription, codecs map[uint8]sdp.Codec, video rtppayload.Codec, isTaken func(media.Kind) bool) (s Section) {
	s = Section{name: described.MediaName}
	s.mid, _ = described.Attribute("mid")
	_, sends := described.Attribute("sendonly")
	_, inactive := described.Attribute("inactive")
	_, multiplexed := described.Attribute("rtcp-mux")
	if sends || inactive || !multiplexed {
		return s
	}
	formats, best := readFormats(described, codecs), 0
	for _, codec := range formats {
		name := strings.ToLower(codec.Name)
		switch {
		case s.name.Media == "audio" && name == "opus" && codec.ClockRate == 48000 && codec.EncodingParameters == "2" &&
			!isTaken(media.Audio):
			s.Accepted, s.Kind, s.PayloadType = true, media.Audio, codec.PayloadType
			s.readExtras(described, codecs, formats)
			return s
		case s.name.Media == "video" && rtppayload.ByName(name) == video && video != rtppayload.None && codec.ClockRate == 90000 &&
			!isTaken(media.Video):
			if ranked := rank(video, codec.Fmtp); ranked > best {
				best, s.Codec = ranked, video
				s.Accepted, s.Kind, s.PayloadType, s.formatParameters = true, media.Video, codec.PayloadType, codec.Fmtp
			}
		}
	}
	if s.Accepted {
		s.readExtras(described, codecs, formats)
	}
	return s
}

// readFormats are the codecs of a section in the order of its formats, without invalid payload types.
func readFormats(described *sdp.MediaDescription, codecs map[uint8]sdp.Codec) (formats []sdp.Codec) {
	for _, format := range described.MediaName.Formats {
		if number, err := strconv.ParseUint(format, 10, 7); err == nil {
			formats = append(formats, codecs[uint8(number)])
		}
	}
	return formats
}

// readExtras reads the offer's extras for the chosen payload type.
func (s *Section) readExtras(described *sdp.MediaDescription, codecs map[uint8]sdp.Codec, formats []sdp.Codec) {
	offered := codecs[s.PayloadType].RTCPFeedback
	for _, kind := range supportedFeedback {
		if slices.Contains(offered, kind) {
			s.Feedback = append(s.Feedback, kind)
		}
	}
	if s.Kind == media.Video && slices.Contains(offered, "nack") {
		s.RepairType = repairType(formats, s.PayloadType)
	}
	if slices.Contains(offered, feedbackTransport) {
		s.TransportExtension = extensionID(described, sdp.TransportCCURI)
	}
}

// repairType finds the retransmissions of a payload type, 0 for none.
func repairType(formats []sdp.Codec, payloadType uint8) uint8 {
	repeats := fmt.Sprintf("apt=%d", payloadType)
	for _, codec := range formats {
		isRepeat := func(parameter string) bool { return strings.TrimSpace(parameter) == repeats }
		if strings.EqualFold(codec.Name, "rtx") && slices.ContainsFunc(strings.Split(codec.Fmtp, ";"), isRepeat) {
			return codec.PayloadType
		}
	}
	return 0
}

// extensionID is the id of a header extension, 0 if it is not offered or does not fit a one-byte header.
func extensionID(described *sdp.MediaDescription, uri string) uint8 {
	for _, attribute := range described.Attributes {
		var extension sdp.ExtMap
		if attribute.Key != "extmap" || extension.Unmarshal(attribute.String()) != nil || extension.URI.String() != uri {
			continue
		}
		if extension.Value >= 1 && extension.Value <= lastOneByteID {
			return uint8(extension.Value)
		}
	}
	return 0
}

// rank compares the offered formats of a codec, 0 for one that can't receive the stream. Other codecs than H.264 are
// accepted in their profile 0 only, which is the default and what samples have; of H.265 any.
func rank(video rtppayload.Codec, parameters string) int {
	key := "profile-id"
	switch video {
	case rtppayload.H264:
		return rankH264(parameters)
	case rtppayload.H265, rtppayload.VP8:
		return 1
	case rtppayload.AV1:
		key = "profile"
	}
	for _, parameter := range strings.Split(parameters, ";") {
		if name, value, _ := strings.Cut(strings.TrimSpace(parameter), "="); strings.EqualFold(name, key) && value != "0" {
			return 0
		}
	}
	return 1
}

// rankH264 prefers constrained baseline, which the sample uses, and refuses (0) other profiles or a lack of fragments.
func rankH264(parameters string) int {
	profile, mode := "", ""
	for _, parameter := range strings.Split(parameters, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
		switch strings.ToLower(name) {
		case "profile-level-id":
			profile = strings.ToLower(value)
		case "packetization-mode":
			mode = value
		}
	}
	switch {
	case mode != "1" || len(profile) != 6 || profile[:2] != "42":
		return 0
	case profile[2] == 'e' || profile[2] == 'c' || profile[2] == 'f':
		return 2 // constraint_set1: constrained
	}
	return 1
}
