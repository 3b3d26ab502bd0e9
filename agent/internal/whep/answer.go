package whep

import (
	"cmp"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/pion/sdp/v3"

	"fullhouse/agent/internal/failure"
)

const (
	// maxAnswerBytes is many times a real answer; what is larger is not one.
	maxAnswerBytes = 64 << 10
	maxCandidates  = 16
)

// answer is what a viewer needs of the server's SDP.
type answer struct {
	ufrag       string
	password    string
	hash        string // of the fingerprint, as in SDP: sha-256
	fingerprint string // upper case
	candidates  []netip.AddrPort
	video       track
	audio       track // payload type 0 when the server has none
}

// track is one stream's mapping.
type track struct {
	payloadType uint8
	clockRate   float64
	nack        bool
	pli         bool
}

// parseAnswer reads an SDP answer; its failures say what is missing.
func parseAnswer(body string) (answer, *failure.Failure) {
	var a answer
	fail := func(cause, format string, arguments ...any) (answer, *failure.Failure) {
		return answer{}, failure.New(failure.Signalling, cause, format, arguments...)
	}
	if len(body) > maxAnswerBytes {
		return fail("answer-too-large", "The answer has more than %d bytes.", maxAnswerBytes)
	}
	if !strings.HasPrefix(body, "v=") {
		return fail("not-sdp", "The answer is no SDP. It begins: %q.", excerpt(body))
	}
	var description sdp.SessionDescription
	if err := description.UnmarshalString(body); err != nil {
		return fail("not-sdp", "The answer is no SDP: %v. It begins: %s", err, excerpt(body))
	}
	session := description.Attributes
	var setup string
	for _, media := range description.MediaDescriptions {
		if media.MediaName.Port.Value == 0 {
			continue // rejected
		}
		if a.ufrag == "" {
			a.ufrag, a.password = first("ice-ufrag", media.Attributes, session), first("ice-pwd", media.Attributes, session)
			a.hash, a.fingerprint, _ = strings.Cut(first("fingerprint", media.Attributes, session), " ")
			setup = first("setup", media.Attributes, session)
		}
		a.candidates = append(a.candidates, candidates(media.Attributes)...)
		switch media.MediaName.Media {
		case "video":
			if a.video.payloadType == 0 {
				a.video = findTrack(media, "H264/90000")
			}
		case "audio":
			if a.audio.payloadType == 0 {
				a.audio = findTrack(media, "opus/48000")
			}
		}
	}
	a.candidates = distinct(append(a.candidates, candidates(session)...))
	a.hash, a.fingerprint = strings.ToLower(a.hash), strings.ToUpper(strings.TrimSpace(a.fingerprint))
	switch {
	case a.video.payloadType == 0:
		return fail("no-h264", "The answer accepts no H.264 video; it offers: %s.", offered(description))
	case a.ufrag == "" || a.password == "":
		return fail("no-ice", "The answer has no ICE user fragment or password.")
	case a.fingerprint == "":
		return fail("no-fingerprint", "The answer has no certificate fingerprint, so DTLS could not be trusted.")
	case setup == "active" || setup == "actpass":
		return fail("setup-"+setup, "The answer says setup:%s where the offer said active, so both would be the DTLS client.", setup)
	case len(a.candidates) == 0:
		return fail("no-candidate", "The answer has no UDP candidate with an address.")
	}
	return a, nil
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

// findTrack finds the payload type of a codec and the feedback that the server takes for it.
func findTrack(media *sdp.MediaDescription, codec string) track {
	var t track
	for _, format := range media.MediaName.Formats {
		for _, attribute := range media.Attributes {
			payloadType, value, _ := strings.Cut(attribute.Value, " ")
			if payloadType != format && payloadType != "*" {
				continue
			}
			switch {
			case attribute.Key == "rtpmap" && hasPrefixFold(value, codec):
				number, err := strconv.ParseUint(format, 10, 7)
				if err != nil {
					continue
				}
				t.payloadType = uint8(number)
				t.clockRate, _ = strconv.ParseFloat(strings.Split(value, "/")[1], 64)
			case attribute.Key == "rtcp-fb" && value == "nack":
				t.nack = true
			case attribute.Key == "rtcp-fb" && value == "nack pli":
				t.pli = true
			}
		}
		if t.payloadType != 0 {
			return t
		}
		t = track{}
	}
	return track{}
}

func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
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
	return excerpt(strings.Join(list, ", "))
}

type candidate struct {
	address  netip.AddrPort
	priority uint64
}

// candidates reads the UDP candidates with an IP address, best first. Names (mDNS) and TCP are passed over.
func candidates(attributes []sdp.Attribute) []netip.AddrPort {
	var found []candidate
	for _, attribute := range attributes {
		if attribute.Key != "candidate" || len(found) >= maxCandidates {
			continue
		}
		// foundation component transport priority address port typ TYPE ...
		fields := strings.Fields(attribute.Value)
		if len(fields) < 8 || fields[1] != "1" || !strings.EqualFold(fields[2], "udp") {
			continue
		}
		address, err := netip.ParseAddr(fields[4])
		if err != nil {
			continue
		}
		port, err := strconv.ParseUint(fields[5], 10, 16)
		if err != nil || port == 0 {
			continue
		}
		priority, err := strconv.ParseUint(fields[3], 10, 32)
		if err != nil {
			continue
		}
		found = append(found, candidate{netip.AddrPortFrom(address.Unmap(), uint16(port)), priority})
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(b.priority, a.priority) })
	addresses := make([]netip.AddrPort, len(found))
	for i, c := range found {
		addresses[i] = c.address
	}
	return addresses
}

func distinct(addresses []netip.AddrPort) []netip.AddrPort {
	var kept []netip.AddrPort
	for _, address := range addresses {
		if !slices.Contains(kept, address) && len(kept) < maxCandidates {
			kept = append(kept, address)
		}
	}
	return kept
}

// excerpt makes a server's words fit into one sentence of a failure.
func excerpt(text string) string {
	const most = 160
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
