package playlist

import (
	"net/url"
	"strings"
	"testing"

	"fullhouse/agent/internal/testing/crafted"
)

const seedMedia = `#EXTM3U
#EXT-X-TARGETDURATION:4
#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.0,HOLD-BACK=12.0
#EXT-X-PART-INF:PART-TARGET=0.33334
#EXT-X-MEDIA-SEQUENCE:2680
#EXT-X-MAP:URI="init.mp4",BYTERANGE="720@0"
#EXT-X-KEY:METHOD=AES-128,URI="key",IV=0x00000000000000000000000000000001
#EXTINF:4,
#EXT-X-BYTERANGE:1000@720
all.m4s
#EXT-X-KEY:METHOD=NONE
#EXT-X-PART:DURATION=0.33334,URI="p.mp4",BYTERANGE="5@0",INDEPENDENT=YES
#EXT-X-PART:DURATION=0.33334,URI="p.mp4",BYTERANGE="5"
#EXTINF:4,
p.mp4
#EXT-X-PRELOAD-HINT:TYPE=PART,URI="q.mp4",BYTERANGE-START=0
`

const seedMaster = `#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="a",DEFAULT=YES,URI="audio/en.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=1280000,CODECS="avc1.4d401f,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=25.000,AUDIO="aac"
low/index.m3u8
`

func TestPlaylistsTakeNoMoreMemoryThanTheirTextAllows(t *testing.T) {
	media := func(text string, times int) []byte {
		return []byte("#EXTM3U\n#EXT-X-TARGETDURATION:1\n" + strings.Repeat(text, times))
	}
	named := map[string][]byte{
		"segments":           media("#EXTINF:1,\na\n", 300_000),
		"parts":              media("#EXT-X-PART:DURATION=1,URI=a\n", 140_000),
		"ranges":             media("#EXTINF:1,\n#EXT-X-BYTERANGE:1\na\n", 120_000),
		"maps":               media("#EXT-X-MAP:URI=a\n#EXTINF:1,\na\n", 120_000),
		"keys":               media("#EXT-X-KEY:METHOD=AES-128,URI=a\n", 120_000),
		"hints":              media("#EXT-X-PRELOAD-HINT:TYPE=PART,URI=a\n", 110_000),
		"variants":           media("#EXT-X-STREAM-INF:\na\n", 180_000),
		"renditions":         media("#EXT-X-MEDIA:\n", 280_000),
		"attributes":         media("#EXT-X-MEDIA:"+strings.Repeat("a=,", 20_000)+"\n", 60),
		"different segments": media("#EXTINF:1,\n"+strings.Repeat("x", 60_000)+"\n", 65),
		"no line ends":       media("x", 4_000_000),
		"dots":               media("#EXTINF:1,\n"+strings.Repeat("a/../", 12_000)+"\n", 65),
	}
	long := &url.URL{Scheme: "http", Host: "host", Path: "/" + strings.Repeat("p", 60_000) + "/x"}
	count := 0
	crafted.Each(t, crafted.All(crafted.Named(named), crafted.Named(named), crafted.Text(1000, seedMedia, seedMaster)), func(text []byte) {
		from := base
		if count++; count <= len(named) || count%20 == 0 { // a server that redirects chooses the playlist's address too
			from = long
		}
		_, _ = Parse(from, text, nil)
	})
}

func TestAnExceededLimitIsOneSentence(t *testing.T) {
	long := &url.URL{Scheme: "http", Host: "host", Path: "/" + strings.Repeat("p", 60_000) + "/x"}
	text := []byte("#EXTM3U\n#EXT-X-TARGETDURATION:1\n" + strings.Repeat("#EXTINF:1,\na\n", 110_000))
	for want, from := range map[string]*url.URL{
		"the playlist has more than 100000 entries":     base,
		"the playlist has more than 64 MB of addresses": long,
	} {
		if _, err := Parse(from, text, nil); err == nil || err.Error() != want {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
