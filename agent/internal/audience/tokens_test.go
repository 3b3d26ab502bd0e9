package audience

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"fullhouse/agent/internal/protocol"
)

func TestEachViewerOfWHEPSendsItsOwnToken(t *testing.T) {
	for name, paths := range map[string][]string{"one address": {"/whep/cam"}, "two addresses share the tokens": {"/whep/cam-1", "/whep/cam-2"}} {
		t.Run(name, func(t *testing.T) {
			var mutex sync.Mutex
			var sent []string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mutex.Lock()
				defer mutex.Unlock()
				if r.Method == http.MethodPost {
					sent = append(sent, r.Header.Get("Authorization"))
				}
				w.WriteHeader(http.StatusUnauthorized)
			}))
			t.Cleanup(server.Close)
			params := protocol.AudienceStartParams{Job: "pull-1", Protocol: "whep", Viewers: 3, RatePerSecond: 100, Tokens: []string{"a", "b", "c"}}
			for _, path := range paths {
				params.URLs = append(params.URLs, server.URL+path)
			}
			s := newHarness(t)
			s.mustCall("audience.start", params)
			s.until("three refusals", func(j protocol.JobSample) bool { return j.Failed == 3 })
			mutex.Lock()
			defer mutex.Unlock()
			slices.Sort(sent)
			if !slices.Equal(sent, []string{"Bearer a", "Bearer b", "Bearer c"}) {
				t.Errorf("sent %q", sent)
			}
			params.Job, params.Viewers = "pull-2", 4
			if _, err := s.call("audience.start", params); err == nil {
				t.Error("4 viewers with 3 tokens were accepted")
			}
		})
	}
}

func TestEachViewerOverHTTPSendsItsOwnHeaders(t *testing.T) {
	for name, path := range map[protocol.PullProtocol]string{protocol.PullProtocolWHEP: "/whep", protocol.PullProtocolHLS: "/cam.m3u8", protocol.PullProtocolDASH: "/cam.mpd",
		protocol.PullProtocolHTTPFLV: "/cam.flv", protocol.PullProtocolWSFLV: "/cam.flv", protocol.PullProtocolMJPEG: "/cam.mjpeg"} {
		t.Run(string(name), func(t *testing.T) {
			var mutex sync.Mutex
			sent := map[string]bool{}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mutex.Lock()
				defer mutex.Unlock()
				sent[r.Header.Get("Authorization")+" "+r.Header.Get("X-Viewer")+" "+r.Header.Get("User-Agent")] = true
				w.WriteHeader(http.StatusForbidden)
			}))
			t.Cleanup(server.Close)
			address := server.URL + path
			if name == protocol.PullProtocolWSFLV {
				address = "ws" + strings.TrimPrefix(address, "http")
			}
			first := 5
			s := newHarness(t)
			s.mustCall("audience.start", protocol.AudienceStartParams{Job: "pull-1", Protocol: name, URL: address, Viewers: 2, RatePerSecond: 100,
				Tokens: []string{"a", "b"}, FirstViewer: &first, Headers: []protocol.HeaderField{
					{Name: "Authorization", Value: "Custom {token}"}, {Name: "x-viewer", Value: "{n}"}, {Name: "User-Agent", Value: "player"}}})
			j := s.until("two refusals", func(j protocol.JobSample) bool { return j.Failed == 2 })
			mutex.Lock()
			defer mutex.Unlock()
			if want := map[string]bool{"Custom a 5 player": true, "Custom b 6 player": true}; !maps.Equal(sent, want) {
				t.Errorf("sent %v", sent)
			}
			if detail := fmt.Sprint(j.Failures); !strings.Contains(detail, "headers of the viewer") || strings.Contains(detail, "Custom") {
				t.Errorf("the failure says %s", detail)
			}
		})
	}
}

func TestHeadersThatCannotBeSentAreRefused(t *testing.T) {
	s := newHarness(t)
	for name, change := range map[string]func(*protocol.AudienceStartParams){
		"a header of the request":     func(p *protocol.AudienceStartParams) { p.Headers[0].Name = "Content-Length" },
		"an invalid name":             func(p *protocol.AudienceStartParams) { p.Headers[0].Name = "X:Y" },
		"a second line":               func(p *protocol.AudienceStartParams) { p.Headers[0].Value = "a\r\nX: b" },
		"a token that does not exist": func(p *protocol.AudienceStartParams) { p.Headers[0].Value = "{token}" },
		"tokens without a place":      func(p *protocol.AudienceStartParams) { p.Tokens = []string{"a"} },
		"a protocol without headers": func(p *protocol.AudienceStartParams) {
			p.Protocol, p.URL = protocol.PullProtocolRTMP, "rtmp://127.0.0.1/live/cam"
		},
	} {
		params := protocol.AudienceStartParams{Job: "pull-1", Protocol: protocol.PullProtocolHLS, URL: "http://127.0.0.1:9/cam.m3u8", Viewers: 1, RatePerSecond: 1,
			Headers: []protocol.HeaderField{{Name: "X-A", Value: "b"}}}
		change(&params)
		if _, err := s.call("audience.start", params); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}
