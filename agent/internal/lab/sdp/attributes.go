package sdp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// attributes are the a= lines of a section, or of the session.
type attributes struct {
	media []string
	lines []string
}

func (a attributes) value(name string) (value string, found bool) {
	for _, line := range a.lines {
		if before, after, _ := strings.Cut(line, ":"); before == name {
			return after, true
		}
	}
	return "", false
}

// of finds the attribute of one payload type: "rtpmap:102 H264/90000".
func (a attributes) of(name, format string) string {
	for _, line := range a.lines {
		if rest, isIt := strings.CutPrefix(line, name+":"+format+" "); isIt {
			return rest
		}
	}
	return ""
}

// feedback lists what the lab answers to, of what the offer has for the payload type.
func (a attributes) feedback(payloadType uint8) (kinds []string) {
	for _, kind := range []string{"nack", "nack pli", "ccm fir"} {
		if a.offersFeedback(payloadType, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

func (a attributes) offersFeedback(payloadType uint8, kind string) bool {
	return slices.Contains(a.lines, fmt.Sprintf("rtcp-fb:%d %s", payloadType, kind)) || slices.Contains(a.lines, "rtcp-fb:* "+kind)
}

// repairType finds the retransmissions of a payload type, 0 when there are none.
func (a attributes) repairType(payloadType uint8) uint8 {
	for _, format := range a.media[3:] {
		codec, _, _ := strings.Cut(a.of("rtpmap", format), "/")
		if !strings.EqualFold(codec, "rtx") {
			continue
		}
		for _, parameter := range strings.Split(a.of("fmtp", format), ";") {
			number, err := strconv.ParseUint(format, 10, 7)
			if strings.TrimSpace(parameter) == fmt.Sprintf("apt=%d", payloadType) && err == nil {
				return uint8(number)
			}
		}
	}
	return 0
}

// extension is the id of a header extension, 0 when it is not offered with one of a byte's header.
func (a attributes) extension(uri string) uint8 {
	for _, line := range a.lines {
		rest, isIt := strings.CutPrefix(line, "extmap:")
		fields := strings.Fields(rest)
		if !isIt || len(fields) < 2 || fields[1] != uri {
			continue
		}
		id, _, _ := strings.Cut(fields[0], "/") // a direction may follow
		if number, err := strconv.ParseUint(id, 10, 8); err == nil && number >= 1 && number <= lastOneByteID {
			return uint8(number)
		}
	}
	return 0
}

// mostCodecs bounds what is remembered of an offer.
const mostCodecs = 32

// codecs lists the names that are not known yet.
func (a attributes) codecs(known []string) (names []string) {
	for _, line := range a.lines {
		if rest, isIt := strings.CutPrefix(line, "rtpmap:"); isIt {
			_, name, _ := strings.Cut(rest, " ")
			if !slices.Contains(known, name) && !slices.Contains(names, name) && len(known)+len(names) < mostCodecs {
				names = append(names, name)
			}
		}
	}
	return names
}
