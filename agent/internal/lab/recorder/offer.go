package recorder

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pion/sdp/v3"

	"fullhouse/agent/internal/protocol"
)

// section is what an answer needs of an offer's section.
type section struct {
	protocol.RecordedSection
	payloadTypes []string // of the codecs
	mid          string
	port         string
	extensions   map[string]string // id by URI
}

type offer struct {
	protocol.RecordedOffer
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
		o.Sections = append(o.Sections, s.RecordedSection)
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
		var c protocol.RecordedCodec
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
		s.Codecs, s.payloadTypes = append(s.Codecs, c), append(s.payloadTypes, format)
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
func (s section) choose() (codec protocol.RecordedCodec, payloadType, rtx string, found bool) {
	rank := 0
	for i, c := range s.Codecs {
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
			codec, payloadType, rank = c, s.payloadTypes[i], score
		}
	}
	if rank == 0 {
		return codec, "", "", false
	}
	for i, c := range s.Codecs {
		if strings.EqualFold(c.Name, "rtx/90000") && c.Repairs == strings.TrimSpace(codec.Name+" "+codec.Parameters) {
			rtx = s.payloadTypes[i]
		}
	}
	return codec, payloadType, rtx, true
}
