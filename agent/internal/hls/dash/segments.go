package dash

import (
	"errors"
	"slices"
	"strings"
	"time"

	"fullhouse/agent/internal/hls/playlist"
)

// run is a number of segments of the same length.
type run struct {
	at    int64 // its first segment's place in the list
	count int64
	time  uint64
	ticks uint64
}

func (r *run) end() uint64 { return r.time + uint64(r.count)*r.ticks }

// timetable is a timeline: as many runs as the description has entries, not as many segments as they repeat.
type timetable struct {
	runs    []run
	count   int64
	longest uint64 // ticks
	// first is the index of the first segment in the presentation; its number follows from it.
	first int64
}

// timetableKey identifies a timeline, which representations inherit, and the end of its last entry.
type timetableKey struct {
	of  *timeline
	end uint64
}

var errTimeline = errors.New("the timeline of the presentation is invalid or too long")

// timetable reads a timeline, once for all representations that share it.
func (p *Presentation) timetable(of *Representation) (*timetable, error) {
	key := timetableKey{of.template.Timeline, uint64(p.length.Seconds()*float64(of.timescale())) + of.template.Offset}
	t := p.timetables[key]
	if t == nil {
		if err := p.left.Entries("elements", int64(len(key.of.Entries))); err != nil {
			return nil, err
		}
		var err error
		if t, err = readTimeline(key); err != nil {
			return nil, err
		}
		p.timetables[key] = t
	}
	if of.seconds(t.longest) > maxSeconds*time.Second {
		return nil, errTimeline
	}
	return t, nil
}

func readTimeline(key timetableKey) (*timetable, error) {
	t := &timetable{}
	var at uint64
	entries := key.of.Entries
	for i, entry := range entries {
		if entry.Time != nil {
			at = *entry.Time
		}
		repeat := entry.Repeat
		if repeat < 0 { // up to the next entry, or the end of the period
			end := key.end
			if next := i + 1; next < len(entries) && entries[next].Time != nil {
				end = *entries[next].Time
			}
			repeat = 0
			if entry.Duration > 0 && end > at {
				repeat = int64(min((end-at-1)/entry.Duration, maxSegments-1))
			}
		}
		if entry.Duration == 0 || repeat >= maxSegments || t.count+repeat >= maxSegments {
			return nil, errTimeline
		}
		one := run{at: t.count, count: repeat + 1, time: at, ticks: entry.Duration}
		t.runs = append(t.runs, one)
		t.count += one.count
		t.longest = max(t.longest, entry.Duration)
		at = one.end()
	}
	return t, nil
}

// runOf is the run of the segment at a place.
func (t *timetable) runOf(place int64) *run {
	i, found := slices.BinarySearchFunc(t.runs, place, func(r run, place int64) int { return int(r.at - place) })
	if !found {
		i--
	}
	return &t.runs[i]
}

// timeOf is the time of the segment at a place.
func (t *timetable) timeOf(place int64) uint64 {
	r := t.runOf(place)
	return r.time + uint64(place-r.at)*r.ticks
}

// find is the place of the segment that starts at a time; false if none does.
func (t *timetable) find(at uint64) (place int64, found bool) {
	i, isStart := slices.BinarySearchFunc(t.runs, at, func(r run, at uint64) int {
		switch {
		case r.time < at:
			return -1
		case r.time > at:
			return 1
		}
		return 0
	})
	if !isStart {
		i--
	}
	if i < 0 {
		return 0, false
	}
	r := &t.runs[i]
	return r.at + int64((at-r.time)/r.ticks), at < r.end() && (at-r.time)%r.ticks == 0
}

// common is the first segment that is in both: where two timelines overlap, one of their entries starts there.
func (t *timetable) common(before *timetable) (place, placeBefore int64, found bool) {
	consider := func(here, there int64) {
		if !found || here < place {
			place, placeBefore, found = here, there, true
		}
	}
	for i := range t.runs {
		if at, isThere := before.find(t.runs[i].time); isThere {
			consider(t.runs[i].at, at)
			break
		}
	}
	for i := range before.runs {
		if at, isHere := t.find(before.runs[i].time); isHere {
			consider(at, before.runs[i].at)
			break
		}
	}
	return place, placeBefore, found
}

// Continue numbers segments as in an earlier description of the same presentation. Only servers that name segments by
// their number keep it: those with times number from 1 in each description.
func (p *Presentation) Continue(earlier *Presentation) {
	type pair struct{ now, before *timetable }
	type overlap struct {
		place, placeBefore int64
		found              bool
	}
	overlaps := map[pair]overlap{} // representations share their timelines
	for id, of := range p.byID {
		before := earlier.byID[id]
		if of.listed == nil || before == nil || before.listed == nil || strings.Contains(of.template.Media, "$Number") {
			continue
		}
		key := pair{of.listed, before.listed}
		o, isKnown := overlaps[key]
		if !isKnown {
			o.place, o.placeBefore, o.found = of.listed.common(before.listed)
			overlaps[key] = o
		}
		now, then := &listing{of: of, table: of.listed}, &listing{of: before, table: before.listed}
		switch {
		case o.found:
			of.shift = then.Sequence(int(o.placeBefore)) - now.Sequence(int(o.place))
		case then.Len() > 0 && now.Len() > 0: // the next number is as good as any
			of.shift = then.Sequence(then.Len()-1) + 1 - now.Sequence(0)
		}
	}
}

// maxTimed is how many of the latest segments are listed where they are available by the time of day.
const maxTimed = 20

// Media lists the segments of a representation that are available at a time of day; nil if it does not exist. Each
// segment is made when it is needed.
func (p *Presentation) Media(id string, now time.Time) *playlist.Media {
	of := p.byID[id]
	switch {
	case of == nil:
		return nil
	case of.listed != nil:
		return of.media()
	}
	length := of.seconds(of.template.Duration)
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
	table := &timetable{first: first, count: max(0, count-first)}
	table.runs = []run{{count: table.count, time: uint64(first)*of.template.Duration + of.template.Offset, ticks: of.template.Duration}}
	return p.mediaOf(of, table, length)
}

func (p *Presentation) mediaOf(of *Representation, table *timetable, target time.Duration) *playlist.Media {
	return &playlist.Media{HasEnded: !p.isLive, HoldBack: p.holdBack, TargetDuration: target,
		Segments: &listing{p: p, of: of, table: table}}
}

// list lists the segments of a timeline.
func (p *Presentation) list(of *Representation) *playlist.Media {
	target := of.seconds(of.listed.longest)
	if target == 0 {
		target = time.Second // a stream that has no segment yet
	}
	return p.mediaOf(of, of.listed, target)
}

func (r *Representation) timescale() uint64 { return max(r.template.Timescale, 1) }

func (r *Representation) seconds(ticks uint64) time.Duration {
	return time.Duration(float64(ticks) / float64(r.timescale()) * float64(time.Second))
}

// listing are the segments of a representation.
type listing struct {
	p     *Presentation
	of    *Representation
	table *timetable
}

// Len is their number.
func (l *listing) Len() int { return int(l.table.count) }

// Sequence is the number of the segment at a place.
func (l *listing) Sequence(place int) int64 {
	start := int64(1)
	if l.of.template.StartNumber != nil {
		start = *l.of.template.StartNumber
	}
	return l.table.first + int64(place) + start + l.of.shift
}

// Duration is that of the segment at a place.
func (l *listing) Duration(place int) time.Duration {
	return l.of.seconds(l.table.runOf(int64(place)).ticks)
}

// At makes the segment at a place.
func (l *listing) At(place int) *playlist.Segment {
	of, at := l.of, l.table.timeOf(int64(place))
	number := l.Sequence(place) - of.shift
	target, err := of.base.Parse(fill(of.template.Media, of, number, at))
	if err != nil {
		target = of.base // the request shows the fault
	}
	segment := &playlist.Segment{Resource: playlist.Resource{URL: target}, Sequence: number + of.shift, Duration: l.Duration(place)}
	if of.template.Initialization != "" {
		if init, err := of.base.Parse(fill(of.template.Initialization, of, number, at)); err == nil {
			segment.Map = &playlist.Resource{URL: init}
		}
	}
	if l.p.isLive {
		segment.At = l.p.start.Add(of.seconds(at) - of.seconds(of.template.Offset))
	}
	return segment
}
