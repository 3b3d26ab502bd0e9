package hls

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/testing/hlstest"
	"fullhouse/agent/internal/testing/segments"
)

// A server that counts sessions sets a cookie, redirects to see whether it is kept, and refuses requests without it, as
// MediaMTX does. Segments may be at another server, which gets no cookies of the first.
func TestCookiesAreKeptForEachViewerAndSentToTheirOriginOnly(t *testing.T) {
	o := hlstest.Start(t, live)
	var mutex sync.Mutex
	media, elsewhere, others := map[string]int{}, []string{}, 0
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		elsewhere = append(elsewhere, r.Header.Get("Cookie"))
		mutex.Unlock()
		http.SetCookie(w, &http.Cookie{Name: "other", Value: "1", Path: "/"})
		_, _ = w.Write(segments.Transport(10, 100))
	}))
	t.Cleanup(other.Close)
	o.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		mutex.Lock()
		defer mutex.Unlock()
		session, err := r.Cookie("session")
		switch {
		case err == nil && len(r.Header.Values("Cookie")) == 1 && strings.HasPrefix(r.Header.Get("Cookie"), "mine=1; session="):
			if _, err := r.Cookie("other"); err == nil {
				others++
			}
			if strings.HasSuffix(r.URL.Path, ".seg") {
				if media[session.Value]++; media[session.Value] == 2 {
					http.Redirect(w, r, other.URL+"/one.ts", http.StatusFound)
					return true
				}
			}
			return false
		case err != nil && r.URL.RawQuery == "":
			http.SetCookie(w, &http.Cookie{Name: "session", Value: fmt.Sprint("viewer-", len(media)), Path: "/"})
			media[fmt.Sprint("viewer-", len(media))] = 0
			http.Redirect(w, r, "/live.m3u8?check=1", http.StatusFound)
		default:
			w.WriteHeader(http.StatusForbidden)
		}
		return true
	})
	a := newAudience(t, o.URL+"/live.m3u8", func(c *Config) {
		c.Identities = &signalling.Identities{Headers: []signalling.HeaderTemplate{{Name: "Cookie", Value: "mine=1"}}}
		c.Client.AllowCrossOrigin = true
	})
	for range 2 {
		v := a.mustJoin()
		eventually(t, "video", func() bool { return v.Read(time.Now()).Frames > 50 })
	}
	mutex.Lock()
	defer mutex.Unlock()
	if len(media) != 2 || media["viewer-0"] < 3 || media["viewer-1"] < 3 || others > 0 || len(elsewhere) != 2 || slices.ContainsFunc(elsewhere, func(text string) bool { return text != "" }) {
		t.Errorf("%v, %q, %d", media, elsewhere, others)
	}
}

func TestAServerCantMakeAViewerKeepManyCookies(t *testing.T) {
	j, at := newJar(), &url.URL{Scheme: "http", Host: "h", Path: "/x"}
	for i := range 10 * signalling.MaxCookies {
		j.take(at, &http.Response{Header: http.Header{"Set-Cookie": {fmt.Sprintf("n%d=v; Path=/", i), "long=" + strings.Repeat("x", signalling.MaxCookieBytes)}}})
	}
	if text := j.header(at); strings.Count(text, "=") != signalling.MaxCookies || strings.Contains(text, "long") {
		t.Error(text)
	}
	for i := range 10 * signalling.MaxCookies {
		j.take(&url.URL{Scheme: "http", Host: fmt.Sprint("h", i), Path: "/"}, &http.Response{Header: http.Header{"Set-Cookie": {"a=b"}}})
	}
	if len(j.origins) != signalling.MaxCookies {
		t.Error(len(j.origins))
	}
	kept := 0
	for i := range 10 * signalling.MaxCookies { // without a path, a cookie belongs to the folder of the response
		folder := &url.URL{Scheme: "http", Host: "folders", Path: fmt.Sprintf("/%d/x", i)}
		if i == 0 {
			j = newJar()
		}
		j.take(folder, &http.Response{Header: http.Header{"Set-Cookie": {"a=b"}}})
		if j.header(folder) != "" {
			kept++
		}
	}
	if kept != signalling.MaxCookies {
		t.Errorf("%d cookies of folders", kept)
	}
}

func TestTheCookiesOfAViewerAreSmallTogether(t *testing.T) {
	j, at := newJar(), func(i int) *url.URL { return &url.URL{Scheme: "http", Host: fmt.Sprint("h", i), Path: "/"} }
	set := func(origin int, text string) {
		j.take(at(origin), &http.Response{Header: http.Header{"Set-Cookie": {text}}})
	}
	value := strings.Repeat("x", signalling.MaxCookieBytes/2)
	for i := range 1000 {
		set(i%10, fmt.Sprintf("n%d=%s; Path=/", i/10, value))
	}
	kept := 0
	for i := range 10 {
		kept += len(j.header(at(i)))
	}
	if kept > signalling.MaxTotalCookieBytes || kept < signalling.MaxTotalCookieBytes/2 {
		t.Errorf("%d bytes of cookies", kept)
	}
	set(0, "n0=; Path=/; Max-Age=0")
	set(0, "n0="+value+"; Path=/")
	set(0, "n0="+strings.ToUpper(value)+"; Path=/")
	if text := j.header(at(0)); strings.Count(text, "n0="+strings.ToUpper(value)) != 1 {
		t.Error("a cookie was not replaced")
	}

	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	long := newJar()
	for i := range signalling.MaxCookies {
		long.take(at(0), &http.Response{Header: http.Header{"Set-Cookie": {fmt.Sprintf("n%d=v; Path=/; note=%s", i, strings.Repeat("x", 60_000))}}})
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 1<<20 {
		t.Errorf("%d bytes of attributes are kept", grown)
	}
	runtime.KeepAlive(long)
}

// text answers one path; the stream stays as it is.
func text(path, body string) func(w http.ResponseWriter, r *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == path {
			_, _ = fmt.Fprint(w, body)
		}
		return r.URL.Path == path
	}
}

func TestVariablesOfTheMultivariantPlaylistAreImported(t *testing.T) {
	o := hlstest.Start(t, live)
	o.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		const list = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-DEFINE:IMPORT=\"folder\"\n#EXTINF:1,\n/{$folder}/0.seg\n#EXT-X-ENDLIST\n"
		if path, isMoved := strings.CutPrefix(r.URL.Path, "/moved"); isMoved {
			r.URL.Path = path
			return false
		}
		return text("/master.m3u8", "#EXTM3U\n#EXT-X-DEFINE:QUERYPARAM=\"folder\"\n#EXT-X-STREAM-INF:BANDWIDTH=1\n/list.m3u8\n")(w, r) ||
			text("/list.m3u8", list)(w, r)
	})
	v := newAudience(t, o.URL+"/master.m3u8?folder=moved").mustJoin()
	eventually(t, "video", func() bool { return v.Read(time.Now()).Frames > 0 })
	if !slices.Contains(o.Paths(), "/moved/0.seg") {
		t.Error(o.Paths())
	}
	for address, want := range map[string]string{"/list.m3u8": `EXT-X-DEFINE imports the variable "folder"`, "/master.m3u8": `EXT-X-DEFINE needs the argument "folder"`} {
		if _, f := newAudience(t, o.URL+address).join(); f == nil || f.Cause.String() != "not-hls" || !strings.Contains(f.Detail, want) {
			t.Errorf("%s: %v", address, f)
		}
	}
}

func TestAPlaylistWithoutSegmentsIsWaitedFor(t *testing.T) {
	o := hlstest.Start(t, live)
	var mutex sync.Mutex
	requests := 0
	o.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		mutex.Lock()
		defer mutex.Unlock()
		switch requests++; requests {
		case 1:
			_, _ = fmt.Fprint(w, "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-MEDIA-SEQUENCE:0\n")
		case 2: // it is not waited for as long
			_, _ = fmt.Fprint(w, "#EXTM3U\n#EXT-X-TARGETDURATION:60\n")
		}
		return requests <= 2
	})
	v := newAudience(t, o.URL+"/live.m3u8").mustJoin()
	eventually(t, "video", func() bool { return v.Read(time.Now()).Frames > 0 })
	for body, want := range map[string]struct {
		stage  failure.Stage
		detail string
	}{"#EXTM3U\n#EXT-X-TARGETDURATION:2\n": {failure.FirstPacket, "the playlist has no segments yet, after 400ms"},
		"#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-ENDLIST\n": {failure.Signalling, "has ended and has no segments"}} {
		o.Intercept(text("/live.m3u8", body))
		_, f := newAudience(t, o.URL+"/live.m3u8", func(c *Config) { c.StageTimeout = 200 * time.Millisecond }).join()
		if f == nil || f.Stage != want.stage || !strings.Contains(f.Detail, want.detail) {
			t.Errorf("%v", f)
		}
	}
}

func TestLostSyncBytesAndSegmentsDisguisedAsPicturesAreNoFailures(t *testing.T) {
	o := hlstest.Start(t, live)
	o.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, ".seg") {
			return false
		}
		whole := segments.Transport(10, 1000)
		_, _ = w.Write(slices.Concat([]byte("\x89PNG\r\n\x1a\n and its header"), whole[:188*20], make([]byte, 100), whole[188*20:]))
		return true
	})
	v := newAudience(t, o.URL+"/live.m3u8").mustJoin()
	eventually(t, "video", func() bool { return v.Read(time.Now()).Frames > 20 })
	if lost := v.Detail().Counters["lostBytes"]; lost == 0 || lost%100 != 0 || v.Tick(time.Now()) != nil {
		t.Errorf("%d", lost)
	}
}

// The address after a redirect is that of the playlist: its relative addresses, and those of its variants.
func TestRelativeAddressesAreThoseAfterARedirect(t *testing.T) {
	stream := live
	stream.Variants = []int{100_000}
	o := hlstest.Start(t, stream)
	o.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/start/master.m3u8" {
			http.Redirect(w, r, "../moved/here/master.m3u8", http.StatusFound)
			return true
		}
		path, isMoved := strings.CutPrefix(r.URL.Path, "/moved/here")
		r.URL.Path = path
		if !isMoved {
			w.WriteHeader(http.StatusNotFound)
		}
		return !isMoved
	})
	v := newAudience(t, o.URL+"/start/master.m3u8").mustJoin()
	eventually(t, "video", func() bool { return v.Read(time.Now()).Frames > 20 })
}
