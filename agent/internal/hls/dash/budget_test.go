package dash

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"fullhouse/agent/internal/testing/crafted"
)

// described is a recording of representations, each with what is inside of its template.
func described(template string, representations int, id string) string {
	var b strings.Builder
	b.WriteString(`<MPD mediaPresentationDuration="PT24H"><Period><AdaptationSet contentType="video">` + template)
	for i := range representations {
		fmt.Fprintf(&b, `<Representation id="%s%d"/>`, id, i)
	}
	return b.String() + "</AdaptationSet></Period></MPD>"
}

const repeated = `<SegmentTemplate timescale="1000" media="%s"><SegmentTimeline><S t="0" d="1" r="99998"/></SegmentTimeline></SegmentTemplate>`

func TestPresentationsTakeNoMoreMemoryThanTheirTextAllows(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 1, 11, 0, time.UTC)
	timeline := `<MPD type="dynamic" availabilityStartTime="2026-01-01T00:00:00Z" minimumUpdatePeriod="PT2S"><Period><AdaptationSet mimeType="video/mp4"><BaseURL>a/</BaseURL>
 <SegmentTemplate timescale="10" startNumber="7" media="$Time%08d$.m4s" initialization="i.mp4"><SegmentTimeline><S t="100" d="20" r="2"/><S d="15" r="-1"/><S t="900" d="15"/></SegmentTimeline></SegmentTemplate>
 <Representation id="0" bandwidth="1"/><Representation id="1"><SegmentTemplate timescale="20"/></Representation></AdaptationSet></Period></MPD>`
	earlier := parse(t, strings.Replace(timeline, `r="2"`, `r="99000"`, 1))
	own := strings.Repeat(`<Representation id="`, 1)
	for i := range 900 { // each with another end of the timeline that they share
		own += fmt.Sprintf(`%d"><SegmentTemplate timescale="%d"/></Representation><Representation id="`, i, i+1)
	}
	named := map[string][]byte{
		"a long name, repeated":                []byte(described(fmt.Sprintf(repeated, strings.Repeat("n", 1500)+"$Time$"), 1, "")),
		"a long name, many versions":           []byte(described(fmt.Sprintf(repeated, strings.Repeat("n", 1500)+"$Time$"), 990, "")),
		"a long id, named often":               []byte(described(fmt.Sprintf(repeated, strings.Repeat("$RepresentationID$", 10_000)), 1, strings.Repeat("i", 100_000))),
		"wide numbers":                         []byte(described(fmt.Sprintf(repeated, strings.Repeat("$Number%032d$", 50_000)), 1, "")),
		"a long base of many versions":         []byte(strings.Replace(described(fmt.Sprintf(repeated, "$Time$"), 990, ""), "<Period>", "<BaseURL>"+strings.Repeat("b/", 500_000)+"</BaseURL><Period>", 1)),
		"many entries":                         []byte(described(`<SegmentTemplate media="$Time$"><SegmentTimeline>`+strings.Repeat(`<S d="1"/>`, 99_000)+`</SegmentTimeline></SegmentTemplate>`, 990, "")),
		"many entries, each version its own":   []byte(described(`<SegmentTemplate media="$Time$"><SegmentTimeline>`+strings.Repeat(`<S d="1"/>`, 40_000)+`<S d="1" r="-1"/></SegmentTimeline></SegmentTemplate>`+own+`x"/>`, 0, "")),
		"many elements":                        []byte(described(strings.Repeat(`<a/>`, 900_000), 1, "")),
		"many attributes":                      []byte(described(`<SegmentTemplate `+strings.Repeat(`a="" `, 300_000)+`/>`, 1, "")),
		"deep nesting":                         []byte(described(strings.Repeat("<a>", 150_000), 1, "")),
		"periods":                              []byte("<MPD>" + strings.Repeat("<Period/>", 150_000) + "</MPD>"),
		"representations":                      []byte(described(fmt.Sprintf(repeated, "$Time$")+strings.Repeat("<Representation/>", 150_000), 0, "")),
		"entities":                             []byte(`<!DOCTYPE MPD [<!ENTITY a "` + strings.Repeat("x", 1000) + `">]><MPD type="` + strings.Repeat("&a;", 10_000) + `"></MPD>`),
		"a time line that is not in any order": []byte(described(`<SegmentTemplate media="$Time$"><SegmentTimeline>`+strings.Repeat(`<S t="9" d="1"/><S t="1" d="3"/>`, 20_000)+`</SegmentTimeline></SegmentTemplate>`, 1, "")),
	}
	crafted.Each(t, crafted.All(crafted.Named(named), crafted.Text(1000, timed, timeline)), func(text []byte) {
		p, err := Parse(base, text)
		if err != nil {
			return
		}
		p.Continue(earlier)
		for id := range p.byID {
			p.Media(id, now)
		}
	})
	// The address of the description is chosen by the server too, which redirects.
	long := &url.URL{Scheme: "http", Host: "host", Path: "/" + strings.Repeat("p", 60_000) + "/"}
	if _, err := Parse(long, []byte(strings.ReplaceAll(described(fmt.Sprintf(repeated, "$Time$"), 900, ""), "/><R", "><BaseURL>x</BaseURL></Representation><R"))); err == nil || !strings.Contains(err.Error(), "addresses") {
		t.Errorf("%v", err)
	}
}

func TestAnExceededLimitIsOneSentence(t *testing.T) {
	for want, text := range map[string]string{
		"the presentation has more than 100000 elements":          described(strings.Repeat(`<a/>`, 900_000), 1, ""),
		"an address in the presentation has more than 16 kB":      described(fmt.Sprintf(repeated, strings.Repeat("$Number%032d$", 50_000)), 1, ""),
		"the first number of the presentation's segments is inva": described(`<SegmentTemplate duration="1" startNumber="9223372036854775807" media="$Number$"/>`, 1, ""),
	} {
		if _, err := Parse(base, []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestSegmentsAreMadeWhenTheyAreChosen: a timeline that repeats an entry has as many segments, and none of them in memory.
func TestSegmentsAreMadeWhenTheyAreChosen(t *testing.T) {
	p := parse(t, described(fmt.Sprintf(repeated, "$Number$-$Time$"), 2, ""))
	first, second := p.Media("0", time.Now()), p.Media("1", time.Now())
	if first == second || first != p.Media("0", time.Now()) || first.Segments.Len() != 99_999 {
		t.Fatalf("%d segments", first.Segments.Len())
	}
	if last := first.Segments.At(99_998); last.URL.Path != "/live/99999-99998" || last.Sequence != 99_999 || first.Duration() != 99_999*time.Millisecond {
		t.Errorf("%v, %d, %s", last.URL, last.Sequence, first.Duration())
	}
}
