package whep

import (
	"net/url"
	"slices"
	"sync"
	"time"

	"fullhouse/agent/internal/media/rtppayload"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/tcpreader"
	"fullhouse/agent/internal/udpreader"
	"fullhouse/agent/internal/viewer"
	"fullhouse/agent/internal/whep/dtlssrtp"
	"fullhouse/agent/internal/whep/hosts"
)

// Config is common to all viewers of a job.
type Config struct {
	Endpoint *url.URL
	// Identities are those of viewers over WHEP and publishers over WHIP; nil for none.
	Identities   *signalling.Identities
	StageTimeout time.Duration
	Client       *signalling.Client
	Loop         udpreader.Loop
	Certificate  dtlssrtp.Certificate
	Fidelity     Fidelity
	// Codecs are the offered ones of video; all if there are none.
	Codecs []rtppayload.Codec
	// AudioOnly leaves out the video: each packet of audio counts as a frame.
	AudioOnly bool
	// DecryptPercent is the share of packets that are decrypted in addition to those that always are.
	DecryptPercent float64
	// Relay, if set, makes a share of the viewers use a TURN server.
	Relay *Relay
	// Streams, if set, makes direct viewers receive over TCP (RFC 6544) instead of UDP.
	Streams tcpreader.Streams
	// NewSignaller makes a viewer's signaller if the protocol is not WHEP; nil for WHEP.
	NewSignaller func() Signaller
	// Room makes the viewers participants; nil for viewers.
	Room *Room
	// Hosts bounds what viewers send to other hosts that the server names; those of one job by default. Warn gets a
	// sentence about such hosts.
	Hosts *hosts.Hosts
	Warn  func(sentence string)
	// Pacer sends what participants publish; one of the group's own by default.
	Pacer *Pacer
}

// Group are the viewers of one job, with lists of those that have work between their seconds, so that Tick need not go
// through all of them.
type Group struct {
	Config

	names names

	mutex   sync.Mutex
	gapping []*Viewer
	joining []*Viewer

	// turns are the viewers that send feedback several times a second, each in one turn, so that not all send at once.
	// Used by Tick only.
	turns [][]*Viewer
	turn  int64 // of the latest Tick, counted from the Unix epoch
}

// NewGroup makes a group without viewers.
func NewGroup(config Config) *Group {
	if config.Pacer == nil {
		config.Pacer = &Pacer{}
	}
	if config.Hosts == nil {
		config.Hosts = &hosts.Hosts{}
	}
	c := &Group{Config: config, turns: make([][]*Viewer, mediaOnlyTurns)}
	if config.Fidelity == Browser {
		c.turns = c.turns[:browserTurns]
	}
	return c
}

// New makes a viewer; it does nothing yet.
func (c *Group) New() viewer.Viewer {
	v := c.newViewer(c.newSignaller(), c.Relay.next())
	v.identity = c.Identities.Next()
	return v
}

func (c *Group) newSignaller() Signaller {
	if c.NewSignaller == nil {
		return nil
	}
	return c.NewSignaller()
}

func (c *Group) newViewer(signaller Signaller, isRelayed bool) *Viewer {
	v := &Viewer{group: c, signaller: signaller}
	if isRelayed {
		v.relay = &relay{}
	}
	if c.Room != nil {
		v.room = newRoomMedia(c.Room)
	}
	return v
}

// Again makes a viewer with the same identity, relayed if this one is.
func (v *Viewer) Again() viewer.Viewer {
	if s, ok := v.signaller.(interface{ Again() Signaller }); ok {
		return v.group.newViewer(s.Again(), v.relay != nil)
	}
	again := v.group.newViewer(v.group.newSignaller(), v.relay != nil)
	again.identity = v.identity.WithoutSession()
	return again
}

func (c *Group) repair(v *Viewer) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.gapping = append(c.gapping, v)
}

func (c *Group) join(v *Viewer) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.joining = append(c.joining, v)
}

// Tick requests missing packets, gives up overdue ones, and sends the feedback of the viewers in turn.
func (c *Group) Tick(now time.Time) {
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
		minimum := 0
		for i := range c.turns {
			if len(c.turns[i]) < len(c.turns[minimum]) {
				minimum = i
			}
		}
		c.turns[minimum] = append(c.turns[minimum], v)
	}
	// Late ticks are made up for, at most a full round.
	turn := now.UnixNano() / int64(turnLength)
	for c.turn = max(c.turn, turn-int64(len(c.turns))); c.turn < turn; {
		c.turn++
		at := c.turn % int64(len(c.turns))
		c.turns[at] = slices.DeleteFunc(c.turns[at], func(v *Viewer) bool { return !v.Feedback(now.UnixNano()) })
	}
}
