// Package rtmp is the part of RTMP common to publishers and viewers: addresses, the handshake, chunks, AMF and
// commands.
package rtmp

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

// Address is where a stream is published or pulled.
type Address struct {
	// Host with port.
	Host   string
	Secure bool
	// App is the application with its arguments: all of the path but its last part. It is empty for servers that have
	// streams without an application.
	App string
	// Stream is the name with its arguments. It may be a secret (a stream key) and must not appear in sentences.
	Stream string
	// User and Password answer a server that requires them (authmod).
	User, Password string
}

// shape is the form of an address, for sentences.
const shape = "expected rtmp://HOST/APPLICATION/STREAM, or rtmp://HOST/STREAM for a server without applications (in a node's address: {stream})"

// ParseAddress parses rtmp://[USER:PASSWORD@]HOST[:PORT]/[APP[?ARGUMENTS]/]STREAM[?ARGUMENTS], or rtmps. Errors are parts
// of sentences, without the address: it may contain a stream key.
func ParseAddress(text string) (Address, error) {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Scheme != "rtmp" && u.Scheme != "rtmps" {
		return Address{}, errors.New(shape)
	}
	address := Address{Secure: u.Scheme == "rtmps", User: u.User.Username()}
	address.Password, _ = u.User.Password()
	if u.User != nil && (address.User == "" || address.Password == "") {
		return Address{}, errors.New("a user needs a password and the reverse: write rtmp://USER:PASSWORD@HOST/APPLICATION/STREAM")
	}
	var isComplete bool
	if address.App, address.Stream, isComplete = splitPath(strings.TrimPrefix(u.Path, "/"), u.RawQuery); !isComplete {
		return Address{}, errors.New(shape)
	}
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

// splitPath finds the application and the stream. The arguments belong to the application if a stream follows them:
// after a path of one part, or before arguments of the stream.
func splitPath(path, query string) (app, stream string, isComplete bool) {
	ofApp, ofStream, hasBoth := strings.Cut(query, "?")
	if at := strings.LastIndexByte(ofApp, '/'); at >= 0 && (hasBoth || !strings.Contains(path, "/")) {
		app, stream = path+"?"+ofApp[:at], ofApp[at+1:]
		if isComplete = path != "" && stream != ""; hasBoth {
			stream += "?" + ofStream
		}
		return app, stream, isComplete
	}
	at := strings.LastIndexByte(path, '/')
	stream = path[at+1:]
	isComplete = stream != "" && at != 0
	if at > 0 {
		app = path[:at]
	}
	if query != "" {
		stream += "?" + query
	}
	return app, stream, isComplete
}

// TCURL is the application's address in `connect`.
func (a Address) TCURL() string {
	scheme := "rtmp"
	if a.Secure {
		scheme = "rtmps"
	}
	if a.App == "" {
		return scheme + "://" + a.Host
	}
	return scheme + "://" + a.Host + "/" + a.App
}

// Application is the application in sentences, without its arguments, which may be secrets.
func (a Address) Application() string {
	name, _, _ := strings.Cut(a.App, "?")
	if name == "" {
		return "without an application"
	}
	return fmt.Sprintf("application %q", name)
}

// Name is the host alone, to which a certificate must belong.
func (a Address) Name() string {
	name, _, err := net.SplitHostPort(a.Host)
	if err != nil {
		return a.Host
	}
	return name
}

// WithoutSecret removes the stream name, arguments and the password from a server's text, since they may be keys, and
// keeps it short.
func (a Address) WithoutSecret(text string) string {
	name, arguments, _ := strings.Cut(a.Stream, "?")
	_, ofApp, _ := strings.Cut(a.App, "?")
	for _, secret := range []string{a.Stream, arguments, ofApp, a.Password, name} {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "…")
		}
	}
	const maximum = 200
	if len(text) > maximum {
		text = text[:maximum] + "…"
	}
	return strings.ToValidUTF8(text, "?")
}
