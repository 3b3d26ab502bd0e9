package playlist

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"fullhouse/agent/internal/testing/crafted"
)

var base, _ = url.Parse("http://host/live/cam.m3u8?key=1")

func parse(t *testing.T, text string) *Playlist {
	t.Helper()
	list, err := Parse(base, []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestVariantsAndRenditionsAreRead(t *testing.T) {
	list := parse(t, "\ufeff#EXTM3U\r\n"+`#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="a, b",DEFAULT=YES,URI="audio/en.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="x"
#EXT-X-STREAM-INF:BANDWIDTH=1280000,CODECS="avc1.4d401f,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=25.000,AUDIO="aac"
low/index.m3u8
# a comment
#EXT-X-STREAM-INF:BANDWIDTH=65000,CODECS="mp4a.40.5"
http://other/audio.m3u8
#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="iframe.m3u8"
`)
	if len(list.Variants) != 2 || len(list.Renditions) != 2 {
		t.Fatalf("%+v", list)
	}
	if v := list.Variants[0]; v.URL.String() != "http://host/live/low/index.m3u8" || v.BitrateBps != 1280000 || v.Width != 640 || v.Height != 360 || v.FrameRate != 25 || v.AudioGroup != "aac" || v.Codecs != "avc1.4d401f,mp4a.40.2" {
		t.Errorf("%+v", v)
	}
	if a := list.Renditions[0]; a.Kind != "AUDIO" || a.URL.Path != "/live/audio/en.m3u8" || !a.IsDefault || list.Renditions[1].URL != nil {
		t.Errorf("%+v", list.Renditions)
	}
}

func TestSegmentsAreRead(t *testing.T) {
	list := parse(t, `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:4
#EXT-X-MEDIA-SEQUENCE:2680
#EXT-X-MAP:URI="init.mp4",BYTERANGE="720@0"
#EXT-X-PROGRAM-DATE-TIME:2026-02-19T14:54:23.031+08:00
#EXTINF:3.5,title, with comma
a.m4s
#EXTINF:4
#EXT-X-BYTERANGE:1000@720
all.m4s
#EXT-X-DISCONTINUITY
#EXT-X-GAP
#EXTINF:4,
#EXT-X-BYTERANGE:500
all.m4s
#EXT-X-ENDLIST
`)
	if list.TargetDuration != 4*time.Second || !list.HasEnded || list.Segments.Len() != 3 || list.Duration() != 11500*time.Millisecond {
		t.Fatalf("%+v", list)
	}
	a, b, c := *list.Segments.At(0), *list.Segments.At(1), *list.Segments.At(2)
	if a.Sequence != 2680 || a.URL.String() != "http://host/live/a.m4s" || a.Map == nil || a.Map.Length != 720 || a.Length != 0 || a.At.UTC().Format(time.RFC3339Nano) != "2026-02-19T06:54:23.031Z" {
		t.Errorf("%+v", a)
	}
	if b.Offset != 720 || b.Length != 1000 || !b.At.Equal(a.At.Add(3500*time.Millisecond)) {
		t.Errorf("%+v", b)
	}
	if c.Offset != 1720 || c.Length != 500 || !c.IsGap || !c.Discontinuity || c.Sequence != 2682 {
		t.Errorf("%+v", c)
	}
}

func TestPartsAreRead(t *testing.T) {
	list := parse(t, `#EXTM3U
#EXT-X-TARGETDURATION:4
#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.0,HOLD-BACK=12
#EXT-X-PART-INF:PART-TARGET=0.33334
#EXT-X-MEDIA-SEQUENCE:266
#EXT-X-PART:DURATION=0.33334,URI="f266.0.mp4",INDEPENDENT=YES
#EXT-X-PART:DURATION=0.3,URI="f266.mp4",BYTERANGE="20@5"
#EXTINF:0.63334,
f266.mp4
#EXT-X-PART:DURATION=0.33334,URI="f267.0.mp4"
#EXT-X-PART:DURATION=0.33334,URI="f267.1.mp4",GAP=YES
#EXT-X-PRELOAD-HINT:TYPE=PART,URI="f267.2.mp4"
`)
	if !list.CanBlockReload || list.PartHoldBack != time.Second || list.HoldBack != 12*time.Second || list.PartTarget != 333340*time.Microsecond || list.Segments.Len() != 2 {
		t.Fatalf("%+v", list)
	}
	whole, open := *list.Segments.At(0), *list.Segments.At(1)
	if len(whole.Parts) != 2 || !whole.Parts[0].IsIndependent || whole.Parts[1].Offset != 5 || whole.IsOpen {
		t.Errorf("%+v", whole)
	}
	if !open.IsOpen || len(open.Parts) != 2 || !open.Parts[1].IsGap || open.Sequence != 267 || open.Duration != 666680*time.Microsecond {
		t.Errorf("%+v", open)
	}
	if list.Hint == nil || list.Hint.URL.Path != "/live/f267.2.mp4" {
		t.Errorf("%+v", list.Hint)
	}
}

func TestWhatIsNotAPlaylistIsRefused(t *testing.T) {
	media := "#EXTM3U\n#EXT-X-TARGETDURATION:4\n"
	for text, want := range map[string]string{
		"<html>":                           ErrNotPlaylist.Error() + ": it is a page (HTML)",
		"":                                 ErrNotPlaylist.Error() + ": it is empty",
		"{}":                               ErrNotPlaylist.Error(),
		"#EXTM3U\n#EXTINF:1,\nx":           "no EXT-X-TARGETDURATION",
		media + "#EXT-X-MEDIA-SEQUENCE:-1": `EXT-X-MEDIA-SEQUENCE has an invalid value for the number: "-1"`,
		media + "#EXTINF:NaN,\nx":          `EXTINF has an invalid value for the duration: "NaN"`,
		media + "#EXTINF:-1,\nx":           "duration",
		media + "#EXT-X-BYTERANGE:0":       `EXT-X-BYTERANGE has an invalid value for the byte range: "0"`,
		media + "#EXT-X-BYTERANGE:99999999999999999999":                                     "byte range",
		media + `#EXT-X-MAP:BYTERANGE="1@0"`:                                                "EXT-X-MAP has no URI",
		media + `#EXT-X-KEY:METHOD=SAMPLE-AES,URI="k"`:                                      "encrypted",
		media + `#EXT-X-KEY:METHOD=AES-128,KEYFORMAT="com.apple.streamingkeydelivery"`:      "(AES-128 com.apple.streamingkeydelivery)",
		media + `#EXT-X-KEY:METHOD=AES-128`:                                                 "EXT-X-KEY has no URI",
		media + `#EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x12`:                                 `EXT-X-KEY has an invalid value for the initialization vector: "0x12"`,
		media + "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXT-X-PART:URI=\"p\",DURATION=1":     "encrypted",
		media + "#EXTINF:1,\n:":                                                             "address",
		media + "#EXTINF:1,\n" + strings.Repeat("x", maxLine+1):                             "longer than",
		media + strings.Repeat("#EXTINF:1,\nx\n", maxEntries+1):                             "more than",
		media + `#EXT-X-PRELOAD-HINT:TYPE=PART,URI="x",BYTERANGE-START=-1`:                  "EXT-X-PRELOAD-HINT",
		media + `#EXT-X-PART-INF:PART-TARGET=x`:                                             `EXT-X-PART-INF has an invalid value for the duration: "x"`,
		media + "#EXTINF:1,\nhttp://h:x/?token=s3cret":                                      `the address of a segment has an invalid value for an address: "http://h:x/?…"`,
		media + "#EXTINF:1,\n{$base}/x":                                                     `the address of a segment uses the variable "base", which is not defined`,
		media + `#EXT-X-MAP:URI="{$base}/x"`:                                                `EXT-X-MAP uses the variable "base", which is not defined`,
		media + `#EXT-X-DEFINE:NAME="a"`:                                                    `EXT-X-DEFINE of the variable "a" has no VALUE`,
		media + `#EXT-X-DEFINE:IMPORT="a"`:                                                  `EXT-X-DEFINE imports the variable "a", but`,
		media + `#EXT-X-DEFINE:QUERYPARAM="a"`:                                              `EXT-X-DEFINE needs the argument "a"`,
		media + `#EXT-X-DEFINE:VALUE="a"`:                                                   "EXT-X-DEFINE has neither NAME",
		media + "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"\"\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\"": `EXT-X-DEFINE defines the variable "a" twice`,
	} {
		if _, err := Parse(base, []byte(text), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v", text, err)
		}
	}
	if _, err := Parse(base, []byte(media+"#EXT-X-KEY:METHOD=NONE\n#EXT-X-UNKNOWN:x\nno-duration.ts"), nil); err != nil {
		t.Error(err)
	}
	_, err := Parse(base, []byte(media+"#EXT-X-KEY:METHOD=SAMPLE-AES"), nil)
	if !errors.Is(err, ErrEncrypted) {
		t.Error(err)
	}
}

func TestVariablesAreReplaced(t *testing.T) {
	address, err := url.Parse("http://host/live/x.m3u8?token=a%2Fb")
	if err != nil {
		t.Fatal(err)
	}
	master, err := Parse(address, []byte(`#EXTM3U
#EXT-X-DEFINE:NAME="host",VALUE="http://cdn"
#EXT-X-DEFINE:NAME="empty",VALUE=""
#EXT-X-DEFINE:QUERYPARAM="token"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="{$token}",URI="{$host}/audio{$empty}.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="{$token}"
{$host}/video.m3u8?t={$token}
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	variant, audio := master.Variants[0], master.Renditions[0]
	if variant.URL.String() != "http://cdn/video.m3u8?t=a/b" || variant.AudioGroup != "a/b" || audio.Group != "a/b" || audio.URL.String() != "http://cdn/audio.m3u8" {
		t.Errorf("%+v, %+v", variant, audio)
	}
	text := []byte("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-DEFINE:IMPORT=\"host\"\n#EXT-X-MAP:URI=\"{$host}/i\"\n#EXTINF:4,{$none}\n{$host}/{$host\n")
	media, err := Parse(address, text, master.Variables)
	if err != nil {
		t.Fatal(err)
	}
	if one := media.Segments.At(0); one.Map.URL.String() != "http://cdn/i" || one.URL.String() != "http://cdn/%7B$host" {
		t.Errorf("%+v", one)
	}
	if _, err := Parse(address, text, Variables{"other": ""}); err == nil || !strings.Contains(err.Error(), `"host", which the multivariant playlist does not define`) {
		t.Error(err)
	}
}

func TestDurationsAreReadAsServersWriteThem(t *testing.T) {
	for value, want := range map[string]time.Duration{
		"4.000,": 4 * time.Second, "4": 4 * time.Second, `4.000,tvg-id="x"`: 4 * time.Second, "4.5,a title, with commas": 4500 * time.Millisecond,
		`4.5 tvg-id="x",title`: 4500 * time.Millisecond, "4,000000,": 4 * time.Second, "4,500,title, more": 4500 * time.Millisecond,
		"4,title": 4 * time.Second, "4,2": 4 * time.Second, " 4.5 ,": 4500 * time.Millisecond,
	} {
		list := parse(t, "#EXTM3U\n#EXT-X-TARGETDURATION:4,0\n#EXTINF:"+value+"\nx\n")
		if got := list.Segments.At(0).Duration; got != want || list.TargetDuration != 4*time.Second {
			t.Errorf("%s: %s", value, got)
		}
	}
}

// FuzzParse: whatever a server sends, numbers are consecutive and nothing is negative.
func FuzzParse(f *testing.F) {
	f.Add([]byte("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:4,\n#EXT-X-BYTERANGE:5@6\na.ts\n#EXT-X-PART:DURATION=1,URI=\"p\"\n#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"q\"\n"))
	f.Add([]byte("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=1x2\na\n#EXT-X-MEDIA:TYPE=AUDIO,URI=\"a\""))
	f.Fuzz(func(t *testing.T, text []byte) {
		defer crafted.Watch(t)(len(text))
		list, err := Parse(base, text, nil)
		if err != nil {
			return
		}
		for i := range list.Segments.Len() {
			segment := list.Segments.At(i)
			if segment.Sequence != list.Segments.Sequence(0)+int64(i) && !strings.Contains(string(text), "MEDIA-SEQUENCE") ||
				segment.Duration < 0 || segment.Offset < 0 || segment.Length < 0 || segment.URL == nil && !segment.IsOpen {
				t.Fatalf("%+v", segment)
			}
		}
		for _, variant := range list.Variants {
			if variant.URL == nil {
				t.Fatal("a variant without an address")
			}
		}
	})
}

// The captures are of MediaMTX 1.20.1, whose segments before the start of the stream are gaps; the first is shortened.
func TestPlaylistsOfMediaMTX(t *testing.T) {
	read := func(name string) *Playlist {
		text, err := os.ReadFile("testdata/mediamtx-" + name + ".m3u8")
		if err != nil {
			t.Fatal(err)
		}
		list, err := Parse(base, text, Variables{})
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	master := read("multivariant")
	if len(master.Variants) != 1 || master.Variants[0].AudioGroup != "audio" || len(master.Renditions) != 1 || master.Variants[0].URL.RawQuery != "session=one" {
		t.Errorf("%+v", master)
	}
	media := read("low-latency")
	if !media.CanBlockReload || media.PartTarget != 208*time.Millisecond || media.Hint == nil || !media.Segments.At(0).IsGap || media.Segments.At(2).IsGap {
		t.Errorf("%+v", media)
	}
}

func TestVariablesThatDoubleEachOtherAreRefused(t *testing.T) {
	var text strings.Builder
	text.WriteString("#EXTM3U\n#EXT-X-DEFINE:NAME=\"v0\",VALUE=\"0123456789\"\n")
	for i := range 900 {
		fmt.Fprintf(&text, "#EXT-X-DEFINE:NAME=\"v%d\",VALUE=\"{$v%d}{$v%d}\"\n", i+1, min(i, 11), min(i, 11))
	}
	got, err := Parse(base, []byte(text.String()), nil)
	if err == nil || err.Error() != "EXT-X-DEFINE defines variables of more than 262144 bytes" {
		kept := 0
		if got != nil {
			for _, value := range got.Variables {
				kept += len(value)
			}
		}
		t.Errorf("%v, with %d bytes", err, kept)
	}
}
