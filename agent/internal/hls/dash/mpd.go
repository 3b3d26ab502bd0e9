// Package dash reads MPEG-DASH presentations of the live profile (ISO/IEC 23009-1): segment templates by number or time,
// with or without a timeline. What it finds has the form of HLS playlists, so that the same viewer plays both.
package dash

import (
	"encoding/xml"
	"errors"
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"fullhouse/agent/internal/budget"
)

const (
	// maxSegments bounds a timeline; it is more than a day of segments.
	maxSegments = 100_000
	// maxRepresentations bounds the versions of a stream.
	maxRepresentations = 1000
	// maxSeconds bounds all durations: a day.
	maxSeconds = 86_400
	// minDuration of a segment.
	minDuration = time.Millisecond
	// maxElements bounds the elements of a description, and the entries of its timelines: a day of segments in video and audio.
	maxElements = 100_000
	// maxAddress bounds one address, and maxAddresses those of all representations.
	maxAddress   = 16 << 10
	maxAddresses = 64 << 20
	// maxStartNumber keeps the numbers of segments exact.
	maxStartNumber = 1 << 53
)

// ErrNotMPD is the error of a text that is not a presentation description.
var ErrNotMPD = errors.New("the response is not an MPEG-DASH presentation")

// ErrEncrypted is the error of a presentation that viewers can't read.
var ErrEncrypted = errors.New("the presentation is encrypted, which these viewers do not support")

// document is the XML of a presentation, as far as it is used.
type document struct {
	XMLName                    xml.Name `xml:"MPD"`
	Type                       string   `xml:"type,attr"`
	AvailabilityStartTime      string   `xml:"availabilityStartTime,attr"`
	MinimumUpdatePeriod        *string  `xml:"minimumUpdatePeriod,attr"`
	TimeShiftBufferDepth       string   `xml:"timeShiftBufferDepth,attr"`
	SuggestedPresentationDelay string   `xml:"suggestedPresentationDelay,attr"`
	Duration                   string   `xml:"mediaPresentationDuration,attr"`
	BaseURL                    string   `xml:"BaseURL"`
	Periods                    []period `xml:"Period"`
}

type period struct {
	Start          string          `xml:"start,attr"`
	Duration       string          `xml:"duration,attr"`
	BaseURL        string          `xml:"BaseURL"`
	Template       *template       `xml:"SegmentTemplate"`
	AdaptationSets []adaptationSet `xml:"AdaptationSet"`
}

type adaptationSet struct {
	ContentType     string           `xml:"contentType,attr"`
	MimeType        string           `xml:"mimeType,attr"`
	Codecs          string           `xml:"codecs,attr"`
	BaseURL         string           `xml:"BaseURL"`
	Template        *template        `xml:"SegmentTemplate"`
	Protection      []struct{}       `xml:"ContentProtection"`
	Representations []representation `xml:"Representation"`
}

type representation struct {
	ID        string    `xml:"id,attr"`
	Bandwidth int64     `xml:"bandwidth,attr"`
	Width     int       `xml:"width,attr"`
	Height    int       `xml:"height,attr"`
	FrameRate string    `xml:"frameRate,attr"`
	MimeType  string    `xml:"mimeType,attr"`
	Codecs    string    `xml:"codecs,attr"`
	BaseURL   string    `xml:"BaseURL"`
	Template  *template `xml:"SegmentTemplate"`
}

type template struct {
	Media          string    `xml:"media,attr"`
	Initialization string    `xml:"initialization,attr"`
	StartNumber    *int64    `xml:"startNumber,attr"`
	Timescale      uint64    `xml:"timescale,attr"`
	Duration       uint64    `xml:"duration,attr"`
	Offset         uint64    `xml:"presentationTimeOffset,attr"`
	Timeline       *timeline `xml:"SegmentTimeline"`
}

type timeline struct {
	Entries []struct {
		Time     *uint64 `xml:"t,attr"`
		Duration uint64  `xml:"d,attr"`
		Repeat   int64   `xml:"r,attr"`
	} `xml:"S"`
}

// under gives a template the attributes of the one above it that it lacks itself.
func (t *template) under(above *template) *template {
	if t == nil || above == nil {
		if t == nil {
			return above
		}
		return t
	}
	merged := *t
	if merged.Media == "" {
		merged.Media = above.Media
	}
	if merged.Initialization == "" {
		merged.Initialization = above.Initialization
	}
	if merged.StartNumber == nil {
		merged.StartNumber = above.StartNumber
	}
	if merged.Timescale == 0 {
		merged.Timescale = above.Timescale
	}
	if merged.Duration == 0 {
		merged.Duration = above.Duration
	}
	if merged.Offset == 0 {
		merged.Offset = above.Offset
	}
	if merged.Timeline == nil {
		merged.Timeline = above.Timeline
	}
	return &merged
}

var errAddress = fmt.Errorf("an address in the presentation has more than %s", budget.Size(maxAddress))

// resolve follows base addresses from the outermost one inwards.
func resolve(left *budget.Budget, base *url.URL, addresses ...string) (*url.URL, error) {
	for _, address := range addresses {
		if address == "" {
			continue
		}
		if len(address) > maxAddress {
			return nil, errAddress
		}
		if err := left.Bytes("addresses", 2*(len(address)+len(base.Path))); err != nil {
			return nil, err
		}
		next, err := base.Parse(strings.TrimSpace(address))
		if err != nil {
			return nil, errors.New("an address in the presentation is invalid")
		}
		base = next
	}
	return base, nil
}

// fill fills a template's identifiers (ISO/IEC 23009-1, 5.3.9.4.4). What would be longer than an address may be is cut.
func fill(text string, of *Representation, number int64, at uint64) string {
	var filled strings.Builder
	for {
		before, rest, found := strings.Cut(text, "$")
		filled.WriteString(before)
		if !found || filled.Len() > maxAddress {
			return filled.String()
		}
		name, after, isClosed := strings.Cut(rest, "$")
		if !isClosed {
			filled.WriteString("$" + rest)
			return filled.String()
		}
		text = after
		name, format, _ := strings.Cut(name, "%")
		switch name {
		case "":
			filled.WriteByte('$')
		case "RepresentationID":
			filled.WriteString(of.ID)
		case "Bandwidth":
			filled.WriteString(padded(format, of.bandwidth))
		case "Number":
			filled.WriteString(padded(format, number))
		case "Time":
			filled.WriteString(padded(format, int64(at)))
		}
	}
}

// checkAddresses fills the templates with the longest numbers: segments are listed only when they are chosen.
func (r *Representation) checkAddresses() error {
	if number := r.template.StartNumber; number != nil && (*number < 0 || *number > maxStartNumber) {
		return errors.New("the first number of the presentation's segments is invalid")
	}
	for _, text := range []string{r.template.Media, r.template.Initialization} {
		if len(text) > maxAddress || len(fill(text, r, math.MaxInt64, math.MaxInt64)) > maxAddress {
			return errAddress
		}
	}
	return nil
}

// padded formats a number with a width such as 05d.
func padded(format string, value int64) string {
	width, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(format, "0"), "d"))
	text := strconv.FormatInt(value, 10)
	if err == nil && width <= 32 && len(text) < width {
		return strings.Repeat("0", width-len(text)) + text
	}
	return text
}

// duration parses an XML duration of days and time, e.g. PT1M30.5S (W3C XML Schema, 3.2.6).
func duration(text string) (time.Duration, error) {
	rest, isDuration := strings.CutPrefix(text, "P")
	invalid := fmt.Errorf("the duration %q of the presentation is invalid", text)
	if !isDuration {
		return 0, invalid
	}
	var seconds float64
	isTime := false
	for rest != "" {
		if rest[0] == 'T' {
			isTime, rest = true, rest[1:]
			continue
		}
		at := strings.IndexAny(rest, "YMDHS")
		if at < 0 {
			return 0, invalid
		}
		value, err := strconv.ParseFloat(rest[:at], 64)
		unit, known := map[bool]map[byte]float64{false: {'D': 86_400, 'Y': 0, 'M': 0}, true: {'H': 3600, 'M': 60, 'S': 1}}[isTime][rest[at]]
		if err != nil || !known || unit == 0 && value != 0 {
			return 0, invalid
		}
		seconds += value * unit
		rest = rest[at+1:]
	}
	if !(seconds >= 0 && seconds <= 365*maxSeconds) || math.IsNaN(seconds) {
		return 0, invalid
	}
	return time.Duration(seconds * float64(time.Second)), nil
}

func optionalDuration(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	return duration(text)
}
