package httplive

import (
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/tcpreader"
	"fullhouse/agent/internal/testing/crafted"
)

// tag makes one FLV message with the size that follows it.
func tag(kind byte, atMs uint32, payload []byte) []byte {
	size := len(payload)
	data := []byte{kind, byte(size >> 16), byte(size >> 8), byte(size), byte(atMs >> 16), byte(atMs >> 8), byte(atMs), byte(atMs >> 24), 0, 0, 0}
	return binary.BigEndian.AppendUint32(append(data, payload...), uint32(11+size))
}

var (
	flvHeader = []byte{'F', 'L', 'V', 1, 5, 0, 0, 0, 9, 0, 0, 0, 0}
	keyframe  = append([]byte{0x17, 1, 0, 0, 0}, make([]byte, 3000)...)
	frame     = append([]byte{0x27, 1, 0, 0, 0}, make([]byte, 300)...)
	sound     = []byte{0xaf, 1, 5, 5, 5}
)

// flvStream is a configuration, three frames and two pieces of audio.
func flvStream() []byte {
	wire := append([]byte(nil), flvHeader...)
	for i, payload := range [][]byte{{0x17, 0, 0, 0, 0, 1}, keyframe, frame, frame} {
		wire = append(wire, tag(9, uint32(40*i), payload)...)
	}
	wire = append(wire, tag(18, 0, []byte("metadata"))...)
	return append(wire, append(tag(8, 10, sound), tag(8, 30, sound)...)...)
}

// live sends a response in small pieces and holds the connection until the test ends.
func live(t *testing.T, contentType string, wire []byte) http.HandlerFunc {
	ended := make(chan struct{})
	t.Cleanup(func() { close(ended) })
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", contentType)
		for at := 0; at < len(wire); at += 700 {
			_, _ = w.Write(wire[at:min(at+700, len(wire))])
			w.(http.Flusher).Flush()
		}
		select {
		case <-ended:
		case <-r.Context().Done():
		}
	}
}

func join(t *testing.T, address string, format Format, change ...func(*Config)) (*Viewer, *failure.Failure) {
	t.Helper()
	target, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	streams, err := tcpreader.New()
	if err != nil {
		t.Fatal(err)
	}
	config := Config{URL: target, Format: format, StageTimeout: 2 * time.Second, Client: signalling.NewClient(), Streams: streams}
	for _, each := range change {
		each(&config)
	}
	v := newViewer(NewGroup(config), signalling.Identity{})
	f := v.Connect(context.Background(), context.Background())
	t.Cleanup(func() {
		if err := v.Disconnect(context.Background(), false); err != nil {
			t.Error(err)
		}
		if err := streams.Close(); err != nil {
			t.Error(err)
		}
	})
	return v, f
}

func serve(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s
}

func eventually(t *testing.T, what string, isSo func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); !isSo(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

func expectFLV(t *testing.T, v *Viewer, f *failure.Failure) {
	t.Helper()
	if f != nil {
		t.Fatal(f)
	}
	eventually(t, "three frames and two pieces of audio", func() bool { r := v.Read(time.Now()); return r.Frames == 3 && r.Packets == 5 })
	if f := v.Tick(time.Now().Add(time.Second)); f != nil {
		t.Error(f)
	}
	detail := v.Detail()
	steps := detail.Times.Steps()
	if len(detail.Streams) != 2 || detail.Streams[0].Codec != "H.264" || len(steps) < 2 || steps[0].Name != "tcp" || steps[len(steps)-1].Name != "play" || !detail.Route.Remote.IsValid() {
		t.Errorf("%+v", detail)
	}
}

func TestFLVOverHTTPIsCounted(t *testing.T) {
	s := serve(t, live(t, "video/x-flv", flvStream()))
	v, f := join(t, s.URL+"/live/cam.flv", FLV)
	expectFLV(t, v, f)
}

func TestARedirectOnTheSameOriginIsFollowed(t *testing.T) {
	stream := live(t, "video/x-flv", flvStream())
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/old.flv" {
			http.Redirect(w, r, "/new.flv?token=1", http.StatusFound)
			return
		}
		stream(w, r)
	})
	v, f := join(t, s.URL+"/old.flv", FLV)
	expectFLV(t, v, f)
}

func TestFLVOverTLSIsCounted(t *testing.T) {
	s := httptest.NewTLSServer(live(t, "video/x-flv", flvStream()))
	t.Cleanup(s.Close)
	trusted := func(c *Config) { c.TLS = s.Client().Transport.(*http.Transport).TLSClientConfig.Clone() }
	v, f := join(t, s.URL+"/live/cam.flv", FLV, trusted)
	expectFLV(t, v, f)
	if detail := v.Detail(); detail.Route.Protocol != "tls" || detail.Times.TLS < detail.Times.TCP || detail.Times.TCP == 0 {
		t.Error(v.Detail().Route)
	}
	if _, f := join(t, s.URL, FLV); f == nil || f.Stage != failure.TLS {
		t.Errorf("%v", f)
	}
}

// webSocket sends messages, then a ping and, after its pong, a close frame.
func webSocket(t *testing.T, messages ...[]byte) *httptest.Server {
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer func() { _ = c.CloseNow() }()
		for _, message := range messages {
			if c.Write(r.Context(), websocket.MessageBinary, message) != nil {
				return
			}
		}
		ctx := c.CloseRead(r.Context())
		if c.Ping(ctx) == nil {
			_ = c.Close(websocket.StatusGoingAway, "the camera is off")
		}
	})
}

func TestFLVOverWebSocketIsCountedAndItsPingsAreAnswered(t *testing.T) {
	wire := flvStream()
	s := webSocket(t, wire[:5], wire[5:3100], wire[3100:])
	v, f := join(t, strings.Replace(s.URL, "http", "ws", 1), FLV)
	if f != nil {
		t.Fatal(f)
	}
	eventually(t, "the server's close after its pong", func() bool { r := v.Read(time.Now()); return r.Frames == 3 && r.Failure != nil })
	if f := v.Failure; f.Stage != failure.Media || f.Cause.String() != "unpublished" || !strings.Contains(f.Detail, "the camera is off") {
		t.Error(f)
	}
}

func TestMJPEGIsCountedWithAndWithoutLengths(t *testing.T) {
	picture := append([]byte{0xff, 0xd8}, make([]byte, 2000)...)
	part := func(fields string) []byte {
		return []byte("--frame\r\nContent-Type: image/jpeg\r\n" + fields + "\r\n" + string(picture) + "\r\n")
	}
	sized := part(fmt.Sprintf("Content-Length: %d\r\n", len(picture)))
	for name, test := range map[string]struct {
		contentType string
		wire        []byte
	}{
		"lengths":               {"multipart/x-mixed-replace; boundary=frame", append(append(sized, sized...), sized...)},
		"dashes in the name":    {"multipart/x-mixed-replace; boundary=--frame", append(append(sized, sized...), sized...)},
		"no lengths":            {"multipart/x-mixed-replace;boundary=frame", append(append(append(part(""), part("")...), part("")...), "--frame--\r\n"...)},
		"a preamble, one empty": {"multipart/x-mixed-replace;boundary=frame", append(append(append([]byte("hello\r\n--frame\r\n\r\n\r\n"), part("")...), sized...), sized...)},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, live(t, test.contentType, test.wire))
			v, f := join(t, s.URL+"/camera", MJPEG)
			if f != nil {
				t.Fatal(f)
			}
			eventually(t, "three pictures", func() bool { return v.Read(time.Now()).Frames == 3 })
			if v.Codec != "JPEG" || v.Failure != nil {
				t.Errorf("%q, %v", v.Codec, v.Failure)
			}
		})
	}
	s := webSocket(t, picture, picture, picture)
	v, f := join(t, strings.Replace(s.URL, "http", "ws", 1), MJPEG)
	if f != nil {
		t.Fatal(f)
	}
	eventually(t, "three pictures over WebSocket", func() bool { return v.Read(time.Now()).Frames == 3 })
}

func TestAFailureHasAStageAndACause(t *testing.T) {
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	body := func(contentType, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			_, _ = w.Write([]byte(text))
		}
	}
	elsewhere := func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://127.0.0.1:1/x", http.StatusFound)
	}
	for name, test := range map[string]struct {
		does     http.HandlerFunc
		format   Format
		socket   bool
		stage    failure.Stage
		cause    string
		wantText string
	}{
		"not found":         {status(404), FLV, false, failure.Signalling, "http-404", "not published"},
		"forbidden":         {status(403), FLV, false, failure.Signalling, "http-403", "token"},
		"another origin":    {elsewhere, FLV, false, failure.Signalling, "cross-origin", "allowCrossOrigin"},
		"a loop":            {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) }, FLV, false, failure.Signalling, "redirects", "more than 5 times"},
		"a page":            {body("text/html", "<html>"), FLV, false, failure.Signalling, "not-flv", "FLV header"},
		"a page as MJPEG":   {body("text/html", "<html>"), MJPEG, false, failure.Signalling, "not-mjpeg", "text/html"},
		"no pictures":       {body("multipart/x-mixed-replace;boundary=a", "--a\r\n\r\n"+strings.Repeat("abc", 100)), MJPEG, false, failure.Signalling, "not-mjpeg", "JPEG"},
		"an empty response": {body("video/x-flv", ""), FLV, false, failure.Signalling, "unpublished", "before any media"},
		"no WebSocket":      {status(200), FLV, true, failure.Signalling, "http-200", "200 OK"},
		"a wrong key": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Connection", "Upgrade")
			w.Header().Set("Upgrade", "websocket")
			w.Header().Set("Sec-WebSocket-Accept", "x")
			w.WriteHeader(101)
		}, FLV, true, failure.Signalling, "not-websocket", "Sec-WebSocket-Accept"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, test.does)
			address := s.URL + "/?token=secret"
			if test.socket {
				address = strings.Replace(address, "http", "ws", 1)
			}
			_, f := join(t, address, test.format)
			if f == nil || f.Stage != test.stage || f.Cause.String() != test.cause || !strings.Contains(f.Detail, test.wantText) || strings.Contains(f.Detail, "secret") {
				t.Errorf("%+v", f)
			}
		})
	}
}

func TestAServerThatIsSilentOrNotHTTPFailsItsViewer(t *testing.T) {
	for words, cause := range map[string]string{"": "timeout", "SSH-2.0-x\r\n": "not-http"} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			c, err := listener.Accept()
			if err == nil {
				_, _ = c.Write([]byte(words))
			}
		}()
		_, f := join(t, "http://"+listener.Addr().String(), FLV, func(c *Config) { c.StageTimeout = 200 * time.Millisecond })
		if f == nil || f.Stage != failure.Signalling || f.Cause.String() != cause {
			t.Errorf("%q: %+v", words, f)
		}
		_ = listener.Close()
	}
}

func TestTheEndOfTheStreamFailsItsViewer(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(flvStream())
		w.(http.Flusher).Flush()
		time.Sleep(50 * time.Millisecond)
	})
	v, f := join(t, s.URL, FLV)
	if f != nil {
		t.Fatal(f)
	}
	eventually(t, "a failure", func() bool { return v.Read(time.Now()).Failure != nil })
	if f := v.Failure; f.Stage != failure.Media || f.Cause.String() != "unpublished" || v.Read(time.Now()).Frames != 3 {
		t.Errorf("%+v", f)
	}
}

// FuzzMultipart feeds parts in any pieces: as many pictures are found as in one piece.
func FuzzMultipart(f *testing.F) {
	f.Add([]byte("--a\r\nContent-Length: 4\r\n\r\n\xff\xd8ab\r\n--a\r\n\r\n\xff\xd8abc\r\n--a--\r\n"), uint8(2))
	f.Fuzz(func(t *testing.T, wire []byte, piece uint8) {
		defer crafted.Watch(t)(len(wire))
		count := func(size int) (pictures int, err error) {
			m := multipart{}
			if err := m.start("multipart/x-mixed-replace; boundary=a"); err != nil {
				t.Fatal(err)
			}
			for at := 0; at < len(wire) && err == nil; at += size {
				err = m.write(wire[at:min(at+size, len(wire))], func() { pictures++ })
			}
			return pictures, err
		}
		whole, wholeErr := count(len(wire) + 1)
		pieces, piecesErr := count(int(piece) + 1)
		if (wholeErr == nil) != (piecesErr == nil) || wholeErr == nil && whole != pieces {
			t.Errorf("%d, %v; in pieces of %d %d, %v", whole, wholeErr, piece, pieces, piecesErr)
		}
	})
}

func TestHeadersStayWithTheirOrigin(t *testing.T) {
	stream := live(t, "video/x-flv", flvStream())
	var received http.Header
	// Another port of the host is another origin, to which the viewer may be redirected.
	other := serve(t, func(w http.ResponseWriter, r *http.Request) {
		received = r.Header.Clone()
		stream(w, r)
	})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer planted" {
			t.Errorf("the origin received %v", r.Header)
		}
		http.Redirect(w, r, other.URL+"/new.flv", http.StatusFound)
	})
	target, err := url.Parse(s.URL + "/old.flv")
	if err != nil {
		t.Fatal(err)
	}
	streams, err := tcpreader.New()
	if err != nil {
		t.Fatal(err)
	}
	client := signalling.NewClient()
	client.AllowCrossOrigin = true
	as := signalling.Identity{Header: http.Header{"Authorization": {"Bearer planted"}, "Cookie": {"session=planted"}}}
	v := newViewer(NewGroup(Config{URL: target, Format: FLV, StageTimeout: 2 * time.Second, Client: client, Streams: streams}), as)
	t.Cleanup(func() {
		if err := v.Disconnect(context.Background(), false); err != nil {
			t.Error(err)
		}
		if err := streams.Close(); err != nil {
			t.Error(err)
		}
	})
	if f := v.Connect(context.Background(), context.Background()); f != nil {
		t.Fatal(f)
	}
	if received == nil || received.Get("Authorization") != "" || received.Get("Cookie") != "" {
		t.Errorf("the other origin received %v", received)
	}
}

func TestPicturesTakeNoMoreMemoryThanALineAllows(t *testing.T) {
	named := map[string][]byte{
		"no boundary":     []byte("--a\r\n\r\n\xff\xd8" + strings.Repeat("--", 2<<20)),
		"a huge length":   []byte("--a\r\nContent-Length: 9223372036854775807\r\n\r\n\xff\xd8" + strings.Repeat("x", 1<<20)),
		"fields":          []byte("--a\r\n" + strings.Repeat("a: b\r\n", 600_000)),
		"boundaries":      []byte(strings.Repeat("--a\r\n\r\n", 400_000)),
		"an endless line": []byte("--a" + strings.Repeat("x", 1<<20)),
	}
	crafted.Each(t, crafted.All(crafted.Named(named), crafted.Text(1000, "--a\r\nContent-Length: 4\r\n\r\n\xff\xd8ab\r\n--a\r\n\r\n\xff\xd8abc\r\n--a--\r\n")), func(wire []byte) {
		m := multipart{}
		if err := m.start("multipart/x-mixed-replace; boundary=a"); err != nil {
			t.Fatal(err)
		}
		for at, isFine := 0, true; at < len(wire) && isFine; at += 4000 {
			isFine = m.write(wire[at:min(at+4000, len(wire))], func() {}) == nil
		}
	})
}
