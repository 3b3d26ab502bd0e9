package ffmpeg

import (
	"net/url"
	"regexp"
	"strings"

	"fullhouse/agent/internal/failure"
)

// Words keeps what ffmpeg says about its failure, without secrets. It is for one goroutine.
type Words struct {
	address string
	secrets []string
	// relay is what ffmpeg is connected to instead of host; empty if it is connected to the server.
	relay, host string
	// cause is the first error of a component, such as a protocol, which names the reason; last is the last error.
	cause, last string
	// rejected is why the server rejected a handshake of SRT.
	rejected string
}

// Through makes the messages about a relay on this machine ones about the server, which ffmpeg does not know.
func (w *Words) Through(relay, host string) {
	w.address = relay
	if parsed, err := url.Parse(relay); err == nil {
		w.relay, w.host = parsed.Host, host
	}
}

// NewWords masks the secrets of an address: its user, its query, and what the query's values are without escapes.
func NewWords(target *url.URL) *Words {
	w := &Words{address: target.String()}
	add := func(secret string) {
		if len(secret) >= 3 {
			w.secrets = append(w.secrets, secret)
		}
	}
	if target.User != nil {
		add(target.User.String())
		password, _ := target.User.Password()
		add(password)
	}
	add(target.RawQuery)
	for _, part := range strings.FieldsFunc(target.RawQuery, func(r rune) bool { return r == '&' }) {
		_, value, _ := strings.Cut(part, "=")
		add(value)
		if plain, err := url.QueryUnescape(value); err == nil {
			add(plain)
		}
	}
	return w
}

var (
	// component is the start of a message: "[rtsp @ 0x562fbb574a00] [error] ".
	component = regexp.MustCompile(`^\[([a-z0-9_:/#]+) @ 0x[0-9a-f]+\] `)
	level     = regexp.MustCompile(`^\[(panic|fatal|error|warning|info|verbose)\] `)
	// rejection is a message of libsrt: ffmpeg's own one does not distinguish it from a server that does not respond.
	rejection = regexp.MustCompile(`/SRT:.*\bREJECT\b[^:]*: (.+?)(?: - not processing.*)?$`)
	// anAddress is any address in a message; ffmpeg appends options of its own to those that it opens.
	anAddress = regexp.MustCompile(`[a-z]+://[^\s'"]+`)
)

// Line returns a message without its component and level, and keeps it if it is an error.
func (w *Words) Line(line []byte) (message string) {
	text := strings.ToValidUTF8(string(line), "?")
	from := component.FindString(text)
	text = text[len(from):]
	if rejected := rejection.FindStringSubmatch(text); rejected != nil {
		w.rejected = rejected[1]
	}
	severity := level.FindString(text)
	text = text[len(severity):]
	if severity != "[error] " && severity != "[fatal] " && severity != "[panic] " {
		return text
	}
	// The list that ffmpeg reads its source from can't be opened for the reason that the last message has.
	if from != "" && w.cause == "" && !strings.HasPrefix(text, "Impossible to open ") {
		w.cause = text
	}
	w.last = text
	return text
}

// Replace makes a text the reason: ffmpeg knows only that its connection has ended.
func (w *Words) Replace(reason string) { w.cause = reason }

// Reason is the reason of a failure as a part of a sentence, without full stop; empty without an error.
func (w *Words) Reason() string {
	reason := w.cause
	if w.rejected != "" {
		reason = "the server rejected the handshake (" + w.rejected + ")"
	}
	if reason == "" {
		reason = w.last
	}
	reason = strings.TrimPrefix(strings.TrimPrefix(reason, w.address+": "), "pipe:0: ")
	reason = strings.ReplaceAll(reason, w.address, "the address")
	reason = anAddress.ReplaceAllStringFunc(reason, func(address string) string {
		parsed, err := url.Parse(strings.TrimRight(address, ":,."))
		if err != nil || parsed.Host == "" {
			return "the address"
		}
		return parsed.Host
	})
	if w.relay != "" {
		reason = strings.ReplaceAll(reason, w.relay, w.host)
	}
	for _, secret := range w.secrets {
		reason = strings.ReplaceAll(reason, secret, "…")
	}
	return strings.TrimRight(failure.Excerpt(reason), ". ")
}
