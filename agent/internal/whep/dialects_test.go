package whep_test

import (
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pion/ice/v4"
	"github.com/pion/webrtc/v4"

	"fullhouse/agent/internal/testing/wheptest"
	"fullhouse/agent/internal/udpreader"
	"fullhouse/agent/internal/whep"
)

// TestSRS: SRS responds 201 with a query in its Location, is ICE-lite, and has one candidate.
func TestSRS(t *testing.T) {
	for _, reader := range udpreader.Readers() {
		t.Run(string(reader), func(t *testing.T) {
			o := wheptest.NewLite(t, wheptest.Faults{})
			loop, err := udpreader.NewOf(reader)
			if err != nil {
				t.Logf("%s is not available here: %v", reader, err)
				return
			}
			if err := loop.Close(); err != nil {
				t.Fatal(err)
			}
			newAudience(t, o.URL+"/rtc/v1/whep/?app=live&stream=cam", on(newLoop(t, reader))).play()
			if o.Deletes.Load() != 1 || o.Present() != 0 {
				t.Errorf("%d DELETEs, %d sessions remain", o.Deletes.Load(), o.Present())
			}
		})
	}
}

// TestSRSOfAnUnpublishedStream: SRS accepts the viewer as usual, and sends nothing.
func TestSRSOfAnUnpublishedStream(t *testing.T) {
	o := wheptest.NewLite(t, wheptest.Faults{Mute: true})
	s, f := newAudience(t, o.URL, stage(short)).connectViewer()
	if f == nil {
		f = s.watch(1)
	}
	if f == nil || f.Stage != "first-packet" || f.Cause.String() != "silent" || !strings.Contains(f.Detail, "may not be published") {
		t.Errorf("%v", f)
	}
}

var candidateLine = regexp.MustCompile(`a=candidate:[^\r\n]*\r\n`)

func withoutCandidates(text string) string {
	return strings.ReplaceAll(candidateLine.ReplaceAllString(text, ""), "a=end-of-candidates\r\n", "")
}

// before puts lines before the first candidate of each section.
func before(lines string) func(string) string {
	return func(answer string) string {
		return strings.ReplaceAll(answer, "a=setup:", lines+"a=setup:")
	}
}

func TestDialects(t *testing.T) {
	for _, test := range []struct {
		name    string
		dialect wheptest.Dialect
		changes []change
		host    string
		deletes int64
	}{
		{name: "a full agent", deletes: 1},
		{name: "like a browser", changes: []change{fidelity(whep.Browser)}, deletes: 1},
		{name: "MediaMTX: a relative Location, an entity tag and ICE servers", deletes: 1, dialect: wheptest.Dialect{
			Head: func(h http.Header, session string) string {
				h.Set("ETag", "*")
				h.Set("Accept-Patch", "application/trickle-ice-sdpfrag")
				h.Add("Link", `<turn:127.0.0.1:9>; rel="ice-server"; username="u"; credential="p"; credential-type="password"`)
				return "whep/" + session
			}}},
		{name: "an absolute Location on another path", deletes: 1, dialect: wheptest.Dialect{Head: func(_ http.Header, session string) string { return "/other/" + session + "?a=b" }}},
		{name: "no Location", deletes: 0, dialect: wheptest.Dialect{Head: func(http.Header, string) string { return "" }}},
		{name: "200 for 201", deletes: 1, dialect: wheptest.Dialect{Status: http.StatusOK}},
		{name: "a redirect that keeps the offer", deletes: 1, dialect: wheptest.Dialect{Request: redirectOnce(http.StatusTemporaryRedirect)}},
		{name: "a permanent redirect", deletes: 1, dialect: wheptest.Dialect{Request: redirectOnce(http.StatusPermanentRedirect)}},
		{name: "redirects of proxies, which other clients follow with GET", deletes: 1, dialect: wheptest.Dialect{Request: redirectOnce(http.StatusFound)}},
		{name: "a stream without audio", deletes: 1, dialect: wheptest.Dialect{Answer: func(answer string) string {
			return strings.Replace(answer, "m=audio 9 ", "m=audio 0 ", 1)
		}}},
		{name: "a login", deletes: 1, changes: []change{login("viewer", "secret")}, dialect: wheptest.Dialect{
			Request: func(_ *wheptest.Full, w http.ResponseWriter, r *http.Request) bool {
				if user, password, _ := r.BasicAuth(); user == "viewer" && password == "secret" {
					return false
				}
				w.Header().Set("WWW-Authenticate", `Basic realm="mediamtx"`)
				w.WriteHeader(http.StatusUnauthorized)
				return true
			}}},
		{name: "a load balancer that finds the session by its cookie", deletes: 1, dialect: wheptest.Dialect{
			Head: func(h http.Header, session string) string {
				h.Set("Set-Cookie", "route=3; Path=/; HttpOnly")
				return "/session/" + session
			},
			Request: func(_ *wheptest.Full, w http.ResponseWriter, r *http.Request) bool {
				route, err := r.Cookie("route")
				if r.Method == http.MethodPost || err == nil && route.Value == "3" {
					return false
				}
				w.WriteHeader(http.StatusNotFound)
				return true
			}}},
		{name: "a bearer token", deletes: 1, changes: []change{token("secret")}, dialect: wheptest.Dialect{
			Request: func(_ *wheptest.Full, w http.ResponseWriter, r *http.Request) bool {
				if r.Header.Get("Authorization") != "Bearer secret" {
					w.WriteHeader(http.StatusUnauthorized)
					return true
				}
				return false
			}}},
		{name: "candidates of all kinds", deletes: 1, dialect: wheptest.Dialect{Answer: before(
			"a=candidate:7 1 tcp 2130706431 127.0.0.1 9 typ host tcptype passive\r\n" +
				"a=candidate:7 1 udp 2130706431 0b2d1d6e.local 9 typ host\r\n" +
				"a=candidate:7 1 udp 2130706431 127.0.0.1 9 typ host\r\n" +
				"a=candidate:7 1 udp 2130706431 ::1 9 typ host\r\n" +
				"a=candidate:7 1 udp 1694498815 192.0.2.7 9 typ srflx raddr 0.0.0.0 rport 0\r\n")}},
		{name: "no candidates, but checks", deletes: 1, dialect: wheptest.Dialect{Answer: withoutCandidates,
			Request: func(_ *wheptest.Full, w http.ResponseWriter, r *http.Request) bool {
				if r.Method == http.MethodPatch { // like Cloudflare: never
					_, _ = io.Copy(io.Discard, r.Body)
					<-r.Context().Done()
				}
				return r.Method == http.MethodPatch
			}}},
		{name: "candidates in the answer to a PATCH", deletes: 1, dialect: wheptest.Dialect{Answer: withoutCandidates, Offer: withoutCandidates,
			Head: func(h http.Header, session string) string { h.Set("ETag", `"1"`); return "/session/" + session },
			Request: func(o *wheptest.Full, w http.ResponseWriter, r *http.Request) bool {
				if r.Method != http.MethodPatch {
					return false
				}
				body, _ := io.ReadAll(r.Body)
				if r.Header.Get("If-Match") != `"1"` || r.Header.Get("Content-Type") != "application/trickle-ice-sdpfrag" || !strings.Contains(string(body), "a=candidate:") {
					w.WriteHeader(http.StatusPreconditionFailed)
					return true
				}
				w.Header().Set("Content-Type", "application/trickle-ice-sdpfrag")
				_, _ = io.WriteString(w, strings.Join(o.Candidates(), "\r\n")+"\r\n")
				return true
			}}},
		{name: "lite, another implementation", deletes: 1, dialect: wheptest.Dialect{Settings: func(e *webrtc.SettingEngine) { e.SetLite(true) }}},
		{name: "media on IPv4, reached by IPv6", host: "[::1]", deletes: 1},
		{name: "names only, which mDNS would resolve, and checks", deletes: 1, dialect: wheptest.Dialect{Settings: func(e *webrtc.SettingEngine) {
			e.SetICEMulticastDNSMode(ice.MulticastDNSModeDisabled)
		}, Answer: func(answer string) string {
			return strings.ReplaceAll(answer, " 127.0.0.1 ", " 0b2d1d6e.local ")
		}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := wheptest.NewFull(t, test.dialect)
			address := o.URL + "/cam/whep"
			if test.host != "" {
				address = overIPv6(t, o) + "/cam/whep"
			}
			newAudience(t, address, test.changes...).play()
			if o.Deletes.Load() != test.deletes {
				t.Errorf("%d DELETEs, requests %v", o.Deletes.Load(), o.Seen())
			}
		})
	}
}

// overIPv6 is the origin's HTTP at ::1.
func overIPv6(t *testing.T, o *wheptest.Full) string {
	t.Helper()
	listener, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: o.Config.Handler}
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(listener) }() // ends when it is closed
	t.Cleanup(func() { _ = server.Close(); <-done })
	return "http://" + listener.Addr().String()
}

func redirectOnce(status int) func(*wheptest.Full, http.ResponseWriter, *http.Request) bool {
	return func(_ *wheptest.Full, w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/cam/whep" {
			return false
		}
		http.Redirect(w, r, "/edge/whep", status)
		return true
	}
}

// TestAServerThatOffersIsNamed: its session is closed all the same.
func TestAServerThatOffersIsNamed(t *testing.T) {
	o := wheptest.NewFull(t, wheptest.Dialect{Answer: func(answer string) string { return strings.ReplaceAll(answer, "setup:passive", "setup:actpass") }})
	s, f := newAudience(t, o.URL+"/whep").connectViewer()
	if f == nil || f.Stage != "signalling" || f.Cause.String() != "counter-offer" || strings.Contains(f.Detail, "v=0") {
		t.Errorf("%v", f)
	}
	if err := s.leave(); err != nil || o.Deletes.Load() != 1 {
		t.Errorf("%d DELETEs, %v", o.Deletes.Load(), err)
	}
}

func TestATokenStaysWithItsOrigin(t *testing.T) {
	edge := wheptest.NewFull(t, wheptest.Dialect{})
	o := wheptest.NewFull(t, wheptest.Dialect{Request: func(_ *wheptest.Full, w http.ResponseWriter, r *http.Request) bool {
		http.Redirect(w, r, edge.URL+"/whep", http.StatusTemporaryRedirect)
		return true
	}})
	newAudience(t, o.URL+"/whep", token("secret"), crossOrigin).play()
	if seen := o.Seen(); !slices.Equal(seen, []string{"POST /whep Bearer secret"}) {
		t.Errorf("the origin received %v", seen)
	}
	if seen := edge.Seen(); !slices.Equal(seen, []string{"POST /whep ", "DELETE /session/1 "}) {
		t.Errorf("the edge received %v", seen)
	}
}

// TestAServerThatStartsDTLS answers a browser's actpass with active.
func TestAServerThatStartsDTLS(t *testing.T) {
	o := wheptest.NewLite(t, wheptest.Faults{Active: true})
	newAudience(t, o.URL, fidelity(whep.Browser)).play()
	full := wheptest.NewFull(t, wheptest.Dialect{Settings: func(e *webrtc.SettingEngine) {
		if err := e.SetAnsweringDTLSRole(webrtc.DTLSRoleClient); err != nil {
			t.Error(err)
		}
	}})
	newAudience(t, full.URL, fidelity(whep.Browser)).play()
	_, f := newAudience(t, o.URL).connectViewer()
	if f == nil || f.Stage != "signalling" || f.Cause.String() != "setup-active" {
		t.Errorf("%v", f)
	}
}

func TestMediaOnIPv6OfALiteServer(t *testing.T) {
	o := wheptest.NewLite(t, wheptest.Faults{IPv6: true})
	newAudience(t, o.URL).play()
}
