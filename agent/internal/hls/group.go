// Package hls implements viewers of HLS, low-latency HLS and MPEG-DASH. They fetch playlists and segments as a player does, choose
// among variants by the measured bandwidth, and feed a model of its buffer; nothing is decoded.
package hls

import (
	"bytes"
	"crypto/tls"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"fullhouse/agent/internal/budget"
	"fullhouse/agent/internal/hls/content"
	"fullhouse/agent/internal/hls/dash"
	"fullhouse/agent/internal/hls/playlist"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/tcpreader"
	"fullhouse/agent/internal/viewer"
)

const (
	// slotLength times slots is how far ahead reloads are scheduled; later ones are scheduled again.
	slotLength = int64(20 * time.Millisecond)
	slots      = 1 << 10
	// maxKnown is how many playlists, initialization sections and segments are remembered, and maxKnownBytes the size of
	// the playlists' texts together.
	maxKnown      = 1000
	maxKnownBytes = 16 << 20
	// maxBodies bounds the playlists, keys and initialization sections that the viewers of a job are receiving.
	maxBodies = 256 << 20
	// maxExaminers is how many viewers examine the same segment at once; all others only count its bytes.
	maxExaminers = 4
)

// Config is common to all viewers of a job.
type Config struct {
	// URL of the multivariant or the media playlist, http or https.
	URL          *url.URL
	StageTimeout time.Duration
	// AudioOnly plays a separate audio, or a variant without video; the smallest one if there are none.
	AudioOnly bool
	// CMCD adds Common Media Client Data to each request.
	CMCD bool
	// Identities have the headers of each viewer; nil for none.
	Identities *signalling.Identities
	Client     *signalling.Client
	Streams    tcpreader.Streams
	// TLS is for https; that of the client by default.
	TLS *tls.Config
}

// Group are the viewers of one job. What all of them receive is parsed once.
type Group struct {
	Config

	mutex     sync.Mutex
	wheel     [slots][]*Viewer
	turned    int64 // slots since the epoch
	playlists map[string]parsed
	texts     int // bytes of the playlists
	inits     map[string]*content.Init
	segments  map[string]*known
	order     []string // of segments, oldest first

	parsing sync.Mutex // one playlist is parsed at a time
	bodies  budget.Pool
}

type parsed struct {
	text []byte
	// imports are the variables with which it was parsed.
	imports playlist.Variables
	document
}

// document is what the viewer's address, or that of a variant, has: a playlist, or a presentation of DASH.
type document struct {
	playlist     *playlist.Playlist
	presentation *dash.Presentation
}

// known is what is known of a segment.
type known struct {
	frames    atomic.Int64 // negative while unknown
	codec     atomic.Value // string
	examiners atomic.Int32
}

// NewGroup makes a group without viewers.
func NewGroup(config Config) *Group {
	if config.TLS == nil {
		config.TLS = config.Client.TLS()
	}
	return &Group{Config: config, bodies: budget.Pool{Name: "what viewers are receiving besides media", Limit: maxBodies}, turned: monotonic.Nano() / slotLength, playlists: map[string]parsed{},
		inits: map[string]*content.Init{}, segments: map[string]*known{}}
}

// New makes a viewer; it does nothing yet.
func (c *Group) New() viewer.Viewer { return newViewer(c, c.Identities.Next(), newJar()) }

// Tick lets the viewers that are due act.
func (c *Group) Tick(now time.Time) {
	slot := now.UnixNano() / slotLength
	var due []*Viewer
	c.mutex.Lock()
	for c.turned = max(c.turned, slot-slots+1); c.turned <= slot; c.turned++ {
		at := &c.wheel[c.turned%slots]
		due = append(due, *at...)
		*at = (*at)[:0]
	}
	c.mutex.Unlock()
	for _, v := range due {
		v.due(now.UnixNano())
	}
}

// schedule has a viewer called at a time or somewhat later.
func (c *Group) schedule(v *Viewer, at int64) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	slot := min(max(at/slotLength+1, c.turned), c.turned+slots-1)
	c.wheel[slot%slots] = append(c.wheel[slot%slots], v)
}

// latest is what was parsed last of an address.
func (c *Group) latest(key string) (parsed, bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	last, isKnown := c.playlists[key]
	return last, isKnown
}

// known is a playlist that another viewer has received with the same text.
func (c *Group) find(base *url.URL, text []byte, imports playlist.Variables) (document, bool) {
	last, isKnown := c.latest(withoutFragment(base).String())
	return last.document, isKnown && last.is(text, imports)
}

func (p *parsed) is(text []byte, imports playlist.Variables) bool {
	return bytes.Equal(p.text, text) && p.imports.Same(imports)
}

// withoutFragment is an address of the whole: of DASH, a fragment is a version within the description.
func withoutFragment(address *url.URL) *url.URL {
	whole := *address
	whole.Fragment = ""
	return &whole
}

// parse parses a playlist, unless another viewer has received the same text. Many viewers receive it at once, so only one
// parses at a time.
func (c *Group) parse(base *url.URL, text []byte, imports playlist.Variables) (document, error) {
	c.parsing.Lock()
	defer c.parsing.Unlock()
	base = withoutFragment(base)
	key := base.String()
	last, isKnown := c.latest(key)
	if isKnown && last.is(text, imports) {
		return last.document, nil
	}
	var read document
	var err error
	if dash.IsMPD(text) {
		if read.presentation, err = dash.Parse(base, text); err == nil {
			read.playlist = read.presentation.Playlist
			if last.presentation != nil {
				read.presentation.Continue(last.presentation)
			}
		}
	} else {
		read.playlist, err = playlist.Parse(base, text, imports)
	}
	if err != nil {
		return document{}, err
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.texts += len(text) - len(last.text)
	if len(c.playlists) >= maxKnown || c.texts > maxKnownBytes {
		clear(c.playlists)
		c.texts = len(text)
	}
	c.playlists[key] = parsed{append([]byte(nil), text...), imports, read}
	return read, nil
}

func keyOf(resource playlist.Resource) string {
	key := resource.URL.String()
	if resource.Length > 0 {
		key += "#" + strconv.FormatInt(resource.Offset, 10) + "+" + strconv.FormatInt(resource.Length, 10)
	}
	return key
}

// readInit parses an initialization section, unless another viewer has.
func (c *Group) readInit(resource playlist.Resource, data []byte) (*content.Init, error) {
	key := keyOf(resource)
	c.mutex.Lock()
	init := c.inits[key]
	c.mutex.Unlock()
	if init != nil {
		return init, nil
	}
	init, err := content.ReadInit(data)
	if err != nil {
		return nil, err
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if len(c.inits) >= maxKnown {
		clear(c.inits)
	}
	c.inits[key] = init
	return init, nil
}

// segment is what is known of a segment, and whether the caller should examine it.
func (c *Group) segment(resource playlist.Resource) (of *known, shouldExamine bool) {
	key := keyOf(resource)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	of = c.segments[key]
	if of == nil {
		of = &known{}
		of.frames.Store(-1)
		c.segments[key] = of
		if c.order = append(c.order, key); len(c.order) > maxKnown {
			delete(c.segments, c.order[0])
			c.order = c.order[1:]
		}
	}
	if of.frames.Load() >= 0 || of.examiners.Load() >= maxExaminers {
		return of, false
	}
	of.examiners.Add(1)
	return of, true
}
