package control

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"fullhouse/agent/internal/protocol"
)

func TestOnlyNonBrowsersWithTheTokenAreAccepted(t *testing.T) {
	a := startAgent(t, nil)
	for _, test := range []struct {
		name, authorization, origin string
		status                      int
	}{
		{"no token", "", "", 401},
		{"wrong token", "Bearer not-the-token-at-all", "", 401},
		{"token without scheme", token, "", 401},
		{"browser", "Bearer " + token, "http://127.0.0.1", 403},
	} {
		request, err := http.NewRequest("GET", "http://"+a.Listening().Address+"/v1", nil)
		if err != nil {
			t.Fatal(err)
		}
		if test.authorization != "" {
			request.Header.Set("Authorization", test.authorization)
		}
		if test.origin != "" {
			request.Header.Set("Origin", test.origin)
		}
		transport := &http.Transport{DisableKeepAlives: true}
		response, err := transport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != test.status {
			t.Errorf("%s: %d, want %d", test.name, response.StatusCode, test.status)
		}
	}
}

func TestListenRefusesOtherAddressesThanLoopback(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0", "[::]:0", "example.com:0", "127.0.0.1"} {
		if server, err := Listen(Config{Role: &fakeRole{}, Listen: address}); err == nil {
			_ = server.listener.Close()
			t.Errorf("%s was accepted", address)
		}
	}
}

func TestHelloDescribesTheAgent(t *testing.T) {
	a := startAgent(t, func(c *Config) { c.OpenFiles = 99 })
	c := a.dial()
	f := c.call("hello", greeting)
	var hello protocol.HelloResult
	if err := json.Unmarshal(f.Result, &hello); err != nil {
		t.Fatal(err)
	}
	if !f.OK || hello.Protocol != protocol.ProtocolVersion || hello.Role != "audience" || hello.Instance == "" ||
		hello.Limits != (protocol.Limits{OpenFiles: 99, Viewers: 7}) ||
		hello.OldestSequence != 1 || hello.LatestSequence != 0 || hello.Host.Cores == 0 {
		t.Errorf("hello answered %s", f.Result)
	}
}

func TestHelloCountsTheConsolesThatAreConnected(t *testing.T) {
	a := startAgent(t, nil)
	consoles := func(c *caller) uint64 {
		var hello protocol.HelloResult
		if err := json.Unmarshal(c.call("hello", greeting).Result, &hello); err != nil || hello.Consoles == nil {
			t.Fatalf("hello without consoles: %+v, %v", hello, err)
		}
		return *hello.Consoles
	}
	first, second := a.dial(), a.dial()
	_ = a.dial() // without hello
	for place, got := range []uint64{consoles(first), consoles(second), consoles(second)} {
		if want := uint64(min(place+1, 2)); got != want {
			t.Errorf("hello %d: %d consoles, want %d", place+1, got, want)
		}
	}
	_ = first.CloseNow()
	for deadline := time.Now().Add(10 * time.Second); consoles(second) != 1; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("a closed connection is still counted")
		}
	}
}

func TestAProtocolMismatchIsReportedAndClosesTheConnection(t *testing.T) {
	c := startAgent(t, nil).dial()
	f := c.call("hello", `{"protocol":1,"client":{"name":"test","version":"0"}}`)
	if f.OK || f.Error.Code != "protocol-mismatch" || !strings.Contains(f.Error.Message, "protocol 3") {
		t.Errorf("answered %+v, error %+v", f, f.Error)
	}
	if f, err := c.read(); err == nil {
		t.Errorf("the connection stays open and sends %+v", f)
	}
}

func TestBadRequestsGetASentenceAndTheConnectionStays(t *testing.T) {
	c := startAgent(t, nil).dial()
	for _, test := range []struct{ call, params, code string }{
		{"ping", ``, "bad-request"}, // before hello
		{"hello", `{"protocol":3,"client":{"name":"test","version":"0"},"resumAfter":3}`, "bad-request"},
		{"hello", greeting, ""},
		{"ping", `{"now":1}`, "bad-request"},
		{"ping", ``, ""},
		{"double", `{"number":21}`, ""},
		{"double", `{"number":"21"}`, "bad-request"},
		{"double", `{"numbr":21}`, "bad-request"},
		{"stop-all", `{"forced":true}`, "bad-request"},
		{"fly", `{}`, "unknown-call"},
	} {
		f := c.call(test.call, test.params)
		switch {
		case test.code == "" && !f.OK:
			t.Errorf("%s %s: refused with %+v", test.call, test.params, f.Error)
		case test.code != "" && (f.OK || f.Error == nil || f.Error.Code != test.code || f.Error.Message == ""):
			t.Errorf("%s %s: %+v, want the error %s", test.call, test.params, f, test.code)
		}
	}
}

func TestInvalidRequestsAreRefused(t *testing.T) {
	c := startAgent(t, nil).dial()
	for _, text := range []string{`{`, `[]`, `{"type":"record"}`, `"hello"`} {
		ctx, cancel := context.WithTimeout(context.Background(), timeout)
		if err := c.Write(ctx, websocket.MessageText, []byte(text)); err != nil {
			t.Fatal(err)
		}
		cancel()
		if f, err := c.read(); err != nil || f.OK || f.Error == nil || f.Error.Code != "bad-request" {
			t.Errorf("%s: %+v, %v", text, f, err)
		}
	}
}

func TestReplayAndLiveHaveNoGapAndNoDuplicate(t *testing.T) {
	a := startAgent(t, nil)
	const records = 3000
	written := make(chan struct{})
	go func() {
		defer close(written)
		for range records {
			a.records.Event(protocol.AgentEvent{Name: "warning", Message: "x"})
			if a.records.latest%100 == 0 {
				time.Sleep(time.Millisecond)
			}
		}
	}()
	// Each connection reads some records, is cut, and the next resumes.
	var seen uint64
	for seen < records {
		c := a.dial()
		c.send("hello", `{"protocol":3,"client":{"name":"test","version":"0"},"resumeAfter":`+jsonNumber(seen)+`}`)
		if f, err := c.read(); err != nil || f.Type != "response" || !f.OK {
			t.Fatalf("the first message is not the response to hello: %+v, %v", f, err)
		}
		for until := min(seen+700, records); seen < until; {
			f, err := c.read()
			if err != nil {
				t.Fatal(err)
			}
			if f.Type != "record" || f.Sequence != seen+1 {
				t.Fatalf("record %d is followed by %+v", seen, f)
			}
			seen++
		}
		_ = c.CloseNow()
	}
	<-written
}

func jsonNumber(n uint64) string {
	text, _ := json.Marshal(n)
	return string(text)
}

func TestWithoutResumeOnlyNewRecordsAreSent(t *testing.T) {
	a := startAgent(t, nil)
	for range 5 {
		a.records.Event(protocol.AgentEvent{Name: "warning"})
	}
	for _, params := range []string{greeting, `{"protocol":3,"client":{"name":"test","version":"0"},"resumeAfter":4000}`} {
		c := a.dial()
		c.call("hello", params)
		_, latest := a.records.Span()
		a.records.Event(protocol.AgentEvent{Name: "warning"})
		if f, err := c.read(); err != nil || f.Sequence != latest+1 {
			t.Errorf("%s: first record %+v, %v, want sequence %d", params, f, err, latest+1)
		}
	}
}

func TestSeveralConnectionsGetEveryRecord(t *testing.T) {
	a := startAgent(t, nil)
	callers := []*caller{a.dial(), a.dial(), a.dial()}
	for _, c := range callers {
		c.call("hello", greeting)
	}
	a.records.Event(protocol.AgentEvent{Name: "warning"})
	for _, c := range callers {
		if f, err := c.read(); err != nil || f.Sequence != 1 {
			t.Errorf("%+v, %v", f, err)
		}
	}
}
