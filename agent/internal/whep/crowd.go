package whep

import (
	"net/url"
	"slices"
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
	Realism      Realism
	// DecryptPercent is the share of packets that are decrypted beside those that always are.
	DecryptPercent float64
	// Door opens a viewer's way to its session where that is not WHEP; nil for WHEP.
	Door func() Door
}

// Crowd are the viewers of one job, with lists of those that have something to do between their seconds, so that nobody has to look
// through all of them.
type Crowd struct {
	Config

	mutex   sync.Mutex
	gapping []*Viewer
	joining []*Viewer

	// turns are the viewers that send feedback several times a second, each in one turn, so that not all send at once. Only Tick
	// touches them.
	turns [][]*Viewer
	turn  int64 // of the latest Tick, counted from the beginning of time
}

// NewCrowd makes a crowd without viewers.
func NewCrowd(config Config) *Crowd {
	c := &Crowd{Config: config, turns: make([][]*Viewer, leanTurns)}
	if config.Realism == Full {
		c.turns = c.turns[:fullTurns]
	}
	return c
}

// New makes a viewer; it does nothing yet.
func (c *Crowd) New() viewer.Viewer {
	v := &Viewer{crowd: c}
	if c.Door != nil {
		v.door = c.Door()
	}
	return v
}

func (c *Crowd) repair(v *Viewer) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.gapping = append(c.gapping, v)
}

func (c *Crowd) join(v *Viewer) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.joining = append(c.joining, v)
}

// Tick asks for what is missing, gives up what is overdue, and sends the feedback of those whose turn it is.
func (c *Crowd) Tick(now time.Time) {
	c.mutex.Lock()
	gapping, joining := c.gapping, c.joining
	c.gapping, c.joining = nil, nil
	c.mutex.Unlock()
	for _, v := range gapping {
		if v.Repair(now.UnixNano()) {
			c.repair(v)
		}
	}
	for _, v := range joining {
		least := 0
		for i := range c.turns {
			if len(c.turns[i]) < len(c.turns[least]) {
				least = i
			}
		}
		c.turns[least] = append(c.turns[least], v)
	}
	// Ticks that did not come in time are made up for, a whole round at most.
	turn := now.UnixNano() / int64(turnLength)
	for c.turn = max(c.turn, turn-int64(len(c.turns))); c.turn < turn; {
		c.turn++
		at := c.turn % int64(len(c.turns))
		c.turns[at] = slices.DeleteFunc(c.turns[at], func(v *Viewer) bool { return !v.Feedback(now.UnixNano()) })
	}
}
