package failure

import (
	"strings"
	"time"

	"fullhouse/agent/internal/monotonic"
)

// Excerpt shortens a server's text to fit into one sentence of a failure.
func Excerpt(text string) string {
	const maximum = 160
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " ")
	if runes := []rune(text); len(runes) > maximum {
		return string(runes[:maximum]) + "…"
	}
	return text
}

// Elapsed is the time since a step started, rounded for a sentence.
func Elapsed(startTime time.Time) time.Duration {
	return time.Since(startTime).Round(time.Millisecond)
}

// Since is the time since a timestamp in monotonic Unix nanoseconds, rounded for a sentence.
func Since(nano int64) time.Duration { return monotonic.Since(nano).Round(time.Millisecond) }
