package dash

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"fullhouse/agent/internal/budget"
	"fullhouse/agent/internal/hls/playlist"
)

// Presentation is a presentation's latest period.
type Presentation struct {
	// Playlist has the variants and renditions; the fragment of their addresses is the id of a representation.
	Playlist *playlist.Playlist
	// ReloadAfter is how long the description is valid; 0 if it does not change.
	ReloadAfter time.Duration
	// IsTimed means that segments become available by the time of day, without a reload.
	IsTimed bool

	start           time.Time // of the period; zero for recordings
	length          time.Duration
	depth, holdBack time.Duration
	isLive          bool
	byID            map[string]*Representation
	// While it is parsed: what it may still have, and the timelines that representations share.
	left       *budget.Budget
	timetables map[timetableKey]*timetable
}

// Representation is one version of the video or the audio.
type Representation struct {
	ID        string
	bandwidth int64
	base      *url.URL
	template  *template
	listed    *timetable // by a timeline; nil if segments become available by the time of day
	shift     int64      // of their numbers, see Continue
	media     func() *playlist.Media
}

// IsMPD reports whether a text looks like a presentation description rather than a playlist.
func IsMPD(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))), []byte("<")) && bytes.Contains(text, []byte("<MPD"))
}

// Parse reads a presentation description; relative addresses are resolved against base.
func Parse(base *url.URL, text []byte) (*Presentation, error) {
	var mpd document
	left := budget.New("the presentation", maxAddresses, maxElements, "")
	if err := left.Entries("elements", int64(bytes.Count(text, []byte("<")))); err != nil {
		return nil, err
	}
	if err := xml.Unmarshal(text, &mpd); err != nil {
		return nil, ErrNotMPD
	}
	if len(mpd.Periods) == 0 {
		return nil, errors.New("the presentation has no period")
	}
	p := &Presentation{Playlist: &playlist.Playlist{}, isLive: mpd.Type == "dynamic", byID: map[string]*Representation{},
		left: left, timetables: map[timetableKey]*timetable{}}
	current := &mpd.Periods[0]
	if p.isLive {
		current = &mpd.Periods[len(mpd.Periods)-1]
	}
	if err := p.readTimes(&mpd, current); err != nil {
		return nil, err
	}
	for i := range current.AdaptationSets {
		set := &current.AdaptationSets[i]
		if err := p.addSet(base, mpd.BaseURL, current, set); err != nil {
			return nil, err
		}
	}
	if len(p.Playlist.Variants) == 0 {
		return nil, errors.New("the presentation has no video or audio in segment templates")
	}
	for _, of := range p.byID {
		of.template.Timeline = nil // the timetables have what is in it
	}
	p.left, p.timetables = nil, nil
	return p, nil
}

func (p *Presentation) readTimes(mpd *document, current *period) error {
	start, err := optionalDuration(current.Start)
	depth, depthErr := optionalDuration(mpd.TimeShiftBufferDepth)
	hold, holdErr := optionalDuration(mpd.SuggestedPresentationDelay)
	total := current.Duration
	if total == "" {
		total = mpd.Duration
	}
	length, lengthErr := optionalDuration(total)
	p.depth, p.holdBack, p.length = depth, hold, length
	var availableErr, updateErr error
	if p.isLive {
		var available time.Time
		available, availableErr = time.Parse(time.RFC3339Nano, zoned(mpd.AvailabilityStartTime))
		p.start = available.Add(start)
		if mpd.MinimumUpdatePeriod != nil {
			p.ReloadAfter, updateErr = duration(*mpd.MinimumUpdatePeriod)
			p.ReloadAfter = max(p.ReloadAfter, time.Second)
		}
	}
	if availableErr != nil {
		availableErr = errors.New("the live presentation has no valid availabilityStartTime")
	}
	return errors.Join(err, depthErr, holdErr, lengthErr, availableErr, updateErr)
}

// zoned adds the time zone that many servers leave out; it is UTC.
func zoned(text string) string {
	if text != "" && !strings.HasSuffix(text, "Z") && !strings.ContainsAny(text[min(len(text), 10):], "+-") {
		return text + "Z"
	}
	return text
}

// addSet adds the representations of an adaptation set: video as variants, audio as one rendition.
func (p *Presentation) addSet(base *url.URL, root string, current *period, set *adaptationSet) error {
	for i := range set.Representations {
		one := &set.Representations[i]
		kind := kindOf(set, one)
		if kind == "" {
			continue
		}
		if len(set.Protection) > 0 {
			return ErrEncrypted
		}
		of := &Representation{ID: one.ID, bandwidth: one.Bandwidth,
			template: one.Template.under(set.Template.under(current.Template))}
		if of.template == nil || of.template.Media == "" {
			return errors.New("the presentation has segments without a template, which is not of the live profile")
		}
		var err error
		if of.base, err = resolve(p.left, base, root, current.BaseURL, set.BaseURL, one.BaseURL); err != nil {
			return err
		}
		if err := of.checkAddresses(); err != nil {
			return err
		}
		if of.template.Timeline != nil {
			if of.listed, err = p.timetable(of); err != nil {
				return err
			}
			of.media = sync.OnceValue(func() *playlist.Media { return p.list(of) })
		} else if length := of.seconds(of.template.Duration); length < minDuration || length > maxSeconds*time.Second {
			return errors.New("the presentation has segments without a valid duration")
		} else {
			p.IsTimed = p.isLive
		}
		if p.byID[one.ID] != nil || len(p.byID) >= maxRepresentations {
			return fmt.Errorf("the presentation has several representations of the id %.40q, or more than %d", one.ID, maxRepresentations)
		}
		p.byID[one.ID] = of
		p.addTo(base, kind, of, one, set)
	}
	return nil
}

func (p *Presentation) addTo(base *url.URL, kind string, of *Representation, one *representation, set *adaptationSet) {
	address := *base
	address.Fragment = of.ID
	codecs := one.Codecs
	if codecs == "" {
		codecs = set.Codecs
	}
	if kind == "video" {
		p.Playlist.Variants = append(p.Playlist.Variants, playlist.Variant{URL: &address, BitrateBps: one.Bandwidth, Width: one.Width,
			Height: one.Height, FrameRate: frameRate(one.FrameRate), Codecs: codecs, AudioGroup: "audio"})
		return
	}
	if len(p.Playlist.Renditions) == 0 {
		p.Playlist.Renditions = []playlist.Rendition{{Kind: "AUDIO", Group: "audio", URL: &address, IsDefault: true}}
	}
}

func kindOf(set *adaptationSet, of *representation) string {
	for _, text := range []string{set.ContentType, of.MimeType, set.MimeType} {
		kind, _, _ := strings.Cut(text, "/")
		if kind == "video" || kind == "audio" {
			return kind
		}
	}
	return ""
}

// frameRate is a number or a fraction.
func frameRate(text string) float64 {
	above, below, isFraction := strings.Cut(text, "/")
	rate, _ := strconv.ParseFloat(above, 64)
	if divisor, err := strconv.ParseFloat(below, 64); isFraction && err == nil && divisor > 0 {
		rate /= divisor
	}
	return rate
}
