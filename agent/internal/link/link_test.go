package link

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"

	"fullhouse/agent/internal/process"
)

const token = "a-token-of-some-length"

// patience is far more than anything here takes.
const patience = 20 * time.Second

// crowd is a role with viewers that leave when they are told to.
type crowd struct {
	mutex  sync.Mutex
	here   int
	stops  []bool // force of each
	closed bool
}

func (c *crowd) Name() string { return "audience" }
func (c *crowd) Announcement() Announcement {
	return Announcement{Protocols: []string{"whep"}, Viewers: 7}
}
func (c *crowd) Call(_ context.Context, name string, params json.RawMessage) (any, error) {
	if name != "double" {
		return nil, UnknownCall(c.Name(), name)
	}
	var p struct {
		Number int `json:"number"`
	}
	if err := DecodeParams(params, &p); err != nil {
		return nil, err
	}
	return p.Number * 2, nil
}
func (c *crowd) Sample(process.Sample, time.Duration) any { return struct{}{} }
func (c *crowd) DisconnectAll(force bool) int             { return c.StopAll(force) }

func (c *crowd) StopAll(force bool) int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	left := c.here
	c.here = 0
	c.stops = append(c.stops, force)
	return left
}
func (c *crowd) Left() int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.here
}
func (c *crowd) Close() error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.closed = true
	return nil
}

type agent struct {
	*Server
	t       *testing.T
	role    *crowd
	records *Records
	ended   chan error
	cancel  context.CancelFunc
}

func startAgent(t *testing.T, change func(*Config)) *agent {
	t.Helper()
	before := runtime.NumGoroutine()
	a := &agent{t: t, role: &crowd{here: 3}, records: NewRecords(KeptRecords, time.Now), ended: make(chan error, 1)}
	config := Config{Role: a.role, Records: a.records, Version: "0.1.0", Token: token, Listen: "127.0.0.1:0",
		Alone: time.Hour, Log: log.New(io.Discard, "", 0), SampleEvery: time.Hour}
	if change != nil {
		change(&config)
	}
	server, err := Listen(config)
	if err != nil {
		t.Fatal(err)
	}
	a.Server = server
	ctx, cancel := context.WithCancel(context.Background())
	a.cancel = cancel
	go func() { a.ended <- server.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		a.waitEnd()
		for deadline := time.Now().Add(patience); runtime.NumGoroutine() > before; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				stacks := make([]byte, 1<<20)
				t.Errorf("goroutines are left behind:\n%s", stacks[:runtime.Stack(stacks, true)])
				return
			}
		}
	})
	return a
}

// waitEnd waits until Serve returned, however often it is called.
func (a *agent) waitEnd() {
	a.t.Helper()
	select {
	case err := <-a.ended:
		if err != nil {
			a.t.Errorf("the agent ended with: %v", err)
		}
		a.ended <- nil
	case <-time.After(patience):
		a.t.Fatal("the agent does not end")
	}
}

type caller struct {
	*websocket.Conn
	t  *testing.T
	id int64
}

func (a *agent) dial() *caller {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	socket, _, err := websocket.Dial(ctx, "ws://"+a.Listening().Address+"/v1", &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + token}}})
	if err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() { _ = socket.CloseNow() })
	return &caller{Conn: socket, t: a.t}
}

// frame is any message of the agent.
type frame struct {
	Type     string          `json:"type"`
	ID       int64           `json:"id"`
	OK       bool            `json:"ok"`
	Result   json.RawMessage `json:"result"`
	Error    *Error          `json:"error"`
	Sequence uint64          `json:"sequence"`
	Event    *Event          `json:"event"`
}

func (c *caller) send(call, params string) {
	c.t.Helper()
	c.id++
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := wsjson.Write(ctx, c.Conn, Request{Type: "request", ID: c.id, Call: call, Params: json.RawMessage(params)}); err != nil {
		c.t.Fatalf("%s: %v", call, err)
	}
}

func (c *caller) read() (frame, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var f frame
	err := wsjson.Read(ctx, c.Conn, &f)
	return f, err
}

// call sends a request and returns its answer, passing over records.
func (c *caller) call(name, params string) frame {
	c.t.Helper()
	c.send(name, params)
	for {
		f, err := c.read()
		if err != nil {
			c.t.Fatalf("%s: %v", name, err)
		}
		if f.Type == "response" {
			if f.ID != c.id {
				c.t.Fatalf("%s: answer %d to request %d", name, f.ID, c.id)
			}
			return f
		}
	}
}

const greeting = `{"protocol":1,"client":{"name":"test","version":"0"}}`

func TestOnlyWhoKnowsTheTokenAndIsNoBrowserGetsIn(t *testing.T) {
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
		if server, err := Listen(Config{Role: &crowd{}, Listen: address}); err == nil {
			_ = server.listener.Close()
			t.Errorf("%s was accepted", address)
		}
	}
}

func TestHelloIntroducesTheAgent(t *testing.T) {
	a := startAgent(t, func(c *Config) { c.OpenFiles = 99 })
	c := a.dial()
	f := c.call("hello", greeting)
	var hello HelloResult
	if err := json.Unmarshal(f.Result, &hello); err != nil {
		t.Fatal(err)
	}
	if !f.OK || hello.Protocol != 1 || hello.Role != "audience" || hello.Instance == "" || hello.Limits != (Limits{OpenFiles: 99, Viewers: 7}) ||
		hello.OldestSequence != 1 || hello.LatestSequence != 0 || hello.Host.Cores == 0 {
		t.Errorf("hello answered %s", f.Result)
	}
}

func TestAnotherProtocolVersionIsToldAndTheConnectionCloses(t *testing.T) {
	c := startAgent(t, nil).dial()
	f := c.call("hello", `{"protocol":2,"client":{"name":"test","version":"0"}}`)
	if f.OK || f.Error.Code != "protocol-mismatch" || !strings.Contains(f.Error.Message, "protocol 1") {
		t.Errorf("answered %+v, error %+v", f, f.Error)
	}
	if f, err := c.read(); err == nil {
		t.Errorf("the connection stays open and says %+v", f)
	}
}

func TestBadRequestsGetASentenceAndTheConnectionStays(t *testing.T) {
	c := startAgent(t, nil).dial()
	for _, test := range []struct{ call, params, code string }{
		{"ping", ``, "bad-request"}, // before hello
		{"hello", `{"protocol":1,"client":{"name":"test","version":"0"},"resumAfter":3}`, "bad-request"},
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

func TestWhatIsNoRequestIsRefused(t *testing.T) {
	c := startAgent(t, nil).dial()
	for _, text := range []string{`{`, `[]`, `{"type":"record"}`, `"hello"`} {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		if err := c.Write(ctx, websocket.MessageText, []byte(text)); err != nil {
			t.Fatal(err)
		}
		cancel()
		if f, err := c.read(); err != nil || f.OK || f.Error == nil || f.Error.Code != "bad-request" {
			t.Errorf("%s: %+v, %v", text, f, err)
		}
	}
}

func TestReplayAndLiveHaveNoHoleAndNoDouble(t *testing.T) {
	a := startAgent(t, nil)
	const records = 3000
	written := make(chan struct{})
	go func() {
		defer close(written)
		for range records {
			a.records.Event(Event{Name: "warning", Message: "x"})
			if a.records.latest%100 == 0 {
				time.Sleep(time.Millisecond)
			}
		}
	}()
	// Each connection reads some records, is cut, and the next resumes.
	var seen uint64
	for seen < records {
		c := a.dial()
		c.send("hello", `{"protocol":1,"client":{"name":"test","version":"0"},"resumeAfter":`+jsonNumber(seen)+`}`)
		if f, err := c.read(); err != nil || f.Type != "response" || !f.OK {
			t.Fatalf("something came before the answer to hello: %+v, %v", f, err)
		}
		for until := min(seen+700, records); seen < until; {
			f, err := c.read()
			if err != nil {
				t.Fatal(err)
			}
			if f.Type != "record" || f.Sequence != seen+1 {
				t.Fatalf("after %d came %+v", seen, f)
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

func TestWithoutResumeOnlyNewRecordsCome(t *testing.T) {
	a := startAgent(t, nil)
	for range 5 {
		a.records.Event(Event{Name: "warning"})
	}
	for _, params := range []string{greeting, `{"protocol":1,"client":{"name":"test","version":"0"},"resumeAfter":4000}`} {
		c := a.dial()
		c.call("hello", params)
		_, latest := a.records.Span()
		a.records.Event(Event{Name: "warning"})
		if f, err := c.read(); err != nil || f.Sequence != latest+1 {
			t.Errorf("%s: first came %+v, %v, want sequence %d", params, f, err, latest+1)
		}
	}
}

func TestSeveralConnectionsGetEveryRecord(t *testing.T) {
	a := startAgent(t, nil)
	callers := []*caller{a.dial(), a.dial(), a.dial()}
	for _, c := range callers {
		c.call("hello", greeting)
	}
	a.records.Event(Event{Name: "warning"})
	for _, c := range callers {
		if f, err := c.read(); err != nil || f.Sequence != 1 {
			t.Errorf("%+v, %v", f, err)
		}
	}
}

func TestWithoutAConsoleAllViewersAreDisconnectedAndTheAgentEnds(t *testing.T) {
	a := startAgent(t, func(c *Config) { c.Alone, c.ExitWhenAlone = 50*time.Millisecond, true })
	a.waitEnd()
	if a.role.Left() != 0 || !a.role.closed || a.role.stops[0] {
		t.Errorf("left %d, closed %t, stops %v", a.role.Left(), a.role.closed, a.role.stops)
	}
	batch, _, _ := a.records.after(0, 10)
	if len(batch) != 2 || !strings.Contains(string(batch[0]), `"left-alone"`) || !strings.Contains(string(batch[0]), "3 viewers") {
		t.Errorf("recorded %s", batch)
	}
}

func TestAnAgentThatIsKeptOutlivesItsViewersAndThenEnds(t *testing.T) {
	a := startAgent(t, func(c *Config) { c.Alone, c.Keep = 30*time.Millisecond, 300*time.Millisecond })
	a.waitEnd()
	a.role.mutex.Lock()
	defer a.role.mutex.Unlock()
	// Once without a console, once more because the process ends.
	if len(a.role.stops) != 2 || !a.role.closed {
		t.Errorf("stopped %v, closed %v", a.role.stops, a.role.closed)
	}
}

func TestAloneIsToldOncePerTime(t *testing.T) {
	a := startAgent(t, func(c *Config) { c.Alone = 30 * time.Millisecond })
	c := a.dial()
	c.call("hello", greeting)
	for want := uint64(1); want <= 2; want++ {
		f, err := c.read()
		if err != nil || f.Event == nil || f.Event.Name != "left-alone" {
			t.Fatalf("%+v, %v", f, err)
		}
		time.Sleep(100 * time.Millisecond) // alone all the while: nothing more is recorded
		if _, latest := a.records.Span(); latest != f.Sequence {
			t.Errorf("%d records after %d", latest, f.Sequence)
		}
		if want == 1 {
			c.call("ping", "")
			for latest := f.Sequence; latest == f.Sequence; _, latest = a.records.Span() {
				time.Sleep(time.Millisecond) // until it is alone again
			}
		}
	}
}

func TestShutdownAnswersAndEnds(t *testing.T) {
	a := startAgent(t, nil)
	c := a.dial()
	c.call("hello", greeting)
	if f := c.call("shutdown", ""); !f.OK {
		t.Errorf("%+v", f)
	}
	a.waitEnd()
	if a.role.Left() != 0 || !a.role.closed {
		t.Errorf("left %d, closed %t", a.role.Left(), a.role.closed)
	}
}

func TestTheLastRecordsReachWhoListens(t *testing.T) {
	a := startAgent(t, nil)
	c := a.dial()
	c.call("hello", greeting)
	for range 3 * replayBatch {
		a.records.Event(Event{Name: "warning"})
	}
	a.cancel()
	a.waitEnd()
	_, latest := a.records.Span()
	for want := uint64(1); want <= latest; want++ { // the last one is the sample of the end
		if f, err := c.read(); err != nil || f.Sequence != want {
			t.Fatalf("%+v, %v, want sequence %d of %d", f, err, want, latest)
		}
	}
}

func TestSamplesComeByThemselves(t *testing.T) {
	a := startAgent(t, func(c *Config) { c.SampleEvery = 5 * time.Millisecond })
	c := a.dial()
	c.call("hello", `{"protocol":1,"client":{"name":"test","version":"0"},"resumeAfter":0}`)
	for want := uint64(1); want <= 3; want++ {
		if f, err := c.read(); err != nil || f.Sequence != want {
			t.Fatalf("%+v, %v, want sequence %d", f, err, want)
		}
	}
}

func TestAStepOfTheClockIsAnEventWithItsSizeAndTimesGoOn(t *testing.T) {
	steps := make(chan time.Duration, 2)
	steps <- -time.Hour
	steps <- 11 * time.Second
	a := startAgent(t, func(c *Config) {
		c.SampleEvery, c.Alone = 5*time.Millisecond, 10*time.Second
		c.ClockStep = func() time.Duration {
			select {
			case step := <-steps:
				return step
			default:
				return 0
			}
		}
	})
	c := a.dial()
	c.call("hello", `{"protocol":1,"client":{"name":"test","version":"0"},"resumeAfter":0}`)
	for _, want := range []Event{
		{Name: "clock-stepped", StepMs: -3_600_000, Message: "The clock of this machine was set back by 3600 s; times of this agent go on without the step."},
		{Name: "clock-stepped", StepMs: 11_000, Message: "The clock of this machine was set forward by 11 s; times of this agent go on without the step."},
	} {
		f, err := c.read()
		for err == nil && f.Event == nil {
			f, err = c.read()
		}
		if err != nil || *f.Event != want {
			t.Errorf("%+v, %v, want %+v", f.Event, err, want)
		}
	}
}

func TestReadToken(t *testing.T) {
	for _, test := range []struct {
		input string
		ok    bool
	}{
		{"sixteen-or-more-characters\nrest\n", true},
		{"sixteen-or-more-characters\r\n", true},
		{"sixteen-or-more-characters", true},
		{"short\n", false},
		{"", false},
		{strings.Repeat("x", 257) + "\n", false},
		{"has a space in its middle\n", false},
		{"has-a-control-\x01-character\n", false},
	} {
		got, err := ReadToken(strings.NewReader(test.input))
		if (err == nil) != test.ok || test.ok && got != "sixteen-or-more-characters" {
			t.Errorf("%.40q: %q, %v", test.input, got, err)
		}
	}
}
