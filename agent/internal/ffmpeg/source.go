package ffmpeg

import (
	"strconv"
	"strings"
	"time"
)

// Source is a stream that ffmpeg opens by its address. ffmpeg gets the address by its standard input, as a list with
// one entry (the format ffconcat): an address may have a password or a key, and arguments are visible to every user of
// the machine.
type Source struct {
	Address string
	// Protocols and Formats are the only ones that may be opened, separated by commas.
	Protocols, Formats string
	// Analysis is how long the stream may be examined before its first packet is passed on.
	Analysis time.Duration
	// Options are names and values of its protocol and format.
	Options []string
}

// maxExamined is how many bytes may be examined: those of Analysis at 40 Mbit/s.
const maxExamined = 64 << 20

// common are the options both of the list and of its entry.
func (s Source) common() []string {
	return []string{"fpsprobesize", "0", "analyzeduration", strconv.FormatInt(s.Analysis.Microseconds(), 10), "probesize", strconv.Itoa(maxExamined)}
}

// arguments make ffmpeg read the list.
func (s Source) arguments() []string {
	var arguments []string
	for i, word := range s.common() {
		arguments = append(arguments, strings.Repeat("-", 1-i%2)+word)
	}
	return append(arguments, "-protocol_whitelist", "pipe,"+s.Protocols, "-format_whitelist", "concat,"+s.Formats,
		"-safe", "0", "-f", "concat", "-i", "pipe:0")
}

// script is the list. A quote ends a quoted part, as in a shell; an address has no line ends.
func (s Source) script() string {
	var script strings.Builder
	script.WriteString("ffconcat version 1.0\nfile '" + strings.ReplaceAll(s.Address, "'", `'\''`) + "'\n")
	for i, word := range append(s.common(), s.Options...) {
		if i%2 == 0 {
			script.WriteString("option " + word)
		} else {
			script.WriteString(" '" + strings.ReplaceAll(word, "'", `'\''`) + "'\n")
		}
	}
	return script.String()
}
