package hls

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"fullhouse/agent/internal/failure"
)

// serve answers all playlists with one text, and everything else with a byte of TS.
func serve(t *testing.T, text string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".m3u8") {
			_, _ = io.WriteString(w, text)
			return
		}
		_, _ = w.Write(append([]byte{0x47}, make([]byte, 187)...))
	}))
	t.Cleanup(server.Close)
	return server.URL + "/live.m3u8"
}

// TestARecordingWithoutMediaFails: what can't be played is neither searched for ever, nor requested without a pause.
func TestARecordingWithoutMediaFails(t *testing.T) {
	for name, segment := range map[string]string{
		"gaps only": "#EXT-X-GAP\n#EXTINF:1,\na\n",
		"gaps in parts": "#EXT-X-PART-INF:PART-TARGET=1\n#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES\n" +
			"#EXT-X-PART:DURATION=1,URI=\"a\",GAP=YES\n#EXTINF:1,\na\n",
		"no duration":   "#EXTINF:0,\na\n",
		"no duration 2": "#EXTINF:0.00001,\na\n#EXTINF:0.00001,\nb\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAudience(t, serve(t, "#EXTM3U\n#EXT-X-TARGETDURATION:1\n"+segment+"#EXT-X-ENDLIST\n"))
			v, _ := a.join()
			eventually(t, "a failure", func() bool { return v.Tick(time.Now()) != nil })
			if f := v.Tick(time.Now()); f.Cause.String() != "no-media" || !strings.Contains(f.Detail, "viewers need at least 100ms") {
				t.Errorf("%+v", f)
			}
		})
	}
}

// TestAPlaylistIsParsedOutsideOfLocks: a viewer whose playlist takes long to parse is still read and ticked.
func TestAPlaylistIsParsedOutsideOfLocks(t *testing.T) {
	t.Parallel()
	a := newAudience(t, serve(t, "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na\n#EXT-X-ENDLIST\n"))
	a.parsing.Lock() // another one is being parsed
	v := a.Group.New().(*Viewer)
	connected := make(chan *failure.Failure, 1)
	go func() { connected <- v.Connect(context.Background(), context.Background()) }()
	eventually(t, "the playlist", func() bool { return v.Read(time.Now()).Failure == nil && a.bodies.Used() > 0 })
	if f := v.Tick(time.Now()); f != nil {
		t.Error(f)
	}
	a.parsing.Unlock()
	if f := <-connected; f != nil {
		t.Error(f)
	}
	if err := v.Disconnect(context.Background(), false); err != nil {
		t.Error(err)
	}
	if used := a.bodies.Used(); used != 0 {
		t.Errorf("%d bytes are still reserved", used)
	}
}

// TestBodiesHaveOneLimit: each of many viewers may receive a large playlist, all together may not.
func TestBodiesHaveOneLimit(t *testing.T) {
	t.Parallel()
	a := newAudience(t, serve(t, "#EXTM3U\n"+strings.Repeat("#\n", 5000)))
	a.bodies.Limit = 5000
	v, f := a.join()
	if f == nil || f.Cause.String() != "too-large" || !strings.Contains(f.Detail, "what viewers are receiving besides media has more than 4 kB together; use fewer viewers here, or a second tester") {
		t.Errorf("%+v", f)
	}
	if used := a.bodies.Used(); used != 0 {
		t.Errorf("%d bytes are still reserved, %v", used, v)
	}
}
