package audience

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"fullhouse/agent/internal/link"
)

func TestViewersOfARoomNeedATokenEach(t *testing.T) {
	a := newStage(t)
	for name, c := range map[string]struct{ params, says string }{
		"too few":      {`"url":"ws://127.0.0.1:7880","tokens":["a"]`, "2 viewers of a LiveKit room need as many tokens, one for each; there are 1."},
		"none":         {`"url":"ws://127.0.0.1:7880"`, "there are 0."},
		"an empty one": {`"url":"ws://127.0.0.1:7880","tokens":["a",""]`, "One of the tokens is empty."},
		"one for all":  {`"url":"ws://127.0.0.1:7880","bearerToken":"a","tokens":["a","b"]`, "a token of its own"},
		"RTMP":         {`"url":"rtmp://127.0.0.1:7880/a/b","tokens":["a","b"]`, "no address of LiveKit"},
	} {
		_, err := a.Call(context.Background(), "audience.start", json.RawMessage(`{"job":"j","protocol":"livekit","viewers":2,"ratePerSecond":9,"holdMs":0,`+c.params+`}`))
		if failed, ok := err.(*link.Error); !ok || failed.Code != "bad-request" || !strings.Contains(failed.Message, c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEachViewerComesWithItsOwnToken(t *testing.T) {
	asked := make(chan string, 4)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.Path + " " + r.Header.Get("Authorization")
		w.WriteHeader(http.StatusForbidden)
	}))
	defer server.Close()
	a := newStage(t)
	url := strings.Replace(server.URL, "http", "ws", 1)
	if _, err := a.Call(context.Background(), "audience.start", json.RawMessage(`{"job":"j","protocol":"livekit","viewers":2,"ratePerSecond":99,"holdMs":0,"tokens":["one","two"],"url":"`+url+`"}`)); err != nil {
		t.Fatal(err)
	}
	first, second := <-asked, <-asked
	if first > second {
		first, second = second, first
	}
	if first != "/rtc/v1 Bearer one" || second != "/rtc/v1 Bearer two" {
		t.Errorf("the server was asked for %q and %q", first, second)
	}
}
