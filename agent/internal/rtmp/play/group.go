// Package play implements viewers of RTMP and RTMPS streams. They count messages and frames without decoding them.
package play

import (
	"crypto/tls"
	"time"

	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/tcpmedia"
	"fullhouse/agent/internal/tcpreader"
	"fullhouse/agent/internal/viewer"
)

// Config is common to all viewers of a job.
type Config struct {
	Address      rtmp.Address
	StageTimeout time.Duration
	// AudioOnly asks the server for no video, and ignores what comes nevertheless.
	AudioOnly bool
	Client    *signalling.Client
	Streams   tcpreader.Streams
	// TLS is for RTMPS; that of the client by default.
	TLS *tls.Config
}

// Group are the viewers of one job.
type Group struct {
	Config
	common tcpmedia.Common
}

// NewGroup makes a group without viewers.
func NewGroup(config Config) *Group {
	if config.TLS == nil {
		config.TLS = config.Client.TLS()
	}
	c := &Group{Config: config}
	c.common.Host, c.common.Secure = config.Address.Host, config.Address.Secure
	c.common.StageTimeout, c.common.Streams = config.StageTimeout, config.Streams
	c.common.AudioOnly = config.AudioOnly
	c.common.Accepted, c.common.Unit = "play", "messages"
	return c
}

// New makes a viewer; it does nothing yet.
func (c *Group) New() viewer.Viewer { return newViewer(c) }

// Tick does nothing: TCP repairs loss.
func (c *Group) Tick(time.Time) {}
