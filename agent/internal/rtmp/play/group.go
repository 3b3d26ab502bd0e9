// Package play implements viewers of RTMP and RTMPS streams. They count messages and frames without decoding them.
package play

import (
	"crypto/tls"
	"sync/atomic"
	"time"

	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/tcpreader"
	"fullhouse/agent/internal/viewer"
)

// Config is common to all viewers of a job.
type Config struct {
	Address      rtmp.Address
	StageTimeout time.Duration
	Client       *signalling.Client
	Streams      tcpreader.Streams
	// TLS is for RTMPS; nil for the system's trusted certificates.
	TLS *tls.Config
}

// Group are the viewers of one job.
type Group struct {
	Config
	rate atomic.Uint64 // bits of the bytes a second that a viewer measured last, 0 before
}

// NewGroup makes a group without viewers.
func NewGroup(config Config) *Group {
	if config.TLS == nil {
		config.TLS = &tls.Config{}
	}
	return &Group{Config: config}
}

// New makes a viewer; it does nothing yet.
func (c *Group) New() viewer.Viewer { return newViewer(c) }

// Tick does nothing: TCP repairs loss.
func (c *Group) Tick(time.Time) {}
