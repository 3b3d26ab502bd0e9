package control

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"

	"fullhouse/agent/internal/protocol"
)

const token = "a-token-of-some-length"

// timeout is far more than anything here needs.
const timeout = 20 * time.Second

// fakeRole is a role with viewers that disconnect on request.
type fakeRole struct {
	mutex  sync.Mutex
	here   int
	stops  []bool // force of each
	closed bool
}

func (c *fakeRole) Name() string { return "audience" }
func (c *fakeRole) Announcement() Announcement {
	return Announcement{Protocols: []string{"whep"}, Viewers: 7}
}
func (c *fakeRole) Call(_ context.Context, name string, params json.RawMessage) (any, error) {
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
func (c *fakeRole) Sample(protocol.ProcessSample, time.Duration) any { return struct{}{} }
func (c *fakeRole) DisconnectAll(force bool) int                     { return c.StopAll(force) }

func (c *fakeRole) StopAll(force bool) int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	left := c.here
	c.here = 0
	c.stops = append(c.stops, force)
	return left
}
func (c *fakeRole) Remaining() int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.here
}
func (c *fakeRole) Close() error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.closed = true
	return nil
}

type agent struct {
	*Server
	t       *testing.T
	role    *fakeRole
	records *Records
	ended   chan error
	cancel  context.CancelFunc
}

func startAgent(t *testing.T, change func(*Config)) *agent {
	t.Helper()
	before := runtime.NumGoroutine()
	a := &agent{t: t, role: &fakeRole{here: 3}, records: NewRecords(KeptRecords, time.Now), ended: make(chan error, 1)}
	config := Config{Role: a.role, Records: a.records, Version: "0.1.0", Token: token, Listen: "127.0.0.1:0",
		IdleTimeout: time.Hour, Log: log.New(io.Discard, "", 0), SampleEvery: time.Hour}
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
		for deadline := time.Now().Add(timeout); runtime.NumGoroutine() > before; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				stacks := make([]byte, 1<<20)
				t.Errorf("goroutines remain:\n%s", stacks[:runtime.Stack(stacks, true)])
				return
			}
		}
	})
	return a
}

// waitEnd waits until Serve returned; it may be called repeatedly.
func (a *agent) waitEnd() {
	a.t.Helper()
	select {
	case err := <-a.ended:
		if err != nil {
			a.t.Errorf("the agent exited with: %v", err)
		}
		a.ended <- nil
	case <-time.After(timeout):
		a.t.Fatal("the agent does not exit")
	}
}

type caller struct {
	*websocket.Conn
	t  *testing.T
	id int64
}

func (a *agent) dial() *caller {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
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
	Type     string               `json:"type"`
	ID       int64                `json:"id"`
	OK       bool                 `json:"ok"`
	Result   json.RawMessage      `json:"result"`
	Error    *Error               `json:"error"`
	Sequence uint64               `json:"sequence"`
	Event    *protocol.AgentEvent `json:"event"`
}

func (c *caller) send(call, params string) {
	c.t.Helper()
	c.id++
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	if err := wsjson.Write(ctx, c.Conn, protocol.Request{Type: "request", ID: c.id, Call: call,
		Params: json.RawMessage(params)}); err != nil {
		c.t.Fatalf("%s: %v", call, err)
	}
}

func (c *caller) read() (frame, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	var f frame
	err := wsjson.Read(ctx, c.Conn, &f)
	return f, err
}

// call sends a request and returns its response, skipping records.
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
				c.t.Fatalf("%s: response %d to request %d", name, f.ID, c.id)
			}
			return f
		}
	}
}

const greeting = `{"protocol":3,"client":{"name":"test","version":"0"}}`
