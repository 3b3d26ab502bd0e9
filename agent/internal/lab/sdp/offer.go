// Package sdp reads a WHEP offer and writes the lab's answer: only what one viewer of H.264 and Opus needs.
package sdp

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fullhouse/agent/internal/media"
)

// ErrNoCodec is wrapped when the offer is well-formed but holds no codec that the lab has.
var ErrNoCodec = errors.New("no codec in common")

// Offer is what the lab takes from a viewer's offer.
type Offer struct {
	Username    string // ICE
	Fingerprint string // sha-256, upper case hex with colons
	Sections    []Section
	// Codecs are all that the offer has, as it writes them: "H264/90000".
	Codecs []string
}

// Section is one m= line of the offer, in its order.
type Section struct {
	Name string // as in the offer: "audio", "video", "application"
	MID  string
	Port string
	// Protocol and first format are given back when the section is refused.
	Protocol, FirstFormat string
	// Kind and PayloadType hold for an accepted section.
	Accepted    bool
	Kind        media.Kind
	PayloadType uint8
	// FormatParameters are the offer's own for H.264, which the answer has to repeat.
	FormatParameters string
	// Feedback holds the kinds of feedback that the offer has and the lab answers.
	Feedback []string
	// RepairType is the payload type of retransmissions (RTX, RFC 4588) for PayloadType, 0 when the offer has none.
	RepairType uint8
	// TransportExtension is the id of the transport-wide sequence number, when the offer has both it and the feedback on it; else 0.
	TransportExtension uint8
}

const (
	transportExtensionURI = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
	feedbackTransport     = "transport-cc"
	// lastOneByteID is the last id of a header extension with a header of one byte (RFC 8285 4.2).
	lastOneByteID = 14
)

// ParseOffer reads an offer. Errors are sentences that say what is missing.
func ParseOffer(text string) (*Offer, error) {
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\r' || r == '\n' })
	if len(lines) == 0 || lines[0] != "v=0" {
		return nil, errors.New("the body is no session description: it does not begin with v=0")
	}
	session, sections := attributes{}, []attributes(nil)
	current := &session
	for _, line := range lines[1:] {
		if media, isMedia := strings.CutPrefix(line, "m="); isMedia {
			sections = append(sections, attributes{media: strings.Fields(media)})
			current = &sections[len(sections)-1]
			if len(current.media) < 4 {
				return nil, fmt.Errorf("the line %q has no format", line)
			}
		} else if attribute, isAttribute := strings.CutPrefix(line, "a="); isAttribute {
			current.lines = append(current.lines, attribute)
		}
	}
	if len(sections) == 0 {
		return nil, errors.New("the offer has no media section")
	}
	offer := &Offer{}
	if err := offer.readTransport(session, sections); err != nil {
		return nil, err
	}
	found := false
	for _, s := range sections {
		section := readSection(s, offer.has)
		offer.Codecs = append(offer.Codecs, s.codecs(offer.Codecs)...)
		found = found || section.Accepted
		offer.Sections = append(offer.Sections, section)
	}
	if !found {
		return nil, fmt.Errorf("%w: the lab has H.264 (baseline, packetization-mode 1) and Opus, and the offer receives neither", ErrNoCodec)
	}
	return offer, nil
}

// readTransport takes ICE and DTLS from the first section, which the others are bundled with.
func (o *Offer) readTransport(session attributes, sections []attributes) error {
	first := func(name string) string {
		if value, found := sections[0].value(name); found {
			return value
		}
		value, _ := session.value(name)
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
		return errors.New("the offer says setup:passive; the lab is the passive side, offer actpass or active")
	}
	o.Fingerprint = strings.ToUpper(strings.TrimSpace(digest))
	if len(sections) > 1 {
		if group, _ := session.value("group"); !strings.HasPrefix(group, "BUNDLE") {
			return errors.New("the offer does not bundle its media (a=group:BUNDLE); the lab sends all over one transport")
		}
	}
	return nil
}

// has tells whether a section of that kind is accepted already; a viewer gets one of each.
func (o *Offer) has(kind media.Kind) bool {
	for _, s := range o.Sections {
		if s.Accepted && s.Kind == kind {
			return true
		}
	}
	return false
}

func readSection(a attributes, taken func(media.Kind) bool) (s Section) {
	s = Section{Name: a.media[0], Port: a.media[1], Protocol: a.media[2], FirstFormat: a.media[3]}
	s.MID, _ = a.value("mid")
	_, sends := a.value("sendonly")
	_, inactive := a.value("inactive")
	_, multiplexed := a.value("rtcp-mux")
	if sends || inactive || !multiplexed {
		return s
	}
	defer func() { s.readExtras(a) }()
	for _, format := range a.media[3:] {
		number, err := strconv.ParseUint(format, 10, 7)
		if err != nil {
			continue
		}
		codec, _, _ := strings.Cut(a.of("rtpmap", format), " ")
		codec = strings.ToLower(codec)
		switch {
		case s.Name == "audio" && codec == "opus/48000/2" && !taken(media.Audio):
			s.Accepted, s.Kind, s.PayloadType = true, media.Audio, uint8(number)
			return s
		case s.Name == "video" && codec == "h264/90000" && !taken(media.Video):
			parameters := a.of("fmtp", format)
			if rank := rankH264(parameters); rank > rankH264(s.FormatParameters) {
				s.Accepted, s.Kind, s.PayloadType, s.FormatParameters = true, media.Video, uint8(number), parameters
			}
		}
	}
	return s
}

// readExtras takes what the offer has for the payload type that was chosen.
func (s *Section) readExtras(a attributes) {
	if !s.Accepted {
		return
	}
	s.Feedback = a.feedback(s.PayloadType)
	if s.Kind == media.Video && slices.Contains(s.Feedback, "nack") {
		s.RepairType = a.repairType(s.PayloadType)
	}
	if a.offersFeedback(s.PayloadType, feedbackTransport) {
		s.TransportExtension = a.extension(transportExtensionURI)
	}
}

// rankH264 prefers constrained baseline, which is what the sample is, and refuses (0) what is not baseline or
// can't take fragments.
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
