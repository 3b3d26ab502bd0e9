package failure

import (
	"strings"
	"time"

	"fullhouse/agent/internal/steady"
)

// Excerpt makes a server's words fit into one sentence of a failure.
func Excerpt(text string) string {
	const most = 160
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// Elapsed is the time since a step began, as a sentence tells it.
func Elapsed(began time.Time) time.Duration {
	return time.Since(began).Round(time.Millisecond)
}

// Since is the time since a moment in steady Unix nanoseconds, as a sentence tells it.
func Since(nano int64) time.Duration { return steady.Since(nano).Round(time.Millisecond) }
