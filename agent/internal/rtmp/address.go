// Package rtmp is what publishers and viewers share of the protocol: addresses, the handshake, chunks, AMF and commands.
package rtmp

import (
	"errors"
	"net"
	"net/url"
	"strings"
)

// Address is where a stream is published or played.
type Address struct {
	// Host with port.
	Host   string
	Secure bool
	// App is the application, all of the path but its last part.
	App string
	// Stream is the name with its parameters. It may be a secret (a stream key): never in sentences.
	Stream string
}

// ParseAddress reads rtmp://HOST[:PORT]/APP/STREAM[?PARAMETERS], or rtmps.
func ParseAddress(text string) (Address, error) {
	shape := errors.New("it must look like rtmp://HOST/APPLICATION/STREAM")
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Scheme != "rtmp" && u.Scheme != "rtmps" {
		return Address{}, shape // the parser's own words could repeat a stream key
	}
	if u.User != nil {
		return Address{}, errors.New("user names and passwords are not sent by RTMP from here; put the key into the stream's name")
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

// TCURL is the application's address as `connect` names it.
func (a Address) TCURL() string {
	scheme := "rtmp"
	if a.Secure {
		scheme = "rtmps"
	}
	return scheme + "://" + a.Host + "/" + a.App
}

// Name is the host alone, for which a certificate must be.
func (a Address) Name() string {
	name, _, err := net.SplitHostPort(a.Host)
	if err != nil {
		return a.Host
	}
	return name
}

// WithoutSecret takes the stream's name out of what a server says, since it may be a key, and keeps it short.
func (a Address) WithoutSecret(text string) string {
	name, _, _ := strings.Cut(a.Stream, "?")
	for _, secret := range []string{a.Stream, name} {
		text = strings.ReplaceAll(text, secret, "…")
	}
	const most = 200
	if len(text) > most {
		text = text[:most] + "…"
	}
	return strings.ToValidUTF8(text, "?")
}
