package signalling

import (
	"context"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"fullhouse/agent/internal/trust"
)

// recorded is a server whose requests are kept.
type recorded struct {
	*httptest.Server
	mutex sync.Mutex
	seen  []string
}

func record(t *testing.T, start func(http.Handler) *httptest.Server, header string, answer http.HandlerFunc) *recorded {
	t.Helper()
	r := &recorded{}
	r.Server = start(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		r.mutex.Lock()
		r.seen = append(r.seen, request.Method+" "+request.URL.Path+" "+request.Header.Get(header))
		r.mutex.Unlock()
		answer(w, request)
	}))
	r.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(r.Close)
	return r
}

func (r *recorded) requests() []string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return slices.Clone(r.seen)
}

func answerTo(w http.ResponseWriter, location string) {
	w.Header().Set("Location", location)
	w.WriteHeader(http.StatusCreated)
	_, _ = io.WriteString(w, "v=0")
}

// session offers, trickles and deletes, as a viewer does.
func session(t *testing.T, client *Client, endpoint *url.URL, as Identity) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), waitTimeout)
	defer cancel()
	result, f := client.Post(ctx, endpoint, as, "the offer")
	if f != nil {
		t.Fatal(f)
	}
	if _, err := client.Trickle(ctx, endpoint, result.Session, result.As, "", "a"); err != nil {
		t.Error(err)
	}
	if err := client.Delete(ctx, endpoint, result.Session, result.As); err != nil {
		t.Error(err)
	}
}

func TestCookiesOfAnAnswerBelongToItsSession(t *testing.T) {
	count := 0
	s := record(t, httptest.NewServer, "Cookie", func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			return
		}
		count++
		for _, set := range []string{fmt.Sprintf("node=%d", count), "all=1; Path=/", "other=1; Path=/other", "gone=1; Max-Age=0", "tls=1; Secure"} {
			w.Header().Add("Set-Cookie", set)
		}
		answerTo(w, "/session/1")
	})
	as := Identity{Header: http.Header{"Cookie": {"own=1"}}}
	for range 2 {
		session(t, NewClient(), parse(t, s.URL+"/live/whep"), as)
	}
	want := []string{"POST /live/whep own=1", "PATCH /session/1 own=1; node=1; all=1", "DELETE /session/1 own=1; node=1; all=1",
		"POST /live/whep own=1", "PATCH /session/1 own=1; node=2; all=1", "DELETE /session/1 own=1; node=2; all=1"}
	if got := s.requests(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestTheCookiesOfASessionAreSmallTogether(t *testing.T) {
	var kept []cookie
	for i := range 100 {
		kept = withSet(kept, &http.Response{Header: http.Header{"Set-Cookie": {fmt.Sprintf("n%d=%s", i, strings.Repeat("x", MaxCookieBytes/2))}}})
	}
	request := httptest.NewRequest(http.MethodPost, "http://host/whep", nil)
	addTo(request, kept)
	if length := len(request.Header.Get("Cookie")); length > MaxTotalCookieBytes || length < MaxTotalCookieBytes/2 {
		t.Errorf("%d bytes of cookies", length)
	}
}

func TestAStickyCookieOfARedirectIsSentToItsTarget(t *testing.T) {
	s := record(t, httptest.NewServer, "Cookie", func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/whep":
			http.SetCookie(w, &http.Cookie{Name: "edge", Value: "7"})
			http.Redirect(w, r, "/edge", http.StatusFound)
		case r.Method == http.MethodPost:
			answerTo(w, "edge/1")
		}
	})
	session(t, NewClient(), parse(t, s.URL+"/whep"), Identity{})
	if got := s.requests(); !slices.Equal(got, []string{"POST /whep ", "POST /edge edge=7", "PATCH /edge/1 edge=7", "DELETE /edge/1 edge=7"}) {
		t.Errorf("%q", got)
	}
}

func loginServer(t *testing.T) *recorded {
	return record(t, httptest.NewServer, "Authorization", func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "viewer" || password != "pass word" {
			w.Header().Set("WWW-Authenticate", `Basic realm="mediamtx"`)
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"error":"authentication error of pass word"}`)
			return
		}
		if r.Method == http.MethodPost {
			answerTo(w, "http://"+r.Host+"/live/whep/1")
		}
	})
}

func TestALoginIsSentToAServerThatRequiresIt(t *testing.T) {
	s := loginServer(t)
	session(t, NewClient(), parse(t, s.URL+"/live/whep"), Identity{Login: &Login{User: "viewer", Password: "pass word"}})
	const sent = " Basic dmlld2VyOnBhc3Mgd29yZA=="
	want := []string{"POST /live/whep ", "POST /live/whep" + sent, "PATCH /live/whep/1" + sent, "DELETE /live/whep/1" + sent}
	if got := s.requests(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}

	// Later viewers of the job send it at once.
	s = loginServer(t)
	all := &Identities{Login: &Login{User: "viewer", Password: "pass word"}}
	session(t, NewClient(), parse(t, s.URL+"/live/whep"), all.Next())
	session(t, NewClient(), parse(t, s.URL+"/live/whep"), all.Next())
	if got := s.requests(); !slices.Equal(got, append(slices.Clone(want), want[1:]...)) {
		t.Errorf("%q", got)
	}

	// A login of the address is sent at once, and to the session too.
	s = loginServer(t)
	session(t, NewClient(), parse(t, strings.Replace(s.URL, "://", "://viewer:pass%20word@", 1)+"/live/whep"), Identity{})
	if got := s.requests(); !slices.Equal(got, want[1:]) {
		t.Errorf("%q", got)
	}
}

func TestALoginIsSentOnceAndNotShown(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), waitTimeout)
	defer cancel()
	s := loginServer(t)
	_, f := NewClient().Post(ctx, parse(t, s.URL+"/whep"), Identity{Login: &Login{User: "guest", Password: "pass word"}}, "the offer")
	if f == nil || f.Cause.String() != "http-401" || !strings.Contains(f.Detail, "user and password of the node were refused") || strings.Contains(f.Detail, "pass word") || len(s.requests()) != 2 {
		t.Errorf("%v after %q", f, s.requests())
	}
	for _, as := range []Identity{{Token: "key", Login: &Login{User: "viewer", Password: "pass word"}}, {Header: http.Header{"Authorization": {"key"}}, Login: &Login{User: "viewer", Password: "pass word"}}} {
		s := loginServer(t)
		if _, f := NewClient().Post(ctx, parse(t, s.URL+"/whep"), as, "the offer"); f == nil || len(s.requests()) != 1 {
			t.Errorf("%v after %q", f, s.requests())
		}
	}
	bearer := record(t, httptest.NewServer, "Authorization", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		w.WriteHeader(http.StatusUnauthorized)
	})
	if _, f := NewClient().Post(ctx, parse(t, bearer.URL+"/whep"), Identity{Login: &Login{User: "viewer", Password: "pass word"}}, "the offer"); f == nil || len(bearer.requests()) != 1 {
		t.Errorf("%v after %q", f, bearer.requests())
	}
	// Another server that is allowed gets no login.
	front := record(t, httptest.NewServer, "Authorization", func(w http.ResponseWriter, r *http.Request) {
		if _, _, ok := r.BasicAuth(); !ok {
			w.Header().Set("WWW-Authenticate", "Basic")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		http.Redirect(w, r, s.URL+"/whep", http.StatusTemporaryRedirect)
	})
	client, before := NewClient(), len(s.requests())
	client.AllowCrossOrigin = true
	if _, f := client.Post(ctx, parse(t, front.URL+"/whep"), Identity{Login: &Login{User: "viewer", Password: "pass word"}}, "the offer"); f == nil || !slices.Equal(s.requests()[before:], []string{"POST /whep "}) {
		t.Errorf("%v after %q", f, s.requests()[before:])
	}
}

func TestRedirectsAreFollowedOnTheSameHostOnly(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), waitTimeout)
	defer cancel()
	for _, status := range []int{301, 302, 307, 308} {
		s := record(t, httptest.NewServer, "Authorization", func(w http.ResponseWriter, r *http.Request) {
			step := strings.Count(r.URL.Path, "x")
			switch {
			case r.URL.Path == "/away":
				http.Redirect(w, r, "http://media.example:9000/whep", status)
			case strings.HasPrefix(r.URL.Path, "/far") && step < 6, strings.HasPrefix(r.URL.Path, "/near") && step < 5:
				http.Redirect(w, r, r.URL.Path+"x", status)
			default:
				answerTo(w, "1")
			}
		})
		if _, f := NewClient().Post(ctx, parse(t, s.URL+"/near"), Identity{Token: "key"}, "the offer"); f != nil {
			t.Errorf("5 redirects with %d: %v", status, f)
		}
		if got := s.requests(); len(got) != 6 || got[5] != "POST /nearxxxxx Bearer key" {
			t.Errorf("%d: %q", status, got)
		}
		if _, f := NewClient().Post(ctx, parse(t, s.URL+"/far"), Identity{}, "the offer"); f == nil || f.Cause.String() != "redirects" {
			t.Errorf("6 redirects with %d: %v", status, f)
		}
		if _, f := NewClient().Post(ctx, parse(t, s.URL+"/away"), Identity{}, "the offer"); f == nil || f.Cause.String() != "cross-origin" || !strings.Contains(f.Detail, "http://media.example:9000") {
			t.Errorf("another host with %d: %v", status, f)
		}
	}
	for _, test := range []struct {
		from, to string
		is       bool
	}{
		{"http://host/a", "https://host/b", true}, {"http://host:80/a", "https://HOST:443/b", true}, {"https://host/a", "http://host/b", false},
		{"http://host:8889/a", "https://host/b", false}, {"http://host/a", "https://host:8443/b", false}, {"http://host/a", "https://other/b", false},
		{"http://[fe80::1%25lo]:80/a", "http://[fe80::1]:80/b", true},
	} {
		if is := isSameServer(parse(t, test.from), parse(t, test.to)); is != test.is {
			t.Errorf("%s and %s: %v", test.from, test.to, is)
		}
	}
}

func TestACounterOfferIsNamedWithoutItsText(t *testing.T) {
	s := record(t, httptest.NewServer, "", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/sdp")
		w.WriteHeader(http.StatusNotAcceptable)
		_, _ = io.WriteString(w, "v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\na=setup:actpass\r\na=ice-pwd:hidden\r\n")
	})
	_, f := post(t, s.URL+"/whep", "", waitTimeout)
	if f == nil || f.Cause.String() != "counter-offer" || strings.Contains(f.Detail, "v=0") || strings.Contains(f.Detail, "hidden") || !strings.Contains(f.Detail, "406 Not Acceptable") {
		t.Errorf("%v", f)
	}
}

// TestLocationsUnderAPrefix: what a proxy serves below another path.
func TestLocationsUnderAPrefix(t *testing.T) {
	for location, want := range map[string]string{
		"whep/1": "/media/live/whep/1", "./whep/1": "/media/live/whep/1", "../live/whep/1": "/media/live/whep/1", "/media/live/whep/1": "/media/live/whep/1",
		"/live/whep/1?key=2": "/live/whep/1", "http://HOST/media/live/whep/1": "/media/live/whep/1", "//HOST/media/live/whep/1": "/media/live/whep/1",
	} {
		s := record(t, httptest.NewServer, "", func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				answerTo(w, strings.Replace(location, "HOST", r.Host, 1))
			}
		})
		session(t, NewClient(), parse(t, s.URL+"/media/live/whep"), Identity{})
		if got := s.requests(); len(got) != 3 || got[2] != "DELETE "+want+" " {
			t.Errorf("%s: %q", location, got)
		}
	}
}

func TestAnIPv6AddressWithAZone(t *testing.T) {
	listener, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		t.Fatal(err)
	}
	interfaces, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	loopback := interfaces[slices.IndexFunc(interfaces, func(one net.Interface) bool { return one.Flags&net.FlagLoopback != 0 })].Name
	s := record(t, func(handler http.Handler) *httptest.Server {
		server := httptest.NewUnstartedServer(handler)
		_ = server.Listener.Close() // another takes its place
		server.Listener = listener
		server.Start()
		return server
	}, "", func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/whep":
			http.Redirect(w, r, "http://"+r.Host+"/edge", http.StatusTemporaryRedirect)
		case r.Method == http.MethodPost:
			answerTo(w, "http://"+r.Host+"/edge/1")
		}
	})
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	endpoint := parse(t, "http://[::1%25"+loopback+"]:"+port+"/whep")
	session(t, NewClient(), endpoint, Identity{})
	if result, f := NewClient().Post(context.Background(), endpoint, Identity{}, "the offer"); f != nil || result.Session.Host != endpoint.Host {
		t.Errorf("the session is %v, %v", result.Session, f)
	}
	if got := s.requests()[:4]; !slices.Equal(got, []string{"POST /whep ", "POST /edge ", "PATCH /edge/1 ", "DELETE /edge/1 "}) {
		t.Errorf("%q", got)
	}
	if to := inZone(parse(t, "http://[fe80::1]:1/x"), parse(t, "http://[fe80::1%25eth0]:1/y")); to.String() != "http://[fe80::1%25eth0]:1/x" {
		t.Errorf("%s", to)
	}
}

func TestASelfSignedServerIsAcceptedIfConfiguredAlsoAfterARedirect(t *testing.T) {
	s := record(t, httptest.NewTLSServer, "", func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/whep":
			http.Redirect(w, r, "/edge", http.StatusMovedPermanently)
		case r.Method == http.MethodPost:
			answerTo(w, "/edge/1")
		}
	})
	client := NewClient()
	client.SelfSigned = true
	session(t, client, parse(t, s.URL+"/whep"), Identity{})
	_, f := post(t, s.URL+"/whep", "", waitTimeout)
	if f == nil || f.Cause.String() != "certificate" || !strings.Contains(f.Detail, "selfSigned: true") || !strings.Contains(f.Detail, trust.CAVariable) {
		t.Errorf("%v", f)
	}
}

// TestAnAuthorityOfTheEnvironmentIsTrusted runs in another process: the variable is read once.
func TestAnAuthorityOfTheEnvironmentIsTrusted(t *testing.T) {
	const address = "FULLHOUSE_TEST_TRUSTED"
	if target := os.Getenv(address); target != "" {
		session(t, NewClient(), parse(t, target), Identity{})
		return
	}
	s := record(t, httptest.NewTLSServer, "", func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			answerTo(w, "/1")
		}
	})
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(variables ...string) (string, error) {
		command := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
		command.Env = append(append(os.Environ(), address+"="+s.URL+"/whep"), variables...)
		output, err := command.CombinedOutput()
		return string(output), err
	}
	if output, err := run(trust.CAVariable + "=" + file); err != nil {
		t.Errorf("%v: %s", err, output)
	}
	if output, err := run(trust.CAVariable + "="); err == nil || !strings.Contains(output, "certificate") {
		t.Errorf("%v: %s", err, output)
	}
}

func TestALoginInTheAddressOfATURNServerIsNotShown(t *testing.T) {
	listed := iceServers([]string{`<turn:user:word@turn.example:3478?transport=udp>; rel="ice-server"; username="a"; credential="b"`})
	if len(listed) != 1 || listed[0].String() != "turn:turn.example:3478?transport=udp" || listed[0].Credential != "b" {
		t.Errorf("%v", listed)
	}
}
