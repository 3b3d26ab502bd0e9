package dash

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

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
}

// Representation is one version of the video or the audio.
type Representation struct {
	ID        string
	bandwidth int64
	base      *url.URL
	template  *template
	listed    *playlist.Media // by a timeline
	times     []uint64        // of the listed segments
}

// IsMPD reports whether a text looks like a presentation description rather than a playlist.
func IsMPD(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))), []byte("<")) && bytes.Contains(text, []byte("<MPD"))
}

// Parse reads a presentation description; relative addresses are resolved against base.
func Parse(base *url.URL, text []byte) (*Presentation, error) {
	var mpd document
	if err := xml.Unmarshal(text, &mpd); err != nil {
		return nil, ErrNotMPD
	}
	if len(mpd.Periods) == 0 {
		return nil, errors.New("the presentation has no period")
	}
	p := &Presentation{Playlist: &playlist.Playlist{}, isLive: mpd.Type == "dynamic", byID: map[string]*Representation{}}
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
		if of.base, err = resolve(base, root, current.BaseURL, set.BaseURL, one.BaseURL); err != nil {
			return err
		}
		if of.template.Timeline != nil {
			if of.listed, err = p.list(of); err != nil {
				return err
			}
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

// Continue numbers segments as in an earlier description of the same presentation. Only servers that name segments by
// their number keep it: those with times number from 1 in each description.
func (p *Presentation) Continue(earlier *Presentation) {
	for id, of := range p.byID {
		before := earlier.byID[id]
		if of.listed == nil || before == nil || before.listed == nil || strings.Contains(of.template.Media, "$Number") {
			continue
		}
		if shift, isKnown := of.shift(before); isKnown {
			for i := range of.listed.Segments {
				of.listed.Segments[i].Sequence += shift
			}
		}
	}
}

// shift is the difference in numbers between two lists, by a segment that is in both.
func (r *Representation) shift(before *Representation) (shift int64, isKnown bool) {
	for i, at := range r.times {
		if j, found := slices.BinarySearch(before.times, at); found {
			return before.listed.Segments[j].Sequence - r.listed.Segments[i].Sequence, true
		}
	}
	// None is: the next number is as good as any.
	if count := len(before.listed.Segments); count > 0 && len(r.listed.Segments) > 0 {
		return before.listed.Segments[count-1].Sequence + 1 - r.listed.Segments[0].Sequence, true
	}
	return 0, false
}

// Media lists the segments of a representation that are available at a time of day; nil if it does not exist.
func (p *Presentation) Media(id string, now time.Time) *playlist.Media {
	of := p.byID[id]
	switch {
	case of == nil:
		return nil
	case of.listed != nil:
		return of.listed
	}
	media := p.media()
	length := of.seconds(of.template.Duration)
	media.TargetDuration = length
	first, count := int64(0), int64(0)
	if p.isLive {
		count = int64(now.Sub(p.start) / length)
		if p.length > 0 {
			count = min(count, int64((p.length+length-1)/length))
		}
		if p.depth > 0 {
			first = max(0, count-int64(p.depth/length))
		}
		first = max(first, count-maxTimed)
	} else {
		count = min(int64((p.length+length-1)/length), maxSegments)
	}
	for i := first; i < count; i++ {
		p.add(media, of, i, uint64(i)*of.template.Duration+of.template.Offset, of.template.Duration)
	}
	return media
}

// maxTimed is how many of the latest segments are listed where they are available by the time of day.
const maxTimed = 20

func (p *Presentation) media() *playlist.Media {
	return &playlist.Media{HasEnded: !p.isLive, HoldBack: p.holdBack}
}

// list makes the segments of a timeline.
func (p *Presentation) list(of *Representation) (*playlist.Media, error) {
	media := p.media()
	var at uint64
	var index int64
	for i, entry := range of.template.Timeline.Entries {
		if entry.Time != nil {
			at = *entry.Time
		}
		repeat := entry.Repeat
		if repeat < 0 { // up to the next entry, or the end of the period
			end := uint64(p.length.Seconds()*float64(of.timescale())) + of.template.Offset
			if next := i + 1; next < len(of.template.Timeline.Entries) && of.template.Timeline.Entries[next].Time != nil {
				end = *of.template.Timeline.Entries[next].Time
			}
			repeat = 0
			if entry.Duration > 0 && end > at {
				repeat = int64(min((end-at+entry.Duration-1)/entry.Duration, maxSegments)) - 1
			}
		}
		if entry.Duration == 0 || of.seconds(entry.Duration) > maxSeconds*time.Second || repeat >= maxSegments || len(media.Segments)+int(repeat) >= maxSegments {
			return nil, errors.New("the timeline of the presentation is invalid or too long")
		}
		for range repeat + 1 {
			of.times = append(of.times, at)
			p.add(media, of, index, at, entry.Duration)
			media.TargetDuration = max(media.TargetDuration, of.seconds(entry.Duration))
			at += entry.Duration
			index++
		}
	}
	if media.TargetDuration == 0 {
		media.TargetDuration = time.Second // a stream that has no segment yet
	}
	return media, nil
}

func (r *Representation) timescale() uint64 { return max(r.template.Timescale, 1) }

func (r *Representation) seconds(ticks uint64) time.Duration {
	return time.Duration(float64(ticks) / float64(r.timescale()) * float64(time.Second))
}

// add adds the segment of an index from 0, at a time of its representation.
func (p *Presentation) add(media *playlist.Media, of *Representation, index int64, at, ticks uint64) {
	number := index + 1
	if of.template.StartNumber != nil {
		number = index + *of.template.StartNumber
	}
	target, err := of.base.Parse(fill(of.template.Media, of, number, at))
	if err != nil {
		target = of.base // the request shows the fault
	}
	segment := playlist.Segment{Resource: playlist.Resource{URL: target}, Sequence: number, Duration: of.seconds(ticks)}
	if of.template.Initialization != "" {
		if init, err := of.base.Parse(fill(of.template.Initialization, of, number, at)); err == nil {
			segment.Map = &playlist.Resource{URL: init}
		}
	}
	if p.isLive {
		segment.At = p.start.Add(of.seconds(at) - of.seconds(of.template.Offset))
	}
	media.Segments = append(media.Segments, segment)
}
