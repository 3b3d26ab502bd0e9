package recorder

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pion/sdp/v3"
)

// OfferFacts are an offer without its random parts.
type OfferFacts struct {
	// Attributes are the session's, without values that are random.
	Attributes []string       `json:"attributes"`
	Sections   []SectionFacts `json:"sections"`
}

// SectionFacts are one media section.
type SectionFacts struct {
	Kind       string       `json:"kind"`
	Protocol   string       `json:"protocol"`
	Direction  string       `json:"direction"`
	Setup      string       `json:"setup"`
	Codecs     []CodecFacts `json:"codecs"`
	Extensions []string     `json:"extensions"`
	// Attributes are the names of all others, each once.
	Attributes     []string `json:"attributes"`
	UfragLength    int      `json:"ufragLength"`
	PasswordLength int      `json:"passwordLength"`
}

// CodecFacts are one payload type, without its number.
type CodecFacts struct {
	Name       string   `json:"name"`
	Parameters string   `json:"parameters,omitempty"`
	Feedback   []string `json:"feedback,omitempty"`
	// Repairs is the codec that an rtx payload type retransmits.
	Repairs string `json:"repairs,omitempty"`

	payloadType string
}

// section is what an answer needs of an offer's section.
type section struct {
	SectionFacts
	mid        string
	port       string
	extensions map[string]string // id by URI
}

type offer struct {
	OfferFacts
	sections []section
	ufrag    string
	password string
	setup    string
}

func readOffer(text string) (*offer, error) {
	var description sdp.SessionDescription
	if err := description.UnmarshalString(text); err != nil {
		return nil, fmt.Errorf("the offer is not SDP: %w", err)
	}
	o := &offer{}
	for _, a := range description.Attributes {
		name := a.Key
		if name == "group" || name == "extmap-allow-mixed" || name == "msid-semantic" || name == "setup" || name == "ice-options" {
			name = strings.TrimSpace(a.Key + " " + a.Value)
		}
		o.Attributes = append(o.Attributes, name)
	}
	for _, media := range description.MediaDescriptions {
		s := readSection(media)
		o.sections = append(o.sections, s)
		o.Sections = append(o.Sections, s.SectionFacts)
		if o.ufrag == "" {
			o.ufrag, _ = media.Attribute("ice-ufrag")
			o.password, _ = media.Attribute("ice-pwd")
			o.setup = s.Setup
		}
	}
	if len(o.sections) == 0 || o.ufrag == "" {
		return nil, fmt.Errorf("the offer has no media section with ICE")
	}
	return o, nil
}

func readSection(media *sdp.MediaDescription) section {
	s := section{extensions: map[string]string{}}
	s.Kind, s.Protocol, s.port = media.MediaName.Media, strings.Join(media.MediaName.Protos, "/"), media.MediaName.Port.String()
	names := map[string]string{}
	for _, format := range media.MediaName.Formats {
		c := CodecFacts{payloadType: format}
		for _, a := range media.Attributes {
			payloadType, value, _ := strings.Cut(a.Value, " ")
			if payloadType != format {
				continue
			}
			switch a.Key {
			case "rtpmap":
				c.Name = value
			case "fmtp":
				c.Parameters = value
			case "rtcp-fb":
				c.Feedback = append(c.Feedback, value)
			}
		}
		names[format] = strings.TrimSpace(c.Name + " " + c.Parameters)
		s.Codecs = append(s.Codecs, c)
	}
	for i := range s.Codecs {
		if apt, found := strings.CutPrefix(s.Codecs[i].Parameters, "apt="); found {
			s.Codecs[i].Parameters, s.Codecs[i].Repairs = "", names[apt]
		}
	}
	for _, a := range media.Attributes {
		switch a.Key {
		case "rtpmap", "fmtp", "rtcp-fb":
		case "extmap":
			id, uri, _ := strings.Cut(a.Value, " ")
			s.extensions[uri] = id
			s.Extensions = append(s.Extensions, uri)
		case "recvonly", "sendrecv", "sendonly", "inactive":
			s.Direction = a.Key
		case "setup":
			s.Setup = a.Value
		case "ice-ufrag":
			s.UfragLength = len(a.Value)
		case "ice-pwd":
			s.PasswordLength = len(a.Value)
		case "mid":
			s.mid = a.Value
		default:
			name := a.Key
			if name == "ice-options" {
				name += " " + a.Value
			}
			if !slices.Contains(s.Attributes, name) {
				s.Attributes = append(s.Attributes, name)
			}
		}
	}
	return s
}

// choose finds the codec in which the sample can be sent: Opus, or H.264 of constrained baseline in packetization mode
// 1.
func (s section) choose() (codec CodecFacts, rtx string, found bool) {
	rank := 0
	for _, c := range s.Codecs {
		name, parameters := strings.ToLower(c.Name), strings.ToLower(c.Parameters)
		score := 0
		switch {
		case s.Kind == "audio" && name == "opus/48000/2":
			score = 1
		case s.Kind == "video" && name == "h264/90000" && strings.Contains(parameters, "packetization-mode=1"):
			score = 1
			if strings.Contains(parameters, "profile-level-id=42e0") {
				score = 2
			}
		}
		if score > rank {
			codec, rank = c, score
		}
	}
	if rank == 0 {
		return codec, "", false
	}
	for _, c := range s.Codecs {
		if strings.EqualFold(c.Name, "rtx/90000") && c.Repairs == strings.TrimSpace(codec.Name+" "+codec.Parameters) {
			rtx = c.payloadType
		}
	}
	return codec, rtx, true
}
