package audience

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"fullhouse/agent/internal/control"
)

func TestViewersTakeTheStreamsInTurn(t *testing.T) {
	requested := make(chan string, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requested <- r.URL.Path
		w.WriteHeader(http.StatusNotFound)
	}))
	defer server.Close()
	a := newHarness(t)
	start := func(params string) error {
		_, err := a.Call(context.Background(), "audience.start", json.RawMessage(`{"job":"j","viewers":5,"ratePerSecond":999,"holdMs":0,`+strings.ReplaceAll(params, "HOST", server.URL)+`}`))
		return err
	}
	if err := start(`"protocol":"whep","urls":["HOST/a","HOST/b"]`); err != nil {
		t.Fatal(err)
	}
	var paths []string
	for range 5 {
		paths = append(paths, <-requested)
	}
	slices.Sort(paths)
	if want := []string{"/a", "/a", "/a", "/b", "/b"}; !slices.Equal(paths, want) {
		t.Errorf("%v, want %v", paths, want)
	}
	for params, says := range map[string]string{
		`"protocol":"whep","url":"HOST/a","urls":["HOST/b"]`: "either url or urls",
		`"protocol":"whep","urls":["HOST/b","rtmp://a/b/c"]`: "not a WHEP address",
		`"protocol":"livekit","urls":["ws://a"],"tokens":[]`: "have one address",
	} {
		err := start(params)
		if failed, ok := err.(*control.Error); !ok || failed.Code != "bad-request" || !strings.Contains(failed.Message, says) {
			t.Errorf("%s: %v", params, err)
		}
	}
}
