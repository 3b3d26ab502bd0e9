package audience

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"fullhouse/agent/internal/protocol"
)

func TestEachViewerOfWHEPSendsItsOwnToken(t *testing.T) {
	t.Parallel()
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
	s := newHarness(t)
	params := protocol.AudienceStartParams{Job: "pull-1", Protocol: "whep", URL: server.URL + "/whep/cam", Viewers: 3, RatePerSecond: 100,
		Tokens: []string{"a", "b", "c"}}
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
}
