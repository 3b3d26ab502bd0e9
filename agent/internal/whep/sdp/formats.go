package sdp

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pion/sdp/v3"

	"fullhouse/agent/internal/media/rtppayload"
)

const (
	// maxFormats is more than the offer has.
	maxFormats = 32
	// maxListed is how many payload types exist; a section that lists more lists some of them twice.
	maxListed = 128
)

// formats are the payload types that a section lists, once each.
func formats(media *sdp.MediaDescription) (listed []string) {
	for _, format := range media.MediaName.Formats[:min(len(media.MediaName.Formats), maxListed)] {
		if !slices.Contains(listed, format) {
			listed = append(listed, format)
		}
	}
	return listed
}

// isVideo finds the codec of an rtpmap's "NAME/CLOCK RATE"; supported is false for what viewers can't count.
func isVideo(value string) (format Track, supported bool) {
	name, rate, _ := strings.Cut(value, "/")
	codec := rtppayload.ByName(name)
	return Track{Codec: codec, ClockRate: 90000}, codec != rtppayload.None && rate == "90000"
}

// noStatic is for media whose payload types are all dynamic.
func noStatic(uint8) Track { return Track{} }

// findTracks finds the payload types of supported codecs and the feedback that the server supports for each. static has
// those that need no rtpmap.
func findTracks(media *sdp.MediaDescription, find func(value string) (Track, bool), static func(payloadType uint8) Track) []Track {
	var tracks []Track
	for _, format := range formats(media) {
		number, err := strconv.ParseUint(format, 10, 7)
		if err != nil {
			continue
		}
		var t Track
		isMapped := false
		for _, attribute := range media.Attributes {
			payloadType, value, _ := strings.Cut(attribute.Value, " ")
			if payloadType != format && payloadType != "*" {
				continue
			}
			switch {
			case attribute.Key == "rtpmap":
				isMapped = true
				if found, supported := find(strings.TrimSpace(value)); supported {
					t.Codec, t.Audio, t.ClockRate = found.Codec, found.Audio, found.ClockRate
				}
			case attribute.Key == "rtcp-fb" && value == "nack":
				t.NACK = true
			case attribute.Key == "rtcp-fb" && value == "nack pli":
				t.PLI = true
			case attribute.Key == "rtcp-fb" && value == "goog-remb":
				t.REMB = true
			case attribute.Key == "rtcp-fb" && value == "transport-cc":
				t.TransportCC = true
			}
		}
		if !isMapped {
			found := static(uint8(number))
			t.Audio, t.ClockRate = found.Audio, found.ClockRate
		}
		if !t.IsNone() && len(tracks) < maxFormats {
			t.PayloadType = uint8(number)
			t.RTX = findRTX(media, format)
			tracks = append(tracks, t)
		}
	}
	return tracks
}

// findRTX finds the payload type that retransmits another.
func findRTX(media *sdp.MediaDescription, repeated string) uint8 {
	for _, format := range formats(media) {
		isRTX, isOfIt := false, false
		for _, attribute := range media.Attributes {
			payloadType, value, _ := strings.Cut(attribute.Value, " ")
			if payloadType != format {
				continue
			}
			isRTX = isRTX || attribute.Key == "rtpmap" && hasPrefixFold(value, "rtx/")
			for _, parameter := range strings.Split(value, ";") {
				isOfIt = isOfIt || attribute.Key == "fmtp" && strings.TrimSpace(parameter) == "apt="+repeated
			}
		}
		if number, err := strconv.ParseUint(format, 10, 7); err == nil && isRTX && isOfIt {
			return uint8(number)
		}
	}
	return 0
}

// findFEC finds the payload type of FlexFEC, in either of its versions.
func findFEC(media *sdp.MediaDescription) uint8 {
	for _, attribute := range media.Attributes {
		payloadType, value, _ := strings.Cut(attribute.Value, " ")
		if attribute.Key != "rtpmap" || !hasPrefixFold(value, "flexfec") {
			continue
		}
		if number, err := strconv.ParseUint(payloadType, 10, 7); err == nil {
			return uint8(number)
		}
	}
	return 0
}

// findExtension finds the id of a header extension, 0 if missing. The id may include a direction: 4/sendonly.
func findExtension(media, session []sdp.Attribute, uri string) uint8 {
	for _, attributes := range [][]sdp.Attribute{media, session} {
		for _, attribute := range attributes {
			fields := strings.Fields(attribute.Value)
			if attribute.Key != "extmap" || len(fields) < 2 || fields[1] != uri {
				continue
			}
			id, direction, _ := strings.Cut(fields[0], "/")
			if number, err := strconv.ParseUint(id, 10, 8); err == nil && direction != "inactive" {
				return uint8(number)
			}
		}
	}
	return 0
}

func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}
