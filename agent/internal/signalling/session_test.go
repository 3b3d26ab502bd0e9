package signalling

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"fullhouse/agent/internal/testing/crafted"
)

// waitTimeout is for a slow, busy machine; no passing test waits that long.
const waitTimeout = 20 * time.Second

func TestTrickleAsServersDoIt(t *testing.T) {
	type seen struct{ method, contentType, match, token, body string }
	requests := make(chan seen, 10)
	mux := http.NewServeMux()
	handle := func(path string, answer func(http.ResponseWriter, *http.Request)) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			requests <- seen{r.Method, r.Header.Get("Content-Type"), r.Header.Get("If-Match"), r.Header.Get("Authorization"), string(body)}
			answer(w, r)
		})
	}
	handle("/mediamtx", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	handle("/answers", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "Application/Trickle-ICE-SDPFrag; charset=utf-8")
		_, _ = io.WriteString(w, "a=candidate:1")
	})
	handle("/page", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") })
	handle("/none", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotImplemented) })
	handle("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/answers", http.StatusTemporaryRedirect)
	})
	s := httptest.NewServer(mux)
	defer s.Close()
	for _, test := range []struct{ path, want, failure string }{
		{"/mediamtx", "", ""}, {"/answers", "a=candidate:1", ""}, {"/page", "", ""}, {"/none", "", "501"}, {"/moved", "a=candidate:1", ""},
	} {
		got, err := NewClient().Trickle(context.Background(), parse(t, s.URL+"/whep"), parse(t, s.URL+test.path), Identity{Token: "secret"}, `"tag"`, "the fragment")
		if got != test.want || (err == nil) != (test.failure == "") || err != nil && !strings.Contains(err.Error(), test.failure) {
			t.Errorf("%s: %q, %v", test.path, got, err)
		}
		for count := len(requests); count > 0; count-- {
			if last := <-requests; last != (seen{"PATCH", "application/trickle-ice-sdpfrag", `"tag"`, "Bearer secret", "the fragment"}) {
				t.Errorf("%s received %+v", test.path, last)
			}
		}
	}
}

func TestDeleteFollowsRedirects(t *testing.T) {
	gotRequests := make(chan string, 100)
	handler := func(w http.ResponseWriter, r *http.Request) {
		gotRequests <- r.Method + " " + r.URL.String() + " " + r.Header.Get("Authorization")
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "/now?x=1", http.StatusPermanentRedirect)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusTemporaryRedirect)
		case "/found":
			http.Redirect(w, r, "/page", http.StatusFound)
		case "/slow":
			<-r.Context().Done()
		}
	}
	s, other := httptest.NewServer(http.HandlerFunc(handler)), httptest.NewServer(http.HandlerFunc(handler))
	defer s.Close()
	defer other.Close()
	for _, test := range []struct {
		session string
		ok      bool
		want    []string
	}{
		{s.URL + "/rtc/v1/whip/?action=delete&token=5&session=a:b", true, []string{"DELETE /rtc/v1/whip/?action=delete&token=5&session=a:b Bearer secret"}},
		{other.URL + "/elsewhere", true, []string{"DELETE /elsewhere "}},
		{s.URL + "/moved", true, []string{"DELETE /moved Bearer secret", "DELETE /now?x=1 Bearer secret"}},
		{s.URL + "/round", false, slices.Repeat([]string{"DELETE /round Bearer secret"}, 1+maxRedirects)},
		{s.URL + "/found", true, []string{"DELETE /found Bearer secret", "DELETE /page Bearer secret"}},
		{s.URL + "/slow", false, []string{"DELETE /slow Bearer secret"}},
		{"ftp://host/x", false, nil},
	} {
		ctx, cancel := context.WithTimeout(context.Background(), waitTimeout)
		if strings.HasSuffix(test.session, "/slow") {
			ctx, cancel = context.WithTimeout(context.Background(), 100*time.Millisecond)
		}
		signaller := NewClient()
		signaller.AllowCrossOrigin = true
		err := signaller.Delete(ctx, parse(t, s.URL+"/whep"), parse(t, test.session), Identity{Token: "secret"})
		cancel()
		var got []string
		for range test.want {
			got = append(got, <-gotRequests)
		}
		if (err == nil) != test.ok || !slices.Equal(got, test.want) || len(gotRequests) > 0 {
			t.Errorf("%s: %v, received %v and %d more", test.session, err, got, len(gotRequests))
		}
		if err != nil && strings.Contains(err.Error(), "token=5") {
			t.Errorf("%v", err)
		}
	}
}

func TestOriginsAreComparedAsBrowsersDo(t *testing.T) {
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"http://host/x", "http://HOST:80/y?z", true},
		{"https://host/", "https://host:443/", true},
		{"http://host/", "https://host/", false},
		{"http://host:8080/", "http://host/", false},
		{"http://host/", "http://other/", false},
		{"http://[::1]:80/", "http://[::1]/", true},
	} {
		if same := origin(parse(t, test.a)) == origin(parse(t, test.b)); same != test.same {
			t.Errorf("%s and %s: %v", test.a, test.b, same)
		}
	}
}

func TestTheAnswersHeadersAreKept(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("ETag", `"5"`)
		w.Header().Set("Location", "x")
		w.Header().Add("Link", `<stun:a.example>; rel="ice-server"`)
		w.Header().Add("Link", `<turn:b.example?transport=udp>; rel="ice-server"; username="u,<x>"; credential="p;\"rel=x"; credential-type="password", </css>; rel=preload`)
		w.WriteHeader(http.StatusCreated)
	}))
	defer s.Close()
	result, f := post(t, s.URL+"/cam/whep", "", waitTimeout)
	if f != nil || result.EntityTag != `"5"` || result.Session.String() != s.URL+"/cam/x" || !slices.Equal(result.ICEServers, []ICEServer{{URL: "stun:a.example"}, {"turn:b.example?transport=udp", "u,<x>", `p;"rel=x`}}) {
		t.Errorf("%+v, %v", result, f)
	}
}

func TestLinks(t *testing.T) {
	for header, want := range map[string][]string{
		"":                               nil,
		"<stun:a>":                       nil,
		"<stun:a>; rel=ice-server":       {"stun:a"},
		"<stun:a>; REL=\"x Ice-Server\"": {"stun:a"},
		"<http://a>; rel=ice-server":     nil,
		"<stun:>; rel=ice-server":        nil,
		"<stun:a":                        nil,
		"<stun:a>; title=\"rel=ice-server\"; rel=next, <turns:b>;rel=ice-server": {"turns:b"},
		"<stun:a>; rel=ice-server, ,<stun:b>; rel=ice-server":                    {"stun:a", "stun:b"},
	} {
		var got []string
		for _, one := range iceServers([]string{header}) {
			got = append(got, one.URL)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", header, got, want)
		}
	}
}

func FuzzLinks(f *testing.F) {
	f.Add(`<turn:b.example?transport=udp>; rel="ice-server"; username="u,<x>"; credential="p;\"rel=x", </css>; rel=preload`)
	f.Add(`<stun:a>; rel=ice-server,,<`)
	f.Fuzz(func(t *testing.T, header string) {
		defer crafted.Watch(t)(len(header))
		for _, one := range iceServers([]string{header}) {
			if !isICEServer(one.URL) || !strings.Contains(header, one.URL) {
				t.Errorf("%q of %q", one.URL, header)
			}
		}
	})
}

func FuzzLocation(f *testing.F) {
	f.Add("/rtc/v1/whip/?action=delete&token=5086532l0", "30")
	f.Add("//other/x", "Sat, 21 Nov 2026 17:24:03 GMT")
	f.Add("http://[::1", "-1")
	f.Fuzz(func(t *testing.T, location, again string) {
		base := parse(t, "http://user:word@127.0.0.1:9/whep?token=hidden")
		response := &http.Response{StatusCode: 307, Status: "307", Header: http.Header{"Location": {location}, "Retry-After": {again}}, Request: &http.Request{URL: base}}
		if failed := refusal(response, base, base, location, Identity{}, 0); strings.Contains(strings.ReplaceAll(failed.Detail, location, ""), "hidden") || strings.ContainsAny(failed.Detail, "\r\n") {
			t.Errorf("%q", failed.Detail)
		}
		target, err := response.Location()
		if err != nil {
			return
		}
		request := &http.Request{URL: target, Header: http.Header{}}
		if (Identity{Token: "secret"}).set(request, base); request.Header.Get("Authorization") != "" && (target.Hostname() != "127.0.0.1" || target.Port() != "9") {
			t.Errorf("%s receives the token", target)
		}
		_ = describe(target)
	})
}

func TestADeadAddressOfANameLeavesTimeForTheOthers(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusCreated) }))
	defer s.Close()
	signaller := NewClient()
	signaller.names.known = map[string]resolved{"both.test": {[]netip.Addr{netip.MustParseAddr("::1"), netip.MustParseAddr("127.0.0.1")}, time.Now().Add(time.Hour)}}
	ctx, cancel := context.WithTimeout(context.Background(), waitTimeout)
	defer cancel()
	if _, f := signaller.Post(ctx, parse(t, strings.Replace(s.URL, "127.0.0.1", "both.test", 1)), Identity{}, "the offer"); f != nil {
		t.Error(f)
	}
	// A dialler that waits as long as possible gets half of the time for the first of two addresses.
	startTime := time.Now()
	var share time.Duration
	waits := &net.Dialer{ControlContext: func(ctx context.Context, _, _ string, _ syscall.RawConn) error {
		deadline, _ := ctx.Deadline()
		share = deadline.Sub(startTime)
		return syscall.EHOSTUNREACH
	}}
	if _, err := dialShare(ctx, waits, 2, "tcp", s.Listener.Addr().String()); err == nil || share > waitTimeout*6/10 {
		t.Errorf("%v, after %s at most", err, share)
	}
}

func TestHeadersTakeNoMoreMemoryThanTheirSizeAllows(t *testing.T) {
	named := map[string][]byte{
		"links":       []byte(strings.Repeat("<a>,", 16_000)),
		"servers":     []byte(strings.Repeat("<turn:b>; rel=ice-server,", 2600)),
		"parameters":  []byte("<a>" + strings.Repeat(";a=b", 16_000)),
		"JSON":        []byte(`{"error":` + strings.Repeat("[", 60_000)),
		"JSON's list": []byte(`{"error":[` + strings.Repeat("1,", 30_000) + `1]}`),
	}
	seeds := []string{`<turn:b.example?transport=udp>; rel="ice-server"; username="u,<x>"; credential="p;\"rel=x", </css>; rel=preload`, `{"error":{"message":"a"},"detail":"b"}`}
	crafted.Each(t, crafted.All(crafted.Named(named), crafted.Text(1000, seeds...)), func(data []byte) {
		text := string(data[:min(len(data), MaxAnswerBytes)])
		_ = iceServers([]string{text})
		_ = serverText(text)
	})
}
