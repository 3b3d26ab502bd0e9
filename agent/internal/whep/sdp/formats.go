package sdp

import (
	"strconv"
	"strings"

	"github.com/pion/sdp/v3"
)

// maxFormats is more than the offer has.
const maxFormats = 16

// findTracks finds the payload types of a codec and the feedback that the server supports for each.
func findTracks(media *sdp.MediaDescription, codec string) []Track {
	var found []Track
	for _, format := range media.MediaName.Formats {
		var t Track
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
				t.PayloadType = uint8(number)
				t.ClockRate, _ = strconv.ParseFloat(strings.Split(value, "/")[1], 64)
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
		if t.PayloadType != 0 && len(found) < maxFormats {
			t.RTX = findRTX(media, format)
			found = append(found, t)
		}
	}
	return found
}

// findRTX finds the payload type that retransmits another.
func findRTX(media *sdp.MediaDescription, repeated string) uint8 {
	for _, format := range media.MediaName.Formats {
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
