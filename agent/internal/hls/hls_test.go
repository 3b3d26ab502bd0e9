package hls

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/tcpreader"
	"fullhouse/agent/internal/testing/hlstest"
	"fullhouse/agent/internal/testing/segments"
)

// audience is a group whose viewers are ticked as a job does.
type audience struct {
	*Group
	t *testing.T
}

func newAudience(t *testing.T, address string, change ...func(*Config)) *audience {
	t.Helper()
	target, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	streams, err := tcpreader.New()
	if err != nil {
		t.Fatal(err)
	}
	config := Config{URL: target, StageTimeout: 2 * time.Second, Client: signalling.NewClient(), Streams: streams}
	for _, each := range change {
		each(&config)
	}
	a := &audience{NewGroup(config), t}
	ended := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-ended:
				return
			case now := <-time.After(20 * time.Millisecond):
				a.Tick(now)
			}
		}
	}()
	t.Cleanup(func() {
		close(ended)
		<-done
		if err := streams.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

func (a *audience) join() (*Viewer, *failure.Failure) {
	a.t.Helper()
	v := a.Group.New().(*Viewer)
	f := v.Connect(context.Background(), context.Background())
	a.t.Cleanup(func() {
		if err := v.Disconnect(context.Background(), false); err != nil {
			a.t.Error(err)
		}
	})
	return v, f
}

func (a *audience) mustJoin() *Viewer {
	a.t.Helper()
	v, f := a.join()
	if f != nil {
		a.t.Fatal(f)
	}
	return v
}

func eventually(t *testing.T, what string, isSo func() bool) {
	t.Helper()
	for end := time.Now().Add(8 * time.Second); !isSo(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

var live = hlstest.Stream{SegmentMs: 200, FramesPerSegment: 10, FrameBytes: 1000, Window: 4}

func TestALiveStreamIsPlayedFromThreeSegmentsBeforeItsEnd(t *testing.T) {
	for name, change := range map[string]func(*hlstest.Stream){
		"TS":          func(*hlstest.Stream) {},
		"MP4":         func(s *hlstest.Stream) { s.IsMP4 = true },
		"TS, AES-128": func(s *hlstest.Stream) { s.Key = []byte("a key of 16 byte") },
		"MP4, AES-128": func(s *hlstest.Stream) {
			s.IsMP4, s.Key, s.IV = true, []byte("a key of 16 byte"), []byte("0123456789abcdef")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stream := live
			change(&stream)
			o := hlstest.Start(t, stream)
			a := newAudience(t, o.URL+"/live.m3u8")
			first, second := a.mustJoin(), a.mustJoin()
			for _, v := range []*Viewer{first, second} {
				eventually(t, "a second of video", func() bool { return v.Read(time.Now()).Frames >= 50 })
				r := v.Read(time.Now())
				if r.Stalls > 0 || r.Failure != nil || r.FirstFrameAt < r.FirstPacketAt || r.Packets < 5 || r.Bytes < 5*10*1000 {
					t.Errorf("%+v", r)
				}
				if r.Buffer == nil || !r.Buffer.HasBehind || r.Buffer.BehindNs < 300e6 || r.Buffer.BehindNs > 1500e6 {
					t.Errorf("%+v", r.Buffer)
				}
				if f := v.Tick(time.Now()); f != nil {
					t.Error(f)
				}
			}
			if detail := first.Detail(); detail.Streams[0].Codec != "H.264" || len(detail.Times.Steps()) != 2 || detail.Counters["skippedSegments"] != 0 {
				t.Errorf("%+v", detail)
			}
			// Both viewers fetch every segment, in order, and each once; the key once too.
			count := map[string]int{}
			for _, path := range o.Paths() {
				count[path]++
			}
			if count["/3.seg"] != 2 || stream.Key != nil && count["/key"] != 2 {
				t.Errorf("%v", count)
			}
		})
	}
}

func TestPartsAreFetchedAheadOfTheirSegments(t *testing.T) {
	t.Parallel()
	o := hlstest.Start(t, hlstest.Stream{SegmentMs: 600, Parts: 3, FramesPerSegment: 30, FrameBytes: 500, Window: 4, IsMP4: true})
	v := newAudience(t, o.URL+"/live.m3u8").mustJoin()
	eventually(t, "a second of video", func() bool { return v.Read(time.Now()).Frames >= 50 })
	r := v.Read(time.Now())
	if r.Stalls > 0 || r.Failure != nil || r.Buffer.BehindNs > 1200e6 || r.Buffer.BehindNs < 200e6 {
		t.Errorf("%+v, %+v", r, r.Buffer)
	}
	if slices.ContainsFunc(o.Paths(), func(path string) bool { return strings.Count(path, ".") == 1 && strings.HasSuffix(path, ".seg") }) {
		t.Errorf("a whole segment was fetched: %v", o.Paths())
	}
}

// slow limits what one response may send, in bytes a second.
type slow struct {
	http.ResponseWriter
	bytesASecond *atomic.Int64
}

func (s slow) Write(data []byte) (int, error) {
	const piece = 2000
	for at := 0; at < len(data); at += piece {
		count := min(piece, len(data)-at)
		if _, err := s.ResponseWriter.Write(data[at : at+count]); err != nil {
			return at, err
		}
		s.ResponseWriter.(http.Flusher).Flush()
		time.Sleep(time.Duration(count) * time.Second / time.Duration(s.bytesASecond.Load()))
	}
	return len(data), nil
}

func throttle(o *hlstest.Origin, bytesASecond int64) *atomic.Int64 {
	var rate atomic.Int64
	rate.Store(bytesASecond)
	o.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if _, isSlow := w.(slow); isSlow || !strings.HasSuffix(r.URL.Path, ".seg") {
			return false
		}
		o.ServeHTTP(slow{w, &rate}, r)
		return true
	})
	return &rate
}

func TestTheVariantFollowsTheBandwidth(t *testing.T) {
	t.Parallel()
	stream := live
	stream.Variants = []int{400_000, 1_600_000} // 50 and 200 kB/s
	o := hlstest.Start(t, stream)
	rate := throttle(o, 1_000_000)
	v := newAudience(t, o.URL+"/master.m3u8").mustJoin()
	variant := func() int {
		v.mutex.Lock()
		defer v.mutex.Unlock()
		return v.variant
	}
	if variant() != 0 {
		t.Error("started with the higher variant, without a measurement")
	}
	eventually(t, "the higher variant", func() bool { return variant() == 1 })
	rate.Store(80_000)
	eventually(t, "the lower variant", func() bool { return variant() == 0 })
	if r := v.Read(time.Now()); r.Failure != nil || r.Frames == 0 {
		t.Errorf("%+v", r)
	}
	if switches := v.Detail().Counters["variantSwitches"]; switches < 2 {
		t.Errorf("%d switches", switches)
	}
}

func TestAnOriginThatIsTooSlowStallsItsViewers(t *testing.T) {
	t.Parallel()
	o := hlstest.Start(t, live) // 50 kB/s
	throttle(o, 25_000)
	v := newAudience(t, o.URL+"/live.m3u8").mustJoin()
	eventually(t, "rebufferings", func() bool { return v.Detail().Counters["rebufferings"] >= 3 })
	r := v.Read(time.Now())
	// A segment of 200 ms takes 400 ms: half of the time is stalled.
	share := float64(v.player.RebufferedNs) / float64(time.Now().UnixNano()-r.FirstFrameAt)
	if share < 0.3 || share > 0.7 {
		t.Errorf("stalled for %.0f %% of the time", 100*share)
	}
}

func TestARecordingIsPlayedAgain(t *testing.T) {
	t.Parallel()
	o := hlstest.Start(t, live)
	o.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/live.m3u8" {
			return false
		}
		w.Header().Set("Content-Encoding", "gzip")
		zip := gzip.NewWriter(w)
		_, _ = io.WriteString(zip, "#EXTM3U\n#EXT-X-TARGETDURATION:0.2\n#EXTINF:0.2,\n0.seg\n#EXTINF:0.2,\n1.seg\n#EXT-X-ENDLIST\n")
		return zip.Close() == nil
	})
	v := newAudience(t, o.URL+"/live.m3u8").mustJoin()
	eventually(t, "more than the recording has", func() bool { return v.Read(time.Now()).Frames > 25 })
	if count := strings.Count(strings.Join(o.Paths(), " "), "/live.m3u8"); count != 1 {
		t.Errorf("the playlist was loaded %d times", count)
	}
}

func TestErrorsOfSegmentsAreRetriedAndThenSkipped(t *testing.T) {
	t.Parallel()
	stream := live
	stream.Window = 100
	o := hlstest.Start(t, stream)
	var isBroken atomic.Bool
	o.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if !isBroken.Load() || !strings.HasSuffix(r.URL.Path, ".seg") {
			return false
		}
		w.WriteHeader(http.StatusBadGateway)
		return true
	})
	v := newAudience(t, o.URL+"/live.m3u8").mustJoin()
	eventually(t, "video", func() bool { return v.Read(time.Now()).Frames > 0 })
	isBroken.Store(true)
	eventually(t, "a skipped segment", func() bool { return v.Detail().Counters["skippedSegments"] == 1 })
	isBroken.Store(false)
	before := v.Read(time.Now()).Frames
	eventually(t, "video again", func() bool { return v.Read(time.Now()).Frames > before })
	if r := v.Read(time.Now()); r.Stalls == 0 || r.Failure != nil {
		t.Errorf("%+v", r)
	}
}

func TestAStreamThatIsNotContinuedFailsItsViewers(t *testing.T) {
	t.Parallel()
	o := hlstest.Start(t, live)
	v := newAudience(t, o.URL+"/live.m3u8").mustJoin()
	eventually(t, "video", func() bool { return v.Read(time.Now()).Frames > 0 })
	o.StopPublishing()
	time.Sleep(50 * time.Millisecond)
	if f := v.Tick(time.Now().Add(time.Minute)); f == nil || f.Stage != failure.Media || f.Cause.String() != "silent" {
		t.Errorf("%v", f)
	}
	if _, f := v.Read(time.Now()), v.failure; f == nil {
		t.Error("the failure is not kept")
	}
}

func TestAFailureHasAStageAndACause(t *testing.T) {
	media := "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n"
	encrypted := "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXTINF:1,\n"
	serve := func(bodies map[string]string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			body, found := bodies[r.URL.Path]
			if !found {
				w.WriteHeader(http.StatusNotFound)
				return
			}
			if location, isRedirect := strings.CutPrefix(body, "->"); isRedirect {
				http.Redirect(w, r, location, http.StatusFound)
				return
			}
			_, _ = io.WriteString(w, body)
		}
	}
	var zipped bytes.Buffer
	zip := gzip.NewWriter(&zipped)
	if _, err := zip.Write(make([]byte, 64<<20)); err != nil || zip.Close() != nil {
		t.Fatal(err)
	}
	bomb := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(zipped.Bytes())
	}
	huge := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/x.ts" {
			w.Header().Set("Content-Length", fmt.Sprint(int64(4)<<30))
			_, _ = w.Write(make([]byte, 1000))
			return
		}
		_, _ = io.WriteString(w, media+"x.ts\n")
	}
	endless := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, media)
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, strings.Repeat("#\n", 1000)); err != nil {
				return
			}
		}
	}
	for name, test := range map[string]struct {
		does     http.HandlerFunc
		stage    failure.Stage
		cause    string
		wantText string
	}{
		"not found":           {serve(nil), failure.Signalling, "http-404", "not published"},
		"a page":              {serve(map[string]string{"/live.m3u8": "<html>"}), failure.Signalling, "not-hls", "not an HLS playlist"},
		"a loop":              {serve(map[string]string{"/live.m3u8": "->/live.m3u8"}), failure.Signalling, "redirects", "more than 5 times"},
		"another origin":      {serve(map[string]string{"/live.m3u8": media + "http://127.0.0.1:1/x.ts\n"}), failure.FirstPacket, "cross-origin", "allowCrossOrigin"},
		"encrypted":           {serve(map[string]string{"/live.m3u8": "#EXTM3U\n#EXT-X-KEY:METHOD=SAMPLE-AES\n"}), failure.Signalling, "encrypted", "(SAMPLE-AES)"},
		"no key":              {serve(map[string]string{"/live.m3u8": encrypted + "x.ts\n", "/k": "denied"}), failure.FirstPacket, "no-key", "6 bytes instead of a key of 16"},
		"wrong key":           {serve(map[string]string{"/live.m3u8": encrypted + "x.ts\n", "/k": "a key of 16 byte", "/x.ts": "a segment of 3 times 16 bytes that is not a segm"}), failure.FirstFrame, "not-media", ""},
		"nested variants":     {serve(map[string]string{"/live.m3u8": "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlive.m3u8\n"}), failure.Signalling, "not-hls", "not one of segments"},
		"no segment":          {serve(map[string]string{"/live.m3u8": media + "x.ts\n"}), failure.FirstPacket, "http-404", "x.ts"},
		"not media":           {serve(map[string]string{"/live.m3u8": media + "x.ts\n", "/x.ts": "<html><body>"}), failure.FirstFrame, "not-media", "neither"},
		"no init":             {serve(map[string]string{"/live.m3u8": "#EXTM3U\n#EXT-X-MAP:URI=\"i\"\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nx.ts\n", "/i": "hello, world"}), failure.FirstPacket, "not-mp4", "no tracks"},
		"a gzip bomb":         {bomb, failure.Signalling, "not-hls", "too large"},
		"a segment of 4 GB":   {huge, failure.FirstPacket, "too-large", "segment"},
		"an endless playlist": {endless, failure.Signalling, "too-large", "playlist"},
		"ranges ignored":      {serve(map[string]string{"/live.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-BYTERANGE:5@0\n#EXTINF:1,\nx.ts\n", "/x.ts": "hello"}), failure.FirstPacket, "no-ranges", "byte ranges"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(test.does)
			t.Cleanup(s.Close)
			v, f := newAudience(t, s.URL+"/live.m3u8").join()
			eventually(t, "a failure", func() bool { f = v.Read(time.Now()).Failure; return f != nil })
			if f.Stage != test.stage || f.Cause.String() != test.cause || !strings.Contains(f.Detail, test.wantText) {
				t.Errorf("%+v", f)
			}
		})
	}
}

func TestByteRangesAndRedirectsAreFollowed(t *testing.T) {
	t.Parallel()
	o := hlstest.Start(t, live)
	o.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		switch r.URL.Path {
		case "/live.m3u8":
			http.Redirect(w, r, "/moved/list.m3u8", http.StatusFound)
		case "/moved/list.m3u8":
			_, _ = io.WriteString(w, "#EXTM3U\n#EXT-X-TARGETDURATION:0.2\n#EXT-X-BYTERANGE:18800@0\n#EXTINF:0.2,\n0.seg\n#EXT-X-ENDLIST\n")
		case "/moved/0.seg":
			if r.Header.Get("Range") != "bytes=0-18799" {
				t.Errorf("Range: %q", r.Header.Get("Range"))
			}
			w.WriteHeader(http.StatusPartialContent)
			r.URL.Path = "/0.seg"
			return false
		}
		return strings.HasSuffix(r.URL.Path, ".m3u8")
	})
	v := newAudience(t, o.URL+"/live.m3u8").mustJoin()
	eventually(t, "video", func() bool { return v.Read(time.Now()).Frames > 0 })
}

func TestCommonMediaClientDataIsSentOnRequest(t *testing.T) {
	t.Parallel()
	stream := live
	stream.Variants = []int{400_000, 1_600_000}
	o := hlstest.Start(t, stream)
	var mutex sync.Mutex
	var sent []string
	o.Intercept(func(_ http.ResponseWriter, r *http.Request) bool {
		mutex.Lock()
		defer mutex.Unlock()
		sent = append(sent, r.URL.Query().Get("CMCD"))
		return false
	})
	v := newAudience(t, o.URL+"/master.m3u8?key=1", func(c *Config) { c.CMCD = true }).mustJoin()
	eventually(t, "video", func() bool { return v.Read(time.Now()).Frames > 10 })
	mutex.Lock()
	defer mutex.Unlock()
	id := `sid="` + v.sessionID + `"`
	if sent[0] != "ot=m,sf=h,"+id+",su" {
		t.Errorf("the first playlist: %s", sent[0])
	}
	segment := regexp.MustCompile(`^bl=\d*00?,br=(400|1600),d=200,mtp=\d+00,ot=av,sf=h,` + id + `,st=l,tb=1600$`)
	if !slices.ContainsFunc(sent, segment.MatchString) {
		t.Errorf("%q", sent)
	}
}

func TestAudioOnly(t *testing.T) {
	const video = "#EXT-X-STREAM-INF:BANDWIDTH=%d,CODECS=\"avc1.42c01f,mp4a.40.2\"%s\nvideo-%[1]d.m3u8\n"
	both := fmt.Sprintf(video, 900_000, "") + fmt.Sprintf(video, 300_000, "")
	for name, test := range map[string]struct {
		master    string
		audioOnly bool
		want      string
		isAudio   bool
	}{
		"a rendition":             {"#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"x\",URI=\"audio.m3u8\",DEFAULT=YES\n" + fmt.Sprintf(video, 900_000, ",AUDIO=\"a\""), true, "/audio.m3u8", true},
		"a variant":               {both + "#EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS=\"mp4a.40.2\"\naudio.m3u8\n", true, "/audio.m3u8", true},
		"neither":                 {both, true, "/video-300000.m3u8", true},
		"a stream that has none":  {"", false, "/master.m3u8", true},
		"a stream that has video": {both, false, "/video-300000.m3u8", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var mutex sync.Mutex
			var lists []string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch {
				case strings.HasSuffix(r.URL.Path, ".aac"):
					_, _ = io.WriteString(w, "ID3\x04\x00\x00\x00\x00\x00\x00 and audio")
				case strings.HasSuffix(r.URL.Path, ".ts"):
					_, _ = w.Write(segments.Transport(25, 100))
				default:
					mutex.Lock()
					lists = append(lists, r.URL.Path)
					mutex.Unlock()
					switch {
					case r.URL.Path == "/master.m3u8" && test.master != "":
						_, _ = io.WriteString(w, "#EXTM3U\n"+test.master)
					case strings.HasPrefix(r.URL.Path, "/video"):
						_, _ = io.WriteString(w, "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nx.ts\n#EXT-X-ENDLIST\n")
					default:
						_, _ = io.WriteString(w, "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nx.aac\n#EXT-X-ENDLIST\n")
					}
				}
			}))
			t.Cleanup(server.Close)
			v := newAudience(t, server.URL+"/master.m3u8", func(c *Config) { c.AudioOnly = test.audioOnly }).mustJoin()
			eventually(t, "playback", func() bool { r := v.Read(time.Now()); return r.FirstFrameAt != 0 && r.AudioOnly == test.isAudio })
			eventually(t, "frames", func() bool { return v.Read(time.Now()).Frames > 0 != test.isAudio })
			kind := map[bool]string{true: "audio", false: "video"}[test.isAudio]
			if streams := v.Detail().Streams; streams[0].Kind != kind {
				t.Errorf("%+v", streams)
			}
			mutex.Lock()
			defer mutex.Unlock()
			if !slices.Contains(lists, test.want) || test.isAudio && len(lists) > 2 {
				t.Errorf("%v", lists)
			}
		})
	}
}

func TestHeadersStayWithTheirOrigin(t *testing.T) {
	t.Parallel()
	other := hlstest.Start(t, live)
	var mutex sync.Mutex
	var leaked, kept []string
	other.Intercept(func(_ http.ResponseWriter, r *http.Request) bool {
		mutex.Lock()
		defer mutex.Unlock()
		leaked = append(leaked, r.Header.Get("Authorization")+r.Header.Get("Cookie")+r.Header.Get("X-Api-Key"))
		return false
	})
	// Another port of the host is another origin, to which the viewer may be redirected.
	o := hlstest.Start(t, live)
	o.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		mutex.Lock()
		defer mutex.Unlock()
		kept = append(kept, r.Header.Get("Authorization"))
		http.Redirect(w, r, other.URL+r.URL.Path, http.StatusFound)
		return true
	})
	v := newAudience(t, o.URL+"/live.m3u8", func(c *Config) {
		c.Client.AllowCrossOrigin = true
		c.Identities = &signalling.Identities{Headers: []signalling.HeaderTemplate{
			{Name: "Authorization", Value: "Bearer planted"}, {Name: "Cookie", Value: "session=planted"}, {Name: "X-Api-Key", Value: "planted"},
		}}
	}).mustJoin()
	eventually(t, "video", func() bool { return v.Read(time.Now()).Frames > 0 })
	mutex.Lock()
	defer mutex.Unlock()
	if len(kept) == 0 || kept[0] != "Bearer planted" {
		t.Errorf("the origin received %q", kept)
	}
	if len(leaked) == 0 || strings.Join(leaked, "") != "" {
		t.Errorf("the other origin received %q", leaked)
	}
}
