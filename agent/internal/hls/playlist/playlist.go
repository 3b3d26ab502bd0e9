// Package playlist parses HLS playlists (RFC 8216, and its second edition draft-pantos-hls-rfc8216bis for parts and
// blocking reload) into what a player needs. Unknown tags are ignored.
package playlist

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"fullhouse/agent/internal/budget"
)

const (
	// MaxBytes is more than a playlist of a day of segments.
	MaxBytes = 4 << 20
	// maxEntries bounds variants, segments and parts.
	maxEntries = 100_000
	// maxAddresses bounds their addresses, with what each costs besides its text.
	maxAddresses = 64 << 20
	addressCost  = 120
	maxLine      = 64 << 10
)

// Playlist is a multivariant playlist if it has Variants, else a media playlist.
type Playlist struct {
	Variants   []Variant
	Renditions []Rendition
	// Variables are those that the playlist defines; its media playlists may import them.
	Variables Variables
	Media
}

// Variant is one version of the stream (EXT-X-STREAM-INF).
type Variant struct {
	URL *url.URL
	// BitrateBps is the peak bitrate in bits a second.
	BitrateBps    int64
	Width, Height int
	FrameRate     float64
	Codecs        string
	// AudioGroup is the group of renditions with its audio; empty if the variant contains it.
	AudioGroup string
}

// Rendition is an alternative with its own playlist (EXT-X-MEDIA).
type Rendition struct {
	Kind, Group string
	URL         *url.URL // nil if it is in the variants
	IsDefault   bool
}

// Media is a list of segments, in order.
type Media struct {
	TargetDuration time.Duration
	// PartTarget is the length of parts; 0 without them.
	PartTarget time.Duration
	// HoldBack and PartHoldBack are how far from the end playback should start; 0 if not given.
	HoldBack, PartHoldBack time.Duration
	CanBlockReload         bool
	// HasEnded means that no segments will be added.
	HasEnded bool
	Segments Segments
	// Hint is the next part, which may be requested before it exists; nil without one.
	Hint *Part
}

// Segments are those of a media playlist, in order.
type Segments interface {
	Len() int
	// Sequence and Duration are those of the segment at a place, without making it.
	Sequence(place int) int64
	Duration(place int) time.Duration
	// At is the segment at a place.
	At(place int) *Segment
}

// List are segments that are listed one by one.
type List []Segment

// Len is their number.
func (l List) Len() int { return len(l) }

// Sequence is the number of the segment at a place.
func (l List) Sequence(place int) int64 { return l[place].Sequence }

// Duration is that of the segment at a place.
func (l List) Duration(place int) time.Duration { return l[place].Duration }

// At is the segment at a place.
func (l List) At(place int) *Segment { return &l[place] }

// Resource is something to fetch.
type Resource struct {
	URL *url.URL
	// Offset and Length select a byte range; Length 0 means all of it.
	Offset, Length int64
}

// Segment is one segment of a media playlist.
type Segment struct {
	Resource
	Sequence int64
	Duration time.Duration
	// Map is the initialization section that it needs; nil without one.
	Map *Resource
	// Key and MapKey are how the segment and its initialization section are encrypted; nil if they are not.
	Key, MapKey *Key
	// At is its time of day (EXT-X-PROGRAM-DATE-TIME); zero if unknown.
	At    time.Time
	IsGap bool
	Parts []Part
	// IsOpen means that only some of its parts exist yet; it can't be fetched as a whole.
	IsOpen        bool
	Discontinuity bool
}

// Key is a key of METHOD=AES-128 (RFC 8216, 4.3.2.4): it encrypts a resource as a whole.
type Key struct {
	URL *url.URL
	// IV is the initialization vector; nil if it is the sequence number of the segment.
	IV []byte
}

// Part is a part of a segment (EXT-X-PART).
type Part struct {
	Resource
	Duration      time.Duration
	IsIndependent bool
	IsGap         bool
}

// ErrNotPlaylist is the error of a text that is not a playlist.
var ErrNotPlaylist = errors.New("the response is not an HLS playlist")

// notPlaylist is ErrNotPlaylist with what the text is instead.
func notPlaylist(text []byte) error {
	switch {
	case len(text) == 0:
		return fmt.Errorf("%w: it is empty; the stream may not be published", ErrNotPlaylist)
	case strings.HasPrefix(http.DetectContentType(text), "text/html"):
		return fmt.Errorf("%w: it is a page (HTML), as for an error or a login", ErrNotPlaylist)
	}
	return ErrNotPlaylist
}

// Duration is the length of all segments.
func (m *Media) Duration() time.Duration {
	if m.Segments == nil {
		return 0
	}
	var sum time.Duration
	for place := range m.Segments.Len() {
		sum += m.Segments.Duration(place)
	}
	return sum
}

// parser is the state between lines.
type parser struct {
	base        *url.URL
	name        string // of the tag, for sentences
	variables   Variables
	values      int       // bytes of variables besides imported ones
	imports     Variables // of the multivariant playlist; nil without one
	result      *Playlist
	segments    List
	sequence    int64
	left        *budget.Budget
	variant     *Variant
	next        Segment // tags that apply to the next segment
	hasDuration bool
	current     *Resource // the latest map
	key, mapKey *Key      // in force, and at the latest map
	rangeEnd    map[string]int64
	at          time.Time // of the next segment, if known
}

// Parse parses a playlist; relative addresses are resolved against base. imports are the variables of the multivariant
// playlist that refers to it, nil without one.
func Parse(base *url.URL, text []byte, imports Variables) (*Playlist, error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if !bytes.HasPrefix(text, []byte("#EXTM3U")) {
		return nil, notPlaylist(text)
	}
	p := &parser{base: base, imports: imports, result: &Playlist{}, rangeEnd: map[string]int64{}, left: budget.New("the playlist", maxAddresses, maxEntries, "")}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		var err error
		switch {
		case line == "":
		case strings.HasPrefix(line, "#EXT"):
			err = p.tag(line)
		case strings.HasPrefix(line, "#"):
		default:
			err = p.address(line)
		}
		if err != nil {
			return nil, err
		}
	}
	if lines.Err() != nil {
		return nil, fmt.Errorf("a line of the playlist is longer than %d bytes", maxLine)
	}
	if len(p.next.Parts) > 0 { // of the segment that is being made
		p.next.IsOpen = true
		p.add(p.next)
	}
	if p.result.TargetDuration == 0 && len(p.segments) > 0 {
		return nil, errors.New("the playlist has segments, but no EXT-X-TARGETDURATION")
	}
	p.result.Segments, p.result.Variables = p.segments, p.variables
	return p.result, nil
}

// resolve makes an address of what an entry refers to. Relative ones are copies of the playlist's own, which may be long.
func (p *parser) resolve(text string) (*url.URL, error) {
	if err := p.left.Entries("entries", 1); err != nil {
		return nil, err
	}
	if err := p.left.Bytes("addresses", addressCost+2*len(p.base.Path)+len(text)); err != nil {
		return nil, err
	}
	target, err := p.base.Parse(text)
	if err != nil {
		return nil, p.invalid("an address", text)
	}
	return target, nil
}

func (p *parser) address(line string) error {
	if p.name = "the address of a segment"; p.variant != nil {
		p.name = "the address of a variant"
	}
	line, err := p.replaced(line)
	if err != nil {
		return err
	}
	target, err := p.resolve(line)
	if err != nil {
		return err
	}
	if p.variant != nil {
		p.variant.URL = target
		p.result.Variants = append(p.result.Variants, *p.variant)
		p.variant = nil
		return nil
	}
	if !p.hasDuration {
		return nil // RFC 8216 requires EXTINF
	}
	segment := p.next
	segment.URL = target
	if err := p.place(&segment.Resource); err != nil {
		return err
	}
	p.add(segment)
	p.next, p.hasDuration = Segment{}, false
	return nil
}

func (p *parser) add(segment Segment) {
	segment.Sequence, segment.Map, segment.Key, segment.MapKey = p.sequence, p.current, p.key, p.mapKey
	p.sequence++
	if segment.IsOpen {
		segment.Duration = 0
		for _, part := range segment.Parts {
			segment.Duration += part.Duration
		}
	}
	if segment.At.IsZero() {
		segment.At = p.at
	}
	if !segment.At.IsZero() {
		p.at = segment.At.Add(segment.Duration)
	}
	p.segments = append(p.segments, segment)
}

// place gives a byte range without an offset its place after the one before it in the same file.
func (p *parser) place(resource *Resource) error {
	if resource.Length == 0 {
		return nil
	}
	key := resource.URL.String()
	if err := p.left.Bytes("addresses", len(key)); err != nil {
		return err
	}
	if resource.Offset < 0 {
		resource.Offset = p.rangeEnd[key]
	}
	p.rangeEnd[key] = resource.Offset + resource.Length
	return nil
}
