package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/coder/websocket"

	"fullhouse/agent/internal/link"
)

// callPatience is how long a living agent may take to answer; a sample comes every second.
const callPatience = 5 * time.Second

// caller speaks to a running agent as the engine does.
type caller struct {
	socket *websocket.Conn
	lastID int64
}

// call greets the agent of a state and hands the caller to act.
func call(state State, act func(context.Context, *caller) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), callPatience)
	defer cancel()
	socket, _, err := websocket.Dial(ctx, "ws://"+state.Address+"/v1", &websocket.DialOptions{
		HTTPHeader: http.Header{"Authorization": {"Bearer " + state.Token}}})
	if err != nil {
		return fmt.Errorf("the agent at %s can't be called: %w", state.Address, err)
	}
	defer socket.CloseNow()
	socket.SetReadLimit(1 << 20)
	c := &caller{socket: socket}
	var hello link.HelloResult
	err = c.ask(ctx, "hello", link.HelloParams{Protocol: state.Protocol, Client: link.Client{Name: "fullhouse-agent " + state.Agent, Version: state.Agent}}, &hello)
	if err != nil {
		return err
	}
	if hello.Instance != state.Instance {
		return fmt.Errorf("another agent answers at %s", state.Address)
	}
	return act(ctx, c)
}

// message is a response or a record, whichever came.
type message struct {
	Type   string          `json:"type"`
	ID     int64           `json:"id"`
	OK     bool            `json:"ok"`
	Result json.RawMessage `json:"result"`
	Error  *link.Error     `json:"error"`
	Sample *sample         `json:"sample"`
}

// sample is what of an audience's sample tells whether it plays.
type sample struct {
	Jobs []struct {
		Present int    `json:"present"`
		State   string `json:"state"`
	} `json:"jobs"`
	Publications []struct {
		State string `json:"state"`
	} `json:"publications"`
}

func (s sample) busy() int {
	busy := 0
	for _, job := range s.Jobs {
		if job.State != "ended" {
			busy += max(job.Present, 1)
		}
	}
	for _, publication := range s.Publications {
		if publication.State == "connecting" || publication.State == "live" {
			busy++
		}
	}
	return busy
}

func (c *caller) read(ctx context.Context) (message, error) {
	_, data, err := c.socket.Read(ctx)
	if err != nil {
		return message{}, fmt.Errorf("the agent does not answer: %w", err)
	}
	var m message
	if err := json.Unmarshal(data, &m); err != nil {
		return message{}, fmt.Errorf("the agent's answer can't be read: %w", err)
	}
	return m, nil
}

func (c *caller) ask(ctx context.Context, name string, params, result any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	c.lastID++
	request, err := json.Marshal(link.Request{Type: "request", ID: c.lastID, Call: name, Params: raw})
	if err != nil {
		return err
	}
	if err := c.socket.Write(ctx, websocket.MessageText, request); err != nil {
		return fmt.Errorf("the agent can't be asked: %w", err)
	}
	for {
		m, err := c.read(ctx)
		switch {
		case err != nil:
			return err
		case m.Type != "response" || m.ID != c.lastID:
			continue
		case !m.OK && m.Error != nil:
			return m.Error
		case !m.OK:
			return fmt.Errorf("the agent refused %s", name)
		}
		if len(m.Result) == 0 {
			return nil
		}
		return json.Unmarshal(m.Result, result)
	}
}

// busy counts the viewers and publications of the next sample.
func (c *caller) busy(ctx context.Context) (int, error) {
	for {
		m, err := c.read(ctx)
		if err != nil {
			return 0, err
		}
		if m.Sample != nil {
			return m.Sample.busy(), nil
		}
	}
}
