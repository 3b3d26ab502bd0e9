package sdp

import (
	"strings"
)

// AudioFormat is a codec of audio whose packets viewers count.
type AudioFormat uint8

// The audio formats; the zero value is what every server of WebRTC must support besides G.711.
const (
	Opus AudioFormat = iota
	G722
	PCMU
	PCMA
)

// String is the name in SDP.
func (f AudioFormat) String() string { return audioFormats[f].name }

// audioFormat is one payload type of the offer's audio.
type audioFormat struct {
	name        string
	payloadType uint8
	// clockRate is that of RTP: G.722 samples at 16 kHz, but its clock is 8 kHz (RFC 3551, 4.5.2).
	clockRate float64
}

// audioFormats are those of Chromium, with its numbers.
var audioFormats = [...]audioFormat{
	Opus: {"opus", opusPayloadType, 48000},
	G722: {"G722", 9, 8000},
	PCMU: {"PCMU", 0, 8000},
	PCMA: {"PCMA", 8, 8000},
}

// offeredAudio is the order of Chromium's offer.
var offeredAudio = [...]AudioFormat{Opus, G722, PCMU, PCMA}

// AudioOf is the audio of an offer's payload type.
func AudioOf(payloadType uint8) (track Track, isAudio bool) {
	for format, one := range audioFormats {
		if one.payloadType == payloadType {
			return Track{PayloadType: payloadType, Audio: AudioFormat(format), ClockRate: one.clockRate}, true
		}
	}
	return Track{}, false
}

// staticAudio is the format of a payload type that needs no rtpmap (RFC 3551, 6): all but the one of Opus.
func staticAudio(payloadType uint8) Track {
	if track, isAudio := AudioOf(payloadType); isAudio && track.Audio != Opus {
		return track
	}
	return Track{}
}

// isAudio finds the format of an rtpmap's "NAME/CLOCK RATE/CHANNELS"; supported is false for what viewers can't count.
func isAudio(value string) (format Track, supported bool) {
	name, rate, _ := strings.Cut(value, "/")
	rate, _, _ = strings.Cut(rate, "/")
	for number, one := range audioFormats {
		if strings.EqualFold(name, one.name) && rate == rates[one.clockRate] {
			return Track{Audio: AudioFormat(number), ClockRate: one.clockRate}, true
		}
	}
	return Track{}, false
}

// rates are clock rates as an rtpmap has them.
var rates = map[float64]string{48000: "48000", 8000: "8000"}

// audioNames are the formats for a failure's sentence.
func audioNames() string {
	var names []string
	for _, format := range offeredAudio {
		names = append(names, format.String())
	}
	return strings.Join(names, ", ")
}
