// Package httplive implements viewers of endless streams over HTTP and WebSocket: FLV, and MJPEG as multipart parts or
// WebSocket messages. They count frames without decoding them.
package httplive

import (
	"crypto/tls"
	"net"
	"net/url"
	"time"

	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/tcpmedia"
	"fullhouse/agent/internal/tcpreader"
	"fullhouse/agent/internal/viewer"
)

// Format is what the stream consists of.
type Format int

// The formats.
const (
	FLV Format = iota
	MJPEG
)

func (f Format) String() string { return [...]string{"FLV", "MJPEG"}[f] }

// unit is what a stream of the format consists of, for sentences.
func (f Format) unit() string { return [...]string{"FLV messages", "pictures"}[f] }

// Config is common to all viewers of a job.
type Config struct {
	// URL is http, https, ws or wss.
	URL          *url.URL
	Format       Format
	StageTimeout time.Duration
	// AudioOnly ignores the video of FLV.
	AudioOnly bool
	// Identities have the headers of each viewer; nil for none.
	Identities *signalling.Identities
	Client     *signalling.Client
	Streams    tcpreader.Streams
	// TLS is for https and wss; that of the client by default.
	TLS *tls.Config
}

// Group are the viewers of one job.
type Group struct {
	Config
	endpoint    *url.URL // http or https
	isWebSocket bool
	common      tcpmedia.Common
}

// NewGroup makes a group without viewers.
func NewGroup(config Config) *Group {
	if config.TLS == nil {
		config.TLS = config.Client.TLS()
	}
	c := &Group{Config: config}
	endpoint := *config.URL
	switch endpoint.Scheme {
	case "ws":
		endpoint.Scheme, c.isWebSocket = "http", true
	case "wss":
		endpoint.Scheme, c.isWebSocket = "https", true
	}
	endpoint.Fragment = ""
	c.endpoint = &endpoint
	c.common.Host, c.common.Secure = hostPort(&endpoint), endpoint.Scheme == "https"
	c.common.StageTimeout, c.common.Streams = config.StageTimeout, config.Streams
	c.common.AudioOnly = config.AudioOnly
	c.common.Accepted, c.common.Unit = "the request", config.Format.unit()
	return c
}

func hostPort(target *url.URL) string {
	port := target.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[target.Scheme]
	}
	return net.JoinHostPort(target.Hostname(), port)
}

// New makes a viewer; it does nothing yet.
func (c *Group) New() viewer.Viewer { return newViewer(c, c.Identities.Next()) }

// Tick does nothing: TCP repairs loss.
func (c *Group) Tick(time.Time) {}
