// Package rtmp is the part of RTMP common to publishers and viewers: addresses, the handshake, chunks, AMF and
// commands.
package rtmp

import (
	"errors"
	"net"
	"net/url"
	"strings"
)

// Address is where a stream is published or pulled.
type Address struct {
	// Host with port.
	Host   string
	Secure bool
	// App is the application, all of the path but its last part.
	App string
	// Stream is the name with its parameters. It may be a secret (a stream key) and must not appear in sentences.
	Stream string
}

// ParseAddress parses rtmp://HOST[:PORT]/APP/STREAM[?PARAMETERS], or rtmps.
func ParseAddress(text string) (Address, error) {
	shape := errors.New("expected rtmp://HOST/APPLICATION/STREAM (in a node's address: {stream})")
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Scheme != "rtmp" && u.Scheme != "rtmps" {
		return Address{}, shape // the parser's own error could contain a stream key
	}
	if u.User != nil {
		return Address{}, errors.New("user names and passwords are not supported; append the key to the stream name")
	}
	app, stream, found := cutLast(strings.TrimPrefix(u.Path, "/"))
	if !found || app == "" || stream == "" {
		return Address{}, shape
	}
	if u.RawQuery != "" {
		stream += "?" + u.RawQuery
	}
	address := Address{Secure: u.Scheme == "rtmps", App: app, Stream: stream}
	port := u.Port()
	if port == "" {
		port = "1935"
		if address.Secure {
			port = "443"
		}
	}
	address.Host = net.JoinHostPort(u.Hostname(), port)
	return address, nil
}

func cutLast(path string) (before, last string, found bool) {
	at := strings.LastIndexByte(path, '/')
	if at < 0 {
		return "", "", false
	}
	return path[:at], path[at+1:], true
}

// TCURL is the application's address in `connect`.
func (a Address) TCURL() string {
	scheme := "rtmp"
	if a.Secure {
		scheme = "rtmps"
	}
	return scheme + "://" + a.Host + "/" + a.App
}

// Name is the host alone, to which a certificate must belong.
func (a Address) Name() string {
	name, _, err := net.SplitHostPort(a.Host)
	if err != nil {
		return a.Host
	}
	return name
}

// WithoutSecret removes the stream name from a server's text, since it may be a key, and keeps it short.
func (a Address) WithoutSecret(text string) string {
	name, _, _ := strings.Cut(a.Stream, "?")
	for _, secret := range []string{a.Stream, name} {
		text = strings.ReplaceAll(text, secret, "…")
	}
	const maximum = 200
	if len(text) > maximum {
		text = text[:maximum] + "…"
	}
	return strings.ToValidUTF8(text, "?")
}
