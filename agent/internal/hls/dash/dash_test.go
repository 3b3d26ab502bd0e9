package dash

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"fullhouse/agent/internal/testing/crafted"
)

var base, _ = url.Parse("http://host/live/cam.mpd?key=1")

func parse(t *testing.T, text string) *Presentation {
	t.Helper()
	p, err := Parse(base, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// timed is a live presentation whose segments are available by the time of day.
const timed = `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="dynamic" availabilityStartTime="2026-01-01T00:00:00Z"
 timeShiftBufferDepth="PT20S" suggestedPresentationDelay="PT6S"><BaseURL>media/</BaseURL><Period id="0" start="PT10S">
 <AdaptationSet contentType="video"><SegmentTemplate timescale="1000" duration="2000" startNumber="5" media="$RepresentationID$/$Number%05d$.m4s" initialization="$RepresentationID$-$Bandwidth$.mp4"/>
  <Representation id="v1" bandwidth="500000" width="640" height="360" codecs="avc1.4d401f" frameRate="30000/1001"/>
  <Representation id="v2" bandwidth="900000"><BaseURL>/other/</BaseURL></Representation></AdaptationSet>
 <AdaptationSet mimeType="audio/mp4"><Representation id="a" bandwidth="64000"><SegmentTemplate duration="2" media="a-$Time$-$$.m4s"/></Representation></AdaptationSet>
 <AdaptationSet contentType="text"><Representation id="t"/></AdaptationSet></Period></MPD>`

func TestSegmentsBecomeAvailableByTheTimeOfDay(t *testing.T) {
	p := parse(t, timed)
	if !p.IsTimed || p.ReloadAfter != 0 || len(p.Playlist.Variants) != 2 || len(p.Playlist.Renditions) != 1 || p.Media("t", time.Now()) != nil {
		t.Fatalf("%+v", p)
	}
	if v := p.Playlist.Variants[0]; v.URL.Fragment != "v1" || v.BitrateBps != 500000 || v.Width != 640 || v.FrameRate < 29.9 || v.FrameRate > 30 {
		t.Errorf("%+v", v)
	}
	now := time.Date(2026, 1, 1, 0, 1, 11, 0, time.UTC) // 61 s after the period started
	media := p.Media("v1", now)
	if media.Segments.Len() != 10 || media.HasEnded || media.HoldBack != 6*time.Second || media.TargetDuration != 2*time.Second {
		t.Fatalf("%+v", media)
	}
	last := media.Segments.At(9)
	if last.Sequence != 5+29 || last.URL.String() != "http://host/live/media/v1/00034.m4s" || last.Map.URL.Path != "/live/media/v1-500000.mp4" || !last.At.Equal(now.Add(-3*time.Second)) {
		t.Errorf("%+v, %v", last, last.URL)
	}
	if other := p.Media("v2", now).Segments.At(0); other.URL.Path != "/other/v2/00025.m4s" {
		t.Errorf("%v", other.URL)
	}
	if audio := p.Media("a", now).Segments.At(0); audio.URL.Path != "/live/media/a-40-$.m4s" || audio.Map != nil {
		t.Errorf("%v", audio.URL)
	}
	if before := p.Media("v1", p.start); before.Segments.Len() != 0 {
		t.Errorf("%+v", before)
	}
}

func TestATimelineListsItsSegments(t *testing.T) {
	const mpd = `<MPD type="dynamic" availabilityStartTime="2026-01-01T00:00:00" minimumUpdatePeriod="PT2S"><Period><AdaptationSet mimeType="video/mp4">
 <SegmentTemplate timescale="10" startNumber="7" media="$Number$.m4s" initialization="i.mp4"><SegmentTimeline><S t="100" d="20" r="2"/><S d="15"/></SegmentTimeline></SegmentTemplate>
 <Representation id="0" bandwidth="1"/></AdaptationSet></Period></MPD>`
	p := parse(t, mpd)
	media := p.Media("0", time.Now())
	if p.IsTimed || p.ReloadAfter != 2*time.Second || media.Segments.Len() != 4 || media.TargetDuration != 2*time.Second {
		t.Fatalf("%+v, %+v", p, media)
	}
	if last := media.Segments.At(3); last.Sequence != 10 || last.Duration != 1500*time.Millisecond || !last.At.Equal(p.start.Add(16*time.Second)) {
		t.Errorf("%+v", last)
	}
	ended := parse(t, strings.NewReplacer(`type="dynamic"`, `mediaPresentationDuration="PT0H0M20S"`, `r="2"`, `r="-1"`, `<S d="15"/>`, "").Replace(mpd))
	if media := ended.Media("0", time.Now()); !media.HasEnded || media.Segments.Len() != 5 {
		t.Errorf("%+v", media)
	}
}

func TestNumbersContinueWhereServersNameTimes(t *testing.T) {
	at := func(first int) *Presentation {
		return parse(t, fmt.Sprintf(`<MPD type="dynamic" availabilityStartTime="2026-01-01T00:00:00Z"><Period><AdaptationSet mimeType="video/mp4">
 <SegmentTemplate media="$Time$.m4s"><SegmentTimeline><S t="%d" d="2" r="4"/></SegmentTimeline></SegmentTemplate><Representation id="0"/></AdaptationSet></Period></MPD>`, first))
	}
	first, second, later, restarted := at(100), at(104), at(200), at(0)
	second.Continue(first)
	later.Continue(second)
	restarted.Continue(later)
	for i, want := range []int64{1, 3, 8, 13} {
		if got := []*Presentation{first, second, later, restarted}[i].Media("0", time.Now()).Segments.At(0).Sequence; got != want {
			t.Errorf("description %d starts with %d, want %d", i, got, want)
		}
	}
}

func TestOtherTextsAreRefused(t *testing.T) {
	period := func(inside string) string {
		return `<MPD type="dynamic" availabilityStartTime="2026-01-01T00:00:00Z"><Period><AdaptationSet contentType="video">` + inside + `</AdaptationSet></Period></MPD>`
	}
	for text, want := range map[string]string{
		"<html>":                              ErrNotMPD.Error(),
		"<MPD></MPD>":                         "no period",
		`<MPD><Period/></MPD>`:                "no video or audio",
		`<MPD type="dynamic"><Period/></MPD>`: "availabilityStartTime",
		period(`<Representation id="0"><SegmentList/></Representation>`):                                                                                           "live profile",
		period(`<Representation id="0"><SegmentTemplate media="x"/></Representation>`):                                                                             "without a valid duration",
		period(`<ContentProtection/><Representation id="0"/>`):                                                                                                     "encrypted",
		period(`<Representation id="0"><SegmentTemplate media="x"><SegmentTimeline><S d="1" r="999999999"/></SegmentTimeline></SegmentTemplate></Representation>`): "too long",
		period(strings.Repeat(`<Representation id="0"><SegmentTemplate media="x" duration="1"/></Representation>`, 2)):                                             "several representations",
		`<MPD mediaPresentationDuration="1 h"><Period/></MPD>`:                                                                                                     "duration",
	} {
		if _, err := Parse(base, []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.90s: %v", text, err)
		}
	}
	if _, err := Parse(base, []byte(period(`<ContentProtection/><Representation id="0"/>`))); !errors.Is(err, ErrEncrypted) {
		t.Error(err)
	}
	for text, want := range map[string]time.Duration{"PT1M30.5S": 90500 * time.Millisecond, "P1DT1H": 25 * time.Hour, "P0Y0M0DT2S": 2 * time.Second, "PT0S": 0} {
		if got, err := duration(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}

// FuzzParse: whatever a server sends, the work is bounded and segments have an address.
func FuzzParse(f *testing.F) {
	f.Add([]byte(timed))
	f.Add([]byte(`<MPD mediaPresentationDuration="PT20S"><Period><SegmentTemplate timescale="10" media="$Time$"><SegmentTimeline><S t="1" d="2" r="-1"/></SegmentTimeline></SegmentTemplate><AdaptationSet mimeType="video/mp4"><Representation id="0"/></AdaptationSet></Period></MPD>`))
	now := time.Date(2026, 1, 1, 0, 1, 11, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text []byte) {
		defer crafted.Watch(t)(len(text))
		p, err := Parse(base, text)
		if err != nil {
			return
		}
		for id := range p.byID {
			media := p.Media(id, now)
			for i := range min(media.Segments.Len(), 100) {
				if media.Segments.At(i).URL == nil || media.Segments.Len() > maxSegments {
					t.Fatalf("%+v", media.Segments.At(i))
				}
			}
		}
	})
}
