package whep

import (
	"net/url"
	"sync"
	"time"

	"fullhouse/agent/internal/harvest"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/viewer"
	"fullhouse/agent/internal/whep/secure"
)

// Config is what all viewers of a job share.
type Config struct {
	Endpoint     *url.URL
	BearerToken  string
	StageTimeout time.Duration
	Signaller    *signalling.Signaller
	Loop         harvest.Loop
	Certificate  secure.Certificate
}

// Crowd are the viewers of one job, with a list of those that have a gap, so that nobody has to look through all of them.
type Crowd struct {
	Config

	mutex   sync.Mutex
	gapping []*Viewer
}

// NewCrowd makes a crowd without viewers.
func NewCrowd(config Config) *Crowd { return &Crowd{Config: config} }

// New makes a viewer; it does nothing yet.
func (c *Crowd) New() viewer.Viewer { return &Viewer{crowd: c} }

func (c *Crowd) repair(v *Viewer) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.gapping = append(c.gapping, v)
}

// Tick asks for what is missing and gives up what is overdue.
func (c *Crowd) Tick(now time.Time) {
	c.mutex.Lock()
	list := c.gapping
	c.gapping = nil
	c.mutex.Unlock()
	for _, v := range list {
		if v.Repair(now.UnixNano()) {
			c.repair(v)
		}
	}
}
