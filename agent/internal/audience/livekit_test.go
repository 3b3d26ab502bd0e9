package audience

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"fullhouse/agent/internal/control"
)

func TestViewersOfARoomNeedATokenEach(t *testing.T) {
	a := newHarness(t)
	for name, c := range map[string]struct{ params, says string }{
		"too few":      {`"url":"ws://127.0.0.1:7880","tokens":["a"]`, "2 viewers of a LiveKit room need one token each; tokens has 1."},
		"none":         {`"url":"ws://127.0.0.1:7880"`, "tokens has 0."},
		"an empty one": {`"url":"ws://127.0.0.1:7880","tokens":["a",""]`, "One of the tokens is empty."},
		"one for all":  {`"url":"ws://127.0.0.1:7880","bearerToken":"a","tokens":["a","b"]`, "its own token"},
		"RTMP":         {`"url":"rtmp://127.0.0.1:7880/a/b","tokens":["a","b"]`, "not a LiveKit address"},
	} {
		_, err := a.Call(context.Background(), "audience.start", json.RawMessage(`{"job":"j","protocol":"livekit","viewers":2,"ratePerSecond":9,"holdMs":0,`+c.params+`}`))
		if failed, ok := err.(*control.Error); !ok || failed.Code != "bad-request" || !strings.Contains(failed.Message, c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEachViewerUsesItsOwnToken(t *testing.T) {
	requested := make(chan string, 4)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requested <- r.URL.Path + " " + r.Header.Get("Authorization")
		w.WriteHeader(http.StatusForbidden)
	}))
	defer server.Close()
	a := newHarness(t)
	url := strings.Replace(server.URL, "http", "ws", 1)
	if _, err := a.Call(context.Background(), "audience.start", json.RawMessage(`{"job":"j","protocol":"livekit","viewers":2,"ratePerSecond":99,"holdMs":0,"tokens":["one","two"],"url":"`+url+`"}`)); err != nil {
		t.Fatal(err)
	}
	first, second := <-requested, <-requested
	if first > second {
		first, second = second, first
	}
	if first != "/rtc/v1 Bearer one" || second != "/rtc/v1 Bearer two" {
		t.Errorf("the server received %q and %q", first, second)
	}
}
