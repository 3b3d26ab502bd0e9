package daemon

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/coder/websocket"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/protocol"
)

// callTimeout is the response timeout of a running agent; it sends a sample every second.
const callTimeout = 5 * time.Second

// client calls a running agent as the engine does.
type client struct {
	socket *websocket.Conn
	lastID int64
}

// call connects to the agent of a state and passes the client to act.
func call(state protocol.AgentState, act func(context.Context, *client) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	socket, err := dial(ctx, state)
	if err != nil {
		return fmt.Errorf("connecting to the agent at %s failed: %w", state.Address, err)
	}
	defer socket.CloseNow()
	socket.SetReadLimit(protocol.MaxFrameBytes)
	c := &client{socket: socket}
	var hello protocol.HelloResult
	err = c.callMethod(ctx, "hello", protocol.HelloParams{Protocol: state.Protocol,
		Client: protocol.Client{Name: "fullhouse-agent " + state.Agent, Version: state.Agent}}, &hello)
	if err != nil {
		return err
	}
	if hello.Instance != state.Instance {
		return fmt.Errorf("another agent responds at %s", state.Address)
	}
	return act(ctx, c)
}

// dial opens a connection on which requests may be sent. Callers have checked that the agent's process is alive, so it
// is the one that listens there; one of an earlier build, which knows no proofs, gets the token itself.
func dial(ctx context.Context, state protocol.AgentState) (*websocket.Conn, error) {
	address, handshake := "ws://"+state.Address+"/v1", control.NewHandshake(state.Token)
	socket, response, err := websocket.Dial(ctx, address, &websocket.DialOptions{HTTPHeader: handshake.Header()})
	if err != nil && response != nil && response.StatusCode == http.StatusUnauthorized {
		socket, _, err = websocket.Dial(ctx, address, &websocket.DialOptions{
			HTTPHeader: http.Header{"Authorization": {"Bearer " + state.Token}}})
		return socket, err
	}
	if err != nil {
		return nil, err
	}
	proof, err := handshake.Answer(response.Header)
	if err == nil {
		err = socket.Write(ctx, websocket.MessageText, []byte(proof))
	}
	if err != nil {
		_ = socket.CloseNow() // the first error is the one to report
		return nil, err
	}
	return socket, nil
}

// message is a response or a record.
type message struct {
	Type   string                   `json:"type"`
	ID     int64                    `json:"id"`
	OK     bool                     `json:"ok"`
	Result json.RawMessage          `json:"result"`
	Error  *control.Error           `json:"error"`
	Sample *protocol.AudienceSample `json:"sample"`
}

// countActive counts the viewers and publications of a sample that are active.
func countActive(s *protocol.AudienceSample) int {
	busy := 0
	for _, job := range s.Jobs {
		if job.State != protocol.JobEnded {
			busy += max(job.Present, 1)
		}
	}
	for _, publication := range s.Publications {
		if publication.State == protocol.PublicationConnecting || publication.State == protocol.PublicationLive {
			busy++
		}
	}
	return busy
}

func (c *client) read(ctx context.Context) (message, error) {
	_, data, err := c.socket.Read(ctx)
	if err != nil {
		return message{}, fmt.Errorf("the agent does not respond: %w", err)
	}
	var m message
	if err := json.Unmarshal(data, &m); err != nil {
		return message{}, fmt.Errorf("the agent's response is invalid: %w", err)
	}
	return m, nil
}

func (c *client) callMethod(ctx context.Context, name string, params, result any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	c.lastID++
	request, err := json.Marshal(protocol.Request{Type: "request", ID: c.lastID, Call: name, Params: raw})
	if err != nil {
		return err
	}
	if err := c.socket.Write(ctx, websocket.MessageText, request); err != nil {
		return fmt.Errorf("sending the request to the agent failed: %w", err)
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
func (c *client) busy(ctx context.Context) (int, error) {
	for {
		m, err := c.read(ctx)
		if err != nil {
			return 0, err
		}
		if m.Sample != nil {
			return countActive(m.Sample), nil
		}
	}
}
