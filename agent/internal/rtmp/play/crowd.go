// Package play is viewers of RTMP and RTMPS streams. They count messages and frames, they do not decode them.
package play

import (
	"crypto/tls"
	"sync/atomic"
	"time"

	"fullhouse/agent/internal/harvest"
	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/viewer"
)

// Config is what all viewers of a job share.
type Config struct {
	Address      rtmp.Address
	StageTimeout time.Duration
	Signaller    *signalling.Signaller
	Streams      harvest.Streams
	// TLS is for RTMPS; nil is what the system trusts.
	TLS *tls.Config
}

// Crowd are the viewers of one job.
type Crowd struct {
	Config
	rate atomic.Uint64 // bits of the bytes a second that a viewer measured last, 0 before
}

// NewCrowd makes a crowd without viewers.
func NewCrowd(config Config) *Crowd {
	if config.TLS == nil {
		config.TLS = &tls.Config{}
	}
	return &Crowd{Config: config}
}

// New makes a viewer; it does nothing yet.
func (c *Crowd) New() viewer.Viewer { return newViewer(c) }

// Tick has nothing to do: TCP repairs what is lost.
func (c *Crowd) Tick(time.Time) {}
