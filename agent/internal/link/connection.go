package link

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/coder/websocket"

	"fullhouse/agent/internal/steady"
)

const (
	maxFrameBytes = 1 << 20
	// A peer that takes nothing for this long is gone, or was stopped; it may come back and resume.
	writePatience = 15 * time.Second
	replayBatch   = 64
	// errorProtocolMismatch also ends the connection.
	errorProtocolMismatch = "protocol-mismatch"
)

// connection is one engine. Only its writer touches the socket for writing, so that records follow the answer
// to `hello` and nothing comes before it.
type connection struct {
	server *Server
	socket *websocket.Conn
	out    chan outgoing
	calls  sync.WaitGroup
}

// outgoing is an answer; with a cursor it also starts the records after that sequence.
type outgoing struct {
	response Response
	cursor   *uint64
	end      bool
	sent     func() // called once the answer is out
}

func (s *Server) converse(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	socket, err := websocket.Accept(w, r, nil)
	if err != nil {
		return // Accept has answered the client.
	}
	s.connections.Add(1)
	defer s.connections.Done()
	defer socket.CloseNow()
	socket.SetReadLimit(maxFrameBytes)
	s.silence.called()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &connection{server: s, socket: socket, out: make(chan outgoing, 16)}
	writerDone := make(chan struct{})
	go func() {
		defer close(writerDone)
		defer cancel()
		c.write(ctx)
	}()
	c.read(ctx)
	cancel()
	c.calls.Wait()
	<-writerDone
}

// read takes requests until the socket ends. A role's call runs aside, so that a long one does not delay a ping.
func (c *connection) read(ctx context.Context) {
	greeted := false
	for {
		kind, data, err := c.socket.Read(ctx)
		if err != nil {
			return
		}
		c.server.silence.called()
		var request Request
		if kind != websocket.MessageText || json.Unmarshal(data, &request) != nil || request.Type != "request" {
			c.answer(ctx, request.ID, nil, BadRequest("Only requests are understood, as text frames with one JSON object."))
			continue
		}
		if request.Call != "hello" && !greeted {
			c.answer(ctx, request.ID, nil, BadRequest("The first call of a connection must be hello, not %q.", request.Call))
			continue
		}
		if request.Call == "hello" {
			greeted = c.hello(ctx, request) || greeted
			continue
		}
		c.calls.Add(1)
		go func() {
			defer c.calls.Done()
			result, err := c.call(ctx, request)
			if request.Call == "shutdown" && err == nil {
				c.send(ctx, outgoing{response: Response{Type: "response", ID: request.ID, OK: true, Result: result}, sent: c.server.askShutdown})
				return
			}
			c.answer(ctx, request.ID, result, err)
		}()
	}
}

func (c *connection) hello(ctx context.Context, request Request) (greeted bool) {
	var params HelloParams
	if err := DecodeParams(request.Params, &params); err != nil {
		c.answer(ctx, request.ID, nil, err)
		return false
	}
	s := c.server
	if params.Protocol != ProtocolVersion {
		refusal := Errorf(errorProtocolMismatch, "This agent (%s) speaks protocol %d, the caller %d; use an agent and an application of the same release.",
			s.config.Version, ProtocolVersion, params.Protocol)
		c.send(ctx, outgoing{response: failure(request.ID, refusal), end: true})
		return false
	}
	oldest, latest := s.config.Records.Span()
	cursor := latest
	if params.ResumeAfter != nil {
		cursor = min(*params.ResumeAfter, latest) // beyond the latest: a sequence of another instance
	}
	announcement := s.config.Role.Announcement()
	c.send(ctx, outgoing{cursor: &cursor, response: Response{Type: "response", ID: request.ID, OK: true, Result: HelloResult{
		Protocol: ProtocolVersion, Agent: s.config.Version, Role: s.config.Role.Name(), Instance: s.instance, PID: os.Getpid(),
		NowMs: steady.Now().UnixMilli(), OldestSequence: oldest, LatestSequence: latest, Host: s.host,
		Limits:    Limits{OpenFiles: s.config.OpenFiles, Viewers: announcement.Viewers},
		Protocols: announcement.Protocols, Publishes: announcement.Publishes, Reader: announcement.Reader, HTTP: announcement.HTTP}}})
	return true
}

func (c *connection) call(ctx context.Context, request Request) (any, error) {
	s := c.server
	switch request.Call {
	case "ping":
		return PingResult{NowMs: steady.Now().UnixMilli()}, DecodeParams(request.Params, &struct{}{})
	case "stop-all":
		var params StopParams
		if err := DecodeParams(request.Params, &params); err != nil {
			return nil, err
		}
		return LeftResult{Left: s.config.Role.StopAll(params.Force)}, nil
	case "shutdown":
		return struct{}{}, DecodeParams(request.Params, &struct{}{})
	}
	return s.config.Role.Call(ctx, request.Call, request.Params)
}

func failure(id int64, err error) Response {
	var refusal *Error
	if !errors.As(err, &refusal) {
		refusal = Errorf("internal", "%v", err)
	}
	return Response{Type: "response", ID: id, Error: refusal}
}

func (c *connection) answer(ctx context.Context, id int64, result any, err error) {
	response := Response{Type: "response", ID: id, OK: true, Result: result}
	if err != nil {
		response = failure(id, err)
	}
	c.send(ctx, outgoing{response: response})
}

func (c *connection) send(ctx context.Context, message outgoing) {
	select {
	case c.out <- message:
	case <-ctx.Done():
	}
}

// write sends answers and, once greeted, records; it ends with the connection or when the peer takes no more.
func (c *connection) write(ctx context.Context) {
	var cursor uint64
	var more <-chan struct{} // nil until greeted: nothing is sent before
	greeted := false
	ending, ended := c.server.ending, false
	for {
		if greeted {
			var batch [][]byte
			batch, cursor, more = c.server.config.Records.after(cursor, replayBatch)
			for _, encoded := range batch {
				if c.put(ctx, encoded) != nil {
					return
				}
			}
			if len(batch) == replayBatch {
				more = closedChannel // there may be more already; answers still get their turn below
			} else if ended {
				_ = c.socket.Close(websocket.StatusGoingAway, "the agent ends") // the peer may be gone already
				return
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-more:
		case <-ending:
			if !greeted {
				return
			}
			ending, ended = nil, true // once more around, for the last records
		case message := <-c.out:
			encoded, err := json.Marshal(message.response)
			if err != nil {
				encoded, _ = json.Marshal(failure(message.response.ID, err))
			}
			if c.put(ctx, encoded) != nil {
				return
			}
			if message.end {
				_ = c.socket.Close(websocket.StatusPolicyViolation, errorProtocolMismatch) // the peer may be gone already
				return
			}
			if message.sent != nil {
				message.sent()
			}
			if message.cursor != nil {
				cursor, greeted = *message.cursor, true
			}
		}
	}
}

func (c *connection) put(ctx context.Context, frame []byte) error {
	ctx, cancel := context.WithTimeout(ctx, writePatience)
	defer cancel()
	return c.socket.Write(ctx, websocket.MessageText, frame)
}

var closedChannel = func() <-chan struct{} {
	channel := make(chan struct{})
	close(channel)
	return channel
}()
